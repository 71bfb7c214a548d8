import { type Cents, parseDollars } from '@kilim/domain/money';

/** An amount of the wire, inside. @throws RangeError for a number that no schema of `wire.ts` lets pass. */
export function centsOf(amount: number): Cents {
  const cents = parseDollars(amount);
  if (cents === undefined) throw new RangeError(`Not an amount of dollars: ${amount}`);
  return cents;
}
