import { type JobName, postponeJob, takeDueJob } from '../ledger/jobs.ts';
import { forgetOldHints } from '../ledger/square-hints.ts';
import { compareBooks } from './compare-books.ts';
import { followHints } from './follow-hints.ts';
import { reconcile } from './reconcile.ts';
import { reconcileWeeks } from './reconcile-weeks.ts';
import type { PaymentWorld } from './record-payment.ts';
import { repeat } from './repeat.ts';
import { settleOpenEffects } from './settle-open-effects.ts';

export type BackgroundWork = {
  /** A webhook came: look at what it points to. */
  readonly wake: () => void;
  readonly stop: () => Promise<void>;
};

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * What is done without anybody asking, on any number of processes: open effects are settled, what webhooks point to is looked at,
 * and Square is compared with the ledger every ten minutes over the last hours, every day over the last weeks, with its payouts, and when the
 * database comes back, because a failover may have lost what was recorded last.
 */
export function startBackgroundWork(world: PaymentWorld, everySeconds: number): BackgroundWork {
  const { log, sql } = world;
  const settling = repeat(log, {
    what: 'open effects',
    everySeconds,
    round: () => settleOpenEffects(world),
    onReturn: () => void postponeJob(sql, 'reconcile-recent', 0).catch(() => undefined),
  });
  const following = repeat(log, { what: 'hints', everySeconds, round: () => followHints(world) });
  const jobs = repeat(log, { what: 'jobs', everySeconds: 5, round: () => runDueJobs(world) });
  return {
    wake: following.wake,
    stop: async () => void (await Promise.all([settling.stop(), following.stop(), jobs.stop()])),
  };
}

async function runDueJobs(world: PaymentWorld): Promise<number> {
  const { sql } = world;
  if (await takeDueJob(sql, 'reconcile-recent', 10 * minute)) await reconcileLast(world, 'reconcile-recent', 3 * hour);
  if (await takeDueJob(sql, 'reconcile-weeks', day)) await reconcileLast(world, 'reconcile-weeks', 21 * day);
  if (await takeDueJob(sql, 'compare-books', day)) await compareAll(world);
  if (await takeDueJob(sql, 'forget-hints', day)) await forgetOldHints(sql);
  return 0;
}

async function reconcileLast(world: PaymentWorld, job: JobName, seconds: number): Promise<void> {
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

async function compareAll(world: PaymentWorld): Promise<void> {
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
