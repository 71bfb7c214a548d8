import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { pageDataQuery, usePageData } from './page-data.ts';
import { makeQueryClient } from './query-client.ts';

/** One for the whole visit, however often its pages come and go. */
const queryClient = makeQueryClient();

/** TanStack Query for the pages that load data. It is a chunk of its own: the order form loads none, and need not wait for it. */
export function Queries({ children }: { readonly children: ReactNode }) {
  const pageData = usePageData();
  useState(() => queryClient.setQueryData(pageDataQuery.queryKey, pageData));
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
