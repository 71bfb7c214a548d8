import type { Resolution } from '@kilim/domain/accounting/resolutions';
import type { Difference } from '../../core/use-case/finding.ts';
import type { PayoutDifference } from '../../core/use-case/world.ts';
import type { ClearingAlarm } from '../queries/compare-clearing.ts';
import type { PayoutComparison } from '../queries/compare-payouts.ts';

const differences = {
  OrphanPayment:
    'Square has a payment that no order asked for, and Square did not return it. Refund it, assign it to the order that it was for, or write it off.',
  ForeignHold:
    'Another program holds money on a card and names one of your orders. Kilim leaves it alone: the hold ends by itself, or that program takes the money. Ask whoever set up that program.',
  BookedOrphanReturned:
    'Square returned money of this payment after it had been assigned or written off. Write the difference off.',
  LostPayment:
    'Square took this payment before the ledger was restored, and the ledger has lost it. The customer believes that it is paid. Ask the person who runs the server to record lost payments, or refund it at Square.',
  CaptureNotAtSquare:
    'The ledger says that this was paid, and Square does not. Call Square before anything is refunded.',
  TakenAfterItWasGivenUp:
    'Square took the money of an attempt that had been given up, and did not return it when it was asked. Refund it at Square.',
  UnprovenOrphan:
    'The order has entries that none of our servers wrote, and by them it does not need this payment. Nothing was sent to Square. Tell the person who runs the server. If the customer is owed the money, refund it in the dashboard of Square.',
  AmountDiffers: 'Square took another amount than the order says.',
  RefundDiffers:
    'This refund has another end or another amount at Square than in the ledger. Look it up in the dashboard of Square.',
  RefundNotAtSquare:
    'The ledger says that this was refunded, and Square has no such refund. Look up the payment in the dashboard of Square, then press Check now on the page Books.',
  DisputeNotAtSquare:
    'The ledger has this dispute, and Square does not. Look up the payment in the dashboard of Square, then press Check now on the page Books.',
  DisputeDiffers:
    'This dispute has another end or another amount at Square than in the ledger. Look it up in the dashboard of Square.',
  FeeNotAtSquare:
    'The ledger has a fee that Square did not report. Look up the payment in the dashboard of Square, then press Check now on the page Books.',
  ExternalRefundPending: "A refund was made in Square's dashboard, and Square has not decided yet.",
  ExternalRefundExceeds:
    'Square gave back more than the order still had to refund. The part above it waits in the account of unidentified receipts.',
  OfUnknownPayment: 'A refund or dispute of a payment that is not in the ledger.',
  Unreadable:
    'Square describes this payment, refund or dispute in a way that Kilim does not know, so it was not compared. Look it up in the dashboard of Square.',
} satisfies Record<Difference['code'], string>;

const unmatched = {
  EntryNotInLedger: 'Square paid out or took back something that is not in the ledger.',
  ChargeDiffers: 'Square paid out another amount than was taken.',
  RefundDiffers: 'Square took back another amount than was refunded.',
  FeeDiffers: 'Square kept another fee than it had told.',
  Unreadable:
    'This entry could not be read, so its amount was not compared. Show this line to the person who runs the server.',
} satisfies Record<PayoutComparison['unmatchedEntries'][number]['code'], string>;

const payouts = {
  AmountDiffers: 'Square has changed the amount of a payout that was recorded already.',
  EntriesDoNotAddUp: 'The entries of this payout do not add up to it. It is looked at again with the next comparison.',
  PayoutNotAtSquare:
    'The ledger has this payout, and Square does not. Compare it with the bank statement, then press Check now on the page Books.',
  PayoutUnreadable:
    'Square describes this payout, or a part of it, in a way that Kilim does not know, so it was not recorded. Look it up in the dashboard of Square.',
  PaidAfterItFailed: 'Square says that this payout was paid after it had failed.',
} satisfies Record<PayoutDifference['code'], string>;

/** Not a difference of the books: an owner or accountant decides that the customer gets nothing. */
const failures = { RefundFailed: 'A refund failed, and its amount is not owed any more.' };

const clearingAlarms = {
  Negative: 'More was given back than Square has. Square will collect the difference from the bank account.',
  NotPaidOut: 'Some open items are not paid out after a week. Look them up in the dashboard of Square.',
  Unexplained:
    'The money at Square is not the sum of its payments, refunds and payouts. Press Check now and Compare Now on the page Books. If it stays, tell the person who runs the server.',
} satisfies Record<ClearingAlarm, string>;

const otherwise = 'Something differs that this version does not know.';

/** Findings outlive a restart, so a newer server may have stored the code. */
export function differenceMessage(code: string): string {
  return messageIn(differences, code);
}

export function payoutDifferenceMessage(code: string): string {
  return messageIn(payouts, code);
}

export function unmatchedMessage(code: keyof typeof unmatched): string {
  return unmatched[code];
}

function anyDifferenceMessage(code: string): string {
  return messageIn({ ...differences, ...payouts, ...unmatched, ...failures }, code);
}

const resolutionMessages = {
  OrphanRefundRequested: 'Refund of a payment without an order.',
  OrphanAssigned: 'Payment without an order, assigned to an order.',
  OrphanWrittenOff: 'Payment without an order, written off.',
  ClearingItemWrittenOff: 'Open item at Square, written off.',
} satisfies Record<Exclude<Resolution['type'], 'DifferenceExplained'>, string>;

export function resolutionMessage(event: Resolution): string {
  return event.type === 'DifferenceExplained' ? anyDifferenceMessage(event.code) : resolutionMessages[event.type];
}

export function clearingAlarmMessage(alarm: ClearingAlarm): string {
  return clearingAlarms[alarm];
}

function messageIn(messages: Readonly<Record<string, string>>, code: string): string {
  return Object.hasOwn(messages, code) ? (messages[code] ?? otherwise) : otherwise;
}
