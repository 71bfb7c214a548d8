import type { OrphanAssigned, OrphanBookingUndone } from '../accounting/resolutions.ts';
import type { Day } from '../day.ts';
import { formatDay, formatPickup } from '../format-day.ts';
import { type Cents, cents, formatDollars } from '../money.ts';
import { cardName } from '../order/card-brand.ts';
import { erasedByRetention } from '../order/erase-contact.ts';
import type {
  DisputeOutcome,
  IntakeStep,
  OrderEvent,
  RefundRequested,
  ReimbursementMethod,
  ShopPaymentMethod,
  VoidReason,
} from '../order/events.ts';
import { formatSize } from '../rug.ts';

/** `good` is a hoped-for end, `warning` is not over yet, `bad` needs a person. */
export type TimelineTone = 'plain' | 'money' | 'good' | 'warning' | 'bad';

export type TimelineText = {
  readonly tone: TimelineTone;
  readonly what: string;
  readonly detail?: string;
  /** Negative for money out; absent when none moved. */
  readonly amount?: Cents;
};

/** The day of an instant in the shop. */
export type DayOf = (instant: string) => Day;

type TimelineTexts = {
  readonly [Type in OrderEvent['type']]: (event: Extract<OrderEvent, { type: Type }>, dayOf: DayOf) => TimelineText;
};

export const timelineTexts: TimelineTexts = {
  OrderPlaced: ({ rugs, total, deliveryOption, source }) => {
    const count = rugs.length === 1 ? '1 rug' : `${rugs.length} rugs`;
    const delivery = deliveryOption === 'pickup' ? 'White Glove Pickup & Delivery' : 'drop-off';
    const place = source.embedded ? ', in the company’s page' : '';
    return {
      tone: 'plain',
      what: `Order placed for ${formatDollars(total)}`,
      detail: `${count}, ${delivery}${place}`,
    };
  },
  PaymentStarted: ({ amount }) => ({ tone: 'plain', what: `Payment of ${formatDollars(amount)} started` }),
  PaymentAuthorized: ({ risk, ...card }) => ({
    tone: risk === 'high' ? 'warning' : 'plain',
    what: `${cardName(card)} holds the money`,
    ...(risk === undefined ? {} : { detail: `Risk of fraud, says Square: ${risk}` }),
  }),
  PaymentCaptured: ({ amount }) => ({
    tone: 'money',
    what: `Payment of ${formatDollars(amount)} taken`,
    amount,
  }),
  PaymentDeclined: ({ code }) => ({
    tone: 'warning',
    what: 'Card declined',
    detail: `${plainWords(code)}. Nothing was charged`,
  }),
  PaymentVoided: ({ reason }) => ({ tone: 'warning', what: 'Payment cancelled', detail: voidReasons[reason] }),
  ProcessingFeeAssessed: ({ amount }) => ({
    tone: 'plain',
    what:
      amount < 0
        ? `Square gave back ${formatDollars(out(amount))} of its fee`
        : `Square kept a fee of ${formatDollars(amount)}`,
    amount: out(amount),
  }),
  RefundRequested: ({ amount, refundType, reason, items, deliveryMinimum, notes }) => {
    const noted = notes === undefined ? [] : [`Notes: ${notes}`];
    return {
      tone: 'warning',
      what: `${refundType === 'full' ? 'Full' : 'Partial'} refund of ${formatDollars(amount)} requested`,
      detail: [reason, ...chosenLines(items, deliveryMinimum), ...noted].join('. '),
    };
  },
  RefundSubmitted: () => ({ tone: 'plain', what: 'Square took the refund on' }),
  RefundCompleted: ({ amount }) => ({
    tone: 'money',
    what: `Refund of ${formatDollars(amount)} completed`,
    amount: out(amount),
  }),
  RefundFailed: ({ amount, code }) => ({
    tone: 'bad',
    what: `Refund of ${formatDollars(amount)} failed`,
    detail: `${plainWords(code)}. The customer did not get this money`,
  }),
  ExternalRefundRecorded: ({ amount }) => ({
    tone: 'bad',
    what: `Refund of ${formatDollars(amount)} found that was made in the Square dashboard`,
    amount: out(amount),
  }),
  CustomerPaid: ({ amount, method, reference }) => ({
    tone: 'good',
    what: `${formatDollars(amount)} paid in the shop, ${shopPaymentTexts[method]}`,
    ...(reference === undefined ? {} : { detail: reference }),
    amount,
  }),
  CustomerReimbursed: ({ amount, method, paidOn, reference, reason }) => ({
    tone: 'money',
    what: `${formatDollars(amount)} given back ${reimbursementTexts[method]}`,
    detail: [reason, `Paid on ${formatDay(paidOn)}`, ...(reference === undefined ? [] : [reference])].join('. '),
    amount: out(amount),
  }),
  RefundSplitCorrected: ({ amount, why, items, deliveryMinimum }) => ({
    tone: 'plain',
    what: `What the refund of ${formatDollars(amount)} was for was corrected`,
    detail: [why, ...chosenLines(items, deliveryMinimum)].join('. '),
  }),
  ExcessRefundFound: ({ amount, squareRefundId }) => ({
    tone: 'bad',
    what: `Square gave back ${formatDollars(amount)} more than this order had left to refund`,
    detail: `Square refund ${squareRefundId}. Please look at it in the Square dashboard`,
    amount: out(amount),
  }),
  DisputeOpened: ({ amount, reason, dueAt }, dayOf) => {
    const due = dueAt === undefined ? '' : ` Answer in the Square dashboard by ${formatDay(dayOf(dueAt))}.`;
    return {
      tone: 'bad',
      what: `The customer’s bank disputes ${formatDollars(amount)}`,
      detail: `${disputeReasons[reason] ?? plainWords(reason)}.${due} No refunds until it is decided`,
      amount: out(amount),
    };
  },
  DisputeClosed: ({ amount, outcome }) => {
    const what = disputeOutcomes[outcome](amount);
    return outcome === 'won' ? { tone: 'good', what, amount } : { tone: 'bad', what };
  },
  OrphanPaymentFound: ({ amount, squarePaymentId }) => ({
    tone: 'bad',
    what: `Square took ${formatDollars(amount)} that this order does not need`,
    detail: `Square payment ${squarePaymentId}. The server asks Square to return it; the Books page tells when Square refuses`,
    amount,
  }),
  OrphanPaymentReturned: ({ amount, squareRefundId }) => ({
    tone: 'good',
    what: `${formatDollars(amount)} that this order did not need went back to the customer`,
    detail: `Square refund ${squareRefundId}`,
    amount: out(amount),
  }),
  PickupAgreed: (pickup) => ({ tone: 'plain', what: `Pickup agreed: ${formatPickup(pickup)}` }),
  RugsReceived: ({ sizes }) => ({
    tone: 'plain',
    what: 'Rugs received and measured',
    detail: sizes.map((size, index) => `Rug #${index + 1}: ${formatSize(size)}`).join(', '),
  }),
  SupplementRequested: ({ amount, expiresOn }) => ({
    tone: 'warning',
    what: `The customer was asked to pay a difference of ${formatDollars(amount)}`,
    detail: `Until ${formatDay(expiresOn)}`,
  }),
  SupplementWithdrawn: () => ({ tone: 'plain', what: 'The customer is not asked to pay a difference any more' }),
  DifferenceWaived: ({ amount, reason }) => ({
    tone: 'plain',
    what: `The customer need not pay a difference of ${formatDollars(amount)}`,
    detail: reason,
  }),
  OrderReady: () => ({ tone: 'good', what: 'Rugs ready' }),
  OrderHandedOver: () => ({ tone: 'good', what: 'The customer has the rugs' }),
  StepUndone: ({ step }) => ({ tone: 'plain', what: undoneTexts[step] }),
  ContactErased: ({ erasedBy }) => ({
    tone: 'plain',
    what: 'The customer’s contact details were erased',
    ...(erasedBy === erasedByRetention ? { detail: 'Their period was over' } : {}),
  }),
};

const undoneTexts = {
  received: 'Undone: the rugs were not received',
  waived: 'Undone: the customer owes the difference',
  ready: 'Undone: the rugs are not ready',
  'handed-over': 'Undone: the customer does not have the rugs',
} satisfies Record<IntakeStep, string>;

/** `given back by check`. */
export const reimbursementTexts = {
  check: 'by check',
  cash: 'in cash',
  'bank-transfer': 'by bank transfer',
} satisfies Record<ReimbursementMethod, string>;

const shopPaymentTexts = {
  cash: 'in cash',
  check: 'by check',
  counter: 'by card at the counter',
} satisfies Record<ShopPaymentMethod, string>;

/** Square's account held the amount before, so none moves. */
export function assignedText({ type, amount, squarePaymentId }: OrphanAssigned | OrphanBookingUndone) {
  const payment = `payment of ${formatDollars(amount)} without an order`;
  return {
    tone: 'plain',
    what:
      type === 'OrphanAssigned'
        ? `A ${payment} was assigned to this order`
        : `The assignment of a ${payment} was undone`,
    detail: `Square payment ${squarePaymentId}`,
    amount: undefined,
  } as const;
}

/** From the actor of an event. */
export function whoText(actor: string): string {
  const [kind, name] = actor.split(/:(.*)/s);
  if (kind === 'admin' && name !== undefined) return name;
  return actor === 'customer' ? 'Customer' : 'Automatic';
}

function out(amount: Cents): Cents {
  return cents(0 - amount);
}

const voidReasons = {
  AuthorizationUnknown: 'Square’s answer was lost, so the payment was cancelled. Nothing was charged',
  AuthorizationExpired: 'The card’s hold ended before the money was taken. Nothing was charged',
  HoldReleased: 'Square no longer held the money. Nothing was charged',
  AmountDiffers: 'Square held another amount than the order’s, so it was let go. Nothing was charged',
  CredentialsRefused: 'Square refused our access token, so the payment was cancelled. Nothing was charged',
} satisfies Record<VoidReason, string>;

/** Square's `DisputeReason`. */
const disputeReasons: Readonly<Record<string, string>> = {
  AMOUNT_DIFFERS: 'Another amount was charged than agreed',
  CANCELLED: 'Charged although the order was cancelled',
  CUSTOMER_REQUESTS_CREDIT: 'A promised refund has not arrived',
  DUPLICATE: 'Charged more than once',
  EMV_LIABILITY_SHIFT: 'The chip of the card was not used',
  NO_KNOWLEDGE: 'The customer does not recognize this payment',
  NOT_AS_DESCRIBED: 'Not as described',
  NOT_RECEIVED: 'The customer did not get what was paid for',
  PAID_BY_OTHER_MEANS: 'It was paid in another way already',
};

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

/** `INSUFFICIENT_FUNDS` as `Insufficient funds`; short names of cards stay. */
function plainWords(code: string): string {
  if (!code.includes('_') && code.length <= 4) return code;
  const words = code.replaceAll('_', ' ').toLowerCase();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
