import type { Sql } from '../database.ts';
import { createMerkleTree } from './merkle.ts';
import { type NoteSigner, type NoteVerifier, openNote, signNote } from './signed-note.ts';

/** A place in the order in which the ledger is read: everything before it was committed or gone when it was taken. */
export type Horizon = { readonly epoch: number; readonly xid: string };

/** One sealed range of the ledger, as it is stored. */
export type Checkpoint = {
  readonly sequence: number;
  readonly from: Horizon;
  readonly to: Horizon;
  readonly events: number;
  readonly root: Buffer;
  readonly note: string;
};

const beginning: Horizon = { epoch: 0, xid: '0' };

/**
 * Seals what was committed since the last checkpoint. Several processes may try at once: one of them succeeds.
 * @returns undefined when nothing new is there, or somebody else was faster.
 */
export async function seal(sql: Sql, signer: NoteSigner): Promise<Checkpoint | undefined> {
  const last = (await readCheckpoints(sql)).at(-1);
  const [horizon] = await sql<{ epoch: number; xid: string }[]>`
    select coalesce((select max(epoch) from ledger.event), 1)::int as epoch,
      pg_snapshot_xmin(pg_current_snapshot())::text as xid`;
  if (horizon === undefined) throw new Error('The database answered nothing');
  const from = last?.to ?? beginning;
  const { events, root } = await rootOf(sql, from, horizon);
  if (events === 0) return undefined;
  const sequence = (last?.sequence ?? 0) + 1;
  const range = { sequence, from, to: horizon, events, root };
  const note = signNote(noteText(range, last), signer);
  const stored = await sql`
    insert into ledger.checkpoint (sequence, from_epoch, from_xid, epoch, xid, events, root, note)
    values (${sequence}, ${from.epoch}, ${from.xid}::text::xid8, ${horizon.epoch}, ${horizon.xid}::text::xid8, ${events},
      ${root}, ${note})
    on conflict (sequence) do nothing`;
  return stored.count === 1 ? { ...range, note } : undefined;
}

/** Oldest first. */
export async function readCheckpoints(sql: Sql): Promise<readonly Checkpoint[]> {
  const rows = await sql<
    {
      sequence: number;
      from_epoch: number;
      from_xid: string;
      epoch: number;
      xid: string;
      events: number;
      root: Buffer;
      note: string;
    }[]
  >`
    select sequence, from_epoch, from_xid::text, epoch, xid::text, events, root, note
    from ledger.checkpoint order by sequence`;
  return rows.map((row) => ({
    sequence: row.sequence,
    from: { epoch: row.from_epoch, xid: row.from_xid },
    to: { epoch: row.epoch, xid: row.xid },
    events: row.events,
    root: row.root,
    note: row.note,
  }));
}

/** The root over the hashes that stand in the table now. */
export async function rootOf(
  sql: Sql,
  from: Horizon,
  to: Horizon,
): Promise<{ readonly events: number; readonly root: Buffer }> {
  const tree = createMerkleTree();
  const rows = sql<{ hash: Buffer }[]>`
    select hash from ledger.event
    where (epoch, xid) >= (${from.epoch}::smallint, ${from.xid}::text::xid8)
      and (epoch, xid) < (${to.epoch}::smallint, ${to.xid}::text::xid8)
    order by epoch, xid, position`;
  for await (const batch of rows.cursor(1000)) for (const { hash } of batch) tree.add(hash);
  return { events: tree.size(), root: tree.root() };
}

/** What is wrong with the checkpoints themselves: a signature that does not hold, one that is missing, ranges that leave a gap. */
export type CheckpointFault = {
  readonly code: 'CheckpointForged' | 'CheckpointMissing' | 'CheckpointDoesNotFollow';
  readonly sequence: number;
};

/** Whether each checkpoint is ours, and follows the one before it. What they seal is not looked at here. */
export function checkCheckpoints(
  checkpoints: readonly Checkpoint[],
  verifier: NoteVerifier,
): readonly CheckpointFault[] {
  const faults: CheckpointFault[] = [];
  let last: Checkpoint | undefined;
  for (const checkpoint of checkpoints) {
    const expected = (last?.sequence ?? 0) + 1;
    const { sequence, from } = checkpoint;
    for (let missing = expected; missing < sequence; missing += 1) {
      faults.push({ code: 'CheckpointMissing', sequence: missing });
    }
    const begin = last?.to ?? beginning;
    if (sequence !== expected || from.epoch !== begin.epoch || from.xid !== begin.xid) {
      faults.push({ code: 'CheckpointDoesNotFollow', sequence });
    }
    if (openNote(checkpoint.note, verifier) !== noteText(checkpoint, last)) {
      faults.push({ code: 'CheckpointForged', sequence });
    }
    last = checkpoint;
  }
  return faults;
}

/**
 * What is signed: origin, how many checkpoints there are, the root, and as extensions the range, how many events it holds and the
 * root before it, so that none can be left out or exchanged.
 */
function noteText(checkpoint: Omit<Checkpoint, 'note'>, last: Checkpoint | undefined): string {
  const { sequence, from, to, events, root } = checkpoint;
  return [
    'kilim/ledger',
    String(sequence),
    root.toString('base64'),
    `range ${from.epoch}:${from.xid} ${to.epoch}:${to.xid}`,
    `events ${events}`,
    `previous ${last === undefined ? '-' : last.root.toString('base64')}`,
    '',
  ].join('\n');
}
