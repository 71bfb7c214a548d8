import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { makeQueryClient } from './query-client.ts';

/** One for the whole visit, however often its pages come and go. */
const queryClient = makeQueryClient();

/** TanStack Query around the pages that load data, and only those: the order form loads none, and need not wait for it. */
export function Queries({ children }: { readonly children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
