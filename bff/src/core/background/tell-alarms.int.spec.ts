import { mailRecipients, openMailDesk } from '@kilim/lab/testing/mails';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop } from '@kilim/lab/testing/shop';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RoomAttention } from '../queries/read-all-attention.ts';
import { roundOf } from './job.ts';
import { sendingMails } from './send-mails.ts';
import { tellingAlarms } from './tell-alarms.ts';
import { watchingCluster } from './watch-cluster.ts';
import { watchingServer } from './watch-server.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
const desk = await openMailDesk(shop);
afterAll(desk.close);

let found: readonly RoomAttention[] = [];
let isCatchingUp = false;
const job = tellingAlarms({ ...shop.world, attention: [async () => found], isCatchingUp: () => isCatchingUp });
const one = (kind: RoomAttention['kind']): RoomAttention => ({ kind, count: 1, detail: null });

beforeEach(async () => {
  await ownerSql`truncate ledger.alarm, ledger.mail`;
  [found, isCatchingUp] = [[], false];
});

afterEach(() => void vi.useRealTimers());

/** The mails of a round, so many minutes after the one before. */
async function mailsAfter(minutes: number): Promise<readonly { readonly subject: string; readonly text: string }[]> {
  await ownerSql`update ledger.job set due_at = '-infinity'`;
  await ownerSql`update ledger.alarm set seen_at = seen_at - make_interval(mins => ${minutes}::int)`;
  const before = desk.mailbox.mails().length;
  await roundOf(shop.world, job)();
  await desk.sendAll();
  const mails = desk.mailbox.mails().slice(before);
  expect(mails.map(({ to }) => to)).toEqual(mails.map(() => [mailRecipients.operator]));
  return mails;
}

test('a fault is told once, and once more when it is over; what lasts is named in between', async () => {
  expect(await mailsAfter(1)).toEqual([]);
  found = [one('seal-refused')];
  expect(await mailsAfter(1)).toMatchObject([
    { subject: 'The order system needs help: 1 reason why new records are not protected' },
  ]);
  expect(await mailsAfter(1)).toEqual([]);
  found = [one('seal-refused'), one('books-differ')];
  const [second] = await mailsAfter(1);
  expect(second?.subject).toBe('The order system needs help: 1 difference in the books');
  expect(second?.text).toMatch(/- Not over yet: 1 reason why new records are not protected/);
  found = [one('books-differ')];
  expect(await mailsAfter(11)).toMatchObject([{ subject: 'Over: 1 reason why new records are not protected' }]);
});

test('a fault that comes and goes within ten minutes is told once', async () => {
  found = [one('witness-late')];
  expect(await mailsAfter(1)).toHaveLength(1);
  for (const isThere of [false, true, false, true]) {
    found = isThere ? [one('witness-late')] : [];
    expect(await mailsAfter(4)).toEqual([]);
  }
});

test('what is no fault of the product waits for the daily mail', async () => {
  found = [one('witness-missing')];
  expect(await mailsAfter(1)).toEqual([]);
});

test('a server that has just started tells nothing', async () => {
  [found, isCatchingUp] = [[one('seal-refused')], true];
  expect(await mailsAfter(1)).toEqual([]);
  isCatchingUp = false;
  expect(await mailsAfter(1)).toHaveLength(1);
});

test('a mail that is sent late still says what began at its time', async () => {
  found = [one('seal-refused')];
  await ownerSql`update ledger.job set due_at = '-infinity'`;
  await roundOf(shop.world, job)();
  found = [];
  await ownerSql`update ledger.alarm set seen_at = seen_at - interval '11 minutes'`;
  const before = desk.mailbox.mails().length;
  await ownerSql`update ledger.job set due_at = '-infinity'`;
  await roundOf(shop.world, job)();
  await desk.sendAll();
  const subjects = desk.mailbox
    .mails()
    .slice(before)
    .map(({ subject }) => subject);
  expect(subjects.toSorted()).toEqual([
    'Over: 1 reason why new records are not protected',
    'The order system needs help: 1 reason why new records are not protected',
  ]);
});

test('a wrong clock is told, although the server records nothing', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * 60_000 });
  await roundOf(shop.world, watchingCluster(shop.world))();
  await ownerSql`update ledger.heartbeat set succeeded_at = '-infinity' where name = 'watch-cluster'`;
  await ownerSql`update ledger.job set due_at = '-infinity'`;
  const before = desk.mailbox.mails().length;
  await roundOf(shop.world, job)();
  await roundOf(shop.world, sendingMails(desk.world))();
  const told = desk.mailbox
    .mails()
    .slice(before)
    .filter(({ to }) => to.includes(mailRecipients.operator))
    .map(({ text }) => text);
  expect(told).toEqual([expect.stringContaining('The server says: the clock is wrong.')]);
});

test('a standby is missed only where there was one', async () => {
  const conditions = { isSquareRefused: async () => false, freeDisk: async () => 1, webhooks: {} };
  const standby = watchingServer(appSql, conditions).find(({ name }) => name === 'standby');
  if (standby === undefined) throw new Error('No such job');
  const failures: string[] = [];
  const look = () => standby.run((why) => void failures.push(why));
  expect(await look()).toBeUndefined();
  await ownerSql`insert into ledger.heartbeat (name, limit_seconds, meaning) values ('standby', 180, 'None.')`;
  expect(await look()).toBe(0);
  expect(failures).toEqual(['no standby is connected']);
});
