import { withinMs } from '../../server/deadline.ts';
import type { ReplicaMetrics } from '../../server/metrics.ts';
import type { Sql } from '../database.ts';
import { isTemporary } from '../failures.ts';
import { repeatWhileAway } from '../repeat-while-away.ts';
import type { ReplicaWatch } from './watch-replica.ts';

/** A pool, and how old its data are at most: 0 for the primary. */
export type Source = { readonly sql: Sql; readonly ageSeconds: number };

/** Reads what may be a few seconds old, from the replica when it is fit. */
export type Reader = {
  readonly primary: Sql;
  /** @param current the reader just wrote, so only the primary may answer. */
  readonly source: (current?: boolean) => Source;
  /** A short reading. When the replica fails or does not answer in time, the primary answers. */
  readonly read: <Answer>(work: (sql: Sql) => Promise<Answer>, current?: boolean) => Promise<Read<Answer>>;
};

export type Read<Answer> = { readonly answer: Answer; readonly ageSeconds: number };

/** A reader without a replica. */
export function primaryReader(primary: Sql): Reader {
  return {
    primary,
    source: () => ({ sql: primary, ageSeconds: 0 }),
    read: async (work) => ({ answer: await repeatWhileAway(() => work(primary)), ageSeconds: 0 }),
  };
}

/** A list takes milliseconds. A replica that takes this long is too slow, and the primary is asked. */
const replicaTimeoutMs = 2000;

export type ReplicaReaderOptions = {
  readonly primary: Sql;
  readonly replica: Sql;
  readonly watch: ReplicaWatch;
  readonly metrics: ReplicaMetrics;
};

export function replicaReader({ primary, replica, watch, metrics }: ReplicaReaderOptions): Reader {
  const { fallbacks } = metrics;
  const ofPrimary = primaryReader(primary);
  const source = (current = false): Source => {
    if (current) return ofPrimary.source();
    const state = watch.state();
    if (state.isUsed) return { sql: replica, ageSeconds: state.ageSeconds };
    fallbacks.inc({ reason: state.reason });
    return ofPrimary.source();
  };
  return {
    primary,
    source,
    read: async (work, current) => {
      const { sql, ageSeconds } = source(current);
      if (sql === primary) return ofPrimary.read(work);
      try {
        return { answer: await withinMs(replicaTimeoutMs, work(sql)), ageSeconds };
      } catch (error) {
        if (!isTemporary(error)) throw error;
        watch.failed(error);
        fallbacks.inc({ reason: 'failed' });
        return ofPrimary.read(work);
      }
    },
  };
}
