import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import postgres from 'postgres';
import { connect, type Sql, type Transaction } from '../../database/database.ts';
import { limitConcurrency } from '../../server/limit-concurrency.ts';
import { beginDays, countRowsOfDays, replaceDays } from './day-counts.ts';
import { catchUp, fill, type Horizon, planReading, readHorizon, renewSince, tables, type Work } from './fill.ts';
import { unreadableEvents } from './fold-in-sql.ts';
import { provePayoutEntries, proveShadows } from './prove-shadows.ts';
import { analyzeShadow, copyStatistics, createShadow, dropShadows, letOthersEnd, swapShadows } from './shadow-table.ts';

export type RebuildOptions = {
  /** The owner's login. */
  readonly url: string;
  /** Hears how many events were read since it last did. */
  readonly onProgress: (events: number) => void;
};

export type Rebuilt = {
  readonly orders: number;
  readonly refunds: number;
  readonly payoutEntries: number;
  /** Rows of orders that were not what the ledger says. */
  readonly corrected: number;
  /** Entries of payouts that were not. */
  readonly correctedEntries: number;
  /** How long appends had to wait while the tables changed places. */
  readonly swapMs: number;
};

/** A number of our own, so that no other advisory lock of this database can be taken for ours. */
const rebuildLock = [0x6b696c69, 2] as const;

/**
 * Makes the tables that are derived from the ledger anew, while the shop goes on: successors are filled from the events, catch up with what was
 * appended meanwhile, are proven, and take the places of the live tables in one short transaction. Until then nothing live is touched, so
 * whoever is killed on the way leaves everything as it was, and the next one clears up.
 * @throws Error with a sentence when it cannot be done; then nothing has changed.
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
      // Held by its session, and so let go of whatever happens to this process.
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
    // Data that do not fit, or are not there: it may be a payload whose words are new.
    if (error instanceof postgres.PostgresError && /^2[23]/.test(error.code)) await refuseUnreadable(sql);
    throw error;
  }
}

/** What was known of wrong rows says nothing of the right ones. */
async function sampleShadows({ sql, inTurn }: Work): Promise<void> {
  await Promise.all(tables.map((table) => inTurn(() => analyzeShadow(sql, table))));
}

type Proven = Pick<Rebuilt, 'corrected' | 'correctedEntries'> & { readonly caughtUp: Horizon };

async function catchUpAndProve(sql: Sql, begun: Horizon): Promise<Proven> {
  const caughtUp = await catchUp(sql, begun);
  return { caughtUp, corrected: await proveShadows(sql), correctedEntries: await provePayoutEntries(sql) };
}

/**
 * Rows are joined and indexes sorted in memory, and nobody waits for the disk after each step: what is lost with a server that dies is the
 * rebuild, or its last moments. Every connection makes its own indexes, so none needs helpers for them, nor code that is compiled for one statement.
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

/** Gives way to whoever works with the tables: it waits half a second for them, and then lets everybody pass before it tries again. */
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
  // From here on nobody appends to an order, and whoever did has committed.
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
