import { type ReactNode, useEffect } from 'react';
import { type Paged, rangeOf } from '../api/paged.ts';
import { Loaded, type LoadedProps } from './loaded.tsx';
import styles from './pagination.module.css';
import { Pagination } from './pagination.tsx';

type PagedListProps<Row> = {
  readonly query: LoadedProps<Paged<Row>>['query'] & { readonly isPlaceholderData: boolean };
  readonly page: number;
  readonly texts: {
    readonly loading: string;
    readonly loadFailed: string;
    readonly pages: string;
    /** 'Showing 11 to 20 of 37 results' */
    readonly results: (from: number, to: number, total: string) => string;
  };
  readonly onPage: (page: number, replace?: boolean) => void;
  readonly children: (data: Paged<Row>) => ReactNode;
};

/** An address of a page that does not exist shows the last page. */
export function PagedList<Row>({ query, page, texts, onPage, children }: PagedListProps<Row>) {
  const { data, isPlaceholderData } = query;
  const last = data === undefined || isPlaceholderData ? page : Math.max(1, Math.ceil(data.total / data.pageSize));
  useEffect(() => {
    if (page > last) onPage(last, true);
  });
  return (
    <Loaded query={query} loading={texts.loading} failed={texts.loadFailed}>
      {(shown) => (
        <div className={styles.list} data-stale={isPlaceholderData}>
          {children(shown)}
          <Pagination
            label={texts.pages}
            page={page}
            lastPage={Math.ceil(shown.total / shown.pageSize)}
            caption={texts.results(...rangeOf(shown))}
            onPage={onPage}
          />
        </div>
      )}
    </Loaded>
  );
}
