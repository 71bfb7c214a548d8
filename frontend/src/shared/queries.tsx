import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';

/**
 * Data is loaded once (specification, section 9), except in the back office: admin/api/admin-query.ts. `networkMode:
 * 'always'` protects payments: by default TanStack Query sends calls made offline on reconnect.
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

// Its cache outlives the mounting of pages.
const queryClient = makeQueryClient();

/** The order form loads no data, so it does not load this module. */
export function Queries({ children }: { readonly children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
