import { type Cents, cents, formatDollars } from '../money.ts';
import type {
  DisputeClosed,
  DisputeOpened,
  DisputeOutcome,
  ExcessRefundFound,
  ExternalRefundRecorded,
  OrderPlaced,
  OrphanPaymentFound,
  OrphanPaymentReturned,
  PaymentAuthorized,
  PaymentCaptured,
  PaymentDeclined,
  PaymentStarted,
  PaymentVoided,
  ProcessingFeeAssessed,
  RefundCompleted,
  RefundFailed,
  RefundRequested,
  VoidReason,
} from '../order/events.ts';

/** All texts of an order's timeline, for staff. */
export const timelineTexts = {
  who(actor: string): string {
    const [kind, name] = actor.split(/:(.*)/s);
    if (kind === 'admin' && name !== undefined) return name;
    return actor === 'customer' ? 'Customer' : 'Automatic';
  },
  orderPlaced({ rugs, total, deliveryOption, source }: OrderPlaced) {
    const count = rugs.length === 1 ? '1 rug' : `${rugs.length} rugs`;
    const delivery = deliveryOption === 'pickup' ? 'White Glove Pickup & Delivery' : 'drop-off';
    return {
      what: `Order placed for ${formatDollars(total)}`,
      detail: `${count}, ${delivery}${source.embedded ? ', in the company’s page' : ''}`,
    };
  },
  paymentStarted: ({ amount }: PaymentStarted) => ({ what: `Payment of ${formatDollars(amount)} started` }),
  paymentAuthorized: ({ cardBrand, cardLastFour, squarePaymentId }: PaymentAuthorized) => ({
    what: `Card ${plainWords(cardBrand)} ending in ${cardLastFour} holds the money`,
    detail: `Square payment ${squarePaymentId}`,
  }),
  paymentCaptured: ({ amount, receiptNumber }: PaymentCaptured) => ({
    what: `Payment of ${formatDollars(amount)} taken`,
    ...(receiptNumber === undefined ? {} : { detail: `Square receipt ${receiptNumber}` }),
  }),
  paymentDeclined: ({ code }: PaymentDeclined) => ({
    what: 'Card declined',
    detail: `${plainWords(code)}. Nothing was charged`,
  }),
  paymentVoided: ({ reason }: PaymentVoided) => ({ what: 'Payment cancelled', detail: voidReasons[reason] }),
  feeAssessed: ({ amount }: ProcessingFeeAssessed) =>
    amount < 0
      ? { what: `Square gave back ${formatDollars(cents(0 - amount))} of its fee` }
      : { what: `Square kept a fee of ${formatDollars(amount)}` },
  refundRequested: ({ amount, refundType, reason, items, deliveryMinimum, notes }: RefundRequested) => ({
    what: `${refundType === 'full' ? 'Full' : 'Partial'} refund of ${formatDollars(amount)} requested`,
    detail: [reason, ...chosenLines(items, deliveryMinimum), ...(notes === undefined ? [] : [`Notes: ${notes}`])].join(
      '. ',
    ),
  }),
  refundSubmitted: () => ({ what: 'Square took the refund on' }),
  refundCompleted: ({ amount }: RefundCompleted) => ({ what: `Refund of ${formatDollars(amount)} completed` }),
  refundFailed: ({ amount, code }: RefundFailed) => ({
    what: `Refund of ${formatDollars(amount)} failed`,
    detail: `${plainWords(code)}. The customer did not get this money`,
  }),
  externalRefund: ({ amount, squareRefundId }: ExternalRefundRecorded) => ({
    what: `Refund of ${formatDollars(amount)} found that was made in the Square dashboard`,
    detail: `Square refund ${squareRefundId}`,
  }),
  excessRefund: ({ amount, squareRefundId }: ExcessRefundFound) => ({
    what: `Square gave back ${formatDollars(amount)} more than this order had left to refund`,
    detail: `Square refund ${squareRefundId}. Please look at it in the Square dashboard`,
  }),
  disputeOpened: ({ amount, reason, dueAt }: DisputeOpened) => ({
    what: `The customer’s bank disputes ${formatDollars(amount)}`,
    detail: `${plainWords(reason)}.${dueAt === undefined ? '' : ` Answer in the Square dashboard by ${dueAt.slice(0, 10)}.`} No refunds until it is decided`,
  }),
  disputeClosed: ({ amount, outcome }: DisputeClosed) => ({ what: disputeOutcomes[outcome](amount) }),
  orphanFound: ({ amount, squarePaymentId }: OrphanPaymentFound) => ({
    what: `Square took ${formatDollars(amount)} that this order does not need`,
    detail: `Square payment ${squarePaymentId}. The server asks Square to return it; the Books page tells when Square refuses`,
  }),
  orphanReturned: ({ amount, squareRefundId }: OrphanPaymentReturned) => ({
    what: `${formatDollars(amount)} that this order did not need went back to the customer`,
    detail: `Square refund ${squareRefundId}`,
  }),
  contactErased: () => ({ what: 'The customer’s contact details were erased' }),
};

const voidReasons = {
  AuthorizationUnknown: 'Square’s answer was lost, so the payment was cancelled. Nothing was charged',
  AuthorizationExpired: 'The card’s hold ended before the money was taken. Nothing was charged',
  HoldReleased: 'Square no longer held the money. Nothing was charged',
  AmountDiffers: 'Square held another amount than the order’s, so it was let go. Nothing was charged',
  CredentialsRefused: 'Square refused our access token, so the payment was cancelled. Nothing was charged',
} satisfies Record<VoidReason, string>;

const disputeOutcomes = {
  won: (amount) => `The dispute was won: ${formatDollars(amount)} stays with the business`,
  lost: (amount) => `The dispute was lost: ${formatDollars(amount)} went back to the customer`,
  accepted: (amount) => `The dispute was accepted: ${formatDollars(amount)} went back to the customer`,
} satisfies Record<DisputeOutcome, (amount: Cents) => string>;

function chosenLines(items: RefundRequested['items'], deliveryMinimum: Cents): string[] {
  const lines = items.map(({ rugIndex, amount }) => `Rug #${rugIndex + 1} ${formatDollars(amount)}`);
  if (deliveryMinimum > 0) lines.push(`Delivery minimum ${formatDollars(deliveryMinimum)}`);
  return lines.length === 0 ? [] : [lines.join(', ')];
}

/** `INSUFFICIENT_FUNDS` as `Insufficient funds`. Short names of cards stay as they are. */
function plainWords(code: string): string {
  if (!code.includes('_') && code.length <= 4) return code;
  const words = code.replaceAll('_', ' ').toLowerCase();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
