import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, expect, test } from 'vitest';
import { patience } from '../../testing/patience.ts';

// As people run it. The spec removes a killed process's files.

const temporary = await mkdtemp(join(tmpdir(), 'kilim-chaos-command-'));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const campaigns: ChildProcess[] = [];

afterEach(() => {
  for (const npm of campaigns.splice(0)) npm.kill('SIGKILL');
});
afterAll(() => rm(temporary, { recursive: true, force: true, maxRetries: 10 }));

function startCampaign(runs: number) {
  const npm = spawn('npm', ['run', '--silent', 'chaos', '--', '--runs', String(runs), '--seed', '9'], {
    cwd: root,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  campaigns.push(npm);
  return npm;
}

type Running = { readonly pid: number; readonly parent: number; readonly command: string };

function allProcesses(): readonly Running[] {
  const table = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' });
  return table.split('\n').flatMap((line) => {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

function descendantsOf(ancestor: number | undefined): readonly Running[] {
  const all = allProcesses();
  const found = all.filter(({ parent }) => parent === ancestor);
  // The loop also visits the entries that it appends.
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  return found;
}

test('a campaign, its servers and its database end when its npm is killed with kill -9', async () => {
  const npm = startCampaign(100);
  const started = () => descendantsOf(npm.pid);
  const count = (part: string) => started().filter(({ command }) => command.includes(part)).length;
  const isUnderWay = () => count('bff/src/start/main.ts') >= 2 && count('postgres -D') >= 1;
  await expect.poll(isUnderWay, { timeout: 2 * patience.timeout, interval: 200 }).toBe(true);
  const killed = started();
  npm.kill('SIGKILL');
  // Another process may have got the same process id by then.
  const isLeft = (one: Running) => killed.some(({ pid, command }) => pid === one.pid && command === one.command);
  await expect.poll(() => allProcesses().filter(isLeft), { ...patience, interval: 200 }).toEqual([]);
}, 240_000);

test('a campaign ends as soon as it has printed its result', async () => {
  const npm = startCampaign(1);
  const ended = once(npm, 'exit');
  let told = '';
  npm.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
  await expect.poll(() => told, { timeout: 2 * patience.timeout, interval: 50 }).toContain('"runs":1');
  expect(await Promise.race([ended, setTimeout(patience.timeout, 'still running', { ref: false })])).toEqual([0, null]);
}, 240_000);
