import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../bff/src/start/embedded/postgres.ts';
import { simulatorDefaults } from '../../bff/src/start/env-variables.ts';
import { startMailbox } from '../mailbox/start-mailbox.ts';
import { startSimulator } from '../square/start-simulator.ts';
import { type ChildServer, startChildServer } from '../testing/child-server.ts';
import { readImageProcess } from './image-process.ts';
import { openMixedRequests } from './mixed-requests.ts';

// Measures the server's memory, started as in the image, while it answers mixed requests. Node's cache of compiled code
// is filled by an earlier start, so after a change run it twice. Fails when a process with Square outside needs more
// than the limit, or grows during the last third; a local Square inside keeps its payments in memory.
// Usage: node lab/bench/memory.ts [--requests 30000] [--square inside|outside]

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '30000' },
    square: { type: 'string' },
  },
});
const requests = Number(values.requests);
const step = Math.max(1, Math.round(requests / 30));
const places = values.square === undefined ? (['outside', 'inside'] as const) : [values.square];
const mostMegabytes = 250;
/** More over the last third is no noise of the garbage collector. */
const mostGrowthMegabytes = 10;
const adminPassword = 'a Tabriz on the loom, 1911';
const metricsToken = 'a-token-for-metrics';
const reportMemory = fileURLToPath(new URL('../testing/report-memory.ts', import.meta.url));

type Memory = NodeJS.MemoryUsage & { readonly cpuSeconds: number };
type Sample = Memory & { readonly sent: number };

async function memoryOf({ process: child }: ChildServer, question: 'memory' | 'collected memory') {
  child.send(question);
  const [{ memory }] = (await once(child, 'message')) as [{ memory: Memory }];
  return memory;
}

function say(cells: readonly (string | number)[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}

function show(name: string | number, memory: Memory): void {
  const { rss, heapUsed, heapTotal, external, arrayBuffers, cpuSeconds } = memory;
  say([name, ...[rss, heapUsed, heapTotal, external, arrayBuffers].map(megabytes), cpuSeconds.toFixed(1)]);
}

async function measure(server: ChildServer): Promise<readonly Sample[]> {
  const send = await openMixedRequests({ ...server, adminPassword, metricsToken });
  const samples: Sample[] = [];
  for (let sent = 0; sent < requests; ) {
    sent += await send(step);
    const sample = { ...(await memoryOf(server, 'memory')), sent };
    samples.push(sample);
    show(sent, sample);
  }
  return samples;
}

/** The slope of the regression line over the last third, in MB. */
function growthOf(samples: readonly Sample[]): number {
  const last = samples.slice(-Math.ceil(samples.length / 3));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(last.map(({ sent }) => sent)), mean(last.map(({ rss }) => rss))];
  const over = last.reduce((sum, { sent, rss }) => sum + (sent - x) * (rss - y), 0);
  const under = last.reduce((sum, { sent }) => sum + (sent - x) ** 2, 0);
  return ((over / under) * (requests / 3)) / 2 ** 20;
}

async function measureServer(databaseUrl: string, square: string): Promise<boolean> {
  const { flags, variables } = await readImageProcess();
  const dataDir = await mkdtemp(join(tmpdir(), 'kilim-bench-'));
  const simulator =
    square === 'inside' ? undefined : await startSimulator({ ...simulatorDefaults, host: '127.0.0.1', port: 0 });
  const mailbox = await startMailbox({ host: '127.0.0.1', port: 0 });
  const server = await startChildServer(
    {
      ...variables,
      ...mailbox.variables,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      ...(simulator === undefined ? {} : { SQUARE_BASE_URL: simulator.url }),
      ADMIN_PASSWORD: adminPassword,
      METRICS_TOKEN: metricsToken,
      DEMO_PARENT_PORT: '0',
      THROTTLE_FACTOR: '1000000',
      DECLINES_PER_HOUR: '10000',
    },
    { loaders: [reportMemory], flags },
  );
  simulator?.subscribe({
    url: `${server.url}/api/webhooks/square`,
    signatureKey: simulatorDefaults.webhookSignatureKey,
  });
  try {
    say([`requests, Square ${square}`, 'resident MB', 'heap used', 'heap', 'external', 'array buffers', 'CPU s']);
    say(['---', '---:', '---:', '---:', '---:', '---:', '---:']);
    show('started', await memoryOf(server, 'memory'));
    const samples = await measure(server);
    const most = megabytes(Math.max(...samples.map(({ rss }) => rss)));
    const growth = growthOf(samples);
    show('collected', await memoryOf(server, 'collected memory'));
    process.stdout.write(`At most ${most} MB, ${growth.toFixed(1)} MB growth over the last third.\n\n`);
    return square === 'inside' || (most <= mostMegabytes && growth <= mostGrowthMegabytes);
  } finally {
    await server.stop();
    await simulator?.close();
    await mailbox.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function withDatabase<Done>(work: (url: string) => Promise<Done>): Promise<Done> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kilim-bench-'));
  const database = await startEmbeddedPostgres({ dataDir });
  try {
    return await work(database.url);
  } finally {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

for (const square of places) {
  const holds = await withDatabase((url) => measureServer(url, square));
  if (!holds) process.exitCode = 1;
}
