import { entryOf } from '@kilim/domain/accounting/booking';
import { type Account, accounts } from '@kilim/domain/accounting/chart';
import { dayBefore, firstOfMonth, monthOf } from '@kilim/domain/accounting/day';
import { type Cents, cents } from '@kilim/domain/money';
import type { Sql } from '../database/database.ts';
import { eachBooking } from './bookings.ts';
import { readCarriedBalances } from './carried-balances.ts';
import { type DayRange, firstDay, openScope, type Scope } from './scope.ts';
import type { Selection } from './selection.ts';

/** The balance of each account; a debit is positive. */
export type Balances = ReadonlyMap<Account, Cents>;

/**
 * The balances of all accounts before a range: the sums of every earlier entry. No account begins a
 * year with zero, because the accounting program closes the years.
 */
export async function readOpeningBalances(sql: Sql, scope: Scope): Promise<Balances> {
  const { from, timeZone } = scope;
  const sums = new Map<Account, number>();
  const add = (account: Account, amount: number) => sums.set(account, (sums.get(account) ?? 0) + amount);
  const addEntries = async (range: DayRange, after?: Selection['after']) => {
    if (range.to < range.from) return;
    const selection = { scope: await openScope(sql, timeZone, range), after };
    await eachBooking(sql, selection, (booking) => {
      for (const { account, amount } of entryOf(booking)) add(account, amount);
    });
  };
  const carried = await readCarriedBalances(sql, scope);
  if (carried === undefined) {
    await addEntries({ from: firstDay, to: dayBefore(from) });
  } else {
    for (const [month, changes] of Object.entries(carried.months)) {
      if (month >= monthOf(from)) continue;
      for (const account of accounts) add(account, changes[account] ?? 0);
    }
    const first = firstOfMonth(from);
    await addEntries({ from: firstDay, to: dayBefore(first) }, carried.place ?? undefined);
    await addEntries({ from: first, to: dayBefore(from) });
  }
  return new Map([...sums].map(([account, amount]) => [account, cents(amount)]));
}
