// How old the data of a read replica are. `pg_last_xact_replay_timestamp()` would answer the age of the
// last transaction, which grows while the primary is idle. So the primary's position in the log is
// sampled with the time of the question: a replica that replayed up to that position has everything
// that was committed before that time.

/** The primary's answer. */
export type PrimarySample = {
  /** When it was asked, in milliseconds of a monotonic clock. */
  readonly askedAt: number;
  /** All transactions that were acknowledged before `askedAt` are in the log before this position. */
  readonly position: bigint;
  readonly cluster: string;
  readonly timeline: number;
};

/** The replica's answer. */
export type ReplicaSample = {
  readonly isInRecovery: boolean;
  /** What it replayed; null when it never replayed anything. */
  readonly position: bigint | null;
  readonly cluster: string;
  /** The newest timeline that it has certainly reached. After a failover it tells so at its next restartpoint. */
  readonly timeline: number;
};

/** Why a replica cannot serve any reading. */
export type Unfit =
  | 'away'
  /** It is a primary itself, or a logical copy. */
  | 'not-a-replica'
  | 'other-cluster'
  /** It may hold transactions that a failover discarded. */
  | 'other-timeline';

export type ReplicaAge = {
  readonly addPrimary: (sample: PrimarySample) => void;
  /**
   * @returns the time up to which the replica has all transactions, in milliseconds of the same clock. When
   *   it is further behind than the samples reach, minus infinity.
   */
  readonly coveredUntil: (replica: ReplicaSample) => number | Unfit;
};

/** Keeps the primary's samples of the last `keptMs` milliseconds. */
export function createReplicaAge(keptMs: number): ReplicaAge {
  let samples: readonly PrimarySample[] = [];
  return {
    addPrimary: (sample) => {
      const { askedAt, cluster, timeline } = sample;
      // Positions of different timelines cannot be compared.
      const kept = samples.filter(
        (old) => old.askedAt > askedAt - keptMs && old.cluster === cluster && old.timeline === timeline,
      );
      samples = [...kept, sample];
    },
    coveredUntil: (replica) => {
      const newest = samples.at(-1);
      if (newest === undefined) return Number.NEGATIVE_INFINITY;
      if (replica.cluster !== newest.cluster) return 'other-cluster';
      if (!replica.isInRecovery) return 'not-a-replica';
      if (replica.timeline !== newest.timeline) return 'other-timeline';
      const { position } = replica;
      if (position === null) return Number.NEGATIVE_INFINITY;
      return samples.findLast((sample) => sample.position <= position)?.askedAt ?? Number.NEGATIVE_INFINITY;
    },
  };
}
