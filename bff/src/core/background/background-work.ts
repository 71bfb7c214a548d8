import { compareBooks } from '../../accounting/queries/compare-books.ts';
import { certifyClosings } from '../../accounting/use-case/certify-closings.ts';
import { forgetOldSecurityEntries } from '../../people/sign-in/security-log.ts';
import { sealing } from '../../proof/background/seal-ledger.ts';
import { sendingNotes, tellingOfLateNotes } from '../../proof/background/send-notes.ts';
import type { LedgerSigner } from '../../proof/signing-key.ts';
import type { Witness } from '../../proof/witness/witness.ts';
import { beat, type JobName, postponeJob } from '../ledger/jobs.ts';
import { forgetOldHints } from '../ledger/square-hints.ts';
import type { Watched } from '../ledger/watch.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Shutdown } from '../runtime/shutdown.ts';
import type { World } from '../use-case/world.ts';
import { countingDays } from './count-days.ts';
import { expiringContacts } from './expire-contacts.ts';
import { codesOf, type Fail, type Job, startJob } from './job.ts';
import { hintQueue } from './process-hints.ts';
import { reconcile } from './reconcile.ts';
import { reconcileWeeks, showNewDifferences } from './reconcile-weeks.ts';
import { type MailWorld, sendingMails } from './send-mails.ts';
import { effectQueue, parkForPeople } from './settle-open-effects.ts';
import { watchingCluster } from './watch-cluster.ts';
import { createWorkers, type Workers, type WorkQueue } from './work-queue.ts';

export type BackgroundWork = {
  readonly wake: () => void;
  /** Grows while polling fails. */
  readonly secondsSincePolls: () => number;
};

export type BackgroundWorld = World & {
  readonly signer: LedgerSigner;
  readonly witnesses: readonly Witness[];
  readonly timeZone: string;
  readonly metrics: Pick<Metrics, 'sealingRefused'>;
  /** Absent: no mails are sent. */
  readonly mails: Omit<MailWorld, keyof World | 'signer' | 'witnesses' | 'timeZone'> | undefined;
};

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Does not wait, because a database that is away for a moment must not end the server. */
export function startBackgroundWork(world: BackgroundWorld, closing: Shutdown['closing']): BackgroundWork {
  const started = new Map(allJobs(world).map((job) => [job.name, startJob(world, job)] as const));
  for (const [name, { stop }] of started) closing('work', name)(stop);
  const polls = [started.get('settle-effects'), started.get('process-hints')];
  return {
    wake: () => started.get('process-hints')?.wake(),
    secondsSincePolls: () => Math.max(...polls.map((poll) => poll?.secondsSinceRound() ?? 0)),
  };
}

export function allJobs(world: BackgroundWorld): readonly Job[] {
  const { sql, log, timeZone, witnesses, mails } = world;
  const daily = { pollSeconds: 10, everySeconds: day };
  return [
    {
      ...queueJob(world, effectQueue(world)),
      // A failover may have lost the last events.
      onReturn: () => void postponeJob(sql, 'reconcile-recent', 0).catch(() => undefined),
    },
    queueJob(world, hintQueue(world)),
    { name: 'park-effects', pollSeconds: 5, everySeconds: minute, run: () => parkForPeople(world).then(none) },
    {
      name: 'reconcile-recent',
      pollSeconds: 5,
      everySeconds: 10 * minute,
      run: (fail) => reconcileLast(world, 'reconcile-recent', fail),
    },
    {
      name: 'reconcile-weeks',
      pollSeconds: 5,
      everySeconds: day,
      run: (fail) => reconcileLast(world, 'reconcile-weeks', fail),
    },
    { name: 'compare-books', pollSeconds: 5, everySeconds: day, run: () => compareAll(world).then(none) },
    {
      name: 'certify-closings',
      pollSeconds: 2,
      // A closing makes the job due immediately.
      everySeconds: minute,
      run: async () => {
        const certified = await certifyClosings(world);
        if (certified > 0) log.info({ certified }, 'closings were certified');
        return 0;
      },
    },
    sealing({ sql, log, refused: world.metrics.sealingRefused }, world.signer),
    sendingNotes(world, witnesses),
    tellingOfLateNotes(world, witnesses),
    expiringContacts(world),
    countingDays(sql, timeZone),
    watchingCluster(world),
    { ...daily, name: 'forget-hints', run: () => forgetOldHints(sql).then(none) },
    { ...daily, name: 'forget-security-log', run: () => forgetOldSecurityEntries(sql).then(none) },
    ...(mails === undefined ? [] : [sendingMails({ ...world, ...mails })]),
  ];
}

const none = () => 0;

/** Stopping waits for the items that are under way. */
function queueJob<Item extends Watched>({ sql, log }: World, queue: WorkQueue<Item>): Job {
  let wake = () => {};
  const workers: Workers = createWorkers(queue, { sql, log, onRoom: () => wake() });
  return {
    name: queue.name,
    pollSeconds: 1,
    onStart: (given) => {
      wake = given;
    },
    run: async (fail) => {
      const started = await workers.startDue();
      const failure = workers.failure();
      if (failure !== undefined) fail(codesOf(failure));
      return started;
    },
    stop: async (rounds) => {
      await rounds();
      await workers.finished();
    },
  };
}

/** Differing weeks are compared again each hour. */
async function reconcileLast(
  world: World,
  job: Extract<JobName, 'reconcile-recent' | 'reconcile-weeks'>,
  fail: Fail,
): Promise<number> {
  const { sql, log } = world;
  const isLong = job === 'reconcile-weeks';
  const span = lastSeconds(world.now(), isLong ? 21 * day : 3 * hour);
  const reconciled = isLong ? await reconcileWeeks(world, span) : await reconcile(world, span);
  if (reconciled.kind === 'unknown') {
    log.warn({ job, detail: reconciled.detail }, 'Square could not be compared with the ledger');
    fail('Square did not answer');
    return 0;
  }
  const { report } = reconciled;
  if ('payouts' in report) {
    await beat(sql, 'record-payouts', report.payouts === undefined ? 'Square did not list its payouts' : undefined);
    // New payouts settle open items.
    await postponeJob(sql, 'compare-books', 0);
  }
  if (report.differences.length === 0) {
    log.info({ job, report }, 'Square was compared with the ledger');
    return 0;
  }
  log.error({ job, report }, 'Square and the ledger differ');
  if (isLong) await postponeJob(sql, job, hour);
  else await showNewDifferences(world, report.differences);
  return 0;
}

async function compareAll(world: World): Promise<void> {
  const { differing, payouts, clearing } = await compareBooks(world.sql, world.now());
  const { openItems: _, ...sums } = clearing;
  const found = { differing, unmatched: payouts.unmatched };
  if (clearing.alarms.length > 0) world.log.error(sums, 'the clearing account needs attention');
  if (differing + payouts.unmatched === 0) world.log.info(found, 'the books were compared');
  else world.log.error(found, 'the books differ');
}

/** Ends tomorrow: Square's clock may be ahead of the server's. */
export function lastSeconds(now: Date, seconds: number) {
  return {
    from: new Date(now.getTime() - seconds * 1000).toISOString(),
    to: new Date(now.getTime() + day * 1000).toISOString(),
  };
}
