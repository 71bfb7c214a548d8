import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureFirstAdministrator } from '../src/admin/accounts.ts';
import { adminCookies } from '../src/admin/admin-cookies.ts';
import { createAdminGuard } from '../src/admin/guard.ts';
import { startSession } from '../src/admin/sessions.ts';
import { connect, type Sql } from '../src/database.ts';
import { startEmbeddedPostgres } from '../src/embedded/postgres.ts';
import { backOffice } from '../src/http/back-office.ts';
import { migrate } from '../src/migrate.ts';
import { writeSampleOrders } from '../src/testing/sample-orders.ts';
import { countDays } from '../src/use-case/count-days.ts';
import type { PaymentWorld } from '../src/use-case/record-payment.ts';

// How long the back office takes to answer, from the request to the last byte of JSON, with few orders and with many. Both databases are asked
// the same in turn, so whatever else the machine does befalls both. `node bff/bench/admin-lists.ts 1000000` adds that many orders.

const sizes = [1000, 100_000, ...process.argv.slice(2).map(Number)];
const rounds = 60;
const timeZone = 'America/Los_Angeles';
const until = new Date('2026-11-21T19:00:00Z');
const threeYears = 1095;

type BackOffice = { readonly size: number; readonly ask: (path: string) => Promise<Response> };
type Question = { readonly what: string; readonly path: (office: BackOffice) => string };

/** Found at any size: the newest order that has this number. */
const number = 207;
const name = 'First007 Last01449';
const questions: readonly Question[] = [
  { what: 'first page', path: () => '/orders' },
  { what: 'last page', path: ({ size }) => `/orders?page=${(size * 0.95) / 10}` },
  { what: 'middle page', path: ({ size }) => `/orders?page=${Math.floor((size * 0.95) / 20)}` },
  { what: 'first page, refund pending', path: () => '/orders?status=pending' },
  {
    what: 'last page, pickup, fully refunded',
    path: ({ size }) => `/orders?delivery=dropoff&status=full&page=${size / 500}`,
  },
  { what: 'one month, oldest first', path: () => '/orders?from=2025-03-01&to=2025-03-31&sort=createdAt' },
  { what: 'search: name and family name', path: () => `/orders?search=${encodeURIComponent(name)}` },
  { what: 'search: email', path: () => `/orders?search=first7.last1449.n${number}@example.com` },
  { what: 'search: telephone', path: () => '/orders?search=(333)%20333-3207' },
  { what: 'search: a family name', path: () => '/orders?search=Last01449' },
  { what: 'search: a first name, one in 200', path: () => '/orders?search=First007' },
  { what: 'search: everybody', path: () => '/orders?search=@example.com' },
  { what: 'refunds, first page', path: () => '/refunds' },
  { what: 'refunds, last page', path: ({ size }) => `/refunds?page=${Math.floor((size * 0.07) / 10)}` },
  { what: 'statistics of 30 days', path: () => '/statistics' },
];

async function openBackOffice(sql: Sql, size: number): Promise<BackOffice> {
  await ensureFirstAdministrator(sql, { username: 'bench', password: undefined, production: false });
  const from = { address: '127.0.0.1', userAgent: 'bench', replacing: undefined };
  const { token } = await startSession(sql, 'bench', from);
  // Nothing that is asked here pays or refunds.
  const world = { sql, now: () => until } as PaymentWorld;
  const app = backOffice(world, timeZone)(createAdminGuard(sql, adminCookies({ secure: false })));
  const headers = { cookie: `kilim_admin=${token}` };
  return { size, ask: async (path) => app.request(path, { headers }) };
}

async function fill(url: string, size: number): Promise<Sql> {
  const name = `bench_${size}`;
  const admin = connect({ url, max: 1, applicationName: 'kilim bench' });
  await admin`create database ${admin(name)}`;
  await admin.end();
  const own = new URL(url);
  own.pathname = `/${name}`;
  await migrate({ url: own.href });
  const owner = connect({ url: own.href, max: 1, applicationName: 'kilim bench', statementTimeoutSeconds: 3600 });
  await writeSampleOrders(owner, { orders: size, days: threeYears, until });
  while ((await countDays(owner, timeZone)) > 0);
  await owner`vacuum analyze`;
  await owner.end();
  return connect({ url: own.href, role: 'kilim_app', max: 4, applicationName: 'kilim bench' });
}

async function milliseconds({ ask }: BackOffice, path: string): Promise<number> {
  const started = performance.now();
  const answer = await ask(path);
  const text = await answer.text();
  if (answer.status !== 200 || !/"(_id|days)"/.test(text)) throw new Error(`${path}: ${answer.status} ${text}`);
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  return values.toSorted((first, second) => first - second)[Math.floor(values.length / 2)] ?? 0;
}

async function measure(offices: readonly BackOffice[], { what, path }: Question): Promise<void> {
  const taken = offices.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, office] of offices.entries()) {
      taken[index]?.push(await milliseconds(office, path(office)));
    }
  }
  const medians = taken.map(median);
  const [first = 0] = medians;
  const cells = medians.map((value) => `${value.toFixed(1).padStart(8)} ms`);
  const ratios = medians.slice(1).map((value) => `${(value / first).toFixed(2).padStart(6)}x`);
  process.stdout.write(`${what.padEnd(36)} | ${cells.join(' | ')} | ${ratios.join(' | ')}\n`);
}

const dataDir = await mkdtemp(join(tmpdir(), 'kilim-bench-'));
const server = await startEmbeddedPostgres({ dataDir, persistent: false });
try {
  const pools: Sql[] = [];
  for (const size of sizes) pools.push(await fill(server.url, size));
  const offices = await Promise.all(sizes.map((size, index) => openBackOffice(pools[index] as Sql, size)));
  const heads = sizes.map((size) => `${size.toLocaleString('en-US').padStart(11)}`);
  process.stdout.write(`${'median of 60, orders:'.padEnd(36)} | ${heads.join(' | ')} | ratio\n`);
  for (const question of questions) await measure(offices, question);
  await Promise.all(pools.map((sql) => sql.end()));
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
