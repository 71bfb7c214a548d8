import { keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query';
import type { ApiRequest } from '../../../shared/api-client.ts';
import { adminLoad } from './admin-request.ts';
import { type Paged, pagedOf, rowsPerPage } from './paged.ts';

/** Other people and Square change the data too, so each visit loads them again. */
const loadedOnEachVisit = { staleTime: 0, refetchOnWindowFocus: true } as const;

export function adminQuery<Body>(queryKey: QueryKey, call: ApiRequest<Body>) {
  return queryOptions({
    ...loadedOnEachVisit,
    queryKey,
    queryFn: async ({ signal }) => (await adminLoad({ ...call, signal })).body,
  });
}

type Place = { readonly page?: number; readonly pageSize?: number };

/** The earlier page stays on screen until the next one is loaded. */
export function pagedQuery<Row, Search extends Place>(
  queryKey: QueryKey,
  search: Search,
  callOf: (query: Search & { readonly pageSize: number }) => ApiRequest<readonly Row[]>,
) {
  return queryOptions({
    ...loadedOnEachVisit,
    queryKey: [...queryKey, search],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Paged<Row>> => {
      const query = { pageSize: rowsPerPage, ...search };
      const answer = await adminLoad({ ...callOf(query), signal });
      return pagedOf(answer, query);
    },
  });
}
