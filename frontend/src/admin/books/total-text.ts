import { cents, formatDollars } from '@kilim/domain/money';

/** `$1,234,567,890.12`: sums of the wire, which may be larger than any amount that somebody pays, and negative. */
export function totalText(dollars: number): string {
  return formatDollars(cents(Math.round(dollars * 100)));
}
