import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '../runtime/logger.ts';
import { repeat } from './repeat.ts';

const lines: string[] = [];
const log = createLogger({ destination: { write: (line) => void lines.push(line) } });

beforeEach(() => {
  vi.useFakeTimers();
  lines.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

function counted(found: (round: number) => number | Error) {
  let rounds = 0;
  const returns: number[] = [];
  const work = repeat(log, {
    what: 'things',
    everySeconds: 2,
    round: async () => {
      rounds += 1;
      const answer = found(rounds);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    onReturn: () => returns.push(rounds),
  });
  return { ...work, rounds: () => rounds, returns };
}

test('it polls now, again while there is work, and then within the seconds, together with other work', async () => {
  const work = counted((round) => (round < 3 ? 1 : 0));
  await vi.advanceTimersByTimeAsync(0);
  expect(work.rounds()).toBe(3);
  await vi.advanceTimersByTimeAsync(999);
  expect(work.rounds()).toBe(3);
  await vi.advanceTimersByTimeAsync(1001);
  expect(work.rounds()).toBe(4);
  await work.stop();
});

test('a wake polls now, and once more for work that arrived during the poll', async () => {
  const work = counted(() => 0);
  await vi.advanceTimersByTimeAsync(500);
  for (let times = 0; times < 10; times += 1) work.wake();
  await vi.advanceTimersByTimeAsync(100);
  expect(work.rounds()).toBe(3);
  await work.stop();
});

test('a wake during a round begins another round after it', async () => {
  let wake = () => {};
  const work = counted((round) => {
    if (round === 1) wake();
    return 0;
  });
  wake = work.wake;
  work.wake();
  await vi.advanceTimersByTimeAsync(100);
  expect(work.rounds()).toBe(2);
  await work.stop();
});

test('a stop ends the polling', async () => {
  const work = counted(() => 0);
  await vi.advanceTimersByTimeAsync(0);
  await work.stop();
  work.wake();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(work.rounds()).toBe(1);
});

test('a failed round is tried again, and the return of the database is reported once', async () => {
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const work = counted((round) => (round < 3 ? away : 0));
  await vi.advanceTimersByTimeAsync(6000);
  expect(work.rounds()).toBeGreaterThan(3);
  expect(work.returns).toEqual([3]);
  await work.stop();
});

test.each([
  [1, ['warn']],
  [2, ['warn', 'error']],
  [3, ['warn', 'error']],
])('a database that is away for %i rounds is logged as %j', async (rounds, levels) => {
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const work = counted((round) => (round <= rounds ? away : 0));
  await vi.advanceTimersByTimeAsync(10_000);
  await work.stop();
  expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(levels);
  expect(lines[0]).not.toContain('stack');
});

test('another failure is an error at once', async () => {
  const work = counted((round) => (round === 1 ? new Error('a defect') : 0));
  await vi.advanceTimersByTimeAsync(3000);
  await work.stop();
  expect(lines).toEqual([expect.stringContaining('"level":"error"')]);
});
