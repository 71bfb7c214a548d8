import type { OrphanAssigned, OrphanBookingUndone } from '../accounting/resolutions.ts';
import type { Cents } from '../money.ts';
import type { OrderEvent } from '../order/events.ts';
import type { StreamEvent } from './order-summary.ts';
import {
  assignedText,
  type DayOf,
  type TimelineText,
  type TimelineTone,
  timelineTexts,
  whoText,
} from './timeline-texts.ts';

export type TimelineEntry = {
  readonly what: string;
  readonly detail: string | undefined;
  /** Negative for money out; undefined when none moved. */
  readonly amount: Cents | undefined;
  readonly tone: TimelineTone;
};

/** `customer`, `settle-worker`, `reconciliation` or `admin:<name>`. */
export type ActedEvent = StreamEvent & { readonly actor: string };

export type TimelineLine = TimelineEntry & {
  readonly occurredAt: string;
  readonly who: string;
};

/** An event of another stream: assigned to the order, or undone. */
export type AssignedToOrder = { readonly event: OrphanAssigned | OrphanBookingUndone; readonly occurredAt: string };

/** Oldest first. Every event is a line, so nothing is hidden. */
export function timeline(
  events: readonly ActedEvent[],
  dayOf: DayOf,
  assigned: readonly AssignedToOrder[] = [],
): readonly TimelineLine[] {
  const lines = events.map(({ event, occurredAt, actor }) => ({
    ...entryOf(event, dayOf),
    occurredAt,
    who: whoText(actor),
  }));
  return assigned.reduce<readonly TimelineLine[]>((sorted, { event, occurredAt }) => {
    const place = sorted.findLastIndex((line) => line.occurredAt <= occurredAt) + 1;
    return sorted.toSpliced(place, 0, { ...assignedText(event), occurredAt, who: event.by });
  }, lines);
}

export function entryOf(event: OrderEvent, dayOf: DayOf): TimelineEntry {
  // The compiler does not relate a type's text to its events.
  const textOf = timelineTexts[event.type] as (event: OrderEvent, dayOf: DayOf) => TimelineText;
  return { detail: undefined, amount: undefined, ...textOf(event, dayOf) };
}
