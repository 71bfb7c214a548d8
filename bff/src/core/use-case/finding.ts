import { type Cents, noCents } from '@kilim/domain/money';
import type { OrderEvent } from '@kilim/domain/order/events';
import type { OrderId } from '@kilim/domain/order/ids';
import type { CardDispute, CardPayment, CardRefund } from '../square/card-processor.ts';

export type Difference = {
  readonly code: /** Square has money that this server did not ask for. */
    | 'OrphanPayment'
    /** Another application holds money, and its payment's reference has the form of an order's id. */
    | 'ForeignHold'
    /**
     * Square has a payment of this order from before a restore of the ledger, and no attempt knows
     * it. An administrator decides.
     */
    | 'LostPayment'
    /** Square returned money of an orphan payment that a person had assigned or written off. */
    | 'BookedOrphanReturned'
    | 'CaptureNotAtSquare'
    | 'TakenAfterItWasGivenUp'
    /** By events that no server appended, the order does not need this payment. */
    | 'UnprovenOrphan'
    | 'AmountDiffers'
    /** Another end or another amount. */
    | 'RefundDiffers'
    | 'RefundNotAtSquare'
    | 'DisputeNotAtSquare'
    /** Another end or another amount. */
    | 'DisputeDiffers'
    | 'FeeNotAtSquare'
    | 'ExternalRefundPending'
    | 'ExternalRefundExceeds'
    /** A refund or a dispute of a payment that is not in the ledger. */
    | 'OfUnknownPayment'
    | 'Unreadable';
  readonly squareId: string;
  readonly orderId: OrderId | undefined;
  readonly amount: Cents;
  /** ISO 8601; undefined when Square does not say when. */
  readonly at: string | undefined;
};

export type Finding =
  | { readonly kind: 'agrees' }
  /** Of a sale that was made at the counter. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'in-flight' }
  | { readonly kind: 'recorded'; readonly types: readonly OrderEvent['type'][] }
  /** An unneeded hold was cancelled. */
  | { readonly kind: 'released' }
  | { readonly kind: 'differs'; readonly difference: Difference };

export const agrees: Finding = { kind: 'agrees' };
export const elsewhere: Finding = { kind: 'elsewhere' };
export const inFlight = { kind: 'in-flight' } as const satisfies Finding;

export function differs(difference: Difference): Finding & { readonly kind: 'differs' } {
  return { kind: 'differs', difference };
}

export function paymentDiffers(
  code: Difference['code'],
  { squarePaymentId: squareId, amount, capturedAt: at }: CardPayment,
  orderId: OrderId | undefined,
) {
  return differs({ code, squareId, orderId, amount, at });
}

export function refundDiffers(
  code: Difference['code'],
  { squareRefundId: squareId, amount, updatedAt: at }: CardRefund,
  orderId: OrderId | undefined,
) {
  return differs({ code, squareId, orderId, amount, at });
}

export function disputeDiffers(
  code: Difference['code'],
  { squareDisputeId: squareId, amount, createdAt: at }: CardDispute,
  orderId: OrderId | undefined,
) {
  return differs({ code, squareId, orderId, amount, at });
}

export function unreadable(squareId: string) {
  return differs({ code: 'Unreadable', squareId, orderId: undefined, amount: noCents, at: undefined });
}

export function recordedOrAgrees(events: readonly OrderEvent[]): Finding {
  return events.length === 0 ? agrees : { kind: 'recorded', types: events.map(({ type }) => type) };
}
