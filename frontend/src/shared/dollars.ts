import { type Cents, parseDollars } from '@kilim/domain/money';

/**
 * Converts an API amount to cents. @throws RangeError for a number that the schemas of `wire.ts`
 * reject.
 */
export function centsOf(amount: number): Cents {
  const cents = parseDollars(amount);
  if (cents === undefined) throw new RangeError(`Not an amount of dollars: ${amount}`);
  return cents;
}
