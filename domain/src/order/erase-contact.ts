import { ok, type Result, rejected } from '../result.ts';
import type { ContactErased, OrderEvent } from './events.ts';

/** The actor when a contact's period is over. */
export const erasedByRetention = 'retention';

export type ErasureState = { readonly isPlaced: boolean; readonly erased: ContactErased | undefined };

export const nothingErased: ErasureState = { isPlaced: false, erased: undefined };

export function evolve(state: ErasureState, event: OrderEvent): ErasureState {
  if (event.type === 'OrderPlaced') return { ...state, isPlaced: true };
  return event.type === 'ContactErased' ? { ...state, erased: event } : state;
}

export type EraseContact = { readonly erasedBy: string };

export type ErasureRejection =
  | { readonly code: 'UnknownOrder' }
  /** The order has an event that the caller did not expect. */
  | { readonly code: 'Changed' };

/** A second erasure records nothing. */
export function decide(
  { erasedBy }: EraseContact,
  state: ErasureState,
): Result<readonly ContactErased[], ErasureRejection> {
  if (!state.isPlaced) return rejected({ code: 'UnknownOrder' });
  return ok(state.erased === undefined ? [{ type: 'ContactErased', erasedBy }] : []);
}
