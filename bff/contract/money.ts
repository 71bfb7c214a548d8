import { type Cents, parseDollars, toDollars } from '@kilim/domain/money';
import * as z from 'zod/mini';

/*
 * `bff/contract/` holds one schema for each request and each answer.
 * - `z.input<typeof schema>` is the form on the wire: dollars as JSON numbers. `z.output<typeof schema>` is the form
 *   inside: whole cents.
 * - The server reads requests and encodes answers by the table of calls, see `bff/src/core/http/serve.ts`. Encoding drops
 *   fields that the schema does not name.
 * - Texts belong to schemas of requests only: a schema that a page loads at run time stays small.
 */

export const wholeCents = z.custom<Cents>((value) => Number.isSafeInteger(value));

/** US dollars with at most two decimals, below ten million and not negative. */
export const dollars = z.codec(z.number(), wholeCents, {
  decode: (amount, payload) => parseDollars(amount) ?? refuse(payload),
  encode: toDollars,
});

/** Negative sums are possible, and sums that are larger than any one amount. */
export const signedDollars = z.codec(z.number(), wholeCents, {
  decode: (amount, payload) => {
    const rounded = Math.round(amount * 100);
    if (Number.isSafeInteger(rounded) && toDollars(rounded as Cents) === amount) return rounded as Cents;
    return refuse(payload);
  },
  encode: toDollars,
});

export function refuse(payload: z.core.ParsePayload, message?: string): never {
  payload.issues.push({ code: 'custom', input: payload.value, message });
  return z.NEVER;
}
