import { isInItsCluster } from '../database/cluster.ts';
import { beat, type JobRules, postponeJob, takeDueJob } from '../ledger/jobs.ts';
import { withinMs } from '../runtime/deadline.ts';
import type { World } from '../use-case/world.ts';
import { isPerhapsDue, type Look, openLook, type Seen } from './look.ts';
import { type Repeated, repeat } from './repeat.ts';

export type Job = JobRules & {
  /** Not every installation has it: `ledger.expect_jobs` names it. */
  readonly onceSeen?: true;
  readonly pollSeconds: number;
  /** One of all processes does the job at this interval. Absent: each process does it at each look. */
  readonly everySeconds?: number;
  /** Runs also while another cluster is behind the address of the database. */
  readonly inAnyCluster?: true;
  /** Runs also while the clock is wrong, when nothing is appended. */
  readonly despiteClock?: true;
  /**
   * @param fail tells the operator that the job could not do its work, or a part of it. The job goes on.
   * @param seen what all jobs looked at together before this round. Undefined: the look failed.
   * @returns how much work it found: the next round begins without a pause while there is any. Undefined: it was not
   *   the turn of this process.
   */
  readonly run: (fail: Fail, seen?: Seen) => Promise<number | undefined>;
  /** True: there is nothing to do, and that is a success. */
  readonly isIdle?: (seen: Seen) => boolean;
  readonly onStart?: (wake: () => void) => void;
  readonly onReturn?: () => void;
  /** `rounds` ends the rounds. */
  readonly stop?: (rounds: () => Promise<void>) => Promise<void>;
};

export type Fail = (why: string, againSeconds?: number) => void;

type JobWorld = Pick<World, 'sql' | 'log'>;

export const minute = 60;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Comparing weeks with Square takes minutes. A job that hangs longer is given up. */
const longestRoundMs = 30 * 60 * 1000;
const soonSeconds = 60;
/** Each success counts, but need not be stored. */
const beatEveryMs = 60_000;

export function startJob(world: JobWorld, job: Job, look = openLook(world.sql)): Repeated {
  const { name: what, pollSeconds: everySeconds, onReturn } = job;
  const repeated = repeat(world.log, {
    what,
    everySeconds,
    round: roundOf(world, job, look),
    ...(onReturn && { onReturn }),
  });
  const wake = () => {
    look.forget();
    repeated.wake();
  };
  job.onStart?.(wake);
  return { ...repeated, wake, stop: async () => (job.stop ?? ((rounds) => rounds()))(repeated.stop) };
}

/** @throws what the job throws, after it was stored. */
export function roundOf({ sql }: JobWorld, job: Job, look: Look = openLook(sql)): () => Promise<number> {
  const { name, everySeconds, inAnyCluster, despiteClock = false, isIdle, run } = job;
  const tell = heartOf(sql, job);
  return async () => {
    // The watch of the cluster reports that another one is behind the address.
    if (inAnyCluster !== true && !(await isInItsCluster(sql, { despiteClock }))) return 0;
    const seen = await look.now();
    if (everySeconds !== undefined) {
      if (!isPerhapsDue(seen, name, everySeconds)) return 0;
      if (!(await takeDueJob(sql, name, everySeconds))) return 0;
    }
    const failures: { readonly why: string; readonly againSeconds: number }[] = [];
    try {
      const fail: Fail = (why, againSeconds = soonSeconds) => void failures.push({ why, againSeconds });
      const found = seen && isIdle?.(seen) ? 0 : await withinMs(longestRoundMs, run(fail, seen));
      const [failure] = failures;
      if (found !== undefined || failure !== undefined) await tell(failure?.why);
      if (failure !== undefined && everySeconds !== undefined) await postponeJob(sql, name, failure.againSeconds);
      return found ?? 0;
    } catch (error) {
      // The database itself may be away.
      await tell(codesOf(error)).catch(() => undefined);
      if (everySeconds !== undefined) await postponeJob(sql, name, soonSeconds).catch(() => undefined);
      throw error;
    }
  };
}

/** A success or the same failure is stored once a minute. */
function heartOf(sql: JobWorld['sql'], rules: JobRules): (failure: string | undefined) => Promise<void> {
  let last: { readonly failure: string | undefined; readonly at: number } | undefined;
  return async (failure) => {
    const at = performance.now();
    if (last !== undefined && last.failure === failure && at - last.at < beatEveryMs) return;
    await beat(sql, rules, failure?.slice(0, 300));
    last = { failure, at };
  };
}

/** The message may hold values of rows; the log has it. */
export function codesOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  return 'code' in error ? `${error.name} ${String(error.code)}` : error.name;
}
