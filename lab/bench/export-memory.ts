import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { exportFormats } from '@kilim/bff/contract/exports';
import { simulatorDefaults } from '../../bff/src/start/env-variables.ts';
import { startMailbox } from '../mailbox/start-mailbox.ts';
import { startSimulator } from '../square/start-simulator.ts';
import { type ChildServer, startChildServer } from '../testing/child-server.ts';
import { signInFirst } from '../testing/sign-in.ts';
import { readImageProcess } from './image-process.ts';
import { days, type SeededDatabase, until, withSeededDatabases } from './seeded-databases.ts';

// Measures the server's peak memory, started as in the image, during each export of a whole ledger, for a fast client
// and a slow one of a megabyte a second. Fails beyond the limit. Needs Linux. Usage: node lab/bench/export-memory.ts
// [100000] [--keep folder]

const mostMegabytes = 200;
const adminPassword = 'a Tabriz on the loom, 1911';
const slowBytesPerSecond = 2 ** 20;
const slowSeconds = 10;
const day = (instant: number) => new Date(instant).toISOString().slice(0, 10);
const range = `from=${day(until.getTime() - (days + 1) * 86_400_000)}&to=${day(until.getTime() + 86_400_000)}`;

type Office = { readonly server: ChildServer; readonly cookie: string };
type Read = { readonly megabytes: number; readonly seconds: number };

function download({ server, cookie }: Office, format: string, bytesPerSecond: number): Promise<Read> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  return new Promise((resolve, reject) => {
    const url = `${server.url}/api/admin/ledger/export?format=${format}&${range}`;
    const request = get(url, { agent: false, headers: { cookie } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${format}: ${answer.statusCode}`));
      let bytes = 0;
      const done = () => resolve({ megabytes: bytes / 2 ** 20, seconds: seconds() });
      const read = async () => {
        for await (const chunk of answer as AsyncIterable<Buffer>) {
          bytes += chunk.length;
          const aheadMs = (bytes / bytesPerSecond - seconds()) * 1000;
          if (aheadMs > 0) await setTimeout(aheadMs);
          if (bytesPerSecond !== Number.POSITIVE_INFINITY && seconds() > slowSeconds) break;
        }
      };
      read().then(done, reject);
    });
    request.once('error', reject);
  });
}

/** @returns the peak in MB. */
async function peakDuring({ process: { pid } }: ChildServer, work: () => Promise<unknown>): Promise<number> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  await work();
  return (await residentOf(pid)).peak;
}

async function residentOf(pid: number | undefined) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const value = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
  return { peak: value('VmHWM'), now: value('VmRSS') };
}

function say(cells: readonly (string | number)[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

async function measure({ url, orders }: SeededDatabase): Promise<void> {
  const { flags, variables } = await readImageProcess();
  const dataDir = await mkdtemp(join(tmpdir(), 'kilim-bench-'));
  const square = await startSimulator({ ...simulatorDefaults, host: '127.0.0.1', port: 0 });
  const mailbox = await startMailbox({ host: '127.0.0.1', port: 0 });
  const server = await startChildServer(
    {
      ...variables,
      ...mailbox.variables,
      DATA_DIR: dataDir,
      DATABASE_URL: url,
      SQUARE_BASE_URL: square.url,
      ADMIN_PASSWORD: adminPassword,
      DEMO_PARENT_PORT: '0',
    },
    { flags },
  );
  try {
    const office = { server, cookie: await signInFirst(server, adminPassword) };
    // The server seals and compares a ledger that it has not seen before.
    const first = await peakDuring(server, () => setTimeout(30_000));
    say([orders, 'first half minute', first, '', '']);
    for (const [client, speed] of [
      ['fast', Number.POSITIVE_INFINITY],
      ['slow', slowBytesPerSecond],
    ] as const) {
      for (const format of exportFormats) {
        let read: Read = { megabytes: 0, seconds: 0 };
        const peak = await peakDuring(server, async () => (read = await download(office, format, speed)));
        if (peak > mostMegabytes) process.exitCode = 1;
        say([orders, `${format}, ${client}`, peak, read.megabytes.toFixed(1), read.seconds.toFixed(1)]);
      }
    }
  } finally {
    await server.stop();
    await square.close();
    await mailbox.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await withSeededDatabases([100_000], async (databases) => {
  say(['orders', 'export, client', 'peak MB', 'MB read', 's']);
  say(['---:', '---', '---:', '---:', '---:']);
  for (const database of databases) await measure(database);
});
