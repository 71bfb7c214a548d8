import { type Cents, parseDollars, toDollars } from '@kilim/domain/money';
import * as z from 'zod/mini';

/*
 * How the contract works. `bff/contract/` holds one schema for each request and each answer.
 * - `z.input<typeof schema>` is the form on the wire: the specification's field names, dollars as JSON numbers. Types
 *   named `...Request` and `...Answer` have this form. `z.output<typeof schema>` is the form inside: whole cents.
 * - The server reads a request with `body(schema)` or `query(schema)` of `bff/src/http/validate.ts`, and the handler
 *   takes `c.req.valid('json')` or `c.req.valid('query')`. It answers `c.json(z.encode(schema, value), status)`:
 *   `value` has the form inside, and fields that the schema does not name are dropped.
 * - A page gives the schema of an answer to `request()` or `load()` and gets the form inside.
 * - Texts belong to schemas of requests only: a schema that a page loads at run time stays small.
 */

const wholeCents = z.custom<Cents>((value) => Number.isSafeInteger(value));

/**
 * An amount in an answer: a JSON number of US dollars with at most two decimals on the wire, whole cents inside. It is
 * not negative and below ten million.
 */
export const dollars = z.codec(z.number(), wholeCents, {
  decode: (amount, payload) => parseDollars(amount) ?? refuse(payload),
  encode: toDollars,
});

/** A sum or a balance in an answer: it may be negative, and larger than any one amount. */
export const signedDollars = z.codec(z.number(), wholeCents, {
  decode: (amount, payload) => {
    const rounded = Math.round(amount * 100);
    if (Number.isSafeInteger(rounded) && toDollars(rounded as Cents) === amount) return rounded as Cents;
    return refuse(payload);
  },
  encode: toDollars,
});

/** An amount in a request: a number, or text with two decimals, so that no client has to write a float. */
export function requestedDollars(message: string) {
  return z.codec(z.union([z.number(), z.string()], message), wholeCents, {
    decode: (amount, payload) => parseDollars(amount) ?? refuse(payload, message),
    encode: toDollars,
  });
}

function refuse(payload: z.core.ParsePayload, message?: string): never {
  payload.issues.push({ code: 'custom', input: payload.value, message });
  return z.NEVER;
}
