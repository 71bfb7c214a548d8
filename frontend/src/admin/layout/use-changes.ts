import { changes } from '@kilim/bff/contract/changes';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { adminQuery } from '../api/admin-query.ts';
import { moneyKey } from '../orders/order-queries.ts';

const pollMilliseconds = 5_000;

const changesQuery = queryOptions({
  ...adminQuery(['admin', 'changes'], { path: '/api/admin/changes', schema: changes }),
  // TanStack Query does not poll while the page is hidden, and asks again when it is shown.
  refetchInterval: pollMilliseconds,
  refetchOnWindowFocus: 'always',
});

/** Loads orders, refunds and figures again when the ledger has grown: another person, a customer or Square did it. */
export function useChanges(): void {
  const queryClient = useQueryClient();
  const version = useQuery(changesQuery).data?.version;
  const seen = useRef(version);
  useEffect(() => {
    if (version === undefined || version === seen.current) return;
    const isFirst = seen.current === undefined;
    seen.current = version;
    if (!isFirst) void queryClient.invalidateQueries({ queryKey: moneyKey });
  }, [version, queryClient]);
}
