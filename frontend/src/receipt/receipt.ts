import type { Cents } from '@kilim/domain/money';
import type { DeliveryOption } from '@kilim/domain/quote';
import type { CurrentOrder } from '../shared/current-order.ts';
import { centsOf } from '../shared/dollars.ts';
import type { QuotedRug } from '../shared/wire.ts';
import type { OrderAnswer } from './receipt-queries.ts';

/** What the page shows of a paid order. */
export type Receipt = {
  /** `browser`: the server could not be asked, and this is what the browser remembers of the order. */
  readonly source: 'ledger' | 'browser';
  readonly deliveryOption: DeliveryOption;
  /** Masked unless this browser paid. */
  readonly email: string;
  readonly rugs: readonly QuotedRug[];
  readonly deliveryCost: Cents;
  readonly salesTax: Cents;
  readonly total: Cents;
  /** ISO 8601 instant. */
  readonly paidAt: string | undefined;
  /** Square's own receipt. */
  readonly receiptUrl: string | undefined;
};

function receiptOfAnswer({ order, items }: OrderAnswer): Receipt {
  return {
    source: 'ledger',
    deliveryOption: order.deliveryOption,
    email: order.customerInfo.email,
    rugs: items,
    deliveryCost: centsOf(order.deliveryCost),
    salesTax: centsOf(order.salesTax),
    total: centsOf(order.totalCost),
    paidAt: order.paidAt ?? undefined,
    receiptUrl: order.receiptUrl ?? undefined,
  };
}

function receiptOfStored(order: CurrentOrder): Receipt {
  return {
    source: 'browser',
    deliveryOption: order.deliveryOption,
    email: order.customerInfo.email,
    rugs: order.rugs,
    deliveryCost: centsOf(order.deliveryCost),
    salesTax: centsOf(order.salesTax),
    total: centsOf(order.totalAmount),
    paidAt: undefined,
    receiptUrl: undefined,
  };
}

/** What is known of the payment in the address. */
export type ReceiptState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'paid'; readonly receipt: Receipt }
  /** The ledger has the attempt, and its outcome is not known yet. */
  | { readonly kind: 'confirming'; readonly receipt: Receipt }
  /** The ledger says that nothing was charged. */
  | { readonly kind: 'unpaid' }
  /** The server knows no such payment. */
  | { readonly kind: 'unknown' }
  /** The server could not be asked, and the browser remembers nothing. */
  | { readonly kind: 'unavailable' };

/** An answer's state: the ledger's word, never the address's. */
export function stateOfAnswer(answer: OrderAnswer): ReceiptState {
  switch (answer.order.paymentStatus) {
    case 'paid':
      return { kind: 'paid', receipt: receiptOfAnswer(answer) };
    case 'processing':
      return { kind: 'confirming', receipt: receiptOfAnswer(answer) };
    default:
      return { kind: 'unpaid' };
  }
}

/** Without the server, the order that this browser had just sent to pay is the next best thing. A payment that the server denies is not. */
export function stateOfFailure(stored: CurrentOrder | undefined, isDenied: boolean): ReceiptState {
  if (isDenied) return { kind: 'unknown' };
  return stored === undefined ? { kind: 'unavailable' } : { kind: 'paid', receipt: receiptOfStored(stored) };
}
