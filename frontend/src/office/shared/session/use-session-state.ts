import { useSyncExternalStore } from 'react';
import { currentState, type SessionState, subscribe } from './session-store.ts';

export function useSessionState(): SessionState {
  return useSyncExternalStore(subscribe, currentState);
}
