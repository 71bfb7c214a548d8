import { type Booking, createDayEntries, type DayEntry, entryOf, isLate } from '@kilim/domain/accounting/booking';
import { type DayTakings, noTakings, withBooking } from '@kilim/domain/accounting/daily-takings';
import { createSalesTaxReport, type TaxFigures } from '@kilim/domain/accounting/sales-tax';
import { daysBetween } from '@kilim/domain/day';
import { type Cents, cents } from '@kilim/domain/money';
import type { ImportFormat, ListedFormat } from '../../../contract/exports.ts';
import type { Sql } from '../../core/database/database.ts';
import { countLines } from './accounting-programs.ts';
import { eachBooking } from './bookings.ts';
import { partsOf } from './import-parts.ts';
import { countPayoutLines, movesBank } from './payout-lines.ts';
import type { DayRange, Scope } from './scope.ts';
import { countEvents } from './selection.ts';
import { salesTaxRows } from './tables/sales-tax.ts';

export type Contents = {
  readonly takings: DayTakings;
  readonly tax: TaxFigures;
  readonly debits: Cents;
  /** Bookings that arrived after their day was closed. */
  readonly lateFacts: number;
  readonly parts: Readonly<Record<ImportFormat, readonly DayRange[]>>;
  readonly rows: Readonly<Record<ListedFormat, number>>;
};

/** Uses the same code that writes the files. */
export async function readContents(sql: Sql, scope: Scope): Promise<Contents> {
  const events = await countEvents(sql, scope);
  const days = createDayEntries();
  const moved: Booking['event'][] = [];
  let takings = noTakings;
  const tax = createSalesTaxReport();
  let [debits, lateFacts] = [0, 0];
  await eachBooking(sql, { scope }, (booking) => {
    const entry = entryOf(booking);
    days.add(booking, entry);
    if (movesBank(booking)) moved.push(booking.event);
    takings = withBooking(takings, booking);
    tax.add(booking);
    for (const { amount } of entry) if (amount > 0) debits += amount;
    if (isLate(booking)) lateFacts += 1;
  });
  const entries = days.entries();
  const linesOf = (some: readonly DayEntry[]) => some.reduce((sum, entry) => sum + countLines(entry), 0);
  return {
    takings,
    tax: tax.total(),
    debits: cents(debits),
    lateFacts,
    parts: {
      'quickbooks-csv': partsOf(entries, scope, 'quickbooks-csv'),
      'xero-csv': partsOf(entries, scope, 'xero-csv'),
    },
    rows: {
      csv: events,
      jsonl: events,
      'quickbooks-csv': linesOf(entries),
      'xero-csv': linesOf(entries.filter(({ payout }) => payout === undefined)),
      'payouts-csv': await countPayoutLines(sql, moved),
      'sales-tax-csv': salesTaxRows(tax, scope).length,
      'takings-csv': daysBetween(scope.from, scope.to).length,
    },
  };
}
