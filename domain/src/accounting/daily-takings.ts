import type { Day } from '../day.ts';
import { type Cents, cents, noCents } from '../money.ts';
import { payoutPostings } from '../payout/postings.ts';
import { unreachable } from '../unreachable.ts';
import { type Booking, movedBy } from './booking.ts';
import { figures, isOf, moneyOfEvents, moves } from './money-of-events.ts';

/** The changes of the clearing account, and the sales and refunds that do not change it. */
export type DayTakings = {
  readonly orders: number;
  readonly takings: Cents;
  readonly paidInShop: Cents;
  /** Refunds that Square paid back. */
  readonly cardRefundCount: number;
  readonly cardRefunds: Cents;
  readonly reimbursementCount: number;
  readonly reimbursements: Cents;
  readonly fees: Cents;
  /** Money that banks took back, less what they returned. */
  readonly disputes: Cents;
  /** Orphan payments, less their returns, less refunds above the rest of their orders. */
  readonly unidentified: Cents;
  /** Reserves, other fees and sales outside the ledger. */
  readonly onlyInPayouts: Cents;
  /** Negative for money that never came. */
  readonly writtenOff: Cents;
};

export const noTakings: DayTakings = {
  orders: 0,
  takings: noCents,
  paidInShop: noCents,
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

/** Without write-offs and lines of payouts, because the column `net` of closed periods is this figure. */
export function netOf({ takings, cardRefunds, fees, disputes, unidentified }: DayTakings): Cents {
  return cents(takings - cardRefunds - fees - disputes + unidentified);
}

/** Before payouts take the money to the bank. */
export function changeAtSquare(takings: DayTakings): Cents {
  return cents(netOf(takings) + takings.onlyInPayouts + takings.writtenOff);
}

export function withBooking(sum: DayTakings, { event, basis }: Booking): DayTakings {
  // Money for the bank was counted when it was taken.
  if (isOf('bank', event)) return sum;
  if (isOf('payoutEntries', event)) {
    return { ...sum, onlyInPayouts: cents(sum.onlyInPayouts + movedBy(payoutPostings(event))) };
  }
  const money = moneyOfEvents[event.type];
  if ('isRefund' in money) {
    const reimbursements = cents(sum.reimbursements + event.amount);
    return { ...sum, reimbursementCount: sum.reimbursementCount + 1, reimbursements };
  }
  if ('isSale' in money) return { ...sum, paidInShop: cents(sum.paidInShop + event.amount) };
  if (!('figure' in money)) return sum;
  const { figure, amount: direction } = money;
  const moved = moves(event) ? event.amount : noCents;
  const added = direction === figures[figure] ? moved : 0 - moved;
  switch (figure) {
    case 'takings': {
      // A payment of a difference is no new order.
      const isNew = basis?.type !== 'OrderPlaced' || basis.supplementOf === undefined;
      return { ...sum, orders: sum.orders + (isNew ? 1 : 0), takings: cents(sum.takings + added) };
    }
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
