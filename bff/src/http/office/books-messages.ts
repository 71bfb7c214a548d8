import type { PayoutRejection } from '@kilim/domain/payout/payout';
import type { PayoutComparison } from '../../queries/compare-payouts.ts';
import type { Difference } from '../../use-case/finding.ts';

// The sentences for administrators, one for each kind of difference.

const differences = {
  OrphanPayment:
    'Square has a payment that no order asked for, and Square did not return it. Refund it at Square, or find out whose it is.',
  LostPayment:
    'Square took this payment before the ledger was restored, and the ledger has lost it. The customer believes that it is paid. Run npm run reconcile -- --record-lost to record it, or refund it at Square.',
  CaptureNotAtSquare:
    'The ledger says that this was paid, and Square does not. Call Square before anything is refunded.',
  TakenAfterItWasGivenUp:
    'Square took the money of an attempt that had been given up, and did not return it when it was asked. Refund it at Square.',
  AmountDiffers: 'Square took another amount than the order says.',
  RefundDiffers: 'Square and the ledger tell different ends of this refund.',
  ExternalRefundPending: "A refund was made in Square's dashboard, and Square has not decided yet.",
  ExternalRefundExceeds:
    'Square gave back more than the order still had to refund. The part above it waits in the account of unidentified receipts.',
  OfUnknownPayment: 'A refund or dispute of a payment that is not in the ledger.',
} satisfies Record<Difference['code'], string>;

const unmatched = {
  EntryNotInLedger: 'Square paid out or took back something that is not in the ledger.',
  ChargeDiffers: 'Square paid out another amount than was taken.',
  RefundDiffers: 'Square took back another amount than was refunded.',
  FeeDiffers: 'Square kept another fee than it had told.',
  NotPaidOut: 'This was taken more than a week ago, and no payout has brought it.',
  NotArrived: 'This payout was sent more than a week ago, and the bank does not have it.',
} satisfies Record<PayoutComparison['unmatchedEntries'][number]['code'], string>;

const payouts = {
  AmountDiffers: 'Square has changed the amount of a payout that was recorded already.',
  EntriesDoNotAddUp: 'The entries of this payout do not add up to it. It is looked at again with the next comparison.',
  PaidAfterItFailed: 'Square says that this payout was paid after it had failed.',
} satisfies Record<PayoutRejection['code'], string>;

const otherwise = 'Something differs that this version does not know.';

/** An older version may have stored the code. */
export function differenceMessage(code: string): string {
  return messageIn(differences, code);
}

export function payoutDifferenceMessage(code: string): string {
  return messageIn(payouts, code);
}

export function unmatchedMessage(code: keyof typeof unmatched): string {
  return unmatched[code];
}

function messageIn(messages: Readonly<Record<string, string>>, code: string): string {
  return Object.hasOwn(messages, code) ? (messages[code] ?? otherwise) : otherwise;
}
