import { type JobName, postponeJob, takeDueJob } from '../ledger/jobs.ts';
import { forgetOldHints } from '../ledger/square-hints.ts';
import type { Watched } from '../ledger/watch.ts';
import { compareBooks } from '../queries/compare-books.ts';
import { withinMs } from '../server/deadline.ts';
import type { World } from '../server/world.ts';
import { openHints } from './follow-hints.ts';
import { reconcile } from './reconcile.ts';
import { reconcileWeeks } from './reconcile-weeks.ts';
import { type Repeated, repeat } from './repeat.ts';
import { openEffects, parkForPeople } from './settle-open-effects.ts';
import { type Backlog, type Workers, workOff } from './work-off.ts';

export type BackgroundWork = {
  /** A webhook came: look at what it points to. */
  readonly wake: () => void;
  /** How long ago effects and hints were last looked for with success; grows while this process cannot. */
  readonly secondsSincePolls: () => number;
  readonly stop: () => Promise<void>;
};

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
/** Comparing weeks with Square takes minutes. Jobs that hang are given up, and run when they are due again. */
const longestJobsMs = 30 * minute * 1000;

/**
 * What is done without anybody asking, on any number of processes: open effects are settled, what webhooks point to is looked at,
 * and Square is compared with the ledger every ten minutes over the last hours, every day over the last weeks, with its payouts, and when the
 * database comes back, because a failover may have lost what was recorded last.
 */
export function startBackgroundWork(world: World, everySeconds: number): BackgroundWork {
  const { log, sql } = world;
  const settling = poll(world, openEffects(world), {
    everySeconds,
    onReturn: () => void postponeJob(sql, 'reconcile-recent', 0).catch(() => undefined),
  });
  const following = poll(world, openHints(world), { everySeconds });
  const jobs = repeat(log, { what: 'jobs', everySeconds: 5, round: () => withinMs(longestJobsMs, runDueJobs(world)) });
  return {
    wake: following.wake,
    secondsSincePolls: () => Math.max(settling.secondsSinceRound(), following.secondsSinceRound()),
    stop: async () => void (await Promise.all([settling.stop(), following.stop(), jobs.stop()])),
  };
}

type Polling = { readonly everySeconds: number; readonly onReturn?: () => void };

/** Looks for items again and again, and lets what is under way end before it stops. */
function poll<Item extends Watched>(world: World, backlog: Backlog<Item>, polling: Polling): Repeated {
  const { log, sql } = world;
  const workers: Workers = workOff(backlog, { sql, log, onRoom: () => repeated.wake() });
  const repeated = repeat(log, { ...polling, what: backlog.what, round: workers.startDue });
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
  if (await takeDueJob(sql, 'reconcile-recent', 10 * minute)) await reconcileLast(world, 'reconcile-recent', 3 * hour);
  if (await takeDueJob(sql, 'reconcile-weeks', day)) await reconcileLast(world, 'reconcile-weeks', 21 * day);
  if (await takeDueJob(sql, 'compare-books', day)) await compareAll(world);
  if (await takeDueJob(sql, 'forget-hints', day)) await forgetOldHints(sql);
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
  if (report.differences.length === 0) world.log.info({ job, report }, 'Square was compared with the ledger');
  else world.log.error({ job, report }, 'Square and the ledger differ');
}

async function compareAll(world: World): Promise<void> {
  const { differing, payouts } = await compareBooks(world.sql, world.now());
  const found = { differing, unmatched: payouts.unmatched };
  if (differing + payouts.unmatched === 0) world.log.info(found, 'the books were compared');
  else world.log.error(found, 'the books differ');
}

/** Until tomorrow: Square stamps by its own clock, which may be ahead of ours. */
export function lastSeconds(now: Date, seconds: number) {
  return {
    from: new Date(now.getTime() - seconds * 1000).toISOString(),
    to: new Date(now.getTime() + day * 1000).toISOString(),
  };
}
