import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useSyncExternalStore } from 'react';
import { ApiError } from '../../../shared/api-client.ts';
import { changesKey } from './query-keys.ts';

/** A server that is broken or away. Null: nothing failed. */
export function isNoAnswer(error: unknown): boolean {
  if (error === null) return false;
  return !(error instanceof ApiError && error.failure.kind === 'refused' && error.failure.status < 500);
}

/** Whether a banner above the page says that the server is away, and loads everything again when it is back. */
export const HasAwayBanner = createContext(false);

/** And the banner says so. */
export function useSaysAway(): boolean {
  const hasBanner = useContext(HasAwayBanner);
  const queries = useQueryClient().getQueryCache();
  const isAway = useSyncExternalStore(
    (onChange) => queries.subscribe(onChange),
    () => isNoAnswer(queries.find({ queryKey: changesKey })?.state.error ?? null),
  );
  return hasBanner && isAway;
}
