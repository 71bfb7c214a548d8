import type { Transaction } from '../core/database/database.ts';
import { type EventRow, eventColumns, readEvent, type StoredRow } from './event-row.ts';
import { type HashText, noHash } from './hash-text.ts';

export type StreamFault = {
  readonly code: /** Something of the stored event was changed. */
    | 'EventChanged'
    | 'ChainBroken'
    | 'EventMissing'
    /** A typed column differs from the payload. */
    | 'ColumnDiffers';
  readonly streamId: string;
  readonly version: number;
};

const streamsAtOnce = 1000;
const eventsAtOnce = 500;

export async function verifyStreams(
  reader: Transaction,
  streamIds: readonly string[],
): Promise<readonly StreamFault[]> {
  const faults: StreamFault[] = [];
  let before: EventBefore | undefined;
  for (let at = 0; at < streamIds.length; at += streamsAtOnce) {
    const rows = reader<StoredRow[]>`
      select ${reader.unsafe(eventColumns)} from ledger.event
      where stream_id = any(${reader.typed.textArray(streamIds.slice(at, at + streamsAtOnce))}::text[])
      order by stream_id, version`;
    for await (const page of rows.cursor(eventsAtOnce)) {
      for (const event of page.map(readEvent)) {
        const { streamId, version, hash } = event;
        if (before?.streamId !== streamId) before = { streamId, version: 0, hash: noHash };
        faults.push(...faultsOf(event, before));
        before = { streamId, version, hash };
      }
    }
  }
  return faults;
}

type EventBefore = { readonly streamId: string; readonly version: number; readonly hash: HashText };

function faultsOf(event: EventRow, { streamId, ...before }: EventBefore): readonly StreamFault[] {
  const { version, previousHash, fault } = event;
  const faults: StreamFault[] = [];
  const expected = before.version + 1;
  for (let missing = expected; missing < version; missing += 1) {
    faults.push({ code: 'EventMissing', streamId, version: missing });
  }
  // After a gap the previous hash is unknown.
  if (version <= expected && before.hash !== previousHash) faults.push({ code: 'ChainBroken', streamId, version });
  if (fault !== undefined) faults.push({ code: fault, streamId, version });
  return faults;
}
