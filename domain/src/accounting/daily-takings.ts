import { type Cents, cents, noCents } from '../money.ts';
import { payoutPostings } from '../payout/postings.ts';
import { unreachable } from '../unreachable.ts';
import { type Booking, movedBy } from './booking.ts';
import type { Day } from './day.ts';
import { figures, isOf, moneyOfEvents, moves } from './money-of-events.ts';

/** The changes of the clearing account by one day's entries, and the refunds that do not change it. */
export type DayTakings = {
  /** Orders that were paid. */
  readonly orders: number;
  readonly takings: Cents;
  /** Refunds that Square paid back. Together with the reimbursements they are the refunds. */
  readonly cardRefundCount: number;
  readonly cardRefunds: Cents;
  /** Refunds that the shop paid outside Square. */
  readonly reimbursementCount: number;
  readonly reimbursements: Cents;
  /** Square's fees. */
  readonly fees: Cents;
  /** Money that banks took back, less the money that they returned. */
  readonly disputes: Cents;
  /** Orphan payments, less their returns, less refunds above the rest of their orders. */
  readonly unidentified: Cents;
  /** Reserves, other fees and sales outside Kilim, which only the lines of a payout show. */
  readonly onlyInPayouts: Cents;
  /** Open items that people wrote off: negative for money that never came. */
  readonly writtenOff: Cents;
};

export const noTakings: DayTakings = {
  orders: 0,
  takings: noCents,
  cardRefundCount: 0,
  cardRefunds: noCents,
  reimbursementCount: 0,
  reimbursements: noCents,
  fees: noCents,
  disputes: noCents,
  unidentified: noCents,
  onlyInPayouts: noCents,
  writtenOff: noCents,
};

/**
 * The change of the clearing account by orders and payments without an order. The column `net` of
 * closed periods is this figure, so it stays without write-offs and the lines that only payouts show.
 */
export function netOf({ takings, cardRefunds, fees, disputes, unidentified }: DayTakings): Cents {
  return cents(takings - cardRefunds - fees - disputes + unidentified);
}

/** The change of the clearing account, before payouts take the money to the bank. */
export function changeAtSquare(takings: DayTakings): Cents {
  return cents(netOf(takings) + takings.onlyInPayouts + takings.writtenOff);
}

export function withBooking(sum: DayTakings, { event }: Booking): DayTakings {
  // Money that goes to the bank was counted when it was taken.
  if (isOf('bank', event)) return sum;
  if (isOf('payoutEntries', event)) {
    return { ...sum, onlyInPayouts: cents(sum.onlyInPayouts + movedBy(payoutPostings(event))) };
  }
  const money = moneyOfEvents[event.type];
  if ('isRefund' in money) {
    const reimbursements = cents(sum.reimbursements + event.amount);
    return { ...sum, reimbursementCount: sum.reimbursementCount + 1, reimbursements };
  }
  if (!('figure' in money)) return sum;
  const { figure, amount: direction } = money;
  const moved = moves(event) ? event.amount : noCents;
  const added = direction === figures[figure] ? moved : 0 - moved;
  switch (figure) {
    case 'takings':
      return { ...sum, orders: sum.orders + 1, takings: cents(sum.takings + added) };
    case 'refunds':
      return { ...sum, cardRefundCount: sum.cardRefundCount + 1, cardRefunds: cents(sum.cardRefunds + added) };
    case 'fees':
    case 'disputes':
    case 'unidentified':
      return { ...sum, [figure]: cents(sum[figure] + added) };
    case 'writeOffs':
      return { ...sum, writtenOff: cents(sum.writtenOff + added) };
    default:
      return unreachable(figure);
  }
}

export function createDailyTakings() {
  const byDay = new Map<Day, DayTakings>();
  return {
    add: (booking: Booking): void => {
      byDay.set(booking.postedOn, withBooking(byDay.get(booking.postedOn) ?? noTakings, booking));
    },
    on: (day: Day): DayTakings => byDay.get(day) ?? noTakings,
  };
}
