import { textOf } from '../../database/copy/bytes.ts';
import type { EventRow } from './event-row.ts';

/** An instant that the server and the database would not have written. */
export type InstantFault = {
  readonly code: /** The event happened after its recording, or so long before that its day is in doubt. */
    | 'InstantImplausible'
    /** It was recorded before an event that the ledger has before it. The first of several is named. */
    | 'RecordedOutOfOrder';
  readonly streamId: string;
  readonly version: number;
};

/** Follows the events in ledger order. */
export type InstantCheck = {
  readonly follow: (event: EventRow) => void;
  readonly faults: () => readonly InstantFault[];
};

const hour = 3600 * 1_000_000;
const day = 24 * hour;

/**
 * Clocks are set and servers fail over, so this much is no fault. A fault stays in the ledger for
 * ever, and it must not come from ordinary operation.
 */
const tolerance = hour;

/** The server's own clock dates these events a moment before the database records them. */
const latestRecording = day;

/** Square's instant dates these events: see `instantOf` and `arrivalOf`, to which a day is added. */
const factAtSquare = /^(?:Payment|External|Dispute|Orphan|ProcessingFee|Refund(?:Completed|Failed)|Payout)/;
const latestReport = 401 * day;
const arrivesAhead = 8 * day;

/**
 * Compares `occurred_at` with `recorded_at`, and `recorded_at` with the order of the ledger. An
 * append function that back-dates events moves them into another period, with hashes to match.
 */
export function createInstantCheck(): InstantCheck {
  const faults: InstantFault[] = [];
  let newest = Number.NEGATIVE_INFINITY;
  let isBehind = false;
  const add = (code: InstantFault['code'], { streamId, version }: EventRow) =>
    void faults.push({ code, streamId: textOf(streamId), version });
  return {
    follow: (event) => {
      const { occurredAt, recordedAt } = event;
      const early = recordedAt - occurredAt;
      if ((early > latestRecording || early < -tolerance) && !isPlausible(early, textOf(event.type))) {
        add('InstantImplausible', event);
      }
      const wasBehind = isBehind;
      isBehind = recordedAt < newest - tolerance;
      if (isBehind && !wasBehind) add('RecordedOutOfOrder', event);
      if (recordedAt > newest) newest = recordedAt;
    },
    faults: () => faults,
  };
}

function isPlausible(early: number, type: string): boolean {
  if (!factAtSquare.test(type)) return false;
  return early <= latestReport && early >= (type.startsWith('Payout') ? -arrivesAhead : -tolerance);
}
