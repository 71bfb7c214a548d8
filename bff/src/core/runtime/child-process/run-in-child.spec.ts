import { until } from '@kilim/lab/testing/patience';
import { expect, test } from 'vitest';
import { TooBusy } from '../limit-concurrency.ts';
import { runInChild } from './run-in-child.ts';

type Asked = { readonly what: 'echo' | 'fail' | 'crash' | 'hang' | 'environment'; readonly bytes?: Uint8Array };
type Answered = { readonly pid: number; readonly bytes?: Uint8Array; readonly names?: readonly string[] };

const module = new URL(
  `data:text/javascript,${encodeURIComponent(`
  export async function work({ what, bytes }) {
    if (what === 'fail') throw new RangeError('too many rugs');
    if (what === 'crash') process.kill(process.pid, 'SIGSEGV');
    if (what === 'crash' || what === 'hang') await new Promise(() => setTimeout(() => {}, 60_000));
    return { pid: process.pid, bytes, names: Object.keys(process.env) };
  }`)}`,
);
const open = (options = {}) => runInChild<(asked: Asked) => Promise<Answered>>(module, options);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('work runs in another process, which gets and returns bytes', async () => {
  const answered = await open()({ what: 'echo', bytes: new Uint8Array([1, 2, 3]) });
  expect(answered.pid).not.toBe(process.pid);
  expect([...(answered.bytes ?? [])]).toEqual([1, 2, 3]);
});

test('concurrent and later work share one process until it is idle', async () => {
  const run = open({ idleSeconds: 0.2 });
  const [first, second] = await Promise.all([run({ what: 'echo' }), run({ what: 'echo' })]);
  expect((await run({ what: 'echo' })).pid).toBe(first.pid);
  expect(second.pid).toBe(first.pid);
  await until('the idle process has ended', () => !isRunning(first.pid));
  expect((await run({ what: 'echo' })).pid).not.toBe(first.pid);
});

test('a failure has its message, and spares the process', async () => {
  const run = open();
  const { pid } = await run({ what: 'echo' });
  await expect(run({ what: 'fail' })).rejects.toThrow('too many rugs');
  expect((await run({ what: 'echo' })).pid).toBe(pid);
});

test('a crash fails the running work only, and the next work gets a new process', async () => {
  const run = open();
  await expect(run({ what: 'crash' })).rejects.toThrow('ended in the middle of its work, with SIGSEGV');
  expect((await run({ what: 'echo' })).pid).toBeGreaterThan(0);
});

test('work that takes too long fails as work of a busy machine', async () => {
  const late = open({ longestSeconds: 1 })({ what: 'hang' });
  await expect(late).rejects.toThrow('did not finish within 1 seconds: this machine has too much work');
  await expect(late).rejects.toBeInstanceOf(TooBusy);
});

test("the process has none of the server's environment", async () => {
  process.env['SQUARE_ACCESS_TOKEN'] = 'a secret';
  try {
    const { names } = await open()({ what: 'environment' });
    expect(names).not.toContain('SQUARE_ACCESS_TOKEN');
  } finally {
    delete process.env['SQUARE_ACCESS_TOKEN'];
  }
});
