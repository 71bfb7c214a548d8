import { type Cents, noCents } from '@kilim/domain/money';
import type { OrderEvent } from '@kilim/domain/order/events';
import type { OrderId } from '@kilim/domain/order/ids';
import type { CardDispute, CardPayment, CardRefund } from '../square/card-processor.ts';

/** A difference between Square and the ledger, for a person to look at. */
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
    /** The ledger has a capture that Square does not have. */
    | 'CaptureNotAtSquare'
    /** Square took the money of an attempt that the ledger gave up. */
    | 'TakenAfterItWasGivenUp'
    /** By events that no server appended, the order does not need this payment. */
    | 'UnprovenOrphan'
    | 'AmountDiffers'
    /** A refund has another end or another amount at Square than in the ledger. */
    | 'RefundDiffers'
    /** The ledger has a completed refund that Square does not have. */
    | 'RefundNotAtSquare'
    /** The ledger has a dispute that Square does not have. */
    | 'DisputeNotAtSquare'
    /** A dispute has another end or another amount at Square than in the ledger. */
    | 'DisputeDiffers'
    /** The ledger has a fee of a payment or refund for which Square reports none. */
    | 'FeeNotAtSquare'
    /** A refund from Square's dashboard is undecided. */
    | 'ExternalRefundPending'
    /** A refund from Square's dashboard is above the refundable amount of the ledger. */
    | 'ExternalRefundExceeds'
    /** A refund or a dispute of a payment that is not in the ledger. */
    | 'OfUnknownPayment'
    /** An object at Square that this program cannot read. */
    | 'Unreadable';
  readonly squareId: string;
  readonly orderId: OrderId | undefined;
  readonly amount: Cents;
  /** ISO 8601 instant of the fact; undefined when Square does not say it. */
  readonly at: string | undefined;
};

/** The result of comparing one object at Square with the ledger. */
export type Finding =
  | { readonly kind: 'agrees' }
  /** It is in progress: look again later. */
  | { readonly kind: 'in-flight' }
  | { readonly kind: 'recorded'; readonly types: readonly OrderEvent['type'][] }
  /** An unneeded hold was cancelled. */
  | { readonly kind: 'released' }
  | { readonly kind: 'differs'; readonly difference: Difference };

export const agrees: Finding = { kind: 'agrees' };
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
