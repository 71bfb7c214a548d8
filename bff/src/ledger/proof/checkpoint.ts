import { hash } from 'node:crypto';
import type { Sql, Transaction } from '../../database/database.ts';
import { sentenceOf } from '../../server/check/diagnosis.ts';
import { checkSigningKey } from './check-signing-key.ts';
import { createMerkleTree, type MerkleTree } from './merkle.ts';
import { type NoteSigner, type NoteVerifier, openNote, signNote, textOf } from './signed-note.ts';

/** A place in ledger order: every earlier transaction has ended. */
export type Horizon = { readonly epoch: number; readonly xid: string };

/** A stored checkpoint: one sealed range of the ledger. */
export type Checkpoint = {
  readonly sequence: number;
  readonly from: Horizon;
  readonly to: Horizon;
  readonly events: number;
  readonly root: Buffer;
  readonly note: string;
};

const beginning: Horizon = { epoch: 0, xid: '0' };

export type SealOptions = {
  /** Allows a key that did not sign the last checkpoint. */
  readonly changeKey?: boolean;
};

/**
 * Seals the events committed since the last checkpoint. If several processes try, one succeeds.
 * @returns undefined if there are no new events, or another process was faster.
 * @throws Error with a sentence if another key signed the last checkpoint: only an operator may
 * change the key of a ledger.
 */
export async function seal(sql: Sql, signer: NoteSigner, options: SealOptions = {}): Promise<Checkpoint | undefined> {
  const last = await readLastCheckpoint(sql);
  const [otherKey] = options.changeKey === true ? [] : checkSigningKey(last, signer);
  if (otherKey !== undefined) throw new Error(sentenceOf(otherKey));
  const [horizon] = await sql<{ epoch: number; xid: string }[]>`
    select ledger.current_epoch()::int as epoch,
      pg_snapshot_xmin(pg_current_snapshot())::text as xid`;
  if (horizon === undefined) throw new Error('The database answered nothing');
  const from = last?.to ?? beginning;
  const { events, root } = await rootOf(sql, from, horizon);
  if (events === 0) return undefined;
  const sequence = (last?.sequence ?? 0) + 1;
  const range = { sequence, from, to: horizon, events, root };
  const note = signNote(noteText(range, last), signer);
  const [stored] = await sql<{ added: boolean }[]>`
    select ledger.add_checkpoint(${sequence}::int, ${from.epoch}::smallint, ${from.xid}::text::xid8,
      ${horizon.epoch}::smallint, ${horizon.xid}::text::xid8, ${events}::bigint, ${root}, ${note}) as added`;
  return stored?.added === true ? { ...range, note } : undefined;
}

/** Whether at least this number of events waits to be sealed. It reads no more events than that. */
export async function waitToBeSealed(sql: Sql, events: number): Promise<boolean> {
  const { epoch, xid } = (await readLastCheckpoint(sql))?.to ?? beginning;
  const [waiting] = await sql<{ many: boolean }[]>`
    select exists (
      select from ledger.event where (epoch, xid) >= (${epoch}::smallint, ${xid}::text::xid8) offset ${events - 1}
    ) as many`;
  return waiting?.many === true;
}

type CheckpointRow = {
  readonly sequence: number;
  readonly from_epoch: number;
  readonly from_xid: string;
  readonly epoch: number;
  readonly xid: string;
  readonly events: number;
  readonly root: Buffer;
  readonly note: string;
};

function selectCheckpoints(sql: Sql) {
  return sql`
    select sequence, from_epoch, from_xid::text, epoch, xid::text, events, root, note from ledger.checkpoint`;
}

export async function readLastCheckpoint(sql: Sql): Promise<Checkpoint | undefined> {
  const [row] = await sql<CheckpointRow[]>`${selectCheckpoints(sql)} order by sequence desc limit 1`;
  return row && checkpointOf(row);
}

export async function readCheckpoint(sql: Sql, sequence: number): Promise<Checkpoint | undefined> {
  const [row] = await sql<CheckpointRow[]>`${selectCheckpoints(sql)} where sequence = ${sequence}`;
  return row && checkpointOf(row);
}

/** Oldest first, in pages: there is a checkpoint for every minute with events. */
export async function* readCheckpoints(sql: Sql): AsyncGenerator<readonly Checkpoint[]> {
  const rows = sql<CheckpointRow[]>`${selectCheckpoints(sql)} order by sequence`;
  for await (const batch of rows.cursor(1000)) yield batch.map(checkpointOf);
}

function checkpointOf(row: CheckpointRow): Checkpoint {
  return {
    sequence: row.sequence,
    from: { epoch: row.from_epoch, xid: row.from_xid },
    to: { epoch: row.epoch, xid: row.xid },
    events: row.events,
    root: row.root,
    note: row.note,
  };
}

export type SealedRange = { readonly events: number; readonly root: Buffer };

const leafBytes = 32;
const leavesAtOnce = 10_000;

/**
 * The root over the hashes in the table now. It reads pages, because the first range may be the
 * whole ledger.
 */
export async function rootOf(sql: Sql | Transaction, from: Horizon, to: Horizon): Promise<SealedRange> {
  const tree = createMerkleTree();
  let after = { ...from, position: '-9223372036854775808' };
  for (;;) {
    const [part] = await sql<{ hashes: Buffer | null; epoch: number; xid: string; position: string }[]>`
      with part as materialized (
        select epoch, xid, position, hash from ledger.event
        where (epoch, xid, position) > (${after.epoch}::smallint, ${after.xid}::text::xid8, ${after.position}::text::bigint)
          and (epoch, xid) < (${to.epoch}::smallint, ${to.xid}::text::xid8)
        order by epoch, xid, position
        limit ${leavesAtOnce}
      )
      select (select string_agg(hash, '' order by epoch, xid, position) from part) as hashes, epoch, xid::text, position::text
      from part order by part.epoch desc, part.xid desc, part.position desc limit 1`;
    if (part?.hashes == null) return { events: tree.size(), root: tree.root() };
    addLeaves(tree, part.hashes);
    after = { epoch: part.epoch, xid: part.xid, position: part.position };
    if (part.hashes.length < leavesAtOnce * leafBytes) return { events: tree.size(), root: tree.root() };
  }
}

function addLeaves(tree: MerkleTree, hashes: Buffer): void {
  for (let at = 0; at < hashes.length; at += leafBytes) tree.add(hashes.toString('latin1', at, at + leafBytes));
}

/**
 * Errors of the checkpoints themselves: an invalid or missing signature, or a gap between ranges.
 */
export type CheckpointFault = {
  readonly code: 'CheckpointForged' | 'CheckpointMissing' | 'CheckpointDoesNotFollow';
  readonly sequence: number;
};

/**
 * Whether a checkpoint has a valid signature and follows the one before it. The sealed events are
 * not checked here. Without a key only the note is compared with the row.
 */
export function checkCheckpoint(
  checkpoint: Checkpoint,
  last: Checkpoint | undefined,
  verifiers: readonly NoteVerifier[],
): readonly CheckpointFault[] {
  const { sequence, from, note } = checkpoint;
  const faults: CheckpointFault[] = [];
  const expected = (last?.sequence ?? 0) + 1;
  for (let missing = expected; missing < sequence; missing += 1) {
    faults.push({ code: 'CheckpointMissing', sequence: missing });
  }
  const begin = last?.to ?? beginning;
  if (sequence !== expected || from.epoch !== begin.epoch || from.xid !== begin.xid) {
    faults.push({ code: 'CheckpointDoesNotFollow', sequence });
  }
  const says = verifiers.length === 0 ? textOf(note) : openNote(note, verifiers);
  if (says !== noteText(checkpoint, last)) faults.push({ code: 'CheckpointForged', sequence });
  return faults;
}

/**
 * The signed text: origin, number of checkpoints, root, and as extensions the range, its number of
 * events, and the hash of the previous checkpoint's text. So no checkpoint can be removed or
 * replaced, and a kept checkpoint proves all earlier ones.
 */
function noteText(checkpoint: Omit<Checkpoint, 'note'>, last: Checkpoint | undefined): string {
  const { sequence, from, to, events, root } = checkpoint;
  return [
    'kilim/ledger',
    String(sequence),
    root.toString('base64'),
    `range ${from.epoch}:${from.xid} ${to.epoch}:${to.xid}`,
    `events ${events}`,
    `previous ${last === undefined ? '-' : hash('sha256', textOf(last.note), 'base64')}`,
    '',
  ].join('\n');
}
