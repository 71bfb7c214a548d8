import { setTimeout } from 'node:timers/promises';
import { withinMs } from '../../server/deadline.ts';
import type { Logger } from '../../server/logger.ts';
import type { ReplicaMetrics } from '../../server/metrics.ts';
import type { Sql } from '../database.ts';
import { isDatabaseAway } from '../failures.ts';
import { createReplicaAge, type PrimarySample, type ReplicaSample, type Unfit } from './replica-age.ts';

/** Data that are older than this are not shown: the primary answers instead. */
export const oldestDataSeconds = 10;
const probeEveryMs = 1000;
/** A probe that takes longer counts as failed. */
const probeTimeoutMs = 1500;
/** How far back the lag of a slow replica can be measured. */
const keptMs = 10 * 60 * 1000;

/** Whether the replica may answer now. */
export type ReplicaState =
  | { readonly isUsed: true; readonly ageSeconds: number }
  | { readonly isUsed: false; readonly reason: Unfit | 'behind' };

export type ReplicaWatch = {
  readonly state: () => ReplicaState;
  /** A statement failed on the replica: it is not used until the next probe succeeds. */
  readonly failed: (error: unknown) => void;
  readonly stop: () => Promise<void>;
};

export type WatchOptions = {
  readonly primary: Sql;
  readonly replica: Sql;
  readonly log: Logger;
  readonly metrics: ReplicaMetrics;
};

/** Measures each second how old the replica's data are. Until the first measurement it is not used. */
export function watchReplica({ primary, replica, log, metrics }: WatchOptions): ReplicaWatch {
  const age = createReplicaAge(keptMs);
  const ended = new AbortController();
  let covered: number | Unfit = 'away';

  const state = (): ReplicaState => {
    if (typeof covered === 'string') return { isUsed: false, reason: covered };
    // The age grows between two probes.
    const ageSeconds = Math.max(0, (performance.now() - covered) / 1000);
    return ageSeconds <= oldestDataSeconds ? { isUsed: true, ageSeconds } : { isUsed: false, reason: 'behind' };
  };
  const tell = createTeller(log, metrics);
  const probe = async () => {
    try {
      // One after the other: the primary's position must be the older one.
      const sample = await withinMs(probeTimeoutMs, askPrimary(primary)).catch(() => undefined);
      if (sample !== undefined) age.addPrimary(sample);
      covered = age.coveredUntil(await withinMs(probeTimeoutMs, askReplica(replica)));
    } catch {
      covered = 'away';
    }
    tell(state());
  };
  const watching = (async () => {
    while (!ended.signal.aborted) {
      await probe();
      await setTimeout(probeEveryMs, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  })();

  return {
    state,
    failed: (error) => {
      if (isDatabaseAway(error)) covered = 'away';
    },
    stop: async () => {
      ended.abort();
      await watching;
    },
  };
}

/** Logs each change of the state once, and keeps the gauges. */
function createTeller(log: Logger, { isUsed, ageSeconds }: ReplicaMetrics): (state: ReplicaState) => void {
  let last: string | undefined;
  return (state) => {
    isUsed.set(state.isUsed ? 1 : 0);
    if (state.isUsed) ageSeconds.set(state.ageSeconds);
    // Without a measurement no value is better than an old one.
    else ageSeconds.remove();
    const now = state.isUsed ? 'used' : state.reason;
    if (now === last) return;
    last = now;
    if (state.isUsed) log.info('lists, statistics and exports read from the replica');
    else log.warn({ reason: state.reason }, 'the read replica is not used: the primary answers instead');
  };
}

/** The position after the last record that is safely on disk. Every acknowledged commit is before it. */
async function askPrimary(sql: Sql): Promise<PrimarySample> {
  const askedAt = performance.now();
  const [row] = await sql<{ position: string; cluster: string; timeline: string }[]>`
    select (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text as position,
      (select system_identifier::text from pg_control_system()) as cluster,
      substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8) as timeline`;
  if (row === undefined) throw new Error('The database returned no row');
  const { position, cluster, timeline } = row;
  return { askedAt, position: BigInt(position), cluster, timeline: Number.parseInt(timeline, 16) };
}

async function askReplica(sql: Sql): Promise<ReplicaSample> {
  const [row] = await sql<{ is_in_recovery: boolean; position: string | null; cluster: string; timeline: number }[]>`
    select pg_is_in_recovery() as is_in_recovery,
      (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text as position,
      (select system_identifier::text from pg_control_system()) as cluster,
      (
        select greatest(timeline_id, min_recovery_end_timeline) from pg_control_checkpoint(), pg_control_recovery()
      ) as timeline`;
  if (row === undefined) throw new Error('The database returned no row');
  const { is_in_recovery: isInRecovery, position, cluster, timeline } = row;
  return { isInRecovery, position: position === null ? null : BigInt(position), cluster, timeline };
}
