import { isInItsCluster } from '../database/cluster.ts';
import { type JobName, postponeJob, takeDueJob } from '../ledger/jobs.ts';
import { forgetOldHints } from '../ledger/square-hints.ts';
import type { Watched } from '../ledger/watch.ts';
import { compareBooks } from '../queries/compare-books.ts';
import { withinMs } from '../server/deadline.ts';
import type { World } from '../server/world.ts';
import { forgetOldSecurityEntries } from '../sign-in/security-log.ts';
import { hintQueue } from './process-hints.ts';
import { reconcile } from './reconcile.ts';
import { reconcileWeeks, showNewDifferences } from './reconcile-weeks.ts';
import { type Repeated, repeat } from './repeat.ts';
import { effectQueue, parkForPeople } from './settle-open-effects.ts';
import { createWorkers, type Workers, type WorkQueue } from './work-queue.ts';

export type BackgroundWork = {
  /** A webhook arrived: process its hint now. */
  readonly wake: () => void;
  /** How long ago effects and hints were last polled with success. It grows while polling fails. */
  readonly secondsSincePolls: () => number;
  readonly stop: () => Promise<void>;
};

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
/**
 * Comparing weeks with Square takes minutes. A job that hangs is given up, and runs when it is due
 * again.
 */
const longestJobsMs = 30 * minute * 1000;

/**
 * Starts the background jobs, on any number of processes. They settle open effects, process the
 * hints of webhooks, and compare Square with the ledger: every ten minutes over the last hours, and
 * every day over the last weeks with the payouts, or every hour while they differ. They also compare when the database
 * comes back, because a failover may have lost the last events.
 */
export function startBackgroundWork(world: World, everySeconds: number): BackgroundWork {
  const { log, sql } = world;
  const settling = poll(world, effectQueue(world), {
    everySeconds,
    onReturn: () => void postponeJob(sql, 'reconcile-recent', 0).catch(() => undefined),
  });
  const hints = poll(world, hintQueue(world), { everySeconds });
  const jobs = repeat(log, { what: 'jobs', everySeconds: 5, round: () => withinMs(longestJobsMs, runDueJobs(world)) });
  return {
    wake: hints.wake,
    secondsSincePolls: () => Math.max(settling.secondsSinceRound(), hints.secondsSinceRound()),
    stop: async () => void (await Promise.all([settling.stop(), hints.stop(), jobs.stop()])),
  };
}

type Polling = { readonly everySeconds: number; readonly onReturn?: () => void };

/** Polls for items. Stopping waits for the items that are under way. */
function poll<Item extends Watched>(world: World, queue: WorkQueue<Item>, polling: Polling): Repeated {
  const { log, sql } = world;
  const workers: Workers = createWorkers(queue, { sql, log, onRoom: () => repeated.wake() });
  const round = async () => ((await isInItsCluster(sql)) ? await workers.startDue() : 0);
  const repeated = repeat(log, { ...polling, what: queue.what, round });
  return {
    ...repeated,
    stop: async () => {
      await repeated.stop();
      await workers.finished();
    },
  };
}

async function runDueJobs(world: World): Promise<number> {
  const { sql } = world;
  if (!(await isInItsCluster(sql))) return 0;
  if (await takeDueJob(sql, 'reconcile-recent', 10 * minute)) await reconcileLast(world, 'reconcile-recent', 3 * hour);
  if (await takeDueJob(sql, 'reconcile-weeks', day)) await reconcileLast(world, 'reconcile-weeks', 21 * day);
  if (await takeDueJob(sql, 'compare-books', day)) await compareAll(world);
  if (await takeDueJob(sql, 'forget-hints', day)) await forgetOldHints(sql);
  if (await takeDueJob(sql, 'forget-security-log', day)) await forgetOldSecurityEntries(sql);
  if (await takeDueJob(sql, 'park-effects', minute)) await parkForPeople(world);
  return 0;
}

async function reconcileLast(world: World, job: JobName, seconds: number): Promise<void> {
  const span = lastSeconds(world.now(), seconds);
  const reconciled = job === 'reconcile-weeks' ? await reconcileWeeks(world, span) : await reconcile(world, span);
  if (reconciled.kind === 'unknown') {
    world.log.warn({ job, detail: reconciled.detail }, 'Square could not be compared with the ledger');
    await postponeJob(world.sql, job, minute);
    return;
  }
  const { report } = reconciled;
  if (report.differences.length === 0) {
    world.log.info({ job, report }, 'Square was compared with the ledger');
    return;
  }
  world.log.error({ job, report }, 'Square and the ledger differ');
  if (job === 'reconcile-weeks') await postponeJob(world.sql, job, hour);
  else await showNewDifferences(world, report.differences);
}

async function compareAll(world: World): Promise<void> {
  const { differing, payouts, clearing } = await compareBooks(world.sql, world.now());
  const { openItems: _, ...sums } = clearing;
  const found = { differing, unmatched: payouts.unmatched };
  if (clearing.alarms.length > 0) world.log.error(sums, 'the clearing account needs attention');
  if (differing + payouts.unmatched === 0) world.log.info(found, 'the books were compared');
  else world.log.error(found, 'the books differ');
}

/** The span ends tomorrow: Square's clock may be ahead of the server's. */
export function lastSeconds(now: Date, seconds: number) {
  return {
    from: new Date(now.getTime() - seconds * 1000).toISOString(),
    to: new Date(now.getTime() + day * 1000).toISOString(),
  };
}
