import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect } from '../../bff/src/core/database/database.ts';
import { readLastCheckpoint } from '../../bff/src/proof/checkpoint.ts';
import { median } from './measure.ts';
import { findPostgresProgram } from './postgres-programs.ts';
import { days, type SeededDatabase, until, withSeededDatabases } from './seeded-databases.ts';

// Measures the commands that read all events: seal, verify, rebuild, export. In turn, psql copies the same rows to
// nowhere, the least that reading costs. Usage: node lab/bench/whole-ledger.ts [1000 100000 1000000] [--keep folder]

/** A million orders take minutes each round. */
const roundsFor = (orders: number) => (orders > 500_000 ? 1 : 3);
/** As in `npm run ledger`. */
const flags = ['--max-semi-space-size=2'];
const cli = fileURLToPath(new URL('../../bff/src/start/cli/ledger.ts', import.meta.url));
const day = (instant: number) => new Date(instant).toISOString().slice(0, 10);
const range = ['--from', day(until.getTime() - (days + 1) * 86_400_000), '--to', day(until.getTime() + 86_400_000)];

const allEvents = 'copy ledger.event to stdout';
const exportedEvents = `copy (
  select position, event_id, stream_id, version, type, occurred_at, recorded_at, refund_id, amount_cents, currency, actor, request_id, hash
  from ledger.event order by epoch, xid, position
) to stdout csv`;

type Work = { readonly what: string; readonly args: readonly string[]; readonly limit: string };
const works: readonly Work[] = [
  { what: 'verify', args: ['verify'], limit: allEvents },
  { what: 'rebuild', args: ['rebuild'], limit: allEvents },
  { what: 'export, event log CSV', args: ['export', '--kind', 'csv', ...range], limit: exportedEvents },
];

type Ran = { readonly seconds: number; readonly mostMegabytes: number };

async function run(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const started = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...environment } });
  child.stdout.resume();
  const watched = watchMemory(child);
  const [code] = (await once(child, 'exit')) as [number];
  const seconds = (performance.now() - started) / 1000;
  // 3: without a kept note, verify finds no fault and proves nothing.
  if (code !== 0 && code !== 3) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
  return { seconds, mostMegabytes: await watched };
}

/** 0 where /proc does not exist. */
async function watchMemory(child: ChildProcess): Promise<number> {
  let most = 0;
  while (child.exitCode === null) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
    await setTimeout(50);
  }
  return most / 1024;
}

type Tools = {
  readonly psql: readonly [string, ...string[]];
  /** A machine remembers the seals of each database by its name. */
  readonly dataDir: string;
};

async function measure({ url, orders }: SeededDatabase, { psql, dataDir }: Tools): Promise<void> {
  const sql = connect({ url, max: 1, applicationName: 'kilim bench', statementTimeoutSeconds: 0 });
  const { to = { epoch: 0, xid: '0' } } = (await readLastCheckpoint(sql)) ?? {};
  const [counted] = await sql<{ events: number; unsealed: number }[]>`
    select count(*) as events, count(*) filter (where (epoch, xid) >= (${to.epoch}::smallint, ${to.xid}::text::xid8)) as unsealed
    from ledger.event`;
  await sql.end();
  const { events = 0, unsealed = 0 } = counted ?? {};
  const environment = { DATABASE_URL: url, DATA_DIR: dataDir };
  const sealing = await run(process.execPath, [cli, 'checkpoint'], environment);
  // A kept database is sealed already. A running server seals with the same steps.
  if (unsealed === events) {
    const rate = Math.round(events / sealing.seconds).toLocaleString('en-US');
    say([orders.toLocaleString('en-US'), 'seal', rate, '', '', `${sealing.mostMegabytes.toFixed(0)} MB`]);
  }
  const [program, ...first] = psql;
  for (const { what, args, limit } of works) {
    const ours: Ran[] = [];
    const limits: Ran[] = [];
    for (let round = 0; round < roundsFor(orders); round += 1) {
      limits.push(await run(program, [...first, '-X', '-q', '-c', limit, url]));
      ours.push(await run(process.execPath, [...flags, cli, ...args], environment));
    }
    const rateOf = (ran: readonly Ran[]) => events / median(ran.map(({ seconds }) => seconds));
    const perSecond = [rateOf(ours), rateOf(limits)].map((rate) => Math.round(rate).toLocaleString('en-US'));
    const ratio = (rateOf(ours) / rateOf(limits)).toFixed(2);
    const memory = `${Math.max(...ours.map(({ mostMegabytes }) => mostMegabytes)).toFixed(0)} MB`;
    say([orders.toLocaleString('en-US'), what, ...perSecond, ratio, memory]);
  }
}

function say(cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

await withSeededDatabases([1000, 100_000], async (databases) => {
  const psql = await findPostgresProgram('psql', tmpdir());
  if (psql === undefined) throw new Error('psql is neither installed nor in a local Docker image.');
  say(['orders', '', 'events per second', 'psql copies', 'ratio', 'memory']);
  say(['---:', '---', '---:', '---:', '---:', '---:']);
  const dataDir = await mkdtemp(join(tmpdir(), 'kilim-bench-data-'));
  for (const database of databases) await measure(database, { psql, dataDir });
  await rm(dataDir, { recursive: true });
});
