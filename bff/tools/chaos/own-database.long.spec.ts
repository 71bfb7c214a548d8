import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { openOwnDatabase } from './own-database.ts';

// Only root on Linux can mount a disk that can be filled; elsewhere the campaign leaves this disaster out.

const database = await openOwnDatabase();
const { ownerSql, fillDisk } = database;
afterAll(database.close);

const grow = () => ownerSql`insert into public.growing select repeat('x', 1000) from generate_series(1, 1000)`;
const explain = (error: unknown) => String(error);

test.skipIf(fillDisk === undefined)('on a full disk no table can grow, and the database answers', async () => {
  await ownerSql`create table public.growing (text text)`;
  const full = fillDisk?.({ part: 'tables', forMs: 1500 });
  await setTimeout(1000);
  expect(await grow().catch(explain)).toContain('No space left on device');
  expect(await ownerSql`select 1`).toHaveLength(1);
  await full;
  await grow();
});

test.skipIf(fillDisk === undefined)(
  'without space for its log PostgreSQL ends, and is back afterwards',
  async () => {
    const full = fillDisk?.({ part: 'log', forMs: 3000 });
    await setTimeout(1000);
    // The first write ends PostgreSQL, and its recovery needs space, too.
    await grow().catch(explain);
    expect(await grow().catch(explain)).toMatch(/CONNECT|ECONNREFUSED|shutting down|recovery/);
    await full;
    await grow();
  },
  20_000,
);
