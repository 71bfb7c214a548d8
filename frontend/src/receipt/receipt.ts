import { type Cents, cents, sumCents } from '@kilim/domain/money';
import type { DeliveryOption } from '@kilim/domain/quote';
import type { CurrentOrder } from '../shared/current-order.ts';
import { centsOf } from '../shared/dollars.ts';
import type { QuotedRug } from '../shared/wire.ts';
import type { OrderAnswer } from './receipt-queries.ts';
import { receiptTexts } from './texts.ts';

export type ReceiptRefund = {
  readonly amount: Cents;
  readonly status: 'pending' | 'completed' | 'failed';
  /** `second-charge`: a charge that the order did not need goes back. */
  readonly refundType: 'full' | 'partial' | 'second-charge';
  /** ISO 8601 instant. */
  readonly createdAt: string;
};

/** What the page shows of a paid order. */
export type Receipt = {
  /**
   * `browser`: the server could not be asked, and this is what the browser remembers of the order.
   */
  readonly source: 'ledger' | 'browser';
  readonly orderId: string;
  readonly deliveryOption: DeliveryOption;
  /** Masked unless this browser paid. */
  readonly email: string;
  readonly rugs: readonly QuotedRug[];
  readonly deliveryCost: Cents;
  readonly salesTax: Cents;
  readonly total: Cents;
  /** ISO 8601 instant. */
  readonly paidAt: string | undefined;
  /** `Visa ending in 1111`; undefined while only the browser is asked. */
  readonly card: string | undefined;
  readonly receiptNumber: string | undefined;
  /** Oldest first. */
  readonly refunds: readonly ReceiptRefund[];
  /** What was paid, less what was given back or is on its way back. */
  readonly remainsPaid: Cents;
  /** Square's own receipt. */
  readonly receiptUrl: string | undefined;
};

function receiptOfAnswer({ order, items, payment, refunds: answered }: OrderAnswer): Receipt {
  const refunds = answered.map((refund) => ({ ...refund, amount: centsOf(refund.amount) }));
  return {
    source: 'ledger',
    orderId: order._id,
    deliveryOption: order.deliveryOption,
    email: order.customerInfo.email,
    rugs: items,
    deliveryCost: centsOf(order.deliveryCost),
    salesTax: centsOf(order.salesTax),
    total: centsOf(order.totalCost),
    paidAt: order.paidAt ?? undefined,
    card: payment === null ? undefined : cardName(payment),
    receiptNumber: payment?.receiptNumber,
    refunds,
    remainsPaid: remainsOf(centsOf(payment?.amount ?? order.totalCost), refunds),
    receiptUrl: order.receiptUrl ?? undefined,
  };
}

/**
 * Money that is promised back counts as given; a refund that failed gave nothing, and a second
 * charge was not paid for the order.
 */
function remainsOf(paid: Cents, refunds: readonly ReceiptRefund[]): Cents {
  const given = refunds
    .filter(({ status, refundType }) => status !== 'failed' && refundType !== 'second-charge')
    .map(({ amount }) => amount);
  return cents(paid - sumCents(given));
}

const brandNames: Readonly<Record<string, string>> = {
  VISA: 'Visa',
  MASTERCARD: 'Mastercard',
  AMERICAN_EXPRESS: 'American Express',
  DISCOVER: 'Discover',
  DISCOVER_DINERS: 'Diners Club',
  JCB: 'JCB',
  CHINA_UNIONPAY: 'UnionPay',
};

function cardName({ cardBrand, cardLastFour }: { readonly cardBrand: string; readonly cardLastFour: string }): string {
  return receiptTexts.card(brandNames[cardBrand] ?? receiptTexts.otherCard, cardLastFour);
}

function receiptOfStored(order: CurrentOrder): Receipt {
  return {
    source: 'browser',
    orderId: order.orderId,
    deliveryOption: order.deliveryOption,
    email: order.customerInfo.email,
    rugs: order.rugs,
    deliveryCost: centsOf(order.deliveryCost),
    salesTax: centsOf(order.salesTax),
    total: centsOf(order.totalAmount),
    paidAt: undefined,
    card: undefined,
    receiptNumber: undefined,
    refunds: [],
    remainsPaid: centsOf(order.totalAmount),
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

/**
 * How often a refund on its way is looked for, by seconds from one look to the next: a quarter of
 * an hour in all.
 */
const refundLooks = [...Array<number>(12).fill(5), ...Array<number>(28).fill(30)];

/**
 * When the page asks again by itself, in milliseconds; false when it need not. A refund may take
 * its bank days: who still has the page open then finds it done after a reload.
 */
export function askAgainAfter(answer: OrderAnswer | undefined, looks: number): number | false {
  if (answer?.order.paymentStatus === 'processing') return 5_000;
  const seconds = answer?.refunds.some(({ status }) => status === 'pending') ? refundLooks[looks - 1] : undefined;
  return seconds !== undefined && seconds * 1_000;
}

export type Unanswered = {
  /** What the browser remembers as its current order. */
  readonly stored: CurrentOrder | undefined;
  /** The address's, which was written when the payment was made. */
  readonly amount: Cents | undefined;
  /** The server says that there is no such payment. */
  readonly isDenied: boolean;
};

/**
 * Without the server, the order that this browser had just sent to pay is the next best thing:
 * unless its total is not what the address says was paid, or the server denies the payment.
 */
export function stateOfFailure({ stored, amount, isDenied }: Unanswered): ReceiptState {
  if (isDenied) return { kind: 'unknown' };
  if (stored === undefined) return { kind: 'unavailable' };
  const receipt = receiptOfStored(stored);
  return amount === undefined || amount === receipt.total ? { kind: 'paid', receipt } : { kind: 'unavailable' };
}
