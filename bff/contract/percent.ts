import { decimalPercent, type Millipercent, parsePercent } from '@kilim/domain/percent';
import * as z from 'zod/mini';

const millipercent = z.custom<Millipercent>((value) => Number.isSafeInteger(value));

/** At most three decimals on the wire, thousandths inside. */
export const percent = z.codec(z.number(), millipercent, {
  decode: (value, payload) => parsePercent(value) ?? refuse(payload),
  encode: toPercent,
});

/** A number or text, with at most three decimals. */
export function requestedPercent(message: string) {
  return z.codec(z.union([z.number(), z.string()], message), millipercent, {
    decode: (value, payload) => parsePercent(value) ?? refuse(payload, message),
    encode: toPercent,
  });
}

function toPercent(rate: Millipercent): number {
  return Number(decimalPercent(rate));
}

function refuse(payload: z.core.ParsePayload, message?: string): never {
  payload.issues.push({ code: 'custom', input: payload.value, message });
  return z.NEVER;
}
