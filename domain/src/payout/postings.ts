import type { Account, Posting } from '../accounting/chart.ts';
import type { BookedEvent } from '../accounting/money-of-events.ts';
import { type Cents, cents, noCents } from '../money.ts';
import { unreachable } from '../unreachable.ts';
import type { PayoutEntry, PayoutEvent } from './events.ts';

/**
 * Money leaves the clearing account when it arrives at the bank. What no order's event has booked is booked here, so
 * that only money on its way stays in the clearing account.
 */
export function payoutPostings(event: Extract<BookedEvent, PayoutEvent>): readonly Posting[] {
  switch (event.type) {
    case 'PayoutEntriesRecorded':
      return unbookedPostings(event.entries);
    case 'PayoutPaid':
      return transfer(event.amount);
    case 'PayoutFailed':
      return event.wasPaid ? transfer(cents(-event.amount)) : [];
    default:
      return unreachable(event);
  }
}

function transfer(amount: Cents): readonly Posting[] {
  return [
    { account: 'bank', amount },
    { account: 'clearing', amount: cents(-amount) },
  ];
}

function unbookedPostings(entries: readonly PayoutEntry[]): readonly Posting[] {
  const balances = new Map<Account, number>();
  const add = (account: Account, amount: number) => balances.set(account, (balances.get(account) ?? 0) + amount);
  for (const entry of entries) {
    const account = accountOf(entry);
    const fee = isFeeBooked(entry) ? 0 : entry.fee;
    const gross = account === undefined ? 0 : entry.gross;
    if (account !== undefined) add(account, -gross);
    add('squareFees', fee);
    add('clearing', gross - fee);
  }
  return [...balances].map(([account, amount]) => ({ account, amount: amount === 0 ? noCents : cents(amount) }));
}

/** Undefined when the entry is booked already. */
function accountOf({ standing, activity }: PayoutEntry): Account | undefined {
  switch (standing) {
    case 'order':
    case 'returned':
    case 'payout':
      return undefined;
    case 'orphan':
      return activity === 'CHARGE' ? undefined : accountOfOrphan(activity);
    case 'unknown':
      return accountOfOrphan(activity);
    case 'elsewhere':
      return 'otherSales';
    case 'square':
      return accountOfSquare(activity);
    default:
      return unreachable(standing);
  }
}

function accountOfOrphan(activity: string): Account {
  return disputeActivities.has(activity) ? 'disputes' : 'unidentifiedReceipts';
}

export const disputeActivities: ReadonlySet<string> = new Set(['DISPUTE', 'OPEN_DISPUTE']);

const reserves: ReadonlySet<string> = new Set([
  'RESERVE_HOLD',
  'RESERVE_RELEASE',
  'HOLD_ADJUSTMENT',
  'RELEASE_ADJUSTMENT',
]);

/** Fees have `FEE` in their names (`TAX_ON_FEE`). A person sorts loans, transfers and corrections. */
function accountOfSquare(activity: string): Account {
  if (reserves.has(activity)) return 'squareReserve';
  return /(^|_)FEE(_|$)/.test(activity) || activity === 'FREE_PROCESSING' ? 'squareFees' : 'squareAdjustments';
}

/** Fees of payments and refunds are events of the order, those of disputes are only in the payout. */
function isFeeBooked({ standing, activity }: PayoutEntry): boolean {
  return standing === 'order' && !disputeActivities.has(activity);
}
