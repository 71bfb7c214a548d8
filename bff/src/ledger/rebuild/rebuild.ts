import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { Horizon } from '@kilim/domain/accounting/books';
import postgres from 'postgres';
import { connect, type Sql, type Transaction } from '../../database/database.ts';
import { limitConcurrency } from '../../server/limit-concurrency.ts';
import { readHorizon } from '../horizon.ts';
import { beginDays, countRowsOfDays, replaceDays } from './day-counts.ts';
import { catchUp, fill, planReading, renewSince, tables, type Work } from './fill.ts';
import { unreadableEvents } from './fold-in-sql.ts';
import { provePayoutEntries, proveShadows } from './prove-shadows.ts';
import { analyzeShadow, copyStatistics, createShadow, dropShadows, letOthersEnd, swapShadows } from './shadow-table.ts';

export type RebuildOptions = {
  /** The URL of the owner's login. */
  readonly url: string;
  /** Gets the number of events read since the last call. */
  readonly onProgress: (events: number) => void;
};

export type Rebuilt = {
  readonly orders: number;
  readonly refunds: number;
  readonly payoutEntries: number;
  /** Wrong rows of orders. */
  readonly corrected: number;
  /** Wrong entries of payouts. */
  readonly correctedEntries: number;
  /** How long appends waited for the swap. */
  readonly swapMs: number;
};

/** A number that no other advisory lock of this database uses. */
const rebuildLock = [0x6b696c69, 2] as const;

/**
 * Rebuilds the projections while the shop is open: fills shadow tables, catches up with new
 * appends, proves the rows, and swaps the tables in one short transaction. Nothing live changes
 * before, so a killed rebuild leaves everything as it was, and the next one cleans up.
 * @throws Error with a sentence if it is impossible; then nothing has changed.
 */
export async function rebuildProjections({ url, onProgress }: RebuildOptions): Promise<Rebuilt> {
  const workers = Math.min(availableParallelism(), 4);
  const sql = connect({
    url: inHaste(url),
    max: workers,
    applicationName: 'kilim rebuild',
    statementTimeoutSeconds: 0,
  });
  const alone = connect({ url, max: 1, applicationName: 'kilim rebuild', statementTimeoutSeconds: 0 });
  try {
    const [[lock], plan] = await Promise.all([
      // The session holds the lock, so the lock ends with this process.
      alone<{ free: boolean }[]>`
        select pg_try_advisory_lock(${rebuildLock[0]}::int, ${rebuildLock[1]}::int) as free`,
      planReading(sql),
    ]);
    if (lock?.free !== true) throw new Error('Another rebuild is running.');
    return await rebuildBeside({ sql, inTurn: limitConcurrency(workers, Number.POSITIVE_INFINITY), plan, onProgress });
  } finally {
    await Promise.all([sql.end({ timeout: 1 }), alone.end({ timeout: 1 })]);
  }
}

async function rebuildBeside(work: Work): Promise<Rebuilt> {
  const { sql, inTurn } = work;
  await dropShadows(sql);
  for (const table of tables) await createShadow(sql, table);
  const begun = await readHorizon(sql);
  const days = await beginDays(sql);
  try {
    await fill(work, days);
    const [proven] = await Promise.all([
      inTurn(() => catchUpAndProve(sql, begun)),
      inTurn(() => countRowsOfDays(sql, days)),
      ...tables.map((table) => inTurn(() => copyStatistics(sql, table))),
    ]);
    const { caughtUp, ...corrections } = proven;
    if (corrections.corrected + corrections.correctedEntries > 0) await sampleShadows(work);
    const swapMs = await swap(sql, caughtUp);
    const [counts] = await Promise.all([countRows(sql), replaceDays(sql, days)]);
    await letOthersEnd(sql);
    await dropShadows(sql);
    return { ...counts, ...corrections, swapMs };
  } catch (error) {
    // A data or constraint error may come from a payload with an unknown version.
    if (error instanceof postgres.PostgresError && /^2[23]/.test(error.code)) await refuseUnreadable(sql);
    throw error;
  }
}

/** Statistics of wrong rows do not fit the right ones. */
async function sampleShadows({ sql, inTurn }: Work): Promise<void> {
  await Promise.all(tables.map((table) => inTurn(() => analyzeShadow(sql, table))));
}

type Proven = Pick<Rebuilt, 'corrected' | 'correctedEntries'> & { readonly caughtUp: Horizon };

async function catchUpAndProve(sql: Sql, begun: Horizon): Promise<Proven> {
  const caughtUp = await catchUp(sql, begun);
  return { caughtUp, corrected: await proveShadows(sql), correctedEntries: await provePayoutEntries(sql) };
}

/**
 * Joins and sorts in memory, and commits without waiting for the disk: a crash loses only the
 * rebuild or its last moments. Every connection builds its own indexes, so parallel workers and JIT
 * do not help.
 */
function inHaste(url: string): string {
  const settings =
    'work_mem=64MB&maintenance_work_mem=256MB&max_parallel_maintenance_workers=0&jit=off&synchronous_commit=off';
  return `${url}${url.includes('?') ? '&' : '?'}${settings}`;
}

async function refuseUnreadable(sql: Sql): Promise<void> {
  const [event] = await sql.unsafe<{ type: string; schema_version: number }[]>(unreadableEvents);
  if (event === undefined) return;
  throw new Error(
    `The ledger holds ${event.type} in version ${event.schema_version}, which rebuilding does not know yet.`,
  );
}

const mostTries = 40;

/** Lets other sessions go first: waits half a second for the lock, then pauses before the next try. */
async function swap(sql: Sql, from: Horizon): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await sql.begin((transaction) => swapOnce(transaction, from));
    } catch (error) {
      const code = error instanceof postgres.PostgresError ? error.code : '';
      if (code === '2BP01' && error instanceof postgres.PostgresError) {
        throw new Error(
          `Something else holds the old tables, so nothing was changed: ${error.detail ?? error.message}`,
        );
      }
      // Lock not available, deadlock detected.
      if (!['55P03', '40P01'].includes(code) || tries === mostTries) throw error;
      await setTimeout(100 + Math.random() * 200);
    }
  }
}

async function swapOnce(transaction: Transaction, from: Horizon): Promise<number> {
  await transaction.unsafe("set local lock_timeout = '500ms'");
  await transaction.unsafe(
    `lock table ${tables.map((table) => `ledger.${table}`).join(', ')} in access exclusive mode`,
  );
  // From here on no session can append to an order, and every earlier append has committed.
  const lockedAt = performance.now();
  await renewSince(transaction, from);
  await swapShadows(transaction, tables);
  return performance.now() - lockedAt;
}

type Counts = Pick<Rebuilt, 'orders' | 'refunds' | 'payoutEntries'>;

async function countRows(sql: Sql): Promise<Counts> {
  const [count] = await sql<Counts[]>`
    select (select count(*) from ledger.order_summary) as orders, (select count(*) from ledger.refund_history) as refunds,
      (select count(*) from ledger.payout_entry) as "payoutEntries"`;
  return count ?? { orders: 0, refunds: 0, payoutEntries: 0 };
}
