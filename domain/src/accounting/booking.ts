import type { Day } from '../day.ts';
import { type Cents, cents, noCents } from '../money.ts';
import type { OrderPlaced, RefundRequested } from '../order/events.ts';
import type { SalesTax } from '../rates.ts';
import type { Account, Posting } from './chart.ts';
import { evolve, nothingBooked, postingsOf } from './journal.ts';
import type { BookedEvent } from './money-of-events.ts';

export type Booking = {
  readonly postedOn: Day;
  /** The day on which it happened: earlier than `postedOn` when the ledger learned of it after that day was closed. */
  readonly day: Day;
  readonly event: BookedEvent;
  /** The event that splits its amounts: the paid order, or the refund as it was requested. */
  readonly basis: Basis | undefined;
  readonly salesTax: SalesTax | undefined;
};

export type Basis = OrderPlaced | RefundRequested;

/** The event of the same order that splits an event's amounts. */
export const basisTypes = {
  PaymentCaptured: 'OrderPlaced',
  CustomerPaid: 'OrderPlaced',
  ProcessingFeeAssessed: undefined,
  RefundCompleted: 'RefundRequested',
  ExternalRefundRecorded: undefined,
  CustomerReimbursed: undefined,
  RefundSplitCorrected: undefined,
  ExcessRefundFound: undefined,
  DisputeOpened: undefined,
  DisputeClosed: undefined,
  OrphanPaymentFound: undefined,
  OrphanPaymentReturned: undefined,
  OrphanAssigned: undefined,
  OrphanWrittenOff: undefined,
  ClearingItemWrittenOff: undefined,
  OrphanBookingUndone: undefined,
  ItemWriteOffUndone: undefined,
  PayoutEntriesRecorded: undefined,
  PayoutPaid: undefined,
  PayoutFailed: undefined,
} as const satisfies Record<BookedEvent['type'], Basis['type'] | undefined>;

export function isLate({ postedOn, day }: Pick<Booking, 'postedOn' | 'day'>): boolean {
  return postedOn !== day;
}

export function entryOf({ event, basis }: Booking): readonly Posting[] {
  return postingsOf(event, basis === undefined ? nothingBooked : evolve(nothingBooked, basis));
}

/** The change of the clearing account: negative is money out. */
export function movedBy(entry: readonly Posting[]): Cents {
  let moved = 0;
  for (const { account, amount } of entry) if (account === 'clearing') moved += amount;
  return moved === 0 ? noCents : cents(moved);
}

/**
 * One day's business in one entry. Late bookings and payouts have entries of their own: a bank statement lists payouts.
 */
export type DayEntry = {
  readonly postedOn: Day;
  readonly day: Day;
  readonly balances: ReadonlyMap<Account, Cents>;
  /** Absent: the entry of everything else. */
  readonly payout?: PayoutMovement;
};

/** Money that reached the bank, or that the bank sent back. */
export type PayoutMovement = { readonly squarePayoutId: string; readonly isReturn: boolean };

/** Gathers bookings into one entry a day: the day's own, then late ones, oldest first, then payouts in ledger order. */
export function createDayEntries() {
  type Gathered = Omit<DayEntry, 'balances'> & { readonly balances: Map<Account, Cents> };
  const entries = new Map<string, Gathered>();
  return {
    add: ({ postedOn, day, event }: Pick<Booking, 'postedOn' | 'day' | 'event'>, entry: readonly Posting[]): void => {
      if (entry.length === 0) return;
      const payout = movementOf(event);
      const whole = postedOn === day ? postedOn : `${postedOn} ${day}`;
      const key = payout === undefined ? whole : `${postedOn} payout ${String(entries.size).padStart(9, '0')}`;
      let known = entries.get(key);
      if (known === undefined) {
        known = { postedOn, day, balances: new Map(), ...(payout === undefined ? {} : { payout }) };
        entries.set(key, known);
      }
      for (const { account, amount } of entry) {
        known.balances.set(account, cents((known.balances.get(account) ?? 0) + amount));
      }
    },
    entries: (): readonly DayEntry[] =>
      [...entries].toSorted(([first], [second]) => (first < second ? -1 : 1)).map(([, entry]) => entry),
  };
}

function movementOf(event: BookedEvent): PayoutMovement | undefined {
  if (event.type !== 'PayoutPaid' && event.type !== 'PayoutFailed') return undefined;
  return { squarePayoutId: event.squarePayoutId, isReturn: event.type === 'PayoutFailed' };
}
