import { toDollars } from '@kilim/domain/money';
import type { RefundHistoryRow } from '@kilim/domain/projection/refund-history';
import { refundFailure } from './refund-failure.ts';
import type { AdminRefund } from './wire.ts';

/** A refund as the back office sees it. */
export function refundAnswer(row: RefundHistoryRow): AdminRefund {
  const { split } = row;
  return {
    _id: row.refundId,
    refundId: row.refundId,
    orderId: { _id: row.orderId },
    paymentId: row.paymentId,
    squareRefundId: row.squareRefundId ?? null,
    amount: toDollars(row.amount),
    status: row.status,
    refundType: row.refundType,
    reason: row.reason,
    adminNotes: row.notes ?? null,
    createdAt: row.requestedAt,
    settledAt: row.settledAt ?? null,
    rugItems: row.items.map(({ rugIndex, amount }) => ({ rugIndex, amount: toDollars(amount) })),
    deliveryMinimum: toDollars(row.deliveryMinimum),
    split: {
      services: toDollars(split.services),
      addOns: toDollars(split.addOns),
      delivery: toDollars(split.delivery),
      deliveryMinimum: toDollars(split.deliveryMinimum),
      salesTax: toDollars(split.salesTax),
    },
    requestedBy: row.requestedBy,
    failure: row.status === 'failed' ? refundFailure(row) : null,
  };
}
