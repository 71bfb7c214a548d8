import { setTimeout } from 'node:timers/promises';
import { patience, until } from '@kilim/lab/testing/patience';
import { postgresOfWorker, testDatabase } from '@kilim/lab/testing/postgres';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connect } from '../../database/database.ts';
import { isReachable } from '../../database/repeat-while-away.ts';
import { createLogger, type Logger } from '../../runtime/logger.ts';
import { type Counter, createCounters, type Limit } from './counters.ts';

const { appSql, ownerSql, url } = await testDatabase();
/** Counters of the last test may still write. */
let logged: readonly string[] = [];
let log: Logger;
let fiveAMinute: Limit = { name: '', most: 5, perSeconds: 60 };
let tests = 0;
beforeEach(() => {
  const own: string[] = [];
  logged = own;
  log = createLogger({ level: 'trace', destination: { write: (line) => void own.push(line) } });
  tests += 1;
  fiveAMinute = { name: `test-${tests}`, most: 5, perSeconds: 60 };
});

const process = (factor = 1) => createCounters({ sql: appSql, log, secret: 'shared secret', factor });

async function refusals(count: Counter['count'], times: number): Promise<number> {
  const waits = await Promise.all(Array.from({ length: times }, () => count('ada')));
  return waits.filter((wait) => wait !== undefined).length;
}

async function countInDatabase(): Promise<number | undefined> {
  const [row, ...others] = await ownerSql<{ points: number }[]>`
    select points from kilim.throttle where key like ${`${fiveAMinute.name}:%`}`;
  expect(others).toEqual([]);
  return row?.points;
}

test('of forty concurrent requests the allowed number passes, and the others learn when to retry', async () => {
  const { count } = process().counter(fiveAMinute);
  expect(await refusals(count, 40)).toBe(35);
  const wait = await count('ada');
  expect(wait).toMatchObject({ limit: fiveAMinute.name });
  expect(wait?.seconds).toBeGreaterThan(50);
  expect(wait?.seconds).toBeLessThanOrEqual(60);
});

test('a client that reached the limit does not affect another client', async () => {
  const { count } = process().counter(fiveAMinute);
  await refusals(count, 10);
  expect(await count('grace')).toBeUndefined();
});

test('a count of one process soon reaches the others', async () => {
  const here = process().counter(fiveAMinute);
  const there = process().counter(fiveAMinute);
  expect(await refusals(here.count, 5)).toBe(0);
  await expect.poll(countInDatabase).toBe(5);
  expect(await there.count('ada')).toBeUndefined();
  await expect.poll(() => there.count('ada')).toMatchObject({ limit: fiveAMinute.name });
});

test('countEverywhere refuses the sixth request over all processes immediately', async () => {
  const counters = [process(), process(), process()].map((one) => one.counter(fiveAMinute));
  const waits = [];
  for (let time = 0; time < 6; time += 1) waits.push(await counters[time % 3]?.countEverywhere('ada'));
  expect(waits.map((wait) => wait?.limit)).toEqual([...Array(5).fill(undefined), fiveAMinute.name]);
});

test('a count that is given back counts in no process', async () => {
  const here = process().counter(fiveAMinute);
  const there = process().counter(fiveAMinute);
  expect(await refusals(here.count, 5)).toBe(0);
  await expect.poll(countInDatabase).toBe(5);
  for (let time = 0; time < 4; time += 1) await here.giveBack('ada');
  expect(await refusals(here.count, 5)).toBe(1);
  for (let time = 0; time < 5; time += 1) await here.giveBack('ada');
  await expect.poll(countInDatabase).toBe(0);
  expect(await refusals(there.count, 6)).toBe(1);
});

test('a client may start again after an operator deleted its count', async () => {
  const { count } = process().counter(fiveAMinute);
  await refusals(count, 6);
  await expect.poll(countInDatabase).toBe(5);
  await ownerSql`delete from kilim.throttle where key like ${`${fiveAMinute.name}:%`}`;
  await expect.poll(() => count('ada')).toBeUndefined();
});

test('a refused request is not counted', async () => {
  const { count } = process().counter(fiveAMinute);
  await refusals(count, 1000);
  await expect.poll(countInDatabase).toBe(5);
});

test('a client may start again when the time is over', async () => {
  const { count } = process().counter({ ...fiveAMinute, perSeconds: 1 });
  expect(await refusals(count, 6)).toBe(1);
  expect(await count('ada')).toMatchObject({ seconds: 1 });
  await vi.waitFor(async () => expect(await count('ada')).toBeUndefined(), patience);
  expect(await refusals(count, 5)).toBe(1);
});

test('a factor widens a limit, and every limit allows at least one request', async () => {
  expect(await refusals(process(2).counter(fiveAMinute).count, 12)).toBe(2);
  expect(await refusals(process(0.001).counter({ ...fiveAMinute, name: 'narrow' }).count, 3)).toBe(2);
});

test('neither the database nor the log holds the address that was counted', async () => {
  const { count } = process().counter(fiveAMinute);
  await count('192.0.2.77');
  await expect.poll(countInDatabase).toBe(1);
  const rows = await ownerSql<{ line: string }[]>`select t::text as line from kilim.throttle t`;
  for (const text of [...rows.map(({ line }) => line), ...logged]) expect(text).not.toContain('192.0.2.77');
});

describe('while the database is unreachable', () => {
  const database = new URL(url).pathname.slice(1);
  const admin = connect({ url: postgresOfWorker(), max: 1, applicationName: 'kilim test admin' });
  afterAll(() => admin.end());
  async function cutOff(): Promise<void> {
    await admin`alter database ${admin(database)} allow_connections false`;
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`;
  }
  async function bringBack(): Promise<void> {
    await admin`alter database ${admin(database)} allow_connections true`;
    await until('the database answers', () => isReachable(ownerSql, 1000));
  }
  afterEach(bringBack);

  test('each process uses its own count without waiting, and logs it once', async () => {
    await cutOff();
    const { count, countEverywhere } = process().counter(fiveAMinute);
    const warnings = () => logged.filter((line) => line.includes('this process only'));
    expect(await refusals(count, 6)).toBe(1);
    // The count did not wait for the database.
    expect(warnings()).toHaveLength(0);
    await vi.waitFor(() => expect(warnings()).toHaveLength(1), patience);
    await refusals(count, 6);
    // The next write fails too, a tenth of a second later.
    await setTimeout(400);
    expect(warnings()).toHaveLength(1);
    expect(await countEverywhere('grace')).toBeUndefined();
  });

  test('counts of an outage are written when the database is back', async () => {
    const { count } = process().counter(fiveAMinute);
    await cutOff();
    await refusals(count, 4);
    await vi.waitFor(() => expect(logged.join()).toContain('this process only'), patience);
    await bringBack();
    expect(await count('ada')).toBeUndefined();
    await vi.waitFor(async () => expect(await countInDatabase()).toBe(5), patience);
    expect(await count('ada')).toMatchObject({ limit: fiveAMinute.name });
  });

  test('counts of a period that has ended are not written', async () => {
    const { count } = process().counter({ ...fiveAMinute, perSeconds: 1 });
    await cutOff();
    await refusals(count, 5);
    await vi.waitFor(() => expect(logged.join()).toContain('this process only'), patience);
    // Longer than the period.
    await setTimeout(1200);
    await bringBack();
    expect(await count('ada')).toBeUndefined();
    expect(await count('grace')).toBeUndefined();
    await vi.waitFor(
      async () =>
        expect(
          await ownerSql`
      select points from kilim.throttle where key like ${`${fiveAMinute.name}:%`} order by points`,
        ).toEqual([{ points: 1 }, { points: 1 }]),
      patience,
    );
  });
});
