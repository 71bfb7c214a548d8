import type { OrderEvent } from '@kilim/domain/order/events';
import type { OrderId } from '@kilim/domain/order/ids';

/** A difference between Square and the ledger, for a person to look at. */
export type Difference = {
  readonly code: /** Square has money that this server did not ask for. */
    | 'OrphanPayment'
    /**
     * Square has a payment of this order from before the ledger was restored, and no attempt of the
     * order knows it. An administrator decides about it.
     */
    | 'LostPayment'
    /** The ledger has a capture that Square does not have. */
    | 'CaptureNotAtSquare'
    /** Square took the money of an attempt that the ledger gave up. */
    | 'TakenAfterItWasGivenUp'
    | 'AmountDiffers'
    /** A refund ended differently at Square and in the ledger. */
    | 'RefundDiffers'
    /** A refund from Square's dashboard is undecided. */
    | 'ExternalRefundPending'
    /** A refund from Square's dashboard is above the refundable amount of the ledger. */
    | 'ExternalRefundExceeds'
    /** A refund or a dispute of a payment that is not in the ledger. */
    | 'OfUnknownPayment';
  readonly squareId: string;
  readonly orderId: OrderId | undefined;
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

export function differs(difference: Difference): Finding {
  return { kind: 'differs', difference };
}

export function recordedOrAgrees(events: readonly OrderEvent[]): Finding {
  return events.length === 0 ? agrees : { kind: 'recorded', types: events.map(({ type }) => type) };
}
