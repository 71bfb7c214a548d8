import { ok, type Result, rejected } from '@kilim/domain/result';
import type * as z from 'zod/mini';
import { localStore } from './storage.ts';
import { currentOrderSchema } from './wire.ts';

/** The order that is about to be paid: the server's quote and who asked for it. */
export type CurrentOrder = z.infer<typeof currentOrderSchema>;

export type CurrentOrderRejection =
  /** Nothing is stored. */
  | { readonly code: 'NoOrder' }
  /** Something is stored that is no order. */
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

export function saveCurrentOrder(order: CurrentOrder): void {
  localStore.write('currentOrder', JSON.stringify(order));
}

export function clearCurrentOrder(): void {
  localStore.remove('currentOrder');
}
