import { noCents } from '../money.ts';
import type { CustomerReimbursed, OrderEvent, RefundRequested, RefundSplitCorrected } from '../order/events.ts';
import type { OrderId, RefundId } from '../order/ids.ts';
import { unreachable } from '../unreachable.ts';
import type { StreamEvent } from './order-summary.ts';

/** Specification, section 3. */
export const refundStatuses = ['pending', 'completed', 'failed'] as const;
export type RefundHistoryStatus = (typeof refundStatuses)[number];

/** Refunds made here or in Square's dashboard; derived from the order's stream alone. */
export type RefundHistoryRow = Omit<
  RefundRequested,
  'type' | 'refundId' | 'notes' | 'textDigest' | 'charges' | 'allocation'
> & {
  /** The client's id, or Square's for a refund in its dashboard. */
  readonly refundId: string;
  readonly orderId: OrderId;
  readonly squareRefundId: string | undefined;
  readonly origin: 'admin' | 'square-dashboard';
  readonly status: RefundHistoryStatus;
  readonly notes: string | undefined;
  /** Undefined for a refund by Square. */
  readonly reimbursement: Reimbursement | undefined;
  /** Square's error code or final status. */
  readonly failureCode: string | undefined;
  /** ISO 8601 instants. */
  readonly requestedAt: string;
  readonly settledAt: string | undefined;
};

export type Reimbursement = Pick<CustomerReimbursed, 'method' | 'paidOn' | 'reference'>;

export function refundHistory(orderId: OrderId, events: readonly StreamEvent[]): readonly RefundHistoryRow[] {
  const rows = new Map<string, RefundHistoryRow>();
  for (const { event, occurredAt } of events) {
    const opened = openedRow(event, { orderId, occurredAt });
    if (opened !== undefined) rows.set(opened.refundId, opened);
    if (!isRefundStep(event)) continue;
    const refundId = event.type === 'RefundSplitCorrected' ? event.correctedRefundId : event.refundId;
    const row = rows.get(refundId);
    if (row === undefined) throw new Error(`The stream tells of refund ${refundId}, which was never requested`);
    rows.set(refundId, { ...row, ...changeOf(event, occurredAt) });
  }
  return [...rows.values()];
}

type Place = { readonly orderId: OrderId; readonly occurredAt: string };

function openedRow(event: OrderEvent, { orderId, occurredAt }: Place): RefundHistoryRow | undefined {
  switch (event.type) {
    case 'RefundRequested': {
      const { type: _, charges: __, allocation: ___, textDigest: ____, ...request } = event;
      return {
        ...request,
        orderId,
        squareRefundId: undefined,
        origin: 'admin',
        status: 'pending',
        notes: event.notes,
        reimbursement: undefined,
        failureCode: undefined,
        requestedAt: occurredAt,
        settledAt: undefined,
      };
    }
    case 'ExternalRefundRecorded':
      return {
        refundId: event.squareRefundId,
        orderId,
        paymentId: event.paymentId,
        squareRefundId: event.squareRefundId,
        origin: 'square-dashboard',
        status: 'completed',
        refundType: 'partial',
        amount: event.amount,
        reason: 'Made in the Square dashboard',
        notes: undefined,
        items: [],
        deliveryMinimum: noCents,
        split: event.split,
        requestedBy: 'Square dashboard',
        reimbursement: undefined,
        failureCode: undefined,
        requestedAt: event.refundedAt,
        settledAt: event.refundedAt,
      };
    case 'CustomerReimbursed': {
      const { reimbursementId, paymentId, amount, reason, split, reimbursedBy, recordedAt } = event;
      const { method, paidOn, reference } = event;
      return {
        ...{ refundId: reimbursementId, orderId, paymentId, amount, reason, split, requestedBy: reimbursedBy },
        squareRefundId: undefined,
        origin: 'admin',
        status: 'completed',
        refundType: 'partial',
        notes: undefined,
        items: [],
        deliveryMinimum: noCents,
        reimbursement: { method, paidOn, ...(reference === undefined ? {} : { reference }) },
        failureCode: undefined,
        requestedAt: recordedAt,
        settledAt: occurredAt,
      };
    }
    default:
      return undefined;
  }
}

type RefundStep = Exclude<Extract<OrderEvent, { readonly refundId: RefundId }>, RefundRequested> | RefundSplitCorrected;

function isRefundStep(event: OrderEvent): event is RefundStep {
  return event.type === 'RefundSplitCorrected' || ('refundId' in event && event.type !== 'RefundRequested');
}

function changeOf(event: RefundStep, occurredAt: string): Partial<RefundHistoryRow> {
  switch (event.type) {
    case 'RefundSubmitted':
      return { squareRefundId: event.squareRefundId };
    case 'RefundCompleted':
      return { squareRefundId: event.squareRefundId, status: 'completed', settledAt: occurredAt };
    case 'RefundFailed':
      return {
        ...(event.squareRefundId === undefined ? {} : { squareRefundId: event.squareRefundId }),
        status: 'failed',
        failureCode: event.code,
        settledAt: occurredAt,
      };
    case 'RefundSplitCorrected': {
      const { items, deliveryMinimum, split } = event;
      return { items, deliveryMinimum, split };
    }
    default:
      return unreachable(event);
  }
}
