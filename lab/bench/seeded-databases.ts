import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { countDays } from '../../bff/src/core/background/count-days.ts';
import { connect, type Sql } from '../../bff/src/core/database/database.ts';
import { migrate } from '../../bff/src/core/database/migrate.ts';
import { startEmbeddedPostgres } from '../../bff/src/start/embedded/postgres.ts';
import { seedOrders } from '../seed/seed-orders.ts';

// On one server, so that few orders and many meet the same conditions.

export const timeZone = 'America/Los_Angeles';
export const until = new Date('2026-11-21T19:00:00Z');
export const days = 1095;

export type SeededDatabase = {
  readonly orders: number;
  /** Connects as the owner. */
  readonly url: string;
};

/** The arguments are the sizes. `--keep folder` reuses databases: writing a million orders takes minutes. */
export async function withSeededDatabases(
  defaultSizes: readonly number[],
  work: (databases: readonly SeededDatabase[]) => Promise<void>,
): Promise<void> {
  const { values, positionals } = parseArgs({ options: { keep: { type: 'string' } }, allowPositionals: true });
  const sizes = positionals.length === 0 ? defaultSizes : positionals.map(Number);
  const dataDir = values.keep ?? (await mkdtemp(join(tmpdir(), 'kilim-bench-')));
  const server = await startEmbeddedPostgres({ dataDir });
  try {
    const databases: SeededDatabase[] = [];
    for (const orders of sizes) databases.push({ orders, url: await seeded(server.url, orders) });
    await work(databases);
  } finally {
    await server.stop();
    if (values.keep === undefined) await rm(dataDir, { recursive: true, force: true });
  }
}

async function seeded(serverUrl: string, orders: number): Promise<string> {
  const name = `bench_${orders}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const admin = connect({ url: serverUrl, max: 1, applicationName: 'kilim bench' });
  const there = await admin`select from pg_database where datname = ${name}`;
  if (there.length === 0) await admin`create database ${admin(name)}`;
  await admin.end();
  await migrate({ url: url.href });
  const owner = connect({ url: url.href, max: 1, applicationName: 'kilim bench', statementTimeoutSeconds: 0 });
  await fill(owner, orders);
  await owner.end();
  return url.href;
}

async function fill(owner: Sql, orders: number): Promise<void> {
  const [{ found } = { found: 0 }] = await owner<{ found: number }[]>`
    select count(*)::int as found from ledger.order_summary`;
  if (found === orders) return;
  if (found > 0) throw new Error(`The database has ${found} orders instead of ${orders}: remove the folder.`);
  process.stderr.write(`Writing ${orders.toLocaleString('en-US')} orders...\n`);
  await seedOrders(owner, { orders, days, until, seed: 1 }, () => undefined);
  while ((await countDays(owner, timeZone)) > 0);
  await owner`vacuum analyze`;
}
