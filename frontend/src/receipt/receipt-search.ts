import { type Cents, parseDollars } from '@kilim/domain/money';

export type ReceiptSearch = { readonly payment_id?: string; readonly amount?: string | number };

/**
 * The router reads `123.45` in an address as a number and anything else as text. A wrong value is a
 * missing one. By hand, because every page loads every route's search schema.
 */
export function receiptSearch(search: Readonly<Record<string, unknown>>): ReceiptSearch {
  const { payment_id: paymentId, amount } = search;
  const isPaymentId = (typeof paymentId === 'string' && paymentId !== '') || Number.isInteger(paymentId);
  return {
    ...(isPaymentId ? { payment_id: String(paymentId) } : {}),
    ...(typeof amount === 'string' || typeof amount === 'number' ? { amount } : {}),
  };
}

/**
 * The amount of the address: shown only until the ledger's is known. Anyone can write anything
 * there.
 */
export function addressAmount({ amount }: ReceiptSearch): Cents | undefined {
  return parseDollars(amount);
}

/**
 * The first 8 characters and an ellipsis, when there are more than 10 (specification, section 2.4).
 */
export function shortPaymentId(paymentId: string): string {
  return paymentId.length > 10 ? `${paymentId.slice(0, 8)}…` : paymentId;
}
