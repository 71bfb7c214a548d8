import type { OrphanAssigned, OrphanBookingUndone } from '../accounting/resolutions.ts';
import type { Cents } from '../money.ts';
import type { OrderEvent } from '../order/events.ts';
import type { StreamEvent } from './order-summary.ts';
import { assignedText, type TimelineText, type TimelineTone, timelineTexts, whoText } from './timeline-texts.ts';

/** An event as the back office shows it. */
export type TimelineEntry = {
  readonly what: string;
  readonly detail: string | undefined;
  /** The amount that the event moved, negative for money out. Undefined when none moved. */
  readonly amount: Cents | undefined;
  readonly tone: TimelineTone;
};

/** An event and its actor: `customer`, `settle-worker`, `reconciliation` or `admin:<name>`. */
export type ActedEvent = StreamEvent & { readonly actor: string };

export type TimelineLine = TimelineEntry & {
  /** ISO 8601 instant. */
  readonly occurredAt: string;
  readonly who: string;
};

/** A person assigned a payment without an order to the order, or undid that. The event is of another stream. */
export type AssignedToOrder = { readonly event: OrphanAssigned | OrphanBookingUndone; readonly occurredAt: string };

/** The order's history in plain words, oldest first. Every event is a line, so the timeline hides nothing. */
export function timeline(
  events: readonly ActedEvent[],
  assigned: readonly AssignedToOrder[] = [],
): readonly TimelineLine[] {
  const lines = events.map(({ event, occurredAt, actor }) => ({
    ...entryOf(event),
    occurredAt,
    who: whoText(actor),
  }));
  return assigned.reduce<readonly TimelineLine[]>((sorted, { event, occurredAt }) => {
    const place = sorted.findLastIndex((line) => line.occurredAt <= occurredAt) + 1;
    return sorted.toSpliced(place, 0, { ...assignedText(event), occurredAt, who: event.by });
  }, lines);
}

export function entryOf(event: OrderEvent): TimelineEntry {
  // The compiler does not see that the text of a type takes the events of that type.
  const textOf = timelineTexts[event.type] as (event: OrderEvent) => TimelineText;
  return { detail: undefined, amount: undefined, ...textOf(event) };
}
