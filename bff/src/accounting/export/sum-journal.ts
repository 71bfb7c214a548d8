import { entryOf, isLate } from '@kilim/domain/accounting/booking';
import { type Account, accounts } from '@kilim/domain/accounting/chart';
import type { AccountTotals } from '@kilim/domain/accounting/closings';
import { cents } from '@kilim/domain/money';
import type { Sql } from '../../core/database/database.ts';
import { eachBooking } from './bookings.ts';
import type { Scope } from './scope.ts';

export type JournalSums = {
  /** `late` is a part of `bookings`. */
  readonly counts: { readonly bookings: number; readonly late: number };
  /** In the order of the chart. */
  readonly balances: readonly AccountTotals[];
};

export async function sumJournal(sql: Sql, scope: Scope): Promise<JournalSums> {
  const sums = new Map<Account, { debit: number; credit: number }>();
  let [bookings, late] = [0, 0];
  await eachBooking(sql, { scope }, (booking) => {
    const entry = entryOf(booking);
    // A lost dispute, for example, was booked when it was opened.
    if (entry.length === 0) return;
    bookings += 1;
    if (isLate(booking)) late += 1;
    for (const { account, amount } of entry) {
      const sum = sums.get(account) ?? { debit: 0, credit: 0 };
      if (amount > 0) sum.debit += amount;
      else sum.credit -= amount;
      sums.set(account, sum);
    }
  });
  const balances = accounts.flatMap((account): readonly AccountTotals[] => {
    const sum = sums.get(account);
    return sum === undefined ? [] : [{ account, debit: cents(sum.debit), credit: cents(sum.credit) }];
  });
  return { counts: { bookings, late }, balances };
}
