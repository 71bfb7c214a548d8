import { type CurrentOrder, currentOrder } from '@kilim/bff/contract/quote';
import { ok, type Result, rejected } from '@kilim/domain/result';
import * as z from 'zod/mini';
import { parseJson } from './parse-json.ts';
import { localStore } from './storage.ts';

export type CurrentOrderRejection =
  | { readonly code: 'NoOrder' }
  /** The stored text is not a valid order. */
  | { readonly code: 'Unreadable' };

/** As on the wire: dollars, under the specification's names (section 3). */
export function saveCurrentOrder(order: CurrentOrder): void {
  localStore.write('currentOrder', JSON.stringify(z.encode(currentOrder, order)));
}

export function loadCurrentOrder(): Result<CurrentOrder, CurrentOrderRejection> {
  const text = localStore.read('currentOrder');
  if (text === null) return rejected({ code: 'NoOrder' });
  const parsed = currentOrder.safeParse(parseJson(text));
  return parsed.success ? ok(parsed.data) : rejected({ code: 'Unreadable' });
}
