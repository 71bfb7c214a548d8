import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';

/**
 * Data is loaded once and stays unchanged until it is invalidated (specification, section 9). The back office loads it
 * again on each visit: admin/api/admin-query.ts.
 * `networkMode: 'always'` protects payments: by default TanStack Query holds calls made offline and
 * sends them on reconnect.
 */
function makeQueryClient(): QueryClient {
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

// At module level, so that its cache outlives the mounting and unmounting of pages.
const queryClient = makeQueryClient();

/**
 * Provides TanStack Query to the pages that load data. The order form loads none, so it does not
 * load this module.
 */
export function Queries({ children }: { readonly children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
