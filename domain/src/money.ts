import type { Brand } from './brand.ts';

/**
 * United States dollars in whole cents. Every amount inside the system is in cents; dollars exist
 * only on the wire and on screen.
 */
export type Cents = Brand<number, 'Cents'>;

/**
 * Makes cents of a whole number.
 * @throws RangeError when the number is not a safe integer, so that a wrong amount goes no further.
 */
export function cents(amount: number): Cents {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`Not a whole number of cents: ${amount}`);
  return amount as Cents;
}

export const noCents: Cents = cents(0);

export function sumCents(amounts: Iterable<Cents>): Cents {
  let sum = 0;
  for (const amount of amounts) sum += amount;
  return cents(sum);
}

/** Money in becomes money out. Never the number `-0`, which `JSON` and tests tell from zero. */
export function negate(amount: Cents): Cents {
  return amount === 0 ? noCents : cents(-amount);
}

export function smallerOf(first: Cents, second: Cents): Cents {
  return first < second ? first : second;
}

export function largerOf(first: Cents, second: Cents): Cents {
  return first > second ? first : second;
}

/**
 * `amount * numerator / denominator`, rounded half up. The product may pass 2^53, so it is taken in
 * big integers, and no floating-point value ever touches money.
 * @throws RangeError unless all are whole numbers from 0, and the denominator is not 0.
 */
export function proportionHalfUp(amount: number, numerator: number, denominator: number): number {
  for (const factor of [amount, numerator, denominator]) {
    if (!Number.isSafeInteger(factor) || factor < 0) throw new RangeError(`Not a whole number: ${factor}`);
  }
  if (denominator === 0) throw new RangeError('Not a divisor: 0');
  const divisor = BigInt(denominator);
  return Number((2n * BigInt(amount) * BigInt(numerator) + divisor) / (2n * divisor));
}

/**
 * Splits an amount into whole-cent shares in proportion to whole-number weights, by largest remainder: the shares
 * always add up to the amount, and none is further than a cent from its exact proportion. Ties go to the earlier
 * weight. With no weight at all, nothing can be shared and the amount must be zero.
 */
export function shareByLargestRemainder(amount: Cents, weights: readonly number[]): Cents[] {
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
  if (totalWeight === 0) {
    if (amount !== 0) throw new RangeError('An amount cannot be shared among nobody');
    return weights.map(() => noCents);
  }
  const exact = weights.map((weight, index) => {
    // amount * weight passes 2^53 for a large order, so this one product is taken in big integers.
    const product = BigInt(amount) * BigInt(weight);
    const share = Number(product / BigInt(totalWeight));
    return { index, share, remainder: product % BigInt(totalWeight) };
  });
  let left = amount - exact.reduce((sum, { share }) => sum + share, 0);
  const shares = exact.map(({ share }) => share);
  const byRemainder = exact.toSorted((a, b) =>
    a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
  );
  for (const { index } of byRemainder) {
    if (left === 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
    left -= 1;
  }
  return shares.map(cents);
}

/** `$1,234.56`, with a leading minus for money out. */
export function formatDollars(amount: Cents): string {
  const [whole = '0', fraction = '00'] = decimalDollars(cents(Math.abs(amount))).split('.');
  return `${amount < 0 ? '-' : ''}$${whole.replaceAll(/\B(?=(?:\d{3}){1,5}$)/g, ',')}.${fraction}`;
}

/** `$400`, or `$400.50` if there are cents. */
export function formatWholeDollars(amount: Cents): string {
  return formatDollars(amount).replace(/\.00$/, '');
}

/** `1234.56`: the amount as decimal text, exact, for the wire and for exports. */
export function decimalDollars(amount: Cents): string {
  const absolute = Math.abs(amount);
  const fraction = absolute % 100;
  const whole = (absolute - fraction) / 100;
  return `${amount < 0 ? '-' : ''}${whole}.${String(fraction).padStart(2, '0')}`;
}

/** The amount as the JSON number of the specification's wire format, with at most two decimals. */
export function toDollars(amount: Cents): number {
  return Number(decimalDollars(amount));
}

/**
 * Reads dollars from the wire: a number or text with at most two decimals, not negative, below ten
 * million. Decimal digits are read as text, so `0.1 + 0.2` can never slip in.
 * @returns undefined when the value is anything else.
 */
export function parseDollars(value: unknown): Cents | undefined {
  const match = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(
    typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '',
  );
  if (match === null) return undefined;
  return cents(Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')));
}
