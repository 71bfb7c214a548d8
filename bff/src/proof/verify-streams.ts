import { copyOut } from '../copy/copy-out.ts';
import { literal } from '../copy/sql-literal.ts';
import type { Transaction } from '../database.ts';
import { amountInPayload } from './amount-in-payload.ts';
import { type EventRow, eventColumns, readEvent } from './event-row.ts';
import { noHash } from './stream-heads.ts';

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

const streamsAtOnce = 1000;

/** Goes through these streams event by event, and names what is wrong. */
export async function verifyStreams(
  reader: Transaction,
  streamIds: readonly string[],
): Promise<readonly StreamFault[]> {
  const faults: StreamFault[] = [];
  for (let at = 0; at < streamIds.length; at += streamsAtOnce) {
    const listed = streamIds
      .slice(at, at + streamsAtOnce)
      .map(literal)
      .join(', ');
    let last: EventRow | undefined;
    const rows = copyOut(
      reader,
      `copy (select ${eventColumns} from ledger.event where stream_id in (${listed}) order by stream_id, version)
        to stdout (format binary)`,
    );
    for await (const batch of rows) {
      for (const row of batch) {
        const event = readEvent(row);
        addFaults(event, last?.streamId === event.streamId ? last : undefined, faults);
        last = event;
      }
    }
  }
  return faults;
}

function addFaults(event: EventRow, before: EventRow | undefined, faults: StreamFault[]): void {
  const { streamId, version } = event;
  const expected = (before?.version ?? 0) + 1;
  for (let missing = expected; missing < version; missing += 1) {
    faults.push({ code: 'EventMissing', streamId, version: missing });
  }
  // After a gap nobody knows what it should follow.
  if (version <= expected && event.previousHash !== (before?.hash ?? noHash)) {
    faults.push({ code: 'ChainBroken', streamId, version });
  }
  if (event.hash !== event.computedHash) faults.push({ code: 'EventChanged', streamId, version });
  else if (event.amountCents !== amountInPayload(event.type, event.payload)) {
    faults.push({ code: 'ColumnDiffers', streamId, version });
  }
}
