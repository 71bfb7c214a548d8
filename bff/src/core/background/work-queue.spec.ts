import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { connect } from '../database/database.ts';
import type { Watched } from '../ledger/watch.ts';
import { createLogger } from '../runtime/logger.ts';
import { createWorkers, type WorkQueue } from './work-queue.ts';

/** Never connects: these queues live in memory. */
const sql = connect({ url: 'postgres://localhost/unused', max: 1, applicationName: 'kilim test' });
const log = createLogger({ level: 'silent' });

const items = (count: number): Watched[] =>
  Array.from({ length: count }, (_, index) => ({ key: `item-${index}`, mark: '0', waitSeconds: 0 }));

function queueOf(open: readonly Watched[], changes: Partial<WorkQueue<Watched>> = {}): WorkQueue<Watched> {
  return {
    name: 'settle-effects',
    readOpen: async () => open,
    take: async (_, seen) => seen,
    work: async () => {},
    ...changes,
  };
}

test('slow items do not delay the others, and at most four are under way', async () => {
  const releases: (() => void)[] = [];
  const work = () => new Promise<void>((release) => releases.push(release));
  const workers = createWorkers(queueOf(items(10), { work }), { sql, log });
  expect(await workers.startDue()).toBe(4);
  expect(await workers.startDue()).toBe(0);
  for (const release of releases.splice(0)) release();
  await setTimeout(0);
  expect(await workers.startDue()).toBe(4);
  for (const release of releases.splice(0)) release();
  await workers.finished();
});

test('each finished item makes room for another, also when it failed', async () => {
  let room = 0;
  const work = async ({ key }: Watched) => {
    if (key === 'item-0') throw new Error('This one fails');
  };
  const workers = createWorkers(queueOf(items(2), { work }), { sql, log, onRoom: () => (room += 1) });
  await workers.startDue();
  await workers.finished();
  expect(room).toBe(2);
});

test('this process leaves an item alone that another process took first', async () => {
  const worked: string[] = [];
  const workers = createWorkers(
    queueOf(items(2), {
      take: async (_, seen) => (seen.key === 'item-0' ? undefined : seen),
      work: async ({ key }) => void worked.push(key),
    }),
    { sql, log },
  );
  await workers.startDue();
  await workers.finished();
  expect(worked).toEqual(['item-1']);
});

test('a silent database is an error within seconds', async () => {
  const workers = createWorkers(queueOf([], { readOpen: () => new Promise(() => undefined) }), { sql, log });
  await expect(workers.startDue()).rejects.toMatchObject({ code: 'TOO_LATE' });
});
