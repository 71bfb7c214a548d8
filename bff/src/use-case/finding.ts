import type { OrderEvent } from '@kilim/domain/order/events';
import type { OrderId } from '@kilim/domain/order/ids';

/** Where Square and the ledger say different things, for a person to look at. */
export type Difference = {
  readonly code: /** Square has money that nobody here asked for. */
    | 'OrphanPayment'
    /** The ledger says that money was taken, and Square does not. */
    | 'CaptureNotAtSquare'
    /** Square took the money of an attempt that the ledger gave up. */
    | 'TakenAfterItWasGivenUp'
    | 'AmountDiffers'
    /** Square and the ledger tell different ends of one refund. */
    | 'RefundDiffers'
    /** Somebody is refunding in Square's dashboard, and Square has not decided yet. */
    | 'ExternalRefundPending'
    /** More was refunded in Square's dashboard than the ledger still has to refund. */
    | 'ExternalRefundExceeds'
    /** A refund or a dispute of a payment that is not in the ledger. */
    | 'OfUnknownPayment';
  readonly squareId: string;
  readonly orderId: OrderId | undefined;
};

/** What comparing one thing at Square with the ledger led to. */
export type Finding =
  | { readonly kind: 'agrees' }
  /** Somebody is at work on it: look again later. */
  | { readonly kind: 'in-flight' }
  | { readonly kind: 'recorded'; readonly types: readonly OrderEvent['type'][] }
  /** A hold that nobody wants was let go. */
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
