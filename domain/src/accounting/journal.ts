import { type Tier, tiers } from '../catalog.ts';
import type { LedgerEvent } from '../ledger-event.ts';
import { type Cents, cents, negate, sumCents } from '../money.ts';
import type { OrderEvent, OrderPlaced, RefundSplit } from '../order/events.ts';
import type { RefundId } from '../order/ids.ts';
import { splitOf } from '../order/refund-allocation.ts';
import { payoutPostings } from '../payout/postings.ts';
import { unreachable } from '../unreachable.ts';
import type { Account, Posting } from './chart.ts';
import { type BookedEvent, isBooked } from './money-of-events.ts';

/** What the next event's entry depends on. */
export type JournalState = {
  readonly placed: OrderPlaced | undefined;
  readonly splits: ReadonlyMap<RefundId, RefundSplit>;
};

export const nothingBooked: JournalState = { placed: undefined, splits: new Map() };

export function evolve(state: JournalState, event: OrderEvent): JournalState {
  switch (event.type) {
    case 'OrderPlaced':
      return { ...state, placed: event };
    case 'RefundRequested':
      return { ...state, splits: new Map(state.splits).set(event.refundId, event.split) };
    default:
      return state;
  }
}

/**
 * The balanced entry of an event. Revenue is booked when money is taken, a refund when it is completed. The clearing
 * account holds what Square has not paid out yet.
 */
export function postingsOf(event: LedgerEvent, state: JournalState): readonly Posting[] {
  return isBooked(event) ? postings(event, state).filter(({ amount }) => amount !== 0) : [];
}

function postings(event: BookedEvent, state: JournalState): readonly Posting[] {
  switch (event.type) {
    case 'PayoutEntriesRecorded':
    case 'PayoutPaid':
    case 'PayoutFailed':
      return payoutPostings(event);
    case 'PaymentCaptured':
      return [debit('clearing', event.amount), ...revenueOf(state)];
    case 'CustomerPaid':
      return [debit(event.method === 'counter' ? 'otherSales' : 'cashAndChecks', event.amount), ...revenueOf(state)];
    case 'RefundCompleted': {
      const split = state.splits.get(event.refundId);
      if (split === undefined) throw new Error(`Refund ${event.refundId} was completed and never requested`);
      return refundPostings(event.amount, split);
    }
    case 'ExternalRefundRecorded':
      return refundPostings(event.amount, event.split);
    case 'CustomerReimbursed':
      return refundPostings(event.amount, event.split, 'reimbursements');
    case 'RefundSplitCorrected': {
      const moved = cents(event.split.salesTax - splitOf(event.before).salesTax);
      return [debit('salesTaxPayable', moved), credit('refunds', moved)];
    }
    case 'ProcessingFeeAssessed':
      return [debit('processingFees', event.amount), credit('clearing', event.amount)];
    case 'DisputeOpened':
      return [debit('disputes', event.amount), credit('clearing', event.amount)];
    case 'DisputeClosed':
      // The money of a lost dispute was booked when the bank took it.
      return event.outcome === 'won' ? [debit('clearing', event.amount), credit('disputes', event.amount)] : [];
    case 'OrphanPaymentFound':
      return [debit('clearing', event.amount), credit('unidentifiedReceipts', event.amount)];
    // An excess stays in this account until a person explains it.
    case 'OrphanPaymentReturned':
    case 'ExcessRefundFound':
      return [debit('unidentifiedReceipts', event.amount), credit('clearing', event.amount)];
    case 'OrphanAssigned':
      return [debit('unidentifiedReceipts', event.amount), credit('otherSales', event.amount)];
    case 'OrphanWrittenOff':
      return [debit('unidentifiedReceipts', event.amount), credit('squareAdjustments', event.amount)];
    case 'ClearingItemWrittenOff':
      return [debit('clearing', event.amount), credit('squareAdjustments', event.amount)];
    case 'OrphanBookingUndone': {
      const account = event.orderId === undefined ? 'squareAdjustments' : 'otherSales';
      return [debit(account, event.amount), credit('unidentifiedReceipts', event.amount)];
    }
    case 'ItemWriteOffUndone':
      return [debit('squareAdjustments', event.amount), credit('clearing', event.amount)];
    default:
      return unreachable(event);
  }
}

const revenueAccounts = {
  premium: 'premiumRevenue',
  midrange: 'midrangeRevenue',
  economy: 'economyRevenue',
} as const satisfies Record<Tier, Account>;

function revenueOf({ placed }: JournalState): readonly Posting[] {
  if (placed === undefined) throw new Error('A payment was taken before its order was placed');
  const { rugs, lines } = placed;
  const cleaning = tiers.map((tier) => {
    const ofTier = rugs.filter((rug) => rug.tier === tier).map(({ charges }) => charges.base);
    return credit(revenueAccounts[tier], sumCents(ofTier));
  });
  return [
    ...cleaning,
    credit('addOnRevenue', sumCents([lines.stainProtection, lines.greenPad])),
    credit('deliveryRevenue', sumCents([lines.delivery, lines.deliveryMinimum])),
    credit('salesTaxPayable', lines.salesTax),
  ];
}

/** The tax is no longer owed; the rest reduces income. */
function refundPostings(amount: Cents, split: RefundSplit, from: Account = 'clearing'): readonly Posting[] {
  const { services, addOns, delivery, deliveryMinimum, salesTax } = split;
  return [
    debit('refunds', sumCents([services, addOns, delivery, deliveryMinimum])),
    debit('salesTaxPayable', salesTax),
    credit(from, amount),
  ];
}

function debit(account: Account, amount: Cents): Posting {
  return { account, amount };
}

function credit(account: Account, amount: Cents): Posting {
  return { account, amount: negate(amount) };
}
