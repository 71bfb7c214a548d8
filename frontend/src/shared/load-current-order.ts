import { ok, type Result, rejected } from '@kilim/domain/result';
import type { CurrentOrder } from './current-order.ts';
import { localStore } from './storage.ts';
import { currentOrderSchema } from './wire.ts';

export type CurrentOrderRejection =
  /** Nothing is stored. */
  | { readonly code: 'NoOrder' }
  /** The stored text is not a valid order. */
  | { readonly code: 'Unreadable' };

export function loadCurrentOrder(): Result<CurrentOrder, CurrentOrderRejection> {
  const text = localStore.read('currentOrder');
  if (text === null) return rejected({ code: 'NoOrder' });
  try {
    const parsed = currentOrderSchema.safeParse(JSON.parse(text));
    return parsed.success ? ok(parsed.data) : rejected({ code: 'Unreadable' });
  } catch {
    return rejected({ code: 'Unreadable' });
  }
}
