import { useEffect } from 'react';
import type { Paged } from '../api/paged.ts';

type Place = {
  readonly page: number;
  readonly rowsPerPage: number;
  /** Undefined until the page is loaded. */
  readonly data: Paged<unknown> | undefined;
};

/** An address may name a page that does not exist. Then the last page is shown. */
export function useLastPage({ page, rowsPerPage, data }: Place, onPage: (page: number) => void): void {
  const last = data === undefined ? page : Math.max(1, Math.ceil(data.total / rowsPerPage));
  useEffect(() => {
    if (page > last) onPage(last);
  });
}
