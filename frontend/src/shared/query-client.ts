import { QueryClient } from '@tanstack/react-query';

/**
 * Data is loaded once and stays as it is until someone invalidates it (specification, section 9). `networkMode: 'always'` is
 * about money: by default a call made offline would wait, and run by itself on reconnect.
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
