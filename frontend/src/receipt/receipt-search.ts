import { type Cents, parseDollars } from '@kilim/domain/money';
import * as z from 'zod/mini';

/** The router reads `123.45` in an address as a number and anything else as text. A wrong value is a missing one. */
export const receiptSearch = z.object({
  payment_id: z.catch(
    z.optional(z.union([z.string().check(z.minLength(1)), z.pipe(z.int(), z.transform(String))])),
    undefined,
  ),
  amount: z.catch(z.optional(z.union([z.string(), z.number()])), undefined),
});
export type ReceiptSearch = z.infer<typeof receiptSearch>;

/** The amount of the address: shown only until the ledger's is known. Anyone can write anything there. */
export function addressAmount({ amount }: ReceiptSearch): Cents | undefined {
  return parseDollars(amount);
}

/** The first 8 characters and an ellipsis, when there are more than 10 (specification, section 2.4). */
export function shortPaymentId(paymentId: string): string {
  return paymentId.length > 10 ? `${paymentId.slice(0, 8)}…` : paymentId;
}
