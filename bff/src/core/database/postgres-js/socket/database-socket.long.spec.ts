import { setImmediate, setTimeout } from 'node:timers/promises';
import { openBrokenNetwork } from '@kilim/lab/testing/broken-network';
import { until } from '@kilim/lab/testing/patience';
import { postgresOfWorker } from '@kilim/lab/testing/postgres';
import { afterAll, expect, test } from 'vitest';
import { allowLongStatements, connect, type Sql } from '../../database.ts';
import { isDatabaseAway } from '../../failures.ts';
import { repeatWhileAway } from '../../repeat-while-away.ts';

const databaseUrl = postgresOfWorker();
const name = 'database socket spec';
const other = connect({ url: databaseUrl, max: 1, applicationName: 'database socket spec: the other' });
afterAll(() => other.end());

/** Through a proxy that can break. */
async function openPool(options: { max: number; statementTimeoutSeconds?: number }) {
  const network = await openBrokenNetwork({ databaseUrl });
  const sql = connect({ url: network.url, applicationName: name, ...options });
  return {
    sql,
    network,
    [Symbol.asyncDispose]: async () => {
      await Promise.race([sql.end({ timeout: 1 }), setTimeout(3000)]);
      await network.close();
    },
  };
}

/** A slow machine gets much time. */
const hangsAfterMs = 20_000;

async function unlessItHangs<Answer>(answer: PromiseLike<Answer>): Promise<Answer | 'no answer'> {
  return await Promise.race([answer, setTimeout(hangsAfterMs, 'no answer' as const, { ref: false })]);
}

const isSleeping = async () =>
  (
    await other`
      select from pg_stat_activity
      where application_name = ${name} and state = 'active' and query like '%pg_sleep%'`
  ).length > 0;

/** Each connection is held until every place has answered. */
async function sessionsOf(sql: Sql, places: number): Promise<ReadonlySet<number>> {
  const sessions = new Set<number>();
  const all = Promise.withResolvers<void>();
  const held = Array.from({ length: places }, () =>
    sql.begin(async (transaction) => {
      const [row] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`;
      sessions.add(row?.pid ?? 0);
      if (sessions.size === places) all.resolve();
      await all.promise;
    }),
  );
  const answered = await unlessItHangs(Promise.all(held));
  all.resolve();
  if (answered === 'no answer') await Promise.race([Promise.allSettled(held), setTimeout(1000)]);
  return sessions;
}

const one = (sql: Sql) => sql<{ one: number }[]>`select 1 as one`;

test('a statement that starts while another learns of a reset is answered', async () => {
  await using pool = await openPool({ max: 1 });
  const { sql, network } = pool;
  await one(sql);
  const asked = sql`select pg_sleep(5)`.then(
    () => undefined,
    () => repeatWhileAway(() => one(sql)),
  );
  await until('the statement runs', isSleeping);
  network.reset();
  expect(await unlessItHangs(asked)).toEqual([{ one: 1 }]);
  expect(await unlessItHangs(one(sql))).toEqual([{ one: 1 }]);
});

test.each([
  ['short (postgres.js has not written it yet when the connection closes)', 'x'],
  ['long (postgres.js has written it when the connection closes)', 'x'.repeat(3000)],
])('a statement that starts while an idle connection is reset is answered or fails: %s', async (_, text) => {
  await using pool = await openPool({ max: 1 });
  const { sql, network } = pool;
  for (let round = 0; round < 5; round += 1) {
    await repeatWhileAway(() => sql`select ${text}::text`);
    await setTimeout(20);
    network.reset();
    const asked: Promise<boolean>[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      await setImmediate();
      asked.push(sql`select ${text}::text`.then(() => true, isDatabaseAway));
    }
    expect(await unlessItHangs(Promise.all(asked))).toEqual([true, true, true, true, true]);
    expect(await unlessItHangs(repeatWhileAway(() => one(sql)))).toEqual([{ one: 1 }]);
  }
});

test('the error that ends a session reaches its own statement, and no later one', async () => {
  await using pool = await openPool({ max: 1 });
  const { sql } = pool;
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const long = sql`select pg_sleep(5)`.then(
    () => 'answered',
    (error: unknown) => error,
  );
  await until('the statement runs', isSleeping);
  await other`select pg_terminate_backend(${row?.pid ?? 0})`;
  expect(await long).toMatchObject({ code: '57P01', severity: 'FATAL' });
  expect(await one(sql)).toEqual([{ one: 1 }]);
});

/** Raise it to 60 after an update of postgres.js. */
const stormSeconds = Number(process.env['STORM_SECONDS'] ?? 15);

/** Each throws when a statement of a transaction ran outside of it. */
const stormyWorks: readonly ((sql: Sql) => Promise<void>)[] = [
  async (sql) => void (await one(sql)),
  async (sql) => void (await sql`select ${'x'.repeat(1500)}::text, pg_sleep(0.02)`),
  async (sql) =>
    await sql.begin(async (transaction) => {
      const [first] = await transaction`insert into public.stormy values ('half') returning pg_current_xact_id() as id`;
      await transaction`select pg_sleep(0.01)`;
      const [later] = await transaction`select pg_current_xact_id_if_assigned() as id`;
      expect(later).toEqual(first);
      await transaction`delete from public.stormy where xmin = pg_current_xact_id()::xid`;
    }),
  async (sql) => {
    for await (const rows of sql`select i from generate_series(1, 300) i`.cursor(100)) expect(rows.length).toBe(100);
  },
  async (sql) =>
    await sql.begin('read only', async (transaction) => {
      const cursor = transaction`select i, pg_sleep(0.001) from generate_series(1, 30) i`.cursor(10);
      for await (const rows of cursor) expect(rows.length).toBe(10);
    }),
];

test('in a storm of lost connections no statement hangs or leaves its transaction, and then every place answers', {
  timeout: (stormSeconds + 30) * 1000,
}, async () => {
  const places = 10;
  await using pool = await openPool({ max: places });
  const { sql, network } = pool;
  const unexpected: unknown[] = [];
  const note = (reason: unknown) => unexpected.push(reason);
  process.on('unhandledRejection', note).on('uncaughtException', note);
  await other`create table if not exists public.stormy (kind text)`;
  const ends = performance.now() + stormSeconds * 1000;
  let answered = 0;
  const workers = Array.from({ length: 24 }, async (_, index) => {
    const work = stormyWorks[index % stormyWorks.length];
    while (performance.now() < ends) {
      await work?.(sql).then(
        () => (answered += 1),
        (error: unknown) => (isDatabaseAway(error) ? undefined : note(error)),
      );
      // Immediately, a turn later, or several turns later.
      if (index % 3 === 1) await setImmediate();
      if (index % 3 === 2) await setTimeout(index);
    }
  });
  for (let round = 0; performance.now() < ends; round += 1) {
    await setTimeout(200);
    // Each sixth time the network ends the connections, otherwise the database.
    if (round % 6 === 5) network.reset();
    else await other`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}`;
  }
  expect(await unlessItHangs(Promise.all(workers))).not.toBe('no answer');
  expect((await sessionsOf(sql, places)).size).toBe(places);
  expect(await other`select from public.stormy`).toHaveLength(0);
  expect(unexpected).toEqual([]);
  expect(answered).toBeGreaterThan(stormSeconds * 10);
  process.off('unhandledRejection', note).off('uncaughtException', note);
  await other`drop table public.stormy`;
});

test('statements on silent connections fail, and the next statements are answered', async () => {
  await using pool = await openPool({ max: 4, statementTimeoutSeconds: 1 });
  const { sql, network } = pool;
  expect((await sessionsOf(sql, 4)).size).toBe(4);
  network.swallow();
  await expect(one(sql)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  expect((await sessionsOf(sql, 4)).size).toBe(4);
});

test('a long statement in a transaction that allows it does not count as a lost connection', async () => {
  await using pool = await openPool({ max: 1, statementTimeoutSeconds: 1 });
  const { sql, network } = pool;
  const slept = await sql.begin(async (transaction) => {
    await allowLongStatements(transaction, 10);
    return await transaction`select pg_sleep(3)::text as slept`;
  });
  expect(slept).toEqual([{ slept: '' }]);
  // The allowance ended with the transaction.
  network.swallow();
  await expect(one(sql)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
});

test('a pool without a statement timeout waits until the statement ends', async () => {
  await using pool = await openPool({ max: 1, statementTimeoutSeconds: 0 });
  expect(await pool.sql`select pg_sleep(2)::text as slept`).toEqual([{ slept: '' }]);
});
