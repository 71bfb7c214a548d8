import type { Sql } from '../database.ts';
import { decodePayoutEvent, encodePayoutEvent } from '../ledger/stored-payout-event.ts';
import { type CopiedEvent, copyEvents, readCopiedEvent } from './copied-event.ts';
import type { StreamRange } from './split-streams.ts';

/** What is wrong with one stream, and where. */
export type StreamFault = {
  readonly code: /** The stored hash is not that of the stored event: something of it was changed. */
    | 'EventChanged'
    /** It does not follow the event before it. */
    | 'ChainBroken'
    /** A version is not there. */
    | 'EventMissing'
    /** A typed column says something else than the payload. */
    | 'ColumnDiffers';
  readonly streamId: string;
  readonly version: number;
};

export type VerifiedStreams = {
  readonly events: number;
  readonly streams: number;
  readonly faults: readonly StreamFault[];
};

/** How many events are read between two words about it. */
const eventsPerWord = 2000;

/**
 * Recomputes every hash of a range of streams in this process: a function in the database could have been exchanged together with
 * the data. `onProgress` hears how many events were read.
 */
export async function verifyStreams(
  sql: Sql,
  range: StreamRange,
  onProgress: (events: number) => void,
): Promise<VerifiedStreams> {
  const faults: StreamFault[] = [];
  let events = 0;
  let streams = 0;
  let last: CopiedEvent | undefined;
  const take = (row: Buffer) => {
    const event = readCopiedEvent(row);
    const before = last?.streamId === event.streamId ? last : undefined;
    if (before === undefined) streams += 1;
    addFaults(event, before, faults);
    last = event;
    events += 1;
    if (events % eventsPerWord === 0) onProgress(eventsPerWord);
  };
  const rows = await copyEvents(sql, range);
  await new Promise<void>((done, failed) => {
    rows.on('data', take);
    rows.once('end', done);
    rows.once('error', failed);
  });
  onProgress(events % eventsPerWord);
  return { events, streams, faults };
}

const noHash = '0'.repeat(64);

function addFaults(event: CopiedEvent, before: CopiedEvent | undefined, faults: StreamFault[]): void {
  const { streamId, version } = event;
  const expected = (before?.version ?? 0) + 1;
  for (let missing = expected; missing < version; missing += 1) {
    faults.push({ code: 'EventMissing', streamId, version: missing });
  }
  if (expected === version && event.previousHash !== (before?.hash ?? noHash)) {
    faults.push({ code: 'ChainBroken', streamId, version });
  }
  if (event.hash !== event.computedHash) faults.push({ code: 'EventChanged', streamId, version });
  else if (event.amountCents !== amountInPayload(event.type, event.payload)) {
    faults.push({ code: 'ColumnDiffers', streamId, version });
  }
}

/** What the typed column must say, read from the stored payload alone, whatever type and version it has. */
function amountInPayload(type: string, payload: string): number | null {
  // The only type whose column says something that stands nowhere in the payload: what its entries add up to.
  if (type === 'PayoutEntriesRecorded') return amountOfEntries(payload);
  const fields: unknown = JSON.parse(payload);
  if (typeof fields !== 'object' || fields === null) return null;
  const { total, amount } = fields as { readonly total?: unknown; readonly amount?: unknown };
  const stated = type === 'OrderPlaced' ? total : amount;
  return Number.isSafeInteger(stated) ? (stated as number) : null;
}

function amountOfEntries(payload: string): number | null {
  try {
    const stored = { type: 'PayoutEntriesRecorded', schemaVersion: 1, payload };
    return encodePayoutEvent(decodePayoutEvent(stored)).amountCents;
  } catch {
    return null;
  }
}
