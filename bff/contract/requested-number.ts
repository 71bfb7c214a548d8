import { parseDollars, toDollars } from '@kilim/domain/money';
import { parsePercent } from '@kilim/domain/percent';
import * as z from 'zod/mini';
import { refuse, wholeCents } from './money.ts';
import { millipercent, toPercent } from './percent.ts';
import { oneLineText } from './text.ts';

/** Apart from the answers: a page that reads answers does not load what cleans texts. */

function numberOrText(message: string) {
  return z.union([z.number(), z.string().check(z.overwrite(oneLineText))], message);
}

/** A number, or text with two decimals, so that no client has to write a float. */
export function requestedDollars(message: string) {
  return z.codec(numberOrText(message), wholeCents, {
    decode: (amount, payload) => parseDollars(amount) ?? refuse(payload, message),
    encode: toDollars,
  });
}

/** A number or text, with at most three decimals. */
export function requestedPercent(message: string) {
  return z.codec(numberOrText(message), millipercent, {
    decode: (value, payload) => parsePercent(value) ?? refuse(payload, message),
    encode: toPercent,
  });
}
