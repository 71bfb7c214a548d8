import { textOf } from '../../database/copy/bytes.ts';
import { openRow } from '../../database/copy/copied-row.ts';
import { copyOut } from '../../database/copy/copy-out.ts';
import { placeColumns } from '../../database/copy/event-pages.ts';
import { literal } from '../../database/copy/sql-literal.ts';
import type { Transaction } from '../../database/database.ts';
import { amountInPayload } from './amount-in-payload.ts';
import { type EventRow, eventColumns, readEvent } from './event-row.ts';
import { type HashText, isHashAt, noHash } from './hash-text.ts';

export type StreamFault = {
  readonly code: /** The stored hash is not that of the stored event: something of it was changed. */
    | 'EventChanged'
    /** It does not follow the previous event. */
    | 'ChainBroken'
    /** A version is missing. */
    | 'EventMissing'
    /** A typed column differs from the payload. */
    | 'ColumnDiffers';
  readonly streamId: string;
  readonly version: number;
};

const streamsAtOnce = 1000;

/** Checks these streams event by event, and reports errors. */
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
    let before: EventBefore | undefined;
    const columns = [...placeColumns, ...eventColumns];
    const statement = `copy (
        select ${columns.join(', ')} from ledger.event where stream_id in (${listed}) order by stream_id, version
      ) to stdout (format binary)`;
    await copyOut(reader, statement, (bytes) => {
      const event = readEvent(openRow(bytes, columns.length));
      const streamId = textOf(event.streamId);
      if (before?.streamId !== streamId) before = { streamId, version: 0, hash: noHash };
      faults.push(...faultsOf(event, before));
      before = { streamId, version: event.version, hash: event.hash };
    });
  }
  return faults;
}

type EventBefore = { readonly streamId: string; readonly version: number; readonly hash: HashText };

function faultsOf(event: EventRow, { streamId, ...before }: EventBefore): readonly StreamFault[] {
  const { version, previousHash } = event;
  const faults: StreamFault[] = [];
  const expected = before.version + 1;
  for (let missing = expected; missing < version; missing += 1) {
    faults.push({ code: 'EventMissing', streamId, version: missing });
  }
  // After a gap the previous hash is unknown.
  if (version <= expected && !isHashAt(before.hash, previousHash.buffer, previousHash.at)) {
    faults.push({ code: 'ChainBroken', streamId, version });
  }
  if (event.hash !== event.computedHash) faults.push({ code: 'EventChanged', streamId, version });
  else if (event.amountCents !== amountInPayload(event)) faults.push({ code: 'ColumnDiffers', streamId, version });
  return faults;
}
