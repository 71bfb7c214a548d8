import type { Horizon } from '@kilim/domain/accounting/books';
import { type ConnectOptions, connect, onlyRow, type Sql, type Transaction } from '../core/database/database.ts';
import { ahead } from '../core/database/read-ahead.ts';
import { type CheckedInstants, createInstantCheck, type InstantCheck } from './check-instants.ts';
import { type CheckedMacs, createMacCheck, type MacCheck, type MacFault, type MacOptions } from './check-macs.ts';
import { commandColumn, eventColumns, readCommand, readEvent, type StoredRow } from './event-row.ts';
import type { NoteVerifier } from './signed-note.ts';
import { createStreamHeads, type StreamHeads } from './stream-heads.ts';
import { checkSeals, type SealCheck, type SealFault } from './verify-seals.ts';
import { type StreamFault, verifyStreams } from './verify-streams.ts';

export type LedgerFault =
  | StreamFault
  | SealFault
  | MacFault
  | { readonly code: 'EventsOfCommandMissing'; readonly streamId: string; readonly from: number; readonly to: number }
  | { readonly code: 'EventWithoutCommand'; readonly streamId: string; readonly version: number }
  /** The row of an order has a later version than its stream. */
  | { readonly code: 'StreamEndMissing'; readonly streamId: string; readonly version: number };

export type VerifiedLedger = {
  readonly events: number;
  readonly streams: number;
  /** Each event before it was read. */
  readonly horizon: Horizon;
  readonly checkpoints: number;
  /** Events with checked chains that no signature covers yet. */
  readonly unsealed: number;
  readonly faults: readonly LedgerFault[];
  readonly instants: CheckedInstants;
  /** Undefined without a key. */
  readonly macs: Omit<CheckedMacs, 'faults'> | undefined;
};

export type VerifyOptions = {
  /** Keys of valid checkpoints. Without keys no signature is checked, and the caller must say so. */
  readonly verifiers: readonly NoteVerifier[];
  /** The signatures of earlier checkpoints are not checked. Default: 1. */
  readonly signedFrom?: number;
  /** By default MACs are not checked. */
  readonly macs?: MacOptions | undefined;
  /** Events read since the last call. */
  readonly onProgress: (events: number) => void;
};

export async function verifyLedger({ url, ...options }: VerifyOptions & { readonly url: string }) {
  return await reading({ url }, (sql) => verifyOn(sql, options));
}

/** Connections without a time limit, for a check of the whole ledger. */
export async function reading<T>(
  place: Pick<ConnectOptions, 'url' | 'role'>,
  use: (sql: Sql) => Promise<T>,
): Promise<T> {
  const sql = connect({ ...place, max: 3, applicationName: 'kilim verify', statementTimeoutSeconds: 0 });
  try {
    return await use(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Computes all hashes itself, from one snapshot whose rows are sent once. Takes three connections. */
export async function verifyOn(sql: Sql, { onProgress, ...keys }: VerifyOptions): Promise<VerifiedLedger> {
  const [proven, unmatched] = await Promise.all([proveEvents(sql, keys, onProgress), compareCommands(sql)]);
  const { events, streams, horizon, streamFaults, instants, seals, macs } = proven;
  return {
    events,
    streams,
    horizon,
    checkpoints: seals.checkpoints,
    unsealed: Math.max(0, events - seals.events),
    faults: [...streamFaults, ...unmatched, ...seals.faults, ...(macs?.faults ?? [])],
    instants,
    macs,
  };
}

type Keys = Omit<VerifyOptions, 'onProgress'>;

async function proveEvents(sql: Sql, keys: Keys, onProgress: (events: number) => void) {
  const seals = await checkSeals(sql, keys);
  return await sql.begin('isolation level repeatable read read only', async (reader) => {
    // The transaction may idle between two statements while this process works. The index has the order of the ledger.
    await reader.unsafe('set local idle_in_transaction_session_timeout = 0; set local enable_sort = off');
    const heads = createStreamHeads();
    const instants = createInstantCheck();
    const macs = createMacCheck(keys.macs ?? { keys: [] });
    const events = await readEvents(reader, { heads, instants, macs, seals }, onProgress);
    const streamFaults = await verifyStreams(reader, heads.suspicious());
    return {
      events,
      streams: heads.streams(),
      horizon: await readHorizon(reader),
      streamFaults,
      instants: instants.end(),
      macs: macs.end(),
      seals: await seals.end(reader),
    };
  });
}

/** The verifier may not read the epoch of the cluster. */
async function readHorizon(reader: Transaction): Promise<Horizon> {
  return await onlyRow(reader<Horizon[]>`
    select coalesce(max(epoch), 0)::int as epoch, pg_snapshot_xmin(pg_current_snapshot())::text as xid
    from ledger.event`);
}

type Following = {
  readonly heads: StreamHeads;
  readonly instants: InstantCheck;
  readonly macs: MacCheck;
  readonly seals: SealCheck;
};

type Row = StoredRow & {
  readonly epoch: number;
  readonly xid: string;
  readonly place: Buffer;
  readonly command: Buffer | null;
};

const eventsAtOnce = 200;

async function readEvents(
  reader: Transaction,
  { heads, instants, macs, seals }: Following,
  onProgress: (events: number) => void,
) {
  let events = 0;
  const rows = reader.unsafe<Row[]>(`
    select epoch, xid::text, int2send(epoch) || xid8send(xid) || int8send(position) as place, ${eventColumns}, ${commandColumn}
    from ledger.event order by event.epoch, event.xid, event.position`);
  for await (const page of ahead(rows.cursor(eventsAtOnce))) {
    for (const row of page) {
      const event = readEvent(row);
      const command = readCommand(row.command);
      heads.follow(event);
      instants.follow(event, macs.follow(event, command));
      const place = Buffer.concat([row.place, command.requestHash]).toString('latin1');
      const { epoch, xid } = row;
      const sealed = { epoch, xid: Number(xid), hash: event.hash, place, hasMac: command.macs.length > 0 };
      if (seals.isPassed(sealed)) await seals.moveTo(sealed);
      seals.add(sealed);
    }
    events += page.length;
    onProgress(page.length);
  }
  return events;
}

/**
 * An attacker who removes a stream or its end would also have to change its commands and its order's row. A command is
 * visible with all of its events or with none.
 */
async function compareCommands(sql: Sql): Promise<readonly LedgerFault[]> {
  return await sql.begin('isolation level repeatable read read only', async (reader) => {
    // Reading the events takes longer than this query, which should not occupy a processor.
    await reader.unsafe("set local max_parallel_workers_per_gather = 0; set local work_mem = '32MB'");
    return await findUnequal(reader);
  });
}

async function findUnequal(reader: Transaction): Promise<readonly LedgerFault[]> {
  const unmatched = (await doCommandsMatch(reader)) ? [] : await findUnmatched(reader);
  const cut = await reader<{ stream_id: string; version: number }[]>`
    select 'order-' || s.order_id as stream_id, s.version from ledger.order_summary s
    where not exists (select from ledger.event e where e.stream_id = 'order-' || s.order_id and e.version = s.version)
    order by 1`;
  return [
    ...unmatched,
    ...cut.map(({ stream_id: streamId, version }) => ({ code: 'StreamEndMissing', streamId, version }) as const),
  ];
}

/** Every event has its command, and the numbers of events agree: then none is missing. */
async function doCommandsMatch(reader: Transaction): Promise<boolean> {
  const [count] = await reader<{ events: number; matched: number; written: number }[]>`
    select count(*) as events,
      count(*) filter (where c.stream_id = e.stream_id and e.version between c.from_version and c.to_version) as matched,
      (select coalesce(sum(to_version - from_version + 1), 0)::bigint from ledger.command) as written
    from ledger.event e left join ledger.command c on c.command_id = e.command_id`;
  return count?.events === count?.matched && count?.events === count?.written;
}

async function findUnmatched(reader: Transaction): Promise<readonly LedgerFault[]> {
  const unmatched = await reader<
    { stream_id: string; from_version: number; to_version: number; is_missing: boolean }[]
  >`
    with written as (
      select command_id, stream_id, min(version) as first, max(version) as last, count(*) as events
      from ledger.event group by command_id, stream_id
    )
    select stream_id, coalesce(c.from_version, e.first) as from_version, coalesce(c.to_version, e.last) as to_version,
      c.command_id is not null as is_missing
    from ledger.command c full join written e using (command_id, stream_id)
    where c.command_id is null or e.events is null
      or e.events <> c.to_version - c.from_version + 1 or e.first <> c.from_version or e.last <> c.to_version
    order by stream_id, from_version`;
  return unmatched.map(({ stream_id: streamId, from_version: from, to_version: to, is_missing: isMissing }) => {
    return isMissing
      ? ({ code: 'EventsOfCommandMissing', streamId, from, to } as const)
      : ({ code: 'EventWithoutCommand', streamId, version: from } as const);
  });
}
