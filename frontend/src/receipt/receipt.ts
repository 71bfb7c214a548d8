import type { CurrentOrder, CustomerInfo, QuotedRug } from '@kilim/bff/contract/quote';
import type { PaidOrder, ReceiptRefund } from '@kilim/bff/contract/receipt';
import type { DeliveryOption } from '@kilim/domain/catalog';
import { type Cents, cents, sumCents } from '@kilim/domain/money';
import { cardName } from '@kilim/domain/order/card-brand';

export type Receipt = {
  /** `browser`: the server did not answer. */
  readonly source: 'ledger' | 'browser';
  readonly orderId: string;
  readonly deliveryOption: DeliveryOption;
  readonly agreedPickup?: PaidOrder['order']['agreedPickup'];
  /** Masked, unless this browser made the payment. */
  readonly customer: CustomerInfo;
  readonly rugs: readonly QuotedRug[];
  readonly deliveryCost: Cents;
  readonly salesTax: Cents;
  readonly salesTaxName: string;
  readonly total: Cents;
  readonly paidAt: string | undefined;
  /** `Visa ending in 1111`. The browser's stored order does not have it. */
  readonly card: string | undefined;
  readonly receiptNumber: string | undefined;
  readonly refunds: readonly ReceiptRefund[];
  /** Minus completed and pending refunds. */
  readonly remainsPaid: Cents;
  /** `none`: none is promised. */
  readonly confirmationMail: 'none' | 'coming' | 'sent';
  readonly receiptUrl: string | undefined;
  /** The browser does not know it. */
  readonly stage?: PaidOrder['order']['stage'];
  /** That the customer is asked to pay. */
  readonly difference?: PaidOrder['order']['difference'];
  readonly paidDifferences?: PaidOrder['order']['paidDifferences'];
  /** Of a payment for larger rugs. */
  readonly supplementOf?: PaidOrder['order']['supplementOf'];
  readonly paidInShop?: PaidOrder['order']['paidInShop'];
};

function receiptOfAnswer({ order, items, payment, refunds }: PaidOrder): Receipt {
  return {
    source: 'ledger',
    orderId: order._id,
    deliveryOption: order.deliveryOption,
    agreedPickup: order.agreedPickup,
    customer: order.customerInfo,
    rugs: items,
    deliveryCost: order.deliveryCost,
    salesTax: order.salesTax,
    salesTaxName: order.salesTaxName,
    total: order.totalCost,
    paidAt: order.paidAt ?? undefined,
    card: payment === null ? undefined : cardName(payment),
    receiptNumber: payment?.receiptNumber,
    refunds,
    remainsPaid: remainsOf(payment?.amount ?? order.totalCost, refunds),
    confirmationMail: order.confirmationMail ?? 'none',
    receiptUrl: order.receiptUrl ?? undefined,
    stage: order.stage,
    difference: order.difference,
    paidDifferences: order.paidDifferences,
    supplementOf: order.supplementOf,
    paidInShop: order.paidInShop,
  };
}

/** Pending refunds count, failed ones do not. The refund of a second charge does not reduce the order's payment. */
function remainsOf(paid: Cents, refunds: readonly ReceiptRefund[]): Cents {
  const given = refunds
    .filter(({ status, refundType }) => status !== 'failed' && refundType !== 'second-charge')
    .map(({ amount }) => amount);
  return cents(paid - sumCents(given));
}

function receiptOfStored(order: CurrentOrder): Receipt {
  return {
    source: 'browser',
    orderId: order.orderId,
    deliveryOption: order.deliveryOption,
    customer: order.customerInfo,
    rugs: order.rugs,
    deliveryCost: order.deliveryCost,
    salesTax: order.salesTax,
    salesTaxName: order.salesTaxName,
    total: order.totalAmount,
    paidAt: undefined,
    card: undefined,
    receiptNumber: undefined,
    refunds: [],
    remainsPaid: order.totalAmount,
    confirmationMail: 'none',
    receiptUrl: undefined,
  };
}

export type ReceiptState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'paid'; readonly receipt: Receipt }
  /** The outcome is not known yet. */
  | { readonly kind: 'confirming'; readonly receipt: Receipt }
  /** Nothing was charged. The id is that of a supplement. */
  | { readonly kind: 'unpaid'; readonly differenceId?: string }
  /** The server has no such payment. */
  | { readonly kind: 'unknown' }
  /** The receipt's link has ended. */
  | { readonly kind: 'expired' }
  /** The server did not answer, and nothing is stored. */
  | { readonly kind: 'unavailable' };

/**
 * In an iframe the browser may keep back the receipt's cookie, and the server then masks the contact.
 * @param stored the browser's stored order; another order changes nothing.
 */
export function withOwnContact(answer: PaidOrder, stored: CurrentOrder | undefined): PaidOrder {
  if (stored?.orderId !== answer.order._id) return answer;
  return { ...answer, order: { ...answer.order, customerInfo: stored.customerInfo } };
}

/** Depends on the ledger only, not on the URL. */
export function stateOfAnswer(answer: PaidOrder): ReceiptState {
  switch (answer.order.paymentStatus) {
    case 'paid':
      return { kind: 'paid', receipt: receiptOfAnswer(answer) };
    case 'processing':
      return { kind: 'confirming', receipt: receiptOfAnswer(answer) };
    default:
      return answer.order.supplementOf === null
        ? { kind: 'unpaid' }
        : { kind: 'unpaid', differenceId: answer.order._id };
  }
}

/** For a pending refund, a quarter of an hour in all. */
const refundPollSeconds = [...Array<number>(12).fill(5), ...Array<number>(28).fill(30)];

/** Milliseconds, or false: a bank may take days, so polling ends before that, and a reload shows the new status. */
export function pollInterval(answer: PaidOrder | undefined, polls: number): number | false {
  if (answer?.order.paymentStatus === 'processing') return 5_000;
  const seconds = answer?.refunds.some(({ status }) => status === 'pending') ? refundPollSeconds[polls - 1] : undefined;
  return seconds !== undefined && seconds * 1_000;
}

export type Unanswered = {
  readonly stored: CurrentOrder | undefined;
  /** Set by the checkout after the payment. */
  readonly amount: Cents | undefined;
  /** No such payment, or its link has ended. */
  readonly denied: 'unknown' | 'expired' | undefined;
};

/** The browser's stored order, unless its total differs from the URL's amount or the server has no such payment. */
export function stateOfFailure({ stored, amount, denied }: Unanswered): ReceiptState {
  if (denied !== undefined) return { kind: denied };
  if (stored === undefined) return { kind: 'unavailable' };
  const receipt = receiptOfStored(stored);
  return amount === undefined || amount === receipt.total ? { kind: 'paid', receipt } : { kind: 'unavailable' };
}
