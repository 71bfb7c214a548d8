import { type Cents, cents } from '../money.ts';
import type { OrderEvent } from '../order/events.ts';
import { unreachable } from '../unreachable.ts';
import type { StreamEvent } from './order-summary.ts';
import { timelineTexts } from './timeline-texts.ts';

/**
 * `money` moved in or out, `good` is a hoped-for end, `warning` is not over yet, `bad` needs a
 * person.
 */
export type TimelineTone = 'plain' | 'money' | 'good' | 'warning' | 'bad';

/** An event as the back office shows it. */
export type TimelineEntry = {
  readonly what: string;
  readonly detail: string | undefined;
  /** The amount that the event moved, negative for money out. Absent when none moved. */
  readonly amount: Cents | undefined;
  readonly tone: TimelineTone;
};

/** An event and its actor: `customer`, `settle-worker`, `reconciliation` or `admin:<name>`. */
export type ActedEvent = StreamEvent & { readonly actor: string };

export type TimelineLine = TimelineEntry & {
  readonly version: number;
  /** ISO 8601 instant. */
  readonly occurredAt: string;
  readonly who: string;
};

/**
 * The order's history in plain words, oldest first. Every event is a line, so the timeline hides
 * nothing.
 */
export function timeline(events: readonly ActedEvent[]): readonly TimelineLine[] {
  return events.map(({ event, version, occurredAt, actor }) => ({
    ...entryOf(event),
    version,
    occurredAt,
    who: timelineTexts.who(actor),
  }));
}

export function entryOf(event: OrderEvent): TimelineEntry {
  switch (event.type) {
    case 'OrderPlaced':
      return say('plain', timelineTexts.orderPlaced(event));
    case 'PaymentStarted':
      return say('plain', timelineTexts.paymentStarted(event));
    case 'PaymentAuthorized':
      return say('plain', timelineTexts.paymentAuthorized(event));
    case 'PaymentCaptured':
      return say('money', timelineTexts.paymentCaptured(event), event.amount);
    case 'PaymentDeclined':
      return say('warning', timelineTexts.paymentDeclined(event));
    case 'PaymentVoided':
      return say('warning', timelineTexts.paymentVoided(event));
    case 'ProcessingFeeAssessed':
      return say('plain', timelineTexts.feeAssessed(event), moneyOut(event.amount));
    case 'RefundRequested':
      return say('warning', timelineTexts.refundRequested(event));
    case 'RefundSubmitted':
      return say('plain', timelineTexts.refundSubmitted());
    case 'RefundCompleted':
      return say('money', timelineTexts.refundCompleted(event), moneyOut(event.amount));
    case 'RefundFailed':
      return say('bad', timelineTexts.refundFailed(event));
    case 'ExternalRefundRecorded':
      return say('bad', timelineTexts.externalRefund(event), moneyOut(event.amount));
    case 'ExcessRefundFound':
      return say('bad', timelineTexts.excessRefund(event), moneyOut(event.amount));
    case 'DisputeOpened':
      return say('bad', timelineTexts.disputeOpened(event), moneyOut(event.amount));
    case 'DisputeClosed':
      return event.outcome === 'won'
        ? say('good', timelineTexts.disputeClosed(event), event.amount)
        : say('bad', timelineTexts.disputeClosed(event));
    case 'OrphanPaymentFound':
      return say('bad', timelineTexts.orphanFound(event), event.amount);
    case 'OrphanPaymentReturned':
      return say('good', timelineTexts.orphanReturned(event), moneyOut(event.amount));
    case 'ContactErased':
      return say('plain', timelineTexts.contactErased());
    default:
      return unreachable(event);
  }
}

/** A sentence, and optional details. */
export type TimelineText = { readonly what: string; readonly detail?: string };

function say(tone: TimelineTone, { what, detail }: TimelineText, amount?: Cents): TimelineEntry {
  return { what, detail, amount, tone };
}

function moneyOut(amount: Cents): Cents {
  return cents(0 - amount);
}
