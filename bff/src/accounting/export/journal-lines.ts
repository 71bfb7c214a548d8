import { type Booking, entryOf, isLate } from '@kilim/domain/accounting/booking';
import { chartOn } from '@kilim/domain/accounting/books';
import type { ResolutionEvent } from '@kilim/domain/accounting/resolutions';
import { type Cents, cents, decimalDollars } from '@kilim/domain/money';
import { csvLine, textCell } from '../../core/csv/csv.ts';
import { resolutionsCodec } from '../../core/ledger/codecs/resolutions.ts';
import { bookingOf, type MoneyRow } from './bookings.ts';
import type { Scope } from './scope.ts';

export const journalHeader = csvLine([
  'position',
  'entry',
  'posted_on',
  'business_date',
  'late',
  'account',
  'account_code',
  'debit',
  'credit',
  'currency',
  'order_id',
  'description',
]);

export const descriptions = {
  PaymentCaptured: 'Payment taken',
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

export function journalLines(row: MoneyRow, scope: Scope): string {
  const booking = bookingOf(row, scope);
  const { accounts } = chartOn(booking.postedOn, scope.books);
  const start = `${row.position},${row.eventId},${booking.postedOn},${booking.day},${isLate(booking) ? 'late' : ''},`;
  const { orderId, squareId } = subjectOf(row.streamId, booking.event);
  // A person's decision is in no order's stream.
  const about = isResolution(booking.event) ? ` (Square payment ${squareId ?? ''})` : '';
  const end = `,USD,${orderId ?? ''},${descriptions[booking.event.type]}${about}\r\n`;
  let lines = '';
  for (const { account, amount } of entryOf(booking)) {
    const { name, code } = accounts[account];
    lines += `${start}${textCell(name)},${textCell(code)},${debitOf(amount)},${creditOf(amount)}${end}`;
  }
  return lines;
}

export function debitOf(amount: Cents): string {
  return amount > 0 ? decimalDollars(amount) : '';
}

export function creditOf(amount: Cents): string {
  return amount < 0 ? decimalDollars(cents(-amount)) : '';
}
