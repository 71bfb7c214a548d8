import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { connect, type Sql } from '../database.ts';
import { type CheckpointFault, checkCheckpoints, readCheckpoints, rootOf } from './checkpoint.ts';
import type { NoteVerifier } from './signed-note.ts';
import type { StreamFault, StreamRange, VerifiedStreams } from './verify-streams.ts';

/** What is wrong with the ledger, named so that somebody can look at the place. */
export type LedgerFault =
  | StreamFault
  | CheckpointFault
  /** A sealed range holds other events than when it was sealed: some were changed, removed, added or put in another order. */
  | { readonly code: 'RangeDiffers'; readonly sequence: number; readonly sealed: number; readonly found: number }
  /** A command says that it wrote events which are not there. */
  | { readonly code: 'EventsOfCommandMissing'; readonly streamId: string; readonly from: number; readonly to: number }
  /** Events that no command wrote. */
  | { readonly code: 'EventWithoutCommand'; readonly streamId: string; readonly version: number }
  /** The row of an order goes on where its stream ends: the end is missing. */
  | { readonly code: 'StreamEndMissing'; readonly streamId: string; readonly version: number };

export type VerifiedLedger = {
  readonly events: number;
  readonly streams: number;
  readonly checkpoints: number;
  /** Events after the last checkpoint: their chains are checked, and nothing signed speaks of them yet. */
  readonly unsealed: number;
  readonly faults: readonly LedgerFault[];
};

export type VerifyOptions = {
  readonly url: string;
  /** Absent: the checkpoints cannot be checked, and that is said. */
  readonly verifier: NoteVerifier | undefined;
  /** Hears how many events were read since it last did. */
  readonly onProgress: (events: number) => void;
  readonly threads?: number;
};

/**
 * Proves the whole ledger: every hash and chain, every checkpoint and what it sealed, and that commands, events and rows of orders tell
 * of the same versions. It trusts nothing that runs in the database.
 */
export async function verifyLedger(options: VerifyOptions): Promise<VerifiedLedger> {
  const { url, verifier, onProgress, threads = Math.min(availableParallelism(), 8) } = options;
  const sql = connect({ url, max: 1, applicationName: 'kilim verify', statementTimeoutSeconds: 0 });
  try {
    const ranges = await splitStreams(sql, threads);
    const parts = await Promise.all(ranges.map((range) => verifyInThread({ url, range }, onProgress)));
    const sealed =
      verifier === undefined ? { checkpoints: 0, events: 0, faults: [] } : await verifySeals(sql, verifier);
    const events = parts.reduce((sum, part) => sum + part.events, 0);
    return {
      events,
      streams: parts.reduce((sum, part) => sum + part.streams, 0),
      checkpoints: sealed.checkpoints,
      unsealed: Math.max(0, events - sealed.events),
      faults: [...parts.flatMap((part) => part.faults), ...(await compareCommands(sql)), ...sealed.faults],
    };
  } finally {
    await sql.end({ timeout: 1 });
  }
}

export type VerifyWork = { readonly url: string; readonly range: StreamRange };

/** Below this many events a thread costs more than it saves. */
const worthSharing = 20_000;

/** Ranges of streams with about the same number of events each, by a sample. */
async function splitStreams(sql: Sql, parts: number): Promise<readonly StreamRange[]> {
  const [size] = await sql<{ events: number }[]>`
    select reltuples::bigint as events from pg_class where oid = 'ledger.event'::regclass`;
  const sample =
    (size?.events ?? 0) < worthSharing
      ? []
      : await sql<{ stream_id: string }[]>`
          select stream_id from ledger.event tablesample system (1) order by stream_id`;
  const cuts = Array.from({ length: parts - 1 }, (_, index) => {
    return sample[Math.floor(((index + 1) * sample.length) / parts)]?.stream_id;
  });
  const bounds = [...new Set(cuts.filter((cut) => cut !== undefined))];
  return [undefined, ...bounds].map((from, index) => ({ from, before: bounds[index] }));
}

type Message = { readonly events: number } | { readonly verified: VerifiedStreams };

function verifyInThread(work: VerifyWork, onProgress: (events: number) => void): Promise<VerifiedStreams> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./verify-worker.ts', import.meta.url), { workerData: work });
    worker.on('message', (message: Message) => {
      if ('events' in message) return onProgress(message.events);
      // What crosses between threads as bytes arrives as it left.
      resolve(message.verified);
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`A thread that verifies ended with ${code}`)));
  });
}

type VerifiedSeals = { readonly checkpoints: number; readonly events: number; readonly faults: readonly LedgerFault[] };

async function verifySeals(sql: Sql, verifier: NoteVerifier): Promise<VerifiedSeals> {
  const checkpoints = await readCheckpoints(sql);
  const faults: LedgerFault[] = [...checkCheckpoints(checkpoints, verifier)];
  for (const { sequence, from, to, events: sealed, root } of checkpoints) {
    const now = await rootOf(sql, from, to);
    if (now.events === sealed && now.root.equals(root)) continue;
    faults.push({ code: 'RangeDiffers', sequence, sealed, found: now.events });
  }
  return {
    checkpoints: checkpoints.length,
    events: checkpoints.reduce((sum, { events }) => sum + events, 0),
    faults,
  };
}

/** Whoever removes a stream or its end would have to remove what its commands and its order's row say of it too. */
async function compareCommands(sql: Sql): Promise<readonly LedgerFault[]> {
  const [missing, uncommanded, cut] = [
    await sql<{ stream_id: string; from_version: number; to_version: number }[]>`
      select c.stream_id, c.from_version, c.to_version from ledger.command c
      where (
        select count(*) from ledger.event e
        where e.stream_id = c.stream_id and e.version between c.from_version and c.to_version
          and e.command_id = c.command_id
      ) <> c.to_version - c.from_version + 1
      order by c.stream_id, c.from_version`,
    await sql<{ stream_id: string; version: number }[]>`
      select e.stream_id, e.version from ledger.event e
      left join ledger.command c on c.command_id = e.command_id
      where c.stream_id is distinct from e.stream_id or e.version not between c.from_version and c.to_version
      order by e.stream_id, e.version`,
    await sql<{ stream_id: string; version: number }[]>`
      select 'order-' || s.order_id as stream_id, s.version from ledger.order_summary s
      where not exists (select from ledger.event e where e.stream_id = 'order-' || s.order_id and e.version = s.version)
      order by 1`,
  ];
  return [
    ...missing.map(({ stream_id: streamId, from_version: from, to_version: to }) => {
      return { code: 'EventsOfCommandMissing', streamId, from, to } as const;
    }),
    ...uncommanded.map(({ stream_id: streamId, version }) => {
      return { code: 'EventWithoutCommand', streamId, version } as const;
    }),
    ...cut.map(({ stream_id: streamId, version }) => ({ code: 'StreamEndMissing', streamId, version }) as const),
  ];
}
