import { formatDay } from '@kilim/domain/format-day';
import { formatDollars } from '@kilim/domain/money';
import type { RefundBlock } from '@kilim/domain/order/refund';
import type { RefundLimitName } from '@kilim/domain/people/refund-limits';
import type { RugCharges } from '@kilim/domain/quote';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { RefundProblem } from '../../../../contract/refunds.ts';
import type { CorrectSplitRejection } from '../../use-case/correct-split.ts';
import type { RecordReimbursementRejection } from '../../use-case/record-reimbursement.ts';
import type { RequestedRefund, RequestRefundRejection } from '../../use-case/request-refund.ts';
import type { Problem } from '../problem.ts';

type AnyRejection = RequestRefundRejection | RecordReimbursementRejection | CorrectSplitRejection;
type Code = AnyRejection['code'];
type Rejection<Of extends Code> = Extract<AnyRejection, { readonly code: Of }>;
type Sentence<Of extends Code> = {
  readonly status: ContentfulStatusCode;
  readonly say: (rejection: Rejection<Of>) => string;
};

const chargeNames = {
  base: 'Cleaning',
  delivery: 'Pickup and delivery',
  stainProtection: 'Stain Protection',
  greenPad: 'Green Pad',
  salesTax: 'Sales Tax',
} as const satisfies Record<keyof RugCharges, string>;

/** A rejection without a status and a sentence for staff does not compile. */
const refundProblems: { readonly [Of in Code]: Sentence<Of> } = {
  UnknownOrder: { status: 404, say: () => 'Order not found' },
  ImpossibleDay: {
    status: 422,
    say: ({ first, last }) =>
      `The day must be between the payment of the order (${formatDay(first)}) and today (${formatDay(last)}).`,
  },
  UnknownPayment: { status: 404, say: () => 'This payment is not known here.' },
  KeyReused: {
    status: 409,
    say: () => 'This refund was already sent with other details. Please close the dialog and look at the order again.',
  },
  NotPaid: { status: 409, say: () => 'This order has not been paid, so there is nothing to refund.' },
  FullyRefunded: { status: 409, say: () => 'This order has already been fully refunded.' },
  Disputed: {
    status: 409,
    say: () =>
      'The customer’s bank disputes this payment. A refund now could give the money back twice; please answer in the Square dashboard.',
  },
  DisputeLost: {
    status: 409,
    say: () =>
      'The dispute about this payment was lost, and the bank gave the money back to the customer. It must not be refunded again.',
  },
  PaidInShop: {
    status: 409,
    say: () => 'This was paid in the shop. To give it back, pay by check, cash or transfer, then record it here.',
  },
  EarlierRefundFailed: {
    status: 409,
    say: () => 'Square takes no more refunds of this payment. Pay it by check, cash or transfer, then record it here.',
  },
  TooManyRefunds: {
    status: 409,
    say: ({ most }) =>
      `Square allows at most ${most} refunds of one payment. Pay it by check, cash or transfer, then record it here.`,
  },
  PaymentTooOld: {
    status: 409,
    say: () =>
      'This payment is more than a year old, and Square refunds payments for one year. Pay it by check, cash or transfer, then record it here.',
  },
  ReasonRequired: { status: 422, say: () => 'Please give a reason for the refund.' },
  InvalidAmount: { status: 422, say: () => 'A refund is at least $0.01, and so is each of its rugs.' },
  ExceedsRefundable: {
    status: 409,
    say: ({ asked, refundable }) =>
      `${formatDollars(asked)} is more than can still be refunded: ${formatDollars(refundable)}.`,
  },
  FullAmountDiffers: {
    status: 409,
    say: ({ asked, refundable }) =>
      `A full refund is now ${formatDollars(refundable)}, not ${formatDollars(asked)}. Please check it and try again.`,
  },
  UnknownRug: { status: 422, say: ({ rugIndex }) => `This order has no Rug #${rugIndex + 1}.` },
  RugChosenTwice: { status: 422, say: ({ rugIndex }) => `Rug #${rugIndex + 1} was chosen twice.` },
  ExceedsRug: {
    status: 409,
    say: ({ rugIndex, asked, refundable }) =>
      `${formatDollars(asked)} is more than is left to refund of Rug #${rugIndex + 1}: ${formatDollars(refundable)}.`,
  },
  ChargeChosenTwice: {
    status: 422,
    say: ({ rugIndex, charge }) => `${chargeNames[charge]} of Rug #${rugIndex + 1} was chosen twice.`,
  },
  ExceedsCharge: {
    status: 409,
    say: ({ rugIndex, charge, asked, refundable }) =>
      `${formatDollars(asked)} is more than is left to refund of ${chargeNames[charge]} of Rug #${rugIndex + 1}: ${formatDollars(refundable)}.`,
  },
  ExceedsDeliveryMinimum: {
    status: 409,
    say: ({ asked, refundable }) =>
      `${formatDollars(asked)} is more than is left to refund of the delivery minimum: ${formatDollars(refundable)}.`,
  },
  ItemsExceedAmount: {
    status: 422,
    say: ({ items, asked }) =>
      `What was chosen is ${formatDollars(items)}, more than the refund of ${formatDollars(asked)}.`,
  },
  RefundLimitReached: {
    status: 409,
    say: ({ limit, most, used, approvers }) =>
      `${limitSentences[limit](formatDollars(most), formatDollars(used))} ${approval(approvers)}`,
  },
  NotDue: { status: 409, say: () => 'Another amount is due by now. Please look at the order again.' },
  UnknownRefund: { status: 409, say: () => 'This refund is not known here.' },
  NotCompleted: { status: 409, say: () => 'This refund has not reached the customer, so it was for nothing yet.' },
  RefundClosed: { status: 409, say: ({ status }) => `This refund has already ended: it is ${status}.` },
  AmountDiffers: {
    status: 409,
    say: ({ expected, offered }) =>
      `Square says ${formatDollars(offered)} and the refund is ${formatDollars(expected)}. Nothing was recorded.`,
  },
};

const limitSentences: Readonly<Record<RefundLimitName, (most: string, used: string) => string>> = {
  perRefund: (most) => `Your limit is ${most} for one refund.`,
  perPersonAndDay: (most, used) => `Your limit is ${most} a day, and you have refunded ${used} today.`,
  perShopAndDay: (most, used) =>
    `Your limit is ${most} a day for the whole shop, and ${used} have been refunded today.`,
};

const mostNames = 3;

function approval(approvers: readonly string[]): string {
  if (approvers.length === 0)
    return 'No other person can refund this amount now. An owner can raise the limits on the People page.';
  const names = approvers.slice(0, mostNames);
  return `${new Intl.ListFormat('en-US', { type: 'disjunction' }).format(names)} can make this refund.`;
}

type RejectedRefund = Extract<RequestedRefund, { readonly kind: 'rejected' }>;

export function problemOfRefund({
  rejection,
  refundable,
}: RejectedRefund): RefundProblem & { readonly status: ContentfulStatusCode } {
  return { ...sentenceFor(rejection), code: rejection.code, remaining: refundable ?? null };
}

export function problemOfReimbursement(rejection: RecordReimbursementRejection | CorrectSplitRejection): Problem {
  const { status, message } = sentenceFor(rejection);
  const { code } = rejection;
  const field = code === 'ImpossibleDay' ? 'paidOn' : isOfAmount(code) ? 'amount' : undefined;
  return { status, code, message, ...(field === undefined ? {} : { fields: { [field]: message } }) };
}

function isOfAmount(code: Code): boolean {
  return code === 'ExceedsRefundable' || code === 'InvalidAmount' || code === 'RefundLimitReached';
}

export function refundBlockAnswer(block: RefundBlock) {
  return { code: block.code, message: sentenceFor(block).message };
}

function sentenceFor(rejection: AnyRejection): { status: ContentfulStatusCode; message: string } {
  // The table is keyed by the code, so each sentence gets its own rejection.
  const { status, say } = refundProblems[rejection.code] as Sentence<Code>;
  return { status, message: say(rejection) };
}
