import { entryOf } from '@kilim/domain/accounting/booking';
import type { Books } from '@kilim/domain/accounting/books';
import { isBefore } from '@kilim/domain/accounting/calendar';
import { type Account, accounts } from '@kilim/domain/accounting/chart';
import { type Day, monthOf } from '@kilim/domain/accounting/day';
import { z } from 'zod';
import type { Sql } from '../database/database.ts';
import { eachBooking } from './bookings.ts';
import { firstDay, openScope } from './scope.ts';
import type { Selection } from './selection.ts';

// The sums of the journal by month and account, up to a place in the ledger. Reports take opening
// balances from them, because adding up years of events takes seconds. Background work continues
// them every few minutes, and counts all events again every day.

const carriedBalances = z.object({
  /** Open days began in this time zone. */
  timeZone: z.string(),
  /** The versions of the closings that were in force, the oldest first. */
  closings: z.array(z.int()),
  /** The last event in the sums; null before the first one. */
  place: z.object({ position: z.int(), epoch: z.int(), xid: z.string() }).nullable(),
  /** The change of each account in each month of posting, in cents; a debit is positive. */
  months: z.record(z.string(), z.partialRecord(z.enum(accounts), z.int())),
});
export type CarriedBalances = z.output<typeof carriedBalances>;

type BooksNow = { readonly books: Books; readonly timeZone: string };

/** @returns undefined when there are none, or when they hold for other closings or days. */
export async function readCarriedBalances(sql: Sql, now: BooksNow): Promise<CarriedBalances | undefined> {
  const [row] = await sql<{ balances: string }[]>`select balances::text as balances from ledger.carried_balances`;
  // Another version of this program may have written others.
  const found = row && carriedBalances.safeParse(JSON.parse(row.balances));
  return found?.success === true && areRight(found.data, now) ? found.data : undefined;
}

/**
 * A later closing moves no event from before its horizon. A reopening, or another time zone, may
 * move any event to another day.
 */
function areRight({ timeZone, closings, place }: CarriedBalances, now: BooksNow): boolean {
  const inForce = now.books.closings;
  return (
    timeZone === now.timeZone &&
    closings.every((version, index) => inForce[index]?.version === version) &&
    inForce
      .slice(closings.length)
      .every((closing) => closing.timeZone === timeZone && (place === null || isBefore(place, closing.horizon)))
  );
}

/**
 * Adds the events since the last time, or counts all events if there are no balances to continue.
 * @returns the carried balances, which are stored.
 */
export async function carryBalances(sql: Sql, timeZone: string): Promise<CarriedBalances> {
  return await carryOn(sql, timeZone, (now) => readCarriedBalances(sql, now));
}

/**
 * Counts all events and replaces the carried balances.
 * @returns whether the balances before were right; undefined if there were none to compare.
 */
export async function recountBalances(sql: Sql, timeZone: string): Promise<boolean | undefined> {
  const before = await carryBalances(sql, timeZone);
  const counted = await carryOn(sql, timeZone, async () => undefined);
  // An event between the two counts is no difference.
  if (before.place?.position !== counted.place?.position) return undefined;
  return JSON.stringify(sorted(before)) === JSON.stringify(sorted(counted));
}

async function carryOn(
  sql: Sql,
  timeZone: string,
  readBase: (now: BooksNow) => Promise<CarriedBalances | undefined>,
): Promise<CarriedBalances> {
  const scope = await openScope(sql, timeZone, { from: firstDay, to: lastDay });
  const base = await readBase(scope);
  const after = base?.place ?? undefined;
  const months = new Map(Object.entries(base?.months ?? {}).map(([month, sums]) => [month, { ...sums }]));
  let place = base?.place ?? null;
  await eachChange(sql, { scope, after }, ({ postedOn, account, amount, at }) => {
    const month = monthOf(postedOn);
    const sums = months.get(month) ?? {};
    months.set(month, sums);
    sums[account] = (sums[account] ?? 0) + amount;
    place = at;
  });
  const carried = {
    timeZone,
    closings: scope.books.closings.map(({ version }) => version),
    place,
    months: Object.fromEntries(months),
  };
  await sql`select ledger.carry_balances(${JSON.stringify(carried)}::text::jsonb)`;
  return carried;
}

/** The last day that a request can name. */
const lastDay = '2099-12-31' as Day;

type Change = {
  readonly postedOn: Day;
  readonly account: Account;
  readonly amount: number;
  readonly at: NonNullable<CarriedBalances['place']>;
};

async function eachChange(sql: Sql, selection: Selection, take: (change: Change) => void): Promise<void> {
  await eachBooking(sql, selection, (booking, { position, epoch, xid }) => {
    const at = { position, epoch, xid: String(xid) };
    for (const posting of entryOf(booking)) take({ ...posting, postedOn: booking.postedOn, at });
  });
}

/** The same months and accounts in one order, so that two counts compare as text. */
function sorted({ months }: CarriedBalances): unknown {
  return Object.entries(months)
    .toSorted(([first], [second]) => (first < second ? -1 : 1))
    .map(([month, sums]) => [month, accounts.map((account) => sums[account] ?? 0)]);
}
