import type { OrderDetail } from '@kilim/bff/contract/orders';
import type { RefundAllowance } from '@kilim/bff/contract/refund-limits';
import { formatDollars } from '@kilim/domain/money';
import { refundTexts, refundWaysTexts as texts } from './texts.ts';

type Way = 'refund' | 'reimburse';

/** How money of an order can be given back, and what the order page says about it. */
export type RefundWays = {
  /** Stands in the place of *Process Refund*. */
  readonly noRefund: string | undefined;
  readonly mayReimburse: boolean;
  /** A refund that the customer still waits for: one instruction, and at most one button. */
  readonly failed: { readonly title: string; readonly advice: string; readonly way: Way | undefined } | undefined;
};

type Person = {
  readonly mayRefund: boolean;
  /** Undefined until it is known. */
  readonly allowance: RefundAllowance | undefined;
  /** This browser asks for the outcome of a refund, which only its dialog shows. */
  readonly isOutcomeOpen: boolean;
};

/** Only the server's answers decide. */
export function refundWays(detail: OrderDetail, person: Person): RefundWays {
  const { remainingRefundable, refundBlock, owedRefund } = detail.order;
  const isSpent = person.allowance?.allowed === 0;
  // The bank may give the money back as well, or did.
  const isDisputed = refundBlock?.code === 'Disputed' || refundBlock?.code === 'DisputeLost';
  const mayReimburse = person.mayRefund && remainingRefundable > 0 && !isDisputed && !isSpent;
  const noRefund = person.isOutcomeOpen
    ? undefined
    : (blockText(detail) ?? (isSpent ? refundTexts.noneAllowed : undefined));
  if (owedRefund === 0) return { noRefund, mayReimburse, failed: undefined };
  const last = detail.refunds.find(({ status }) => status === 'failed');
  const title = (last?.amount === owedRefund ? texts.failed : texts.someFailed)(formatDollars(owedRefund));
  const otherWay = mayReimburse ? 'reimburse' : undefined;
  const way = noRefund === undefined && last?.failure?.isFinal !== true ? 'refund' : otherWay;
  const advice = noRefund ?? last?.failure?.advice ?? '';
  return {
    noRefund,
    mayReimburse,
    failed: person.mayRefund ? { title, advice, way } : { title, advice: '', way: undefined },
  };
}

/** A pending refund is no longer refundable, and not yet refunded. */
function blockText({ order: { refundBlock, refundPending } }: OrderDetail): string | undefined {
  return refundBlock?.code === 'FullyRefunded' && refundPending > 0 ? texts.allOnItsWay : refundBlock?.message;
}
