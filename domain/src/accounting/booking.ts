import { type Cents, cents, noCents } from '../money.ts';
import type { OrderPlaced, RefundRequested } from '../order/events.ts';
import {
  type Account,
  type BookedEvent,
  evolve,
  nothingBooked,
  type Posting,
  postingsOf,
} from '../projection/journal.ts';
import type { Day } from './day.ts';

/** An event that moved money, at its place in the books. */
export type Booking = {
  /** The day of its entry. */
  readonly postedOn: Day;
  /** The day on which it happened: an earlier one when that was closed before the ledger learned of it. */
  readonly day: Day;
  readonly event: BookedEvent;
  /** What its amounts are made of: the order that was paid, or the refund as it was requested. */
  readonly basis: OrderPlaced | RefundRequested | undefined;
};

export function isLate({ postedOn, day }: Pick<Booking, 'postedOn' | 'day'>): boolean {
  return postedOn !== day;
}

/** The balanced entry: its postings add up to nothing. */
export function entryOf({ event, basis }: Booking): readonly Posting[] {
  return postingsOf(event, basis === undefined ? nothingBooked : evolve(nothingBooked, basis));
}

/** What an event moved at Square: negative is money out. */
export function movedBy(entry: readonly Posting[]): Cents {
  let moved = 0;
  for (const { account, amount } of entry) if (account === 'clearing') moved += amount;
  return moved === 0 ? noCents : cents(moved);
}

/** One day's business in one entry, as accounting programs take it. What is late has an entry of its own, which says so. */
export type DayEntry = {
  readonly postedOn: Day;
  readonly day: Day;
  readonly balances: ReadonlyMap<Account, Cents>;
};

/** Gathers bookings into one entry a day. Late ones stand after the day's own, oldest first. */
export function createDayEntries() {
  const entries = new Map<string, { postedOn: Day; day: Day; balances: Map<Account, Cents> }>();
  return {
    add: ({ postedOn, day }: Pick<Booking, 'postedOn' | 'day'>, entry: readonly Posting[]): void => {
      const key = postedOn === day ? postedOn : `${postedOn} ${day}`;
      let known = entries.get(key);
      if (known === undefined) {
        known = { postedOn, day, balances: new Map() };
        entries.set(key, known);
      }
      for (const { account, amount } of entry) {
        known.balances.set(account, cents((known.balances.get(account) ?? 0) + amount));
      }
    },
    /** In the order of days. */
    entries: (): readonly DayEntry[] =>
      [...entries].toSorted(([first], [second]) => (first < second ? -1 : 1)).map(([, entry]) => entry),
  };
}
