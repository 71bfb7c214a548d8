import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { patience } from '../../testing/patience.ts';
import { freeze, freezeFamily } from './freeze.ts';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** Writes a line every 10 ms. */
async function startTicking(command = 'while :; do echo tick; sleep 0.01; done') {
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  let ticks = 0;
  child.stdout.on('data', () => (ticks += 1));
  await once(child.stdout, 'data');
  const ticksWithin = async (ms: number) => {
    const before = ticks;
    await setTimeout(ms);
    return ticks - before;
  };
  return { pid: child.pid ?? 0, ticksWithin };
}

test('a frozen process does nothing until it is thawed, and can be frozen again', async () => {
  const { pid, ticksWithin } = await startTicking();
  for (let time = 0; time < 3; time += 1) {
    const thaw = freeze([pid]);
    await expect.poll(() => ticksWithin(200), patience).toBe(0);
    thaw();
    await expect.poll(() => ticksWithin(100), patience).toBeGreaterThan(0);
  }
});

test('the children of a frozen process are frozen too', async () => {
  const { pid, ticksWithin } = await startTicking('(while :; do echo tick; sleep 0.01; done) & wait');
  const thaw = freezeFamily(pid);
  await expect.poll(() => ticksWithin(200), patience).toBe(0);
  thaw();
  await expect.poll(() => ticksWithin(100), patience).toBeGreaterThan(0);
  const ended = spawn('sh', ['-c', `kill $(ps -A -o pid=,ppid= | awk '$2 == ${pid} { print $1 }')`]);
  await once(ended, 'exit');
});

test('a frozen process continues when the process that froze it is killed', async () => {
  const { pid, ticksWithin } = await startTicking();
  const freezing = fileURLToPath(new URL('./freeze.ts', import.meta.url));
  const program = `import { freeze } from ${JSON.stringify(freezing)}; freeze([${pid}]); console.log('frozen'); setInterval(() => {}, 1000);`;
  const freezer = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(freezer);
  await once(freezer.stdout, 'data');
  await expect.poll(() => ticksWithin(200), patience).toBe(0);
  freezer.kill('SIGKILL');
  await expect.poll(() => ticksWithin(100), patience).toBeGreaterThan(0);
});
