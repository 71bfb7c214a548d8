import { afterAll, beforeAll, expect, test } from 'vitest';
import { patience } from '../../testing/patience.ts';
import { openOwnDatabase } from './own-database.ts';

// Only root on Linux can mount a disk; elsewhere the campaign leaves this out.

const database = await openOwnDatabase();
const { ownerSql, fillDisk } = database;
afterAll(database.close);
beforeAll(() => ownerSql`create table public.growing (text text)`);

/** Filling the disk takes a while. */
const filled = { ...patience, interval: 200 };
const grow = () => ownerSql`insert into public.growing select repeat('x', 1000) from generate_series(1, 1000)`;
const explain = (error: unknown) => String(error);

test.skipIf(fillDisk === undefined)('on a full disk no table can grow, and the database answers', async () => {
  const full = fillDisk?.({ part: 'tables', forMs: 3000 });
  await expect.poll(() => grow().then(String, explain), filled).toContain('No space left on device');
  expect(await ownerSql`select 1`).toHaveLength(1);
  await full;
  await grow();
});

test.skipIf(fillDisk === undefined)(
  'without space for its log PostgreSQL ends, and is back afterwards',
  async () => {
    const full = fillDisk?.({ part: 'log', forMs: 4000 });
    // The first write ends PostgreSQL, and its recovery needs space, too.
    const away = /CONNECT|ECONNREFUSED|shutting down|recovery/;
    await expect.poll(() => grow().then(String, explain), filled).toMatch(away);
    await full;
    await grow();
  },
  20_000,
);
