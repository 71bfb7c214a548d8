import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { ApiError } from '../../../shared/api-client.ts';
import { changesKey } from './query-keys.ts';

/** A server that is broken or away. Null: nothing failed. */
export function isNoAnswer(error: unknown): boolean {
  if (error === null) return false;
  return !(error instanceof ApiError && error.failure.kind === 'refused' && error.failure.status < 500);
}

/** Then a banner above every page says so, and loads everything again when the server is back. */
export function useServerIsAway(): boolean {
  const queries = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (onChange) => queries.subscribe(onChange),
    () => isNoAnswer(queries.find({ queryKey: changesKey })?.state.error ?? null),
  );
}
