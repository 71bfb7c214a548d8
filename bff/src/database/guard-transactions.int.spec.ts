import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, inject, test } from 'vitest';
import { readAhead } from '../export/read-ahead.ts';
import { connect, type Transaction } from './database.ts';
import { isDatabaseAway } from './failures.ts';
import { repeatWhileAway } from './repeat-while-away.ts';

const url = inject('postgresAdminUrl');
const other = connect({ url, max: 1, applicationName: 'lost transactions spec: the other' });
afterAll(() => other.end());

/** Of one connection, so that whoever comes next needs the one that was lost. */
function smallPool() {
  const sql = connect({ url, max: 1, applicationName: 'lost transactions spec' });
  return { sql, [Symbol.asyncDispose]: () => sql.end({ timeout: 1 }) };
}

/** From here on the transaction's connection is gone, whether it knows it or not. */
async function lose(transaction: Transaction): Promise<void> {
  const [row] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await other`select pg_terminate_backend(${row?.pid ?? 0})`;
}

const works: Record<string, (transaction: Transaction) => Promise<unknown>> = {
  'that ends at once': async () => 'done',
  'that asks at once': async (transaction) => await transaction`select 1`,
  'that asks later': async (transaction) => {
    await setTimeout(100);
    await transaction`select 1`;
  },
  'that asks something long': async (transaction) => await transaction`select ${'x'.repeat(3000)} as long`,
  'that ends later': async () => await setTimeout(100),
  'that fails for its own reasons': async () => {
    await setTimeout(100);
    throw new Error('Its own reasons');
  },
  'that asks again and again, whatever it hears': async (transaction) => {
    for (let tries = 0; tries < 20; tries += 1) {
      await transaction`select 1`.catch(() => undefined);
      await setTimeout(tries);
    }
  },
};

test.each(Object.entries(works))(
  'a transaction %s after its connection was lost fails, and nothing else does',
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

test('what a transaction asks after its connection was lost is not done on the next one', async () => {
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

test('a transaction that fails for its own reasons is undone, and says them', async () => {
  await using pool = smallPool();
  const { sql } = pool;
  await expect(sql.begin(async (begun) => await begun`select 1 / 0`)).rejects.toMatchObject({ code: '22012' });
  const own = sql.begin('read only', async () => {
    throw new Error('Its own reasons');
  });
  await expect(own).rejects.toThrow('Its own reasons');
  expect(await sql.begin('read only', async (begun) => await begun`select 1 as next`)).toEqual([{ next: 1 }]);
});

test('a pipe that breaks elsewhere while a transaction is at work is no end of its connection', async () => {
  await using pool = smallPool();
  const broken = Object.assign(new Error('Nobody reads any more'), { code: 'EPIPE' });
  const transaction = pool.sql.begin(async (begun) => {
    await begun`select 1`;
    throw broken;
  });
  await expect(Promise.race([transaction, setTimeout(3000, 'still waiting')])).rejects.toBe(broken);
});

test('a long reading whose connection is lost between two parts fails, and nothing else does', async () => {
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

test.each([99, 100, 101, 102])('a transaction that begins behind %i statements is one', async (statements) => {
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
});
