import { exportFormats } from '@kilim/bff/contract/exports';
import type { Day } from '@kilim/domain/day';
import { readContents } from '../../bff/src/accounting/export/contents.ts';
import { exportKinds } from '../../bff/src/accounting/export/kinds.ts';
import { openScope } from '../../bff/src/accounting/export/scope.ts';
import { certifyClosings } from '../../bff/src/accounting/use-case/certify-closings.ts';
import { closePeriod } from '../../bff/src/accounting/use-case/close-period.ts';
import { connect, type Sql } from '../../bff/src/core/database/database.ts';
import { createLogger } from '../../bff/src/core/runtime/logger.ts';
import { median } from './measure.ts';
import { payOut } from './pay-out.ts';
import { type SeededDatabase, timeZone, withSeededDatabases } from './seeded-databases.ts';

// Measures each export of one month and of one year, of paid out orders and closed months. Fails when one takes longer
// than the limit. Usage: node lab/bench/exports.ts [100000] [--keep folder]

const rounds = 3;
const month = { name: 'month', from: '2026-10-01' as Day, to: '2026-10-31' as Day, mostMs: 1500 };
const year = { name: 'year', from: '2025-11-01' as Day, to: '2026-10-31' as Day, mostMs: 15_000 };

type Taken = { readonly ms: number; readonly bytes: number };

async function download(sql: Sql, format: (typeof exportFormats)[number], range: typeof month): Promise<Taken> {
  const started = performance.now();
  const scope = await openScope(sql, timeZone, range);
  let bytes = 0;
  for await (const piece of exportKinds[format].pieces(sql, { scope })) bytes += Buffer.byteLength(piece);
  return { ms: performance.now() - started, bytes };
}

async function count(sql: Sql, range: typeof month): Promise<Taken> {
  const started = performance.now();
  await readContents(sql, await openScope(sql, timeZone, range));
  return { ms: performance.now() - started, bytes: 0 };
}

async function several(what: string, { name, mostMs }: typeof month, take: () => Promise<Taken>): Promise<void> {
  await take();
  const taken: Taken[] = [];
  for (let round = 0; round < rounds; round += 1) taken.push(await take());
  const middle = median(taken.map(({ ms }) => ms));
  if (middle > mostMs) process.exitCode = 1;
  const longest = Math.max(...taken.map(({ ms }) => ms));
  say([name, what, ((taken[0]?.bytes ?? 0) / 1000).toFixed(0), middle.toFixed(0), longest.toFixed(0)]);
}

async function measure({ url }: SeededDatabase): Promise<void> {
  const sql = connect({ url, max: 3, applicationName: 'kilim bench', statementTimeoutSeconds: 0 });
  if ((await payOut(sql)) > 0) await sql`vacuum analyze`;
  const world = { sql, log: createLogger({ level: 'silent' }), now: () => new Date(), timeZone };
  for (const through of ['2026-09-30' as Day, month.to])
    await closePeriod(world, through, { by: 'bench', requestId: through });
  const started = performance.now();
  await certifyClosings(world);
  process.stderr.write(`The months were certified in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  for (const range of [month, year]) {
    for (const format of exportFormats) await several(format, range, () => download(sql, format, range));
    await several('contents of the page', range, () => count(sql, range));
  }
  await sql.end();
}

function say(cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

await withSeededDatabases([100_000], async (databases) => {
  say(['of one', 'export', 'kB', 'median ms', 'longest ms']);
  say(['---', '---', '---:', '---:', '---:']);
  for (const database of databases) await measure(database);
});
