import type { RefundHistoryRow } from '@kilim/domain/projection/refund-history';
import type { Refund } from '../../../../contract/refunds.ts';
import { refundFailure } from './refund-failure.ts';

export function refundAnswer(row: RefundHistoryRow): Refund {
  return {
    _id: row.refundId,
    refundId: row.refundId,
    orderId: { _id: row.orderId },
    paymentId: row.paymentId,
    squareRefundId: row.squareRefundId ?? null,
    amount: row.amount,
    status: row.status,
    refundType: row.refundType,
    reason: row.reason,
    adminNotes: row.notes ?? null,
    createdAt: row.requestedAt,
    settledAt: row.settledAt ?? null,
    rugItems: [...row.items],
    deliveryMinimum: row.deliveryMinimum,
    split: row.split,
    requestedBy: row.requestedBy,
    reimbursement: row.reimbursement === undefined ? null : { reference: null, ...row.reimbursement },
    failure: row.status === 'failed' ? refundFailure(row) : null,
  };
}
