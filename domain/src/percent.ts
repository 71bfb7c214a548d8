import type { Brand } from './brand.ts';

/** Thousandths of a percent, because Californian sales taxes have up to three decimals. */
export type Millipercent = Brand<number, 'Millipercent'>;

/**
 * A number, or text with or without the sign, with at most three decimals.
 * @returns undefined for anything else.
 */
export function parsePercent(value: number | string): Millipercent | undefined {
  const match = /^(\d{1,3})(?:\.(\d{1,3}))?(?: ?%)?$/.exec(String(value).trim());
  if (match === null) return undefined;
  return (Number(match[1]) * 1000 + Number((match[2] ?? '').padEnd(3, '0'))) as Millipercent;
}

/** `9.75`, exact. */
export function decimalPercent(rate: Millipercent): string {
  const fraction = rate % 1000;
  const decimals = String(fraction)
    .padStart(3, '0')
    .replace(/0{1,3}$/, '');
  return `${(rate - fraction) / 1000}${decimals === '' ? '' : `.${decimals}`}`;
}
