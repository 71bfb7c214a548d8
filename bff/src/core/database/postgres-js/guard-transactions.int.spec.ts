import { setTimeout } from 'node:timers/promises';
import { postgresOfWorker } from '@kilim/lab/testing/postgres';
import { afterAll, expect, test } from 'vitest';
import { connect, type Transaction } from '../database.ts';
import { isDatabaseAway } from '../failures.ts';
import { readAhead } from '../read-ahead.ts';
import { repeatWhileAway } from '../repeat-while-away.ts';

const url = postgresOfWorker();
const other = connect({ url, max: 1, applicationName: 'lost transactions spec: the other' });
afterAll(() => other.end());

/** With one connection, so the next statement needs the lost one's place. */
function smallPool() {
  const sql = connect({ url, max: 1, applicationName: 'lost transactions spec' });
  return { sql, [Symbol.asyncDispose]: () => sql.end({ timeout: 1 }) };
}

/** The transaction may learn it later. */
async function lose(transaction: Transaction): Promise<void> {
  const [row] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await other`select pg_terminate_backend(${row?.pid ?? 0})`;
}

const works: Record<string, (transaction: Transaction) => Promise<unknown>> = {
  'that ends immediately': async () => 'done',
  'that sends a statement immediately': async (transaction) => await transaction`select 1`,
  'that sends a statement later': async (transaction) => {
    await setTimeout(100);
    await transaction`select 1`;
  },
  'that sends a long statement': async (transaction) => await transaction`select ${'x'.repeat(3000)} as long`,
  'that ends later': async () => await setTimeout(100),
  'that throws its own error': async () => {
    await setTimeout(100);
    throw new Error('Its own reasons');
  },
  'that sends statements in a loop and ignores errors': async (transaction) => {
    for (let tries = 0; tries < 20; tries += 1) {
      await transaction`select 1`.catch(() => undefined);
      await setTimeout(tries);
    }
  },
};

test.each(Object.entries(works))(
  'a transaction %s after its connection was lost fails, and nothing else fails',
  async (_what, work) => {
    await using pool = smallPool();
    const { sql } = pool;
    const transaction = sql.begin(async (begun) => {
      await lose(begun);
      return await work(begun);
    });
    await expect(transaction).rejects.toSatisfy(isDatabaseAway);
    expect(await repeatWhileAway(() => sql`select 1 as next`)).toEqual([{ next: 1 }]);
    await setTimeout(150);
    expect(await sql`select 2 as next`).toEqual([{ next: 2 }]);
  },
);

test('a statement of a transaction that has lost its connection does not run on the next connection', async () => {
  await using pool = smallPool();
  const { sql } = pool;
  await other`create table if not exists public.lost (word text)`;
  const late = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const transaction = sql.begin(async (begun) => {
    await lose(begun);
    await late.promise;
    const writing = async () => await begun`insert into public.lost values ('late')`;
    await writing().then(() => written.resolve(), written.reject);
  });
  await expect(transaction).rejects.toSatisfy(isDatabaseAway);
  await repeatWhileAway(() => sql`select 1`);
  late.resolve();
  await expect(written.promise).rejects.toSatisfy(isDatabaseAway);
  expect(await other`select from public.lost`).toHaveLength(0);
  await other`drop table public.lost`;
});

test('a transaction that throws its own error is rolled back, and reports that error', async () => {
  await using pool = smallPool();
  const { sql } = pool;
  await expect(sql.begin(async (begun) => await begun`select 1 / 0`)).rejects.toMatchObject({ code: '22012' });
  const own = sql.begin('read only', async () => {
    throw new Error('Its own reasons');
  });
  await expect(own).rejects.toThrow('Its own reasons');
  expect(await sql.begin('read only', async (begun) => await begun`select 1 as next`)).toEqual([{ next: 1 }]);
});

test('a broken pipe elsewhere does not end the connection of a transaction', async () => {
  await using pool = smallPool();
  const broken = Object.assign(new Error('Nobody reads any more'), { code: 'EPIPE' });
  const transaction = pool.sql.begin(async (begun) => {
    await begun`select 1`;
    throw broken;
  });
  await expect(transaction).rejects.toBe(broken);
});

test('a long read whose connection is lost between two parts fails, and nothing else fails', async () => {
  await using pool = smallPool();
  const { sql } = pool;
  const read = async () => {
    const parts = readAhead(sql, async function* (reader) {
      yield await reader<{ pid: number }[]>`select pg_backend_pid() as pid`;
      yield await reader`select pg_sleep(0.2)`;
      yield await reader`select 3`;
    });
    for await (const [row] of parts) {
      if (row?.['pid'] !== undefined) await other`select pg_terminate_backend(${row['pid']})`;
    }
  };
  await expect(read()).rejects.toSatisfy(isDatabaseAway);
  expect(await repeatWhileAway(() => sql`select 1 as next`)).toEqual([{ next: 1 }]);
});

test.each([99, 100, 101, 102])(
  'a transaction that begins behind %i statements is a transaction',
  async (statements) => {
    await using pool = smallPool();
    const { sql } = pool;
    await sql`select 1`;
    const before = Array.from({ length: statements }, () => sql`select 1`.execute());
    const transaction = sql.begin(async (begun) => {
      const [first] = await begun`select pg_current_xact_id()::text as id`;
      const [second] = await begun`select pg_current_xact_id()::text as id`;
      return [first, second];
    });
    await Promise.all(before);
    const [first, second] = await transaction;
    expect(first).toEqual(second);
    expect(await sql`select pg_current_xact_id_if_assigned() as id`).toEqual([{ id: null }]);
  },
);
