import { type Cents, parseDollars } from '@kilim/domain/money';

export type ReceiptSearch = { readonly payment_id?: string; readonly amount?: string | number };

/**
 * The router parses `123.45` as a number and other values as text. An invalid value counts as missing. Without zod,
 * because every page loads every route's search parser.
 */
export function receiptSearch(search: Readonly<Record<string, unknown>>): ReceiptSearch {
  const { payment_id: paymentId, amount } = search;
  const isPaymentId = (typeof paymentId === 'string' && paymentId !== '') || Number.isInteger(paymentId);
  return {
    ...(isPaymentId ? { payment_id: String(paymentId) } : {}),
    ...(typeof amount === 'string' || typeof amount === 'number' ? { amount } : {}),
  };
}

/** Untrusted: shown only until the ledger's amount is loaded. */
export function addressAmount({ amount }: ReceiptSearch): Cents | undefined {
  return parseDollars(amount);
}

/** To 8 characters and an ellipsis, if it has more than 10 (specification, section 2.4). */
export function shortPaymentId(paymentId: string): string {
  return paymentId.length > 10 ? `${paymentId.slice(0, 8)}…` : paymentId;
}
