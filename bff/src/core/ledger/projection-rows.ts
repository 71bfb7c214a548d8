import { type OrderSummary, refundableOf, refundStanding } from '@kilim/domain/projection/order-summary';
import type { RefundHistoryRow } from '@kilim/domain/projection/refund-history';

export function summaryRow(summary: OrderSummary) {
  return {
    order_id: summary.orderId,
    version: summary.version,
    payment_id: summary.paymentId ?? null,
    square_payment_id: summary.squarePaymentId ?? null,
    payment_status: summary.paymentStatus,
    delivery_option: summary.deliveryOption,
    rug_count: summary.rugCount,
    total_cents: summary.total,
    captured_cents: summary.captured,
    refund_pending_cents: summary.refundPending,
    refunded_cents: summary.refunded,
    refundable_cents: refundableOf(summary),
    refund_status: refundStanding(summary),
    fee_cents: summary.fees,
    dispute_status: summary.disputeStatus,
    pickup_day: summary.pickup?.day ?? null,
    pickup_window: summary.pickup?.window ?? null,
    stage: summary.stage,
    supplement_of: summary.supplementOf ?? null,
    supplement_id: summary.supplementId ?? null,
    placed_at: summary.placedAt,
    paid_at: summary.paidAt ?? null,
    updated_at: summary.updatedAt,
  };
}

export function refundRow(refund: RefundHistoryRow) {
  return {
    refund_id: refund.refundId,
    order_id: refund.orderId,
    payment_id: refund.paymentId,
    square_refund_id: refund.squareRefundId ?? null,
    origin: refund.origin,
    status: refund.status,
    refund_type: refund.refundType,
    amount_cents: refund.amount,
    reason: refund.reason,
    items: refund.items,
    delivery_minimum_cents: refund.deliveryMinimum,
    services_cents: refund.split.services,
    add_ons_cents: refund.split.addOns,
    delivery_cents: refund.split.delivery,
    minimum_cents: refund.split.deliveryMinimum,
    sales_tax_cents: refund.split.salesTax,
    requested_by: refund.requestedBy,
    paid_by: refund.reimbursement?.method ?? null,
    paid_on: refund.reimbursement?.paidOn ?? null,
    reference: refund.reimbursement?.reference ?? null,
    failure_code: refund.failureCode ?? null,
    requested_at: refund.requestedAt,
    settled_at: refund.settledAt ?? null,
  };
}
