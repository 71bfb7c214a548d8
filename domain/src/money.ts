import type { Brand } from './brand.ts';

/** United States cents; dollars exist only on the wire and on screen. */
export type Cents = Brand<number, 'Cents'>;

/** @throws RangeError when the number is not a safe integer. */
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

/** Never `-0`, which `JSON` and tests tell from zero. */
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
 * Rounded half up. Big integers, because the product may pass 2^53.
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
 * Largest remainder: shares add up to the amount, each within a cent of its exact proportion; ties go to the earlier
 * weight. With no weight at all, the amount must be zero.
 */
export function shareByLargestRemainder(amount: Cents, weights: readonly number[]): Cents[] {
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
  if (totalWeight === 0) {
    if (amount !== 0) throw new RangeError('An amount cannot be shared among nobody');
    return weights.map(() => noCents);
  }
  const exact = weights.map((weight, index) => {
    // The product passes 2^53 for a large order.
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

/** `$400`, or `$400.50`. */
export function formatWholeDollars(amount: Cents): string {
  return formatDollars(amount).replace(/\.00$/, '');
}

/** `1234.56`: exact decimal text, for the wire and exports. */
export function decimalDollars(amount: Cents): string {
  const absolute = Math.abs(amount);
  const fraction = absolute % 100;
  const whole = (absolute - fraction) / 100;
  return `${amount < 0 ? '-' : ''}${whole}.${String(fraction).padStart(2, '0')}`;
}

/** The JSON number of the specification's wire format. */
export function toDollars(amount: Cents): number {
  return Number(decimalDollars(amount));
}

/**
 * A number or text with at most two decimals, not negative, below ten million; read as text, because sums of
 * floating-point numbers are not exact.
 * @returns undefined for anything else.
 */
export function parseDollars(value: unknown): Cents | undefined {
  const match = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(
    typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '',
  );
  if (match === null) return undefined;
  return cents(Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')));
}
