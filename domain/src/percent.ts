import type { Brand } from './brand.ts';

/** Thousandths of a percent: 9,875 is 9.875 %. Rates of sales tax in California have up to three decimals. */
export type Millipercent = Brand<number, 'Millipercent'>;

/**
 * Reads a percentage: a number, or text with or without the sign, with at most three decimals.
 * @returns undefined when the value is anything else
 */
export function parsePercent(value: number | string): Millipercent | undefined {
  const match = /^(\d{1,3})(?:\.(\d{1,3}))?(?: ?%)?$/.exec(String(value).trim());
  if (match === null) return undefined;
  return (Number(match[1]) * 1000 + Number((match[2] ?? '').padEnd(3, '0'))) as Millipercent;
}

/** `9.75`, exact and without trailing zeros. */
export function decimalPercent(rate: Millipercent): string {
  const fraction = rate % 1000;
  const decimals = String(fraction)
    .padStart(3, '0')
    .replace(/0{1,3}$/, '');
  return `${(rate - fraction) / 1000}${decimals === '' ? '' : `.${decimals}`}`;
}
