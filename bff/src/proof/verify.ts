import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { connect, type Sql } from '../database.ts';
import type { NoteVerifier } from './signed-note.ts';
import { estimateEvents, type StreamRange, splitStreams } from './split-streams.ts';
import { type SealFault, verifySeals } from './verify-seals.ts';
import type { StreamFault, VerifiedStreams } from './verify-streams.ts';

/** What is wrong with the ledger, named so that somebody can look at the place. */
export type LedgerFault =
  | StreamFault
  | SealFault
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
  /** Keys that checkpoints may be signed with. None: signatures cannot be checked, and that is for the caller to say. */
  readonly verifiers: readonly NoteVerifier[];
  /** Hears how many events were read since it last did. Each event is read twice: in its stream, and where it is sealed. */
  readonly onProgress: (events: number) => void;
  readonly threads?: number;
};

/**
 * Proves the whole ledger: every hash and chain, every checkpoint and what it sealed, and that commands, events and rows of orders tell
 * of the same versions. It trusts nothing that runs in the database.
 */
export async function verifyLedger(options: VerifyOptions): Promise<VerifiedLedger> {
  const { url, verifiers, onProgress, threads = Math.min(availableParallelism(), 8) } = options;
  const sql = connect({ url, max: 2, applicationName: 'kilim verify', statementTimeoutSeconds: 0 });
  try {
    const ranges = await splitStreams(sql, (await estimateEvents(sql)) < worthSharing ? 1 : threads);
    const parts = await Promise.all(ranges.map((range) => verifyInThread({ url, range }, onProgress)));
    const [sealed, unmatched] = await Promise.all([verifySeals(sql, verifiers, onProgress), compareCommands(sql)]);
    const events = parts.reduce((sum, part) => sum + part.events, 0);
    return {
      events,
      streams: parts.reduce((sum, part) => sum + part.streams, 0),
      checkpoints: sealed.checkpoints,
      unsealed: Math.max(0, events - sealed.events),
      faults: [...parts.flatMap((part) => part.faults), ...unmatched, ...sealed.faults],
    };
  } finally {
    await sql.end({ timeout: 1 });
  }
}

export type VerifyWork = { readonly url: string; readonly range: StreamRange };

/** Below this many events a thread costs more than it saves. */
const worthSharing = 20_000;

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

/**
 * Whoever removes a stream or its end would have to remove what its commands and its order's row say of it too. A command that was being
 * appended is seen with all of its events or with none.
 */
async function compareCommands(sql: Sql): Promise<readonly LedgerFault[]> {
  const unmatched = await sql<{ stream_id: string; from_version: number; to_version: number; is_missing: boolean }[]>`
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
  const cut = await sql<{ stream_id: string; version: number }[]>`
    select 'order-' || s.order_id as stream_id, s.version from ledger.order_summary s
    where not exists (select from ledger.event e where e.stream_id = 'order-' || s.order_id and e.version = s.version)
    order by 1`;
  return [
    ...unmatched.map(({ stream_id: streamId, from_version: from, to_version: to, is_missing: isMissing }) => {
      return isMissing
        ? ({ code: 'EventsOfCommandMissing', streamId, from, to } as const)
        : ({ code: 'EventWithoutCommand', streamId, version: from } as const);
    }),
    ...cut.map(({ stream_id: streamId, version }) => ({ code: 'StreamEndMissing', streamId, version }) as const),
  ];
}
