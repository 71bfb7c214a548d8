import { changes } from '@kilim/bff/contract/changes';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../../shared/call.ts';
import { adminQuery } from '../shared/api/admin-query.ts';
import { isNoAnswer } from '../shared/api/no-answer.ts';
import { booksKey, changesKey, moneyKey, payoutsKey } from '../shared/api/query-keys.ts';
import { officeStart } from '../shared/session/office-start.ts';
import { useSessionState } from '../shared/session/use-session-state.ts';

const pollMilliseconds = 5_000;

const changesQuery = queryOptions({
  ...adminQuery(changesKey, call('GET /api/admin/changes', { answer: changes })),
  refetchOnWindowFocus: 'always',
  staleTime: pollMilliseconds,
  initialData: () => officeStart && { version: officeStart.version },
});

/** Known, or cannot be. Pages load their data afterwards, so that no change between both is missed. */
export function useFirstVersion(): boolean {
  return !useQuery(changesQuery).isPending;
}

/**
 * Reloads when the version differs: another person, a customer or Square changed data. After a failure, also reloads
 * what failed meanwhile.
 * @returns whether the server answers.
 */
export function useChanges(): boolean {
  const queryClient = useQueryClient();
  const isSignedIn = useSessionState() === 'signed-in';
  // TanStack Query does not poll while the page is hidden, and asks when it is shown. An ended token counts against the
  // network, so it is not sent again.
  const { data, error } = useQuery({ ...changesQuery, refetchInterval: isSignedIn && pollMilliseconds });
  const version = data?.version;
  const seen = useRef(version);
  useEffect(() => {
    if (version === seen.current) return;
    seen.current = version;
    for (const queryKey of [moneyKey, booksKey, payoutsKey]) void queryClient.invalidateQueries({ queryKey });
  }, [version, queryClient]);
  const isAway = isNoAnswer(error);
  const wasAway = useRef(false);
  useEffect(() => {
    if (wasAway.current && !isAway) {
      void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
    }
    wasAway.current = isAway;
  }, [isAway, queryClient]);
  return !isAway;
}
