import type { OrderEvent } from '@kilim/domain/order/events';
import type { RefundId } from '@kilim/domain/order/ids';
import { evolve, isReturned, noOrphans } from '@kilim/domain/order/orphan';
import type { StreamEvent } from '@kilim/domain/projection/order-summary';
import type { CapturedPayment, PaidOrder, ReceiptRefund } from '../../../../contract/receipt.ts';

/** The payments and refunds on a receipt, from the order's stream alone. */

export function paymentAnswer(stream: readonly StreamEvent[]): CapturedPayment | null {
  const capture = eventsOf(stream, 'PaymentCaptured')[0];
  if (capture === undefined) return null;
  const hold = eventsOf(stream, 'PaymentAuthorized').find(({ paymentId }) => paymentId === capture.paymentId);
  return {
    amount: capture.amount,
    cardBrand: hold?.cardBrand ?? '',
    cardLastFour: hold?.cardLastFour ?? '',
    ...(capture.receiptUrl === undefined ? {} : { receiptUrl: capture.receiptUrl }),
    ...(capture.receiptNumber === undefined ? {} : { receiptNumber: capture.receiptNumber }),
    capturedAt: capture.capturedAt,
  };
}

export function paidInShopAnswer(stream: readonly StreamEvent[]): PaidOrder['order']['paidInShop'] {
  return eventsOf(stream, 'CustomerPaid')[0]?.method;
}

/**
 * A dashboard refund is recorded when it is completed. A second charge is returned in full, and is not part of the
 * order's payment.
 */
export function refundsAnswer(stream: readonly StreamEvent[]): ReceiptRefund[] {
  const ends = new Map<RefundId, 'completed' | 'failed'>([
    ...eventsOf(stream, 'RefundCompleted').map(({ refundId }) => [refundId, 'completed'] as const),
    ...eventsOf(stream, 'RefundFailed').map(({ refundId }) => [refundId, 'failed'] as const),
  ]);
  const [captured] = eventsOf(stream, 'PaymentCaptured');
  const orphans = stream.map(({ event }) => event).reduce(evolve, noOrphans);
  return stream.flatMap(({ event, occurredAt }): ReceiptRefund[] => {
    if (event.type === 'RefundRequested') {
      const { amount, refundType, refundId } = event;
      const status = ends.get(refundId) ?? 'pending';
      return [{ amount, status, refundType, createdAt: occurredAt }];
    }
    if (event.type === 'ExternalRefundRecorded') {
      const { amount, refundedAt } = event;
      const refundType = amount === captured?.amount ? 'full' : 'partial';
      return [{ amount, status: 'completed', refundType, createdAt: refundedAt }];
    }
    if (event.type === 'CustomerReimbursed') {
      return [{ amount: event.amount, status: 'completed', refundType: 'reimbursement', createdAt: occurredAt }];
    }
    if (event.type === 'OrphanPaymentFound') {
      const { amount, squarePaymentId, takenAt } = event;
      const orphan = orphans.get(squarePaymentId);
      const status = orphan !== undefined && isReturned(orphan) ? 'completed' : 'pending';
      return [{ amount, status, refundType: 'second-charge', createdAt: takenAt }];
    }
    return [];
  });
}

type EventOf<Type extends OrderEvent['type']> = Extract<OrderEvent, { readonly type: Type }>;

function eventsOf<Type extends OrderEvent['type']>(stream: readonly StreamEvent[], type: Type): EventOf<Type>[] {
  return stream.map(({ event }) => event).filter((event): event is EventOf<Type> => event.type === type);
}
