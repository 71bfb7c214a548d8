import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { makeQueryClient } from './query-client.ts';

// At module level, so that its cache outlives the mounting and unmounting of pages.
const queryClient = makeQueryClient();

/**
 * Provides TanStack Query to the pages that load data. The order form loads none, so it does not
 * load this module.
 */
export function Queries({ children }: { readonly children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
