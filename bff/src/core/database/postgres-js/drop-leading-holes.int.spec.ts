import { postgresOfWorker } from '@kilim/lab/testing/postgres';
import { afterAll, expect, test } from 'vitest';
import { connect } from '../database.ts';
import { repeatWhileAway } from '../repeat-while-away.ts';

const sql = connect({ url: postgresOfWorker(), max: 1, applicationName: 'holes spec' });
afterAll(() => sql.end());

test('a statement after one that failed half-way through its rows gets all its rows', async () => {
  await expect(sql`select 1 / (3 - i) as share from generate_series(1, 5) i`).rejects.toMatchObject({ code: '22012' });
  const [row, ...more] = await sql`select 1 as next`;
  expect([row, more]).toEqual([{ next: 1 }, []]);
});

test('a cursor after a statement that failed half-way through its rows gets all its rows', async () => {
  await expect(sql`select 1 / (3 - i) as share from generate_series(1, 5) i`).rejects.toMatchObject({ code: '22012' });
  const parts: unknown[] = [];
  for await (const rows of sql`select i from generate_series(1, 3) i`.cursor(2)) parts.push([...rows]);
  expect(parts).toEqual([[{ i: 1 }, { i: 2 }], [{ i: 3 }]]);
});

test('a statement after a connection that broke half-way through the rows gets all its rows', async () => {
  await expect(sql`
    select i, case when i = 9000 then pg_terminate_backend(pg_backend_pid()) end as ended from generate_series(1, 10000) i`).rejects.toThrow();
  // The next connection's first statement reports the broken one once more.
  const [row, ...more] = await repeatWhileAway(() => sql`select 1 as next`);
  expect([row, more]).toEqual([{ next: 1 }, []]);
});
