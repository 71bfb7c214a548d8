import { type CurrentOrder, currentOrder } from '@kilim/bff/contract/quote';
import { type Cents, cents } from '@kilim/domain/money';
import { ok, type Result, rejected } from '@kilim/domain/result';
import * as z from 'zod/mini';
import { parseJson } from './parse-json.ts';
import { localStore, sessionStore } from './storage.ts';

export type CurrentOrderRejection =
  | { readonly code: 'NoOrder' }
  /** The stored text is not a valid order. */
  | { readonly code: 'Unreadable' };

/**
 * As on the wire: dollars, under the specification's names (section 3).
 * @param shownTotal the last one that the customer saw.
 */
export function saveCurrentOrder(order: CurrentOrder, shownTotal: Cents = order.totalAmount): void {
  // First, so that no order with another total is stored without it.
  if (shownTotal === order.totalAmount) sessionStore.remove('shownTotal');
  else sessionStore.write('shownTotal', `${order.orderId} ${shownTotal}`);
  localStore.write('currentOrder', JSON.stringify(z.encode(currentOrder, order)));
}

/** Undefined if the customer saw the order's own total. */
export function loadShownTotal({ orderId }: CurrentOrder): Cents | undefined {
  const [of, total] = sessionStore.read('shownTotal')?.split(' ') ?? [];
  return of === orderId ? cents(Number(total)) : undefined;
}

export function loadCurrentOrder(): Result<CurrentOrder, CurrentOrderRejection> {
  const text = localStore.read('currentOrder');
  if (text === null) return rejected({ code: 'NoOrder' });
  const parsed = currentOrder.safeParse(parseJson(text));
  return parsed.success ? ok(parsed.data) : rejected({ code: 'Unreadable' });
}
