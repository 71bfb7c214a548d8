import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OrderId } from '@kilim/domain/order/ids';
import { v7 } from 'uuid';
import { connect, type Sql, serverConnections } from '../../bff/src/core/database/database.ts';
import { migrate } from '../../bff/src/core/database/migrate.ts';
import { orderCodec } from '../../bff/src/core/ledger/codecs/order.ts';
import { authenticateAppends } from '../../bff/src/proof/authentic-event.ts';
import { macKeyOf } from '../../bff/src/proof/event-mac.ts';
import { startEmbeddedPostgres } from '../../bff/src/start/embedded/postgres.ts';
import { appendEvents, appendOrder, createBareTable, insertBareRow, median, orderEvents, rate } from './measure.ts';
import { pgbenchOf, statementOfAppend } from './pgbench.ts';

// Measures the append of an order's first two events: command, hash chain, list row and money check in one statement.
// In turn on the same durable server: one INSERT of a row of the same size (the least that an append costs), the same
// statement from pgbench (what the server can do), and emmett's append of the same events. Then appends with and
// without MACs run in pairs: their ratio is near 1, so it needs many samples. The ratios count: the figures depend on
// the machine. Usage: node lab/bench/append.ts

const rounds = 5;
const seconds = 2;
const pairs = 20;
const emmett = fileURLToPath(new URL('./emmett', import.meta.url));

type Sample = { readonly perSecond: number; readonly clientMicroseconds: number; readonly serverMicroseconds: number };
type Contender = {
  readonly name: string;
  readonly run: (inFlight: number) => Promise<Omit<Sample, 'serverMicroseconds'>>;
};

async function contenders({ sql, authenticated }: Pools, url: string): Promise<readonly Contender[]> {
  const ours = (once: () => Promise<unknown>) => async (inFlight: number) => {
    const before = process.cpuUsage();
    let done = 0;
    const perSecond = await rate(inFlight, async () => {
      await once();
      done += 1;
    });
    const { user, system } = process.cpuUsage(before);
    return { perSecond, clientMicroseconds: (user + system) / done };
  };
  const found: Contender[] = [
    { name: 'one bare INSERT', run: ours(() => insertBareRow(sql)) },
    { name: 'append', run: ours(() => appendEvents(authenticated)) },
    { name: 'append with contact and effect', run: ours(() => appendOrder(authenticated)) },
  ];
  const pgbench = await pgbenchOf(url, await statementOfAppend(sql));
  if (pgbench === undefined) say('pgbench is neither installed nor in a local Docker image: skipped.');
  else found.push({ name: 'the first append, pgbench', run: (inFlight) => pgbench({ inFlight, seconds }) });
  if (!existsSync(join(emmett, 'node_modules'))) say('To compare with emmett: npm ci --prefix lab/bench/emmett');
  else found.push({ name: 'emmett 0.42 with a projection', run: (inFlight) => runEmmett(url, inFlight) });
  return found;
}

/** Alternates within a pair, because the table grows. */
async function compareMacs({ sql, authenticated }: Pools): Promise<void> {
  for (const inFlight of [1, 16]) {
    const ratios: number[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      const rates = new Map<Sql, number>();
      for (const pool of pair % 2 === 0 ? [sql, authenticated] : [authenticated, sql]) {
        rates.set(pool, await rate(inFlight, () => appendEvents(pool)));
      }
      ratios.push((rates.get(authenticated) ?? 0) / (rates.get(sql) ?? 1));
    }
    const sorted = ratios.toSorted((first, second) => first - second);
    const [low, high] = [sorted[pairs / 4] ?? 0, sorted[(pairs * 3) / 4] ?? 0];
    say(
      `${inFlight} in flight: with MACs ${median(ratios).toFixed(2)} of without, in ${pairs} pairs (quartiles ${low.toFixed(2)} and ${high.toFixed(2)})`,
    );
  }
}

type Pools = { readonly sql: Sql; readonly authenticated: Sql };

async function runEmmett(url: string, inFlight: number): Promise<Omit<Sample, 'serverMicroseconds'>> {
  const events = orderEvents(v7() as OrderId).map((event) => {
    const { type, payload } = orderCodec.encode(event);
    return { type, data: JSON.parse(payload) as unknown };
  });
  const child = spawn(process.execPath, [join(emmett, 'append.js'), url, String(inFlight), String(seconds)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(events));
  let said = '';
  for await (const chunk of child.stdout) said += String(chunk);
  const { perSecond, microseconds } = JSON.parse(said) as { perSecond: number; microseconds: number };
  return { perSecond, clientMicroseconds: microseconds };
}

/** With all its sessions; 0 where /proc does not exist. */
async function serverMicroseconds(dataDir: string): Promise<number> {
  const pidFile = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '');
  const postmaster = pidFile.split('\n')[0];
  if (!postmaster || !existsSync('/proc/self/stat')) return 0;
  let ticks = 0;
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // The parent accumulates the CPU time of its ended children.
    if (pid === postmaster) ticks += [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
    else if (fields[1] === postmaster) ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * 10_000;
}

async function sampleOf({ run }: Contender, inFlight: number, dataDir: string): Promise<Sample> {
  const before = await serverMicroseconds(dataDir);
  const sample = await run(inFlight);
  const spent = (await serverMicroseconds(dataDir)) - before;
  return { ...sample, serverMicroseconds: spent / (sample.perSecond * seconds) };
}

async function compare(pools: Pools, url: string, dataDir: string): Promise<void> {
  const all = await contenders(pools, url);
  say('| in flight | | per second | of the bare INSERT | of pgbench | CPU client + server, microseconds |');
  say('| ---: | --- | ---: | ---: | ---: | ---: |');
  for (const inFlight of [1, 16]) {
    const samples = all.map((): Sample[] => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, contender] of all.entries())
        samples[index]?.push(await sampleOf(contender, inFlight, dataDir));
    }
    const rates = samples.map((of) => median(of.map(({ perSecond }) => perSecond)));
    const limit = rates[all.findIndex(({ name }) => name.endsWith('pgbench'))];
    for (const [index, { name }] of all.entries()) {
      const own = rates[index] ?? 0;
      const client = median(samples[index]?.map(({ clientMicroseconds }) => clientMicroseconds) ?? []);
      const server = median(samples[index]?.map((sample) => sample.serverMicroseconds) ?? []);
      const cells = [inFlight, name, own.toFixed(0), (own / (rates[0] ?? 1)).toFixed(2)];
      const ofLimit = limit === undefined ? '-' : (own / limit).toFixed(2);
      say(`| ${[...cells, ofLimit, `${client.toFixed(0)} + ${server.toFixed(0)}`].join(' | ')} |`);
    }
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const dataDir = await mkdtemp(join(tmpdir(), 'kilim-bench-'));
const server = await startEmbeddedPostgres({ dataDir });
try {
  await migrate({ url: server.url });
  const options = { url: server.url, max: serverConnections, applicationName: 'kilim bench' };
  const pools = { sql: connect(options), authenticated: connect(options) };
  const { sql, authenticated } = pools;
  const { privateKey } = generateKeyPairSync('ed25519');
  authenticateAppends(authenticated, macKeyOf({ name: 'kilim/ledger', privateKey }));
  await createBareTable(sql);
  await sql`create table emmett_summary (order_id uuid primary key, version int, total_cents bigint, payment_status text)`;
  await compare(pools, server.url, dataDir);
  await compareMacs(pools);
  await Promise.all([sql.end(), authenticated.end()]);
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
