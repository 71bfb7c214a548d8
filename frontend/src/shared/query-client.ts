import { QueryClient } from '@tanstack/react-query';

/**
 * Data is loaded once and stays unchanged until it is invalidated (specification, section 9). The back office loads it
 * again on each visit: admin/api/admin-query.ts.
 * `networkMode: 'always'` protects payments: by default TanStack Query holds calls made offline and
 * sends them on reconnect.
 */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
