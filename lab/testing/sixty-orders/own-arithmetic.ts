// Exact fractions in big integers, and days in Los Angeles around November 2025.

/** The clocks went back at 09:00 UTC. */
const clocksChange = Date.UTC(2025, 10, 2, 9);

export function dayInLosAngeles(at: string): string {
  const instant = Date.parse(at);
  const hoursBehind = instant < clocksChange ? 7 : 8;
  return new Date(instant - hoursBehind * 3_600_000).toISOString().slice(0, 10);
}

export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

export function roundHalfUp(numerator: number, denominator: number): number {
  return Number((2n * BigInt(numerator) + BigInt(denominator)) / (2n * BigInt(denominator)));
}

/** By largest remainder; the earlier share wins a tie. */
export function shares(amount: number, weights: readonly number[]): number[] {
  const whole = BigInt(sum(weights));
  if (whole === 0n) return weights.map(() => 0);
  const exact = weights.map((weight) => BigInt(amount) * BigInt(weight));
  const given = exact.map((product) => Number(product / whole));
  const order = exact
    .map((product, index) => ({ index, rest: product % whole }))
    .toSorted((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1));
  for (const { index } of order.slice(0, amount - sum(given))) given[index] = (given[index] ?? 0) + 1;
  return given;
}

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

export function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`No item ${index}`);
  return item;
}
