import { type Cents, cents, noCents } from '../money.ts';
import type { OrderPlaced, RefundRequested } from '../order/events.ts';
import type { Account, Posting } from './chart.ts';
import type { Day } from './day.ts';
import { evolve, nothingBooked, postingsOf } from './journal.ts';
import type { BookedEvent } from './money-of-events.ts';

/** An event that moved money, at its place in the books. */
export type Booking = {
  /** The day of the entry. */
  readonly postedOn: Day;
  /**
   * The day on which it happened. It is earlier when the ledger learned of it after that day was
   * closed.
   */
  readonly day: Day;
  readonly event: BookedEvent;
  /** The event that its amounts are split by: the paid order, or the refund as it was requested. */
  readonly basis: Basis | undefined;
};

export type Basis = OrderPlaced | RefundRequested;

/** Which event of the same order an event's amounts are split by. */
export const basisTypes = {
  PaymentCaptured: 'OrderPlaced',
  ProcessingFeeAssessed: undefined,
  RefundCompleted: 'RefundRequested',
  ExternalRefundRecorded: undefined,
  ExcessRefundFound: undefined,
  DisputeOpened: undefined,
  DisputeClosed: undefined,
  OrphanPaymentFound: undefined,
  OrphanPaymentReturned: undefined,
  PayoutEntriesRecorded: undefined,
  PayoutPaid: undefined,
  PayoutFailed: undefined,
} as const satisfies Record<BookedEvent['type'], Basis['type'] | undefined>;

export function isLate({ postedOn, day }: Pick<Booking, 'postedOn' | 'day'>): boolean {
  return postedOn !== day;
}

/** The balanced entry: its postings add up to zero. */
export function entryOf({ event, basis }: Booking): readonly Posting[] {
  return postingsOf(event, basis === undefined ? nothingBooked : evolve(nothingBooked, basis));
}

/** The change of the clearing account by an entry: negative is money out. */
export function movedBy(entry: readonly Posting[]): Cents {
  let moved = 0;
  for (const { account, amount } of entry) if (account === 'clearing') moved += amount;
  return moved === 0 ? noCents : cents(moved);
}

/**
 * One day's business in one entry, for accounting programs. Late bookings have an entry of their
 * own.
 */
export type DayEntry = {
  readonly postedOn: Day;
  readonly day: Day;
  readonly balances: ReadonlyMap<Account, Cents>;
};

/** Gathers bookings into one entry a day. Late bookings follow the day's own, oldest first. */
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
