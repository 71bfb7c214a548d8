import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { cloneDatabase } from '../testing/postgres.ts';
import type { EventLoop } from './event-loop.ts';
import { fuzz } from './fuzz.ts';

test('1,500 random requests get no 5xx, no stack trace, and each gets an answer', async () => {
  // Requests change passwords and disable people.
  const { url: databaseUrl, drop } = await cloneDatabase();
  onTestFinished(drop);
  const dataDir = await mkdtemp(join(tmpdir(), 'kilim-fuzz-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  // Another seed each day.
  const seed = Math.floor(Date.now() / 86_400_000);
  const options = { databaseUrl, dataDir, requests: 1_500, seed, timing: false, say: () => undefined };
  const { violations, errorsInLog, statuses, routes } = await fuzz(options);
  expect([...violations, ...errorsInLog], `seed ${seed}`).toEqual([]);
  expect(routes).toBeGreaterThan(60);
  // Some requests must get as far as the work itself.
  expect(statuses['200']).toBeGreaterThan(100);
}, 300_000);

describe('the watch of the event loop', async () => {
  const watch = fileURLToPath(new URL('./event-loop.ts', import.meta.url));
  const work = `process.on('message', (message) => {
    const began = process.cpuUsage();
    if (message === 'compute') while (process.cpuUsage(began).user < 120_000);
    if (message === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120);
  });
  setInterval(() => undefined, 1_000);
  process.send('ready');`;
  const child = spawn(process.execPath, [`--import=${watch}`, '--eval', work], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  afterAll(() => void child.kill());
  await once(child, 'message');

  test.each([
    ['compute', 'tells how long the thread computed', (cpuMs: number) => cpuMs > 50],
    ['wait', 'tells that a thread that was not running did not compute', (cpuMs: number) => cpuMs < 50],
  ])('%s: %s', async (message, _, fits) => {
    child.send('event loop');
    await once(child, 'message');
    child.send(message);
    child.send('event loop');
    const [{ eventLoop }] = (await once(child, 'message')) as [{ eventLoop: EventLoop }];
    expect(eventLoop.longestMs).toBeGreaterThan(100);
    expect(eventLoop.stalls.map(({ cpuMs }) => cpuMs).some(fits)).toBe(true);
  });
});
