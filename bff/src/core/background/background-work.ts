import { type JobRules, postponeJob } from '../ledger/jobs.ts';
import { forgetOldHints } from '../ledger/square-hints.ts';
import type { Watched } from '../ledger/watch.ts';
import { attentionOf, type Room } from '../room.ts';
import type { Shutdown } from '../runtime/shutdown.ts';
import { explainUnlisted } from '../square/token-rights.ts';
import type { World } from '../use-case/world.ts';
import { countingDays } from './count-days.ts';
import { expiringContacts } from './expire-contacts.ts';
import { codesOf, day, type Fail, hour, type Job, minute, startJob } from './job.ts';
import { type Look, openLook, type Seen } from './look.ts';
import { hintQueue } from './process-hints.ts';
import { reconcile } from './reconcile.ts';
import { reconcileWeeks, showNewDifferences } from './reconcile-weeks.ts';
import { type MailWorld, sendingMails } from './send-mails.ts';
import { effectQueue, parkForPeople } from './settle-open-effects.ts';
import { tellingAlarms } from './tell-alarms.ts';
import { watchingCluster } from './watch-cluster.ts';
import { type ServerWatch, watchingServer } from './watch-server.ts';
import { createWorkers, type Workers, type WorkQueue } from './work-queue.ts';

export type BackgroundWork = {
  readonly wake: () => void;
  /** Grows while polling fails. */
  readonly secondsSincePolls: () => number;
};

export type BackgroundWorld = World & {
  readonly timeZone: string;
  /** Absent: no mails are sent. */
  readonly mails: Omit<MailWorld, keyof World | 'timeZone' | 'attention' | 'letters'> | undefined;
  readonly rooms: readonly Room[];
  readonly server: ServerWatch;
};

/** Does not wait, because a database that is away for a moment must not end the server. */
export function startBackgroundWork(
  world: BackgroundWorld,
  closing: Shutdown['closing'],
  look: Look = openLook(world.sql),
): BackgroundWork {
  const started = new Map(allJobs(world).map((job) => [job.name, startJob(world, job, look)] as const));
  for (const [name, { stop }] of started) closing('work', name)(stop);
  const polls = [started.get('settle-effects'), started.get('process-hints')];
  return {
    wake: () => started.get('process-hints')?.wake(),
    secondsSincePolls: () => Math.max(...polls.map((poll) => poll?.secondsSinceRound() ?? 0)),
  };
}

export function allJobs(world: BackgroundWorld): readonly Job[] {
  const { sql, timeZone, mails, rooms, server } = world;
  return [
    {
      ...queueJob(world, effectQueue(world), ({ hasEffects }) => hasEffects),
      limitSeconds: 5 * minute,
      meaning: 'Payments and refunds that Square has not answered yet are not followed up.',
      // A failover may have lost the last events.
      onReturn: () => void postponeJob(sql, 'reconcile-recent', 0).catch(() => undefined),
    },
    {
      ...queueJob(world, hintQueue(world), ({ hasHints }) => hasHints),
      limitSeconds: 5 * minute,
      meaning: "Square's messages are not read, so changes made at Square show up later.",
    },
    {
      name: 'park-effects',
      limitSeconds: 15 * minute,
      meaning: 'Payments and refunds that Square has not answered for a day do not turn up here.',
      pollSeconds: 5,
      everySeconds: minute,
      run: () => parkForPeople(world).then(none),
    },
    {
      name: 'reconcile-recent',
      limitSeconds: hour,
      meaning: 'The payments and refunds of the last hours are not compared with Square.',
      pollSeconds: 5,
      everySeconds: 10 * minute,
      run: (fail) => reconcileLast(world, 'reconcile-recent', fail),
    },
    {
      name: 'reconcile-weeks',
      limitSeconds: day + 2 * hour,
      meaning: 'The payments, refunds and payouts of the last weeks are not compared with Square.',
      pollSeconds: 5,
      everySeconds: day,
      run: (fail) => reconcileLast(world, 'reconcile-weeks', fail),
    },
    expiringContacts(world),
    countingDays(sql, timeZone),
    watchingCluster(world),
    {
      name: 'forget-hints',
      limitSeconds: 3 * day,
      meaning: 'Old messages of Square are not deleted.',
      pollSeconds: 10,
      everySeconds: day,
      run: () => forgetOldHints(sql).then(none),
    },
    ...watchingServer(sql, server),
    ...(mails === undefined ? [] : mailJobs({ ...world, ...mails, ...mailPartsOf(rooms), ...server })),
    ...rooms.flatMap(({ jobs = [] }) => jobs),
  ];
}

function mailJobs(world: MailWorld & Pick<ServerWatch, 'isCatchingUp'>): readonly Job[] {
  return [sendingMails(world), ...(world.recipients.operator === undefined ? [] : [tellingAlarms(world)])];
}

export function mailPartsOf(rooms: readonly Room[]): Pick<MailWorld, 'attention' | 'letters'> {
  const letters = Object.fromEntries(rooms.flatMap((room) => Object.entries(room.letters ?? {})));
  return { attention: attentionOf(rooms), letters };
}

/** Of all jobs, and of work that they do for others. */
export function rulesOf(world: BackgroundWorld): readonly JobRules[] {
  const heartbeats = world.rooms.flatMap((room) => room.heartbeats ?? []);
  const expected = allJobs(world).filter(({ onceSeen }) => onceSeen !== true);
  return [...expected, ...heartbeats].map(({ name, limitSeconds, meaning }) => ({ name, limitSeconds, meaning }));
}

const none = () => 0;

/** Stopping waits for the items that are under way. */
function queueJob<Item extends Watched>(
  { sql, log }: World,
  queue: WorkQueue<Item>,
  hasItems: (seen: Seen) => boolean,
): Omit<Job, 'limitSeconds' | 'meaning'> {
  let wake = () => {};
  const workers: Workers = createWorkers(queue, { sql, log, onRoom: () => wake() });
  return {
    name: queue.name,
    pollSeconds: 1,
    isIdle: (seen) => !hasItems(seen) && workers.failure() === undefined,
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
async function reconcileLast(world: World, job: 'reconcile-recent' | 'reconcile-weeks', fail: Fail): Promise<number> {
  const { sql, log } = world;
  const isLong = job === 'reconcile-weeks';
  const span = lastSeconds(world.now(), isLong ? 21 * day : 3 * hour);
  const reconciled = isLong ? await reconcileWeeks(world, span) : await reconcile(world, span);
  if (reconciled.kind === 'unknown') {
    log.warn({ job, detail: reconciled.detail }, 'Square could not be compared with the ledger');
    fail(explainUnlisted('payments', reconciled));
    return 0;
  }
  const { report } = reconciled;
  if (report.unlisted.length > 0) {
    log.warn({ job, unlisted: report.unlisted }, 'Square could be compared with the ledger only in part');
    // All pages of weeks would be too much each minute.
    fail(report.unlisted.map(({ why }) => why).join('; '), isLong ? hour : 10 * minute);
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

/** Ends tomorrow: Square's clock may be ahead of the server's. */
export function lastSeconds(now: Date, seconds: number) {
  return {
    from: new Date(now.getTime() - seconds * 1000).toISOString(),
    to: new Date(now.getTime() + day * 1000).toISOString(),
  };
}
