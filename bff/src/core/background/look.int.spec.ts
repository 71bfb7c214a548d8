import { openMailDesk } from '@kilim/lab/testing/mails';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { openShop, paid, paymentFor, quoted } from '@kilim/lab/testing/shop';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { postponeJob, takeDueJob } from '../ledger/jobs.ts';
import { addMail } from '../mail/outbox.ts';
import { countingDays } from './count-days.ts';
import type { Job } from './job.ts';
import { isPerhapsDue, openLook, type Seen } from './look.ts';
import { sendingMails } from './send-mails.ts';
import { watchingCluster } from './watch-cluster.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
const at = new Date('2026-11-24T15:30:00Z').getTime();
let minutes = 0;
const desk = await openMailDesk(shop, { now: () => new Date(at + minutes * 60_000) });
afterAll(desk.close);
const mails = sendingMails(desk.world);
const watch = watchingCluster(shop.world);
const counting = countingDays(appSql, 'UTC');

const seen = async (): Promise<Seen> => {
  const found = await openLook(appSql).now();
  if (found === undefined) throw new Error('The look failed');
  return found;
};
const isIdle = async (job: Job): Promise<boolean | undefined> => job.isIdle?.(await seen());
const rest = async (job: Job) => {
  for (let round = 0; round < 2; round += 1)
    if ((await isIdle(job)) === false) await job.run(() => undefined, await seen());
};

beforeEach(async () => {
  await settled(appSql);
  for (const job of [mails, watch, counting]) await rest(job);
});

const changes: readonly (readonly [string, () => PromiseLike<unknown>])[] = [
  ['an order', async () => paid(shop, paymentFor(await quoted(shop)))],
  ['an entry of the security log', () => ownerSql`insert into admin.security_entry (kind) values ('signed-out')`],
  ['a mail that a person asked for', () => addMail(appSql, { kind: 'test-mail', about: crypto.randomUUID() })],
  [
    'another minute',
    async () => {
      minutes += 1;
    },
  ],
];

test.for(changes)('after %s the mails are looked through', async ([, change]) => {
  expect(await isIdle(mails)).toBe(true);
  await change();
  expect(await isIdle(mails)).toBe(false);
});

test('the cluster is compared, and days are counted, when there is another event', async () => {
  expect([await isIdle(watch), await isIdle(counting)]).toEqual([true, true]);
  await paid(shop, paymentFor(await quoted(shop)));
  expect([await isIdle(watch), await isIdle(counting)]).toEqual([false, false]);
});

test.for<Partial<Seen>>([
  { life: 'after a restart' },
  { databaseMs: Date.now() - 60_000 },
  { newest: 'the same place, but another event' },
])('the cluster is compared after %o', async (change) => {
  expect(watch.isIdle?.({ ...(await seen()), ...change })).toBe(false);
});

test('a job that is due is seen, and one that was scheduled before the clock was set back', async () => {
  const isDue = async () => isPerhapsDue(await seen(), 'park-effects', 60);
  expect(await isDue()).toBe(true);
  await takeDueJob(appSql, 'park-effects', 60);
  expect(await isDue()).toBe(false);
  await postponeJob(appSql, 'park-effects', 600);
  expect(await isDue()).toBe(true);
});

test('jobs share a look at the same moment, but not with a job that was woken since', async () => {
  const look = openLook(appSql);
  const [first, second] = await Promise.all([look.now(), look.now()]);
  expect(second).toBe(first);
  look.forget();
  expect(await look.now()).not.toBe(first);
});

test('a look that fails leaves the work to the job itself', async () => {
  await ownerSql`alter table ledger.square_hint rename to gone`;
  expect(await openLook(appSql).now()).toBeUndefined();
  expect(isPerhapsDue(undefined, 'park-effects', 60)).toBe(true);
  await ownerSql`alter table ledger.gone rename to square_hint`;
});
