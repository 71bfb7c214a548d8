import { createDayEntries, entryOf, isLate } from '@kilim/domain/accounting/booking';
import { type DayTakings, noTakings, withBooking } from '@kilim/domain/accounting/daily-takings';
import { daysBetween } from '@kilim/domain/accounting/day';
import { createRefundReasons } from '@kilim/domain/accounting/refund-reasons';
import { noTax, type TaxFigures, withTaxOf } from '@kilim/domain/accounting/sales-tax';
import { type Cents, cents } from '@kilim/domain/money';
import type { ExportFormat } from '../../contract/exports.ts';
import type { Sql } from '../database/database.ts';
import { eachBooking } from './bookings.ts';
import { monthsOf } from './reports.ts';
import type { Scope } from './scope.ts';
import { countEvents } from './selection.ts';

/** The contents of a range, shown before a download. */
export type Contents = {
  readonly takings: DayTakings;
  readonly tax: TaxFigures;
  /** The sum of the journal's debits, which equals the sum of its credits. */
  readonly debits: Cents;
  /** Bookings that arrived after their day was closed. */
  readonly lateFacts: number;
  /** Lines of each file, without the header. */
  readonly rows: Readonly<Record<ExportFormat, number>>;
};

/** Uses the same code that writes the files. */
export async function readContents(sql: Sql, scope: Scope): Promise<Contents> {
  const events = await countEvents(sql, scope);
  const days = createDayEntries();
  const reasons = createRefundReasons();
  let takings = noTakings;
  let tax = noTax;
  let [debits, journalLines, lateFacts] = [0, 0, 0];
  await eachBooking(sql, { scope }, (booking) => {
    const entry = entryOf(booking);
    days.add(booking, entry);
    reasons.add(booking);
    takings = withBooking(takings, booking);
    tax = withTaxOf(tax, booking);
    for (const { amount } of entry) if (amount > 0) debits += amount;
    journalLines += entry.length;
    if (isLate(booking)) lateFacts += 1;
  });
  const entryLines = days
    .entries()
    .reduce((sum, { balances }) => sum + [...balances.values()].filter((amount) => amount !== 0).length, 0);
  return {
    takings,
    tax,
    debits: cents(debits),
    lateFacts,
    rows: {
      csv: events,
      jsonl: events,
      'journal-csv': journalLines,
      'quickbooks-csv': entryLines,
      'xero-csv': entryLines,
      'sales-tax-csv': monthsOf(scope).length,
      'takings-csv': daysBetween(scope.from, scope.to).length,
      'refunds-csv': reasons.rows().length,
    },
  };
}
