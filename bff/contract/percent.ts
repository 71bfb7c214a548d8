import { decimalPercent, type Millipercent, parsePercent } from '@kilim/domain/percent';
import * as z from 'zod/mini';
import { refuse } from './money.ts';

export const millipercent = z.custom<Millipercent>((value) => Number.isSafeInteger(value));

/** At most three decimals on the wire, thousandths inside. */
export const percent = z.codec(z.number(), millipercent, {
  decode: (value, payload) => parsePercent(value) ?? refuse(payload),
  encode: toPercent,
});

export function toPercent(rate: Millipercent): number {
  return Number(decimalPercent(rate));
}
