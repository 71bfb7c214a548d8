import type { Horizon } from '@kilim/domain/accounting/books';
import { isTrue, type Sql, type Transaction } from '../core/database/database.ts';
import { readHorizon } from '../core/ledger/horizon.ts';
import { sentenceOf } from '../core/runtime/diagnosis.ts';
import { checkSigningKey } from './check-signing-key.ts';
import { hashOfNote, noteText, readNote } from './checkpoint-note.ts';
import { createRangeSum, type RangeSum, type SealedRange } from './range-sum.ts';
import { type NoteVerifier, openNote, signNote, textOf } from './signed-note.ts';
import type { LedgerSigner } from './signing-key.ts';

export type Checkpoint = {
  readonly sequence: number;
  readonly from: Horizon;
  readonly to: Horizon;
  readonly events: number;
  readonly root: Buffer;
  readonly note: string;
};

const beginning: Horizon = { epoch: 0, xid: '0' };

/** Sealed events stay sealed when a later step fails. */
const eventsPerCheckpoint = 100_000;

export type SealOptions = {
  /** Seals at most so many events, and the rest of the last one's transaction. */
  readonly most?: number;
  readonly changeKey?: boolean;
  /** Gives up the remembered checkpoint: the database was restored on purpose. */
  readonly acceptRestore?: boolean;
};

/**
 * Another key signed the last checkpoint, or the ledger has lost or replaced a checkpoint that this machine remembers.
 * Otherwise the machine remembers the newest checkpoint, because other machines seal, too.
 */
export async function explainRefusal(sql: Sql, signer: LedgerSigner): Promise<string | undefined> {
  const last = await readLastCheckpoint(sql);
  const [otherKey] = checkSigningKey(last, signer);
  return otherKey === undefined ? await compareWithMemory(sql, signer, last) : sentenceOf(otherKey);
}

async function compareWithMemory(
  sql: Sql,
  { memory }: LedgerSigner,
  last: Checkpoint | undefined,
): Promise<string | undefined> {
  if (memory === undefined) return undefined;
  const database = await databaseNameOf(sql);
  const remembered = await memory.read(database);
  const known = remembered === undefined ? undefined : readNote(remembered);
  if (remembered !== undefined && known !== undefined) {
    const stored = await readCheckpoint(sql, known.sequence);
    if (stored === undefined || textOf(stored.note) !== textOf(remembered)) {
      return tellLost(known.sequence, stored === undefined ? 'has no such checkpoint any more' : 'has another one now');
    }
  }
  if (last !== undefined && last.note !== remembered) await memory.write(database, last.note);
  return undefined;
}

function tellLost(sequence: number, change: string): string {
  return `This machine remembers checkpoint ${sequence} of the ledger, and the database ${change}. Nothing is sealed, \
because a new seal would cover changed events. If the database was restored on purpose, run once on each machine with a \
server: npm run ledger -- checkpoint --accept-restore. If not, keep the database as it is, and run npm run ledger -- \
verify --against <kept notes>.`;
}

/** A seal memory keeps a note for each database. */
export async function databaseNameOf(sql: Sql): Promise<string> {
  const [row] = await sql<{ name: string }[]>`select current_database()::text as name`;
  return row?.name ?? '';
}

/**
 * Of several processes one succeeds.
 * @returns undefined if there are no new events, or another process was faster.
 * @throws Error with the sentence of `explainRefusal`, unless the options allow it.
 */
export async function seal(sql: Sql, signer: LedgerSigner, options: SealOptions = {}): Promise<Checkpoint | undefined> {
  const last = await readLastCheckpoint(sql);
  const [otherKey] = options.changeKey === true ? [] : checkSigningKey(last, signer);
  if (otherKey !== undefined) throw new Error(sentenceOf(otherKey));
  if (options.acceptRestore === true) await signer.memory?.setAside(await databaseNameOf(sql));
  const lost = await compareWithMemory(sql, signer, last);
  if (lost !== undefined) throw new Error(lost);
  const from = last?.to ?? beginning;
  const to = await endOfStep(sql, from, options.most ?? eventsPerCheckpoint);
  const { events, root, places, macs } = await sumRange(sql, from, to);
  if (events === 0) return undefined;
  const sequence = (last?.sequence ?? 0) + 1;
  const range = { sequence, from, to, events, root };
  const sealed = { places, at: new Date().toISOString(), shop: signer.shop, macs };
  const note = signNote(noteText({ ...range, previous: last && hashOfNote(last.note), sealed }), signer);
  const isAdded = await isTrue(sql`
    select ledger.add_checkpoint(${sequence}::int, ${from.epoch}::smallint, ${from.xid}::text::xid8,
      ${to.epoch}::smallint, ${to.xid}::text::xid8, ${events}::bigint, ${root}, ${note})`);
  if (!isAdded) return undefined;
  await signer.memory?.write(await databaseNameOf(sql), note);
  return { ...range, note };
}

/** @returns the horizon, or an earlier place between two transactions if more events are below it. */
async function endOfStep(sql: Sql, from: Horizon, most: number): Promise<Horizon> {
  const horizon = await readHorizon(sql);
  // Two statements: the planner may run the first once for each row of the second.
  const [last] = await sql<Horizon[]>`
    select event.epoch::int, event.xid::text from ledger.event
    where (epoch, xid) >= (${from.epoch}::smallint, ${from.xid}::text::xid8)
      and (epoch, xid) < (${horizon.epoch}::smallint, ${horizon.xid}::text::xid8)
    order by event.epoch, event.xid, position offset ${most - 1} limit 1`;
  if (last === undefined) return horizon;
  const [end] = await sql<Horizon[]>`
    select event.epoch::int, event.xid::text from ledger.event
    where (epoch, xid) > (${last.epoch}::smallint, ${last.xid}::text::xid8)
      and (epoch, xid) < (${horizon.epoch}::smallint, ${horizon.xid}::text::xid8)
    order by event.epoch, event.xid, position limit 1`;
  return end ?? horizon;
}

/** Reads no more than this many. */
export async function waitToBeSealed(sql: Sql, events: number): Promise<boolean> {
  const { epoch, xid } = (await readLastCheckpoint(sql))?.to ?? beginning;
  return await isTrue(sql`
    select exists (
      select from ledger.event where (epoch, xid) >= (${epoch}::smallint, ${xid}::text::xid8) offset ${events - 1}
    )`);
}

type CheckpointRow = Omit<Checkpoint, 'from' | 'to'> &
  Horizon & { readonly from_epoch: number; readonly from_xid: string };

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

/** Oldest first, in pages. */
export async function* readCheckpoints(sql: Sql): AsyncGenerator<readonly Checkpoint[]> {
  const rows = sql<CheckpointRow[]>`${selectCheckpoints(sql)} order by sequence`;
  for await (const batch of rows.cursor(1000)) yield batch.map(checkpointOf);
}

function checkpointOf({ from_epoch: fromEpoch, from_xid: fromXid, epoch, xid, ...row }: CheckpointRow): Checkpoint {
  return { ...row, from: { epoch: fromEpoch, xid: fromXid }, to: { epoch, xid } };
}

const hashBytes = 32;
const placeBytes = 50;
/** A cold disk reads them within the time of a statement. */
const eventsAtOnce = 2000;

/** The first range may be the whole ledger, so it reads pages. */
export async function sumRange(sql: Sql | Transaction, from: Horizon, to: Horizon): Promise<SealedRange> {
  const sum = createRangeSum();
  let after = { ...from, position: '-9223372036854775808' };
  for (;;) {
    const [part] = await sql<SealedPart[]>`
      with part as materialized (
        select event.epoch, event.xid, event.position, event.hash, command.request_hash, command.stamp
        from ledger.event left join ledger.command using (command_id)
        where (event.epoch, event.xid, event.position)
            > (${after.epoch}::smallint, ${after.xid}::text::xid8, ${after.position}::text::bigint)
          and (event.epoch, event.xid) < (${to.epoch}::smallint, ${to.xid}::text::xid8)
        order by event.epoch, event.xid, event.position
        limit ${eventsAtOnce}
      ), sums as (
        select string_agg(hash, '' order by epoch, xid, position) as hashes,
          string_agg(int2send(epoch) || xid8send(xid) || int8send(position)
            || substr(coalesce(request_hash, '') || decode(repeat('00', ${hashBytes}), 'hex'), 1, ${hashBytes}),
            '' order by epoch, xid, position) as places,
          string_agg(case when stamp is null then '0' else '1' end, '' order by epoch, xid, position) as macs
        from part
      )
      -- The sums are joined with one row: a row of the part with them is a megabyte.
      select hashes, places, sums.macs, last.epoch, last.xid::text, last.position::text
      from sums left join (select * from part order by epoch desc, xid desc, position desc limit 1) last on true`;
    if (part?.hashes == null) return sum.end();
    addAll(sum, { ...part, hashes: part.hashes });
    after = { epoch: part.epoch, xid: part.xid, position: part.position };
    if (part.hashes.length < eventsAtOnce * hashBytes) return sum.end();
  }
}

type SealedPart = {
  readonly hashes: Buffer | null;
  readonly places: Buffer;
  /** A digit for each event: 1 if it has a MAC. */
  readonly macs: string;
  readonly epoch: number;
  readonly xid: string;
  readonly position: string;
};

type ReadPart = Pick<SealedPart, 'places' | 'macs'> & { readonly hashes: Buffer };

function addAll(sum: RangeSum, { hashes, places, macs }: ReadPart): void {
  for (let event = 0; event * hashBytes < hashes.length; event += 1) {
    const [hashAt, placeAt] = [event * hashBytes, event * placeBytes];
    sum.add(
      hashes.toString('latin1', hashAt, hashAt + hashBytes),
      places.toString('latin1', placeAt, placeAt + placeBytes),
      macs[event] === '1',
    );
  }
}

export type CheckpointFault = {
  readonly code: 'CheckpointForged' | 'CheckpointMissing' | 'CheckpointDoesNotFollow';
  readonly sequence: number;
};

/** The events of the checkpoint are not checked here. Without a key only the note is compared with the row. */
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
  // The row does not hold the rest of the note, which the signature covers.
  const previous = last && hashOfNote(last.note);
  const sealed = readNote(note)?.sealed;
  if (sealed === undefined || says !== noteText({ ...checkpoint, previous, sealed }))
    faults.push({ code: 'CheckpointForged', sequence });
  return faults;
}
