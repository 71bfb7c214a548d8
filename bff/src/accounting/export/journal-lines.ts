import type { Booking } from '@kilim/domain/accounting/booking';
import type { ResolutionEvent } from '@kilim/domain/accounting/resolutions';
import { type Cents, cents, decimalDollars } from '@kilim/domain/money';
import { resolutionsCodec } from '../../core/ledger/codecs/resolutions.ts';

export const descriptions = {
  PaymentCaptured: 'Payment taken',
  CustomerPaid: 'Paid in the shop',
  RefundCompleted: 'Refund',
  ExternalRefundRecorded: 'Refund made at Square',
  CustomerReimbursed: 'Customer reimbursed outside Square',
  RefundSplitCorrected: 'Parts of a refund corrected',
  ExcessRefundFound: 'Refund above what was refundable',
  ProcessingFeeAssessed: 'Processing fee',
  DisputeOpened: 'Payment disputed',
  DisputeClosed: 'Dispute won',
  OrphanPaymentFound: 'Unidentified receipt',
  OrphanPaymentReturned: 'Unidentified receipt returned',
  OrphanAssigned: 'Unidentified receipt assigned to an order',
  OrphanWrittenOff: 'Unidentified receipt written off',
  ClearingItemWrittenOff: 'Open item written off',
  OrphanBookingUndone: 'Booking of an unidentified receipt undone',
  ItemWriteOffUndone: 'Write-off of an open item undone',
  PayoutEntriesRecorded: 'Shown by a payout only',
  PayoutPaid: 'Payout to the bank',
  PayoutFailed: 'Payout sent back',
} satisfies Record<Booking['event']['type'], string>;

type Subject = { readonly orderId: string | null; readonly squareId: string | null };
type BookedResolution = Extract<Booking['event'], ResolutionEvent>;

export function subjectOf(streamId: string, event: Booking['event']): Subject {
  if (isResolution(event)) {
    return { orderId: ('orderId' in event ? event.orderId : undefined) ?? null, squareId: event.squarePaymentId };
  }
  const id = streamId.slice(streamId.indexOf('-') + 1);
  return streamId.startsWith('order-') ? { orderId: id, squareId: null } : { orderId: null, squareId: id };
}

function isResolution(event: Booking['event']): event is BookedResolution {
  return resolutionsCodec.knows(event.type);
}

export function debitOf(amount: Cents): string {
  return amount > 0 ? decimalDollars(amount) : '';
}

export function creditOf(amount: Cents): string {
  return amount < 0 ? decimalDollars(cents(-amount)) : '';
}
