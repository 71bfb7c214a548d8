import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { type ReactNode, useEffect } from 'react';
import { type Paged, rangeOf } from '../api/paged.ts';
import { ListShortcuts } from '../shortcuts/list-shortcuts.tsx';
import { officeTexts } from '../texts.ts';
import cards from './card.module.css';
import { Card } from './card.tsx';
import { Loaded, type LoadedProps } from './loaded.tsx';
import { LoadedAt } from './loaded-at.tsx';
import styles from './pagination.module.css';
import { Pagination } from './pagination.tsx';

type ListCardProps<Row, Search> = Pick<PagedListProps<Row>, 'children'> & {
  readonly query: PagedListProps<Row>['query'] & { readonly dataUpdatedAt: number; readonly isFetching: boolean };
  /** Of what *Refresh* loads again. */
  readonly queryKey: QueryKey;
  readonly search: Search;
  readonly onSearch: (search: Search, replace?: boolean) => void;
  readonly texts: PagedListProps<Row>['texts'] & { readonly heading: string };
  readonly note: string | undefined;
  readonly tools?: ReactNode;
  readonly shortcuts?: 'rows' | 'rows and search';
  readonly filters: ReactNode;
  readonly footer?: ReactNode;
};

/** A list in pages, whose search is in the address. */
export function ListCard<Row, Search extends { readonly page?: number }>({
  query,
  queryKey,
  search,
  onSearch,
  ...props
}: ListCardProps<Row, Search>) {
  const queryClient = useQueryClient();
  const { page = 1, ...atFirstPage } = search;
  const refresh = () => {
    if (page > 1) onSearch(atFirstPage as Search);
    void queryClient.invalidateQueries({ queryKey });
  };
  const { shortcuts } = props;
  return (
    <Card
      title={props.texts.heading}
      note={props.note}
      actions={
        <div className={cards.tools}>
          <LoadedAt query={query} />
          {props.tools}
          <Button onClick={refresh} loading={query.isFetching && query.data !== undefined}>
            {officeTexts.refresh}
          </Button>
          {shortcuts && <ListShortcuts onRefresh={refresh} hasSearch={shortcuts === 'rows and search'} />}
        </div>
      }
    >
      {props.filters}
      <PagedList
        query={query}
        page={page}
        texts={props.texts}
        onPage={(next, replace) => onSearch({ ...search, page: next }, replace)}
      >
        {props.children}
      </PagedList>
      {props.footer}
    </Card>
  );
}

type PagedListProps<Row> = {
  readonly query: LoadedProps<Paged<Row>>['query'] & { readonly isPlaceholderData: boolean };
  readonly page: number;
  readonly texts: {
    readonly loading: string;
    readonly loadFailed: string;
    readonly pages: string;
    /** 'Showing 11 to 20 of 37 results' */
    readonly results: (from: string, to: string, total: string) => string;
  };
  readonly onPage: (page: number, replace?: boolean) => void;
  readonly children: (data: Paged<Row>) => ReactNode;
};

/** An address of a page that does not exist shows the last page. */
function PagedList<Row>({ query, page, texts, onPage, children }: PagedListProps<Row>) {
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
