import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { Horizon } from '@kilim/domain/accounting/books';
import postgres from 'postgres';
import { connect, isTrue, type Sql, type Transaction } from '../../database/database.ts';
import { type LimitConcurrency, limitConcurrency } from '../../runtime/limit-concurrency.ts';
import { readHorizon } from '../horizon.ts';
import { beginDays, countMoney, countRowsOfDays, replaceDays } from './day-counts.ts';
import { catchUp, fillOrders, insertPayoutEntries, renewSince, tables, tablesOfOrders } from './fill.ts';
import {
  analyzeShadow,
  completeShadow,
  copyStatistics,
  createShadow,
  dropShadows,
  letOthersEnd,
  swapShadows,
} from './shadow-table.ts';

export type RebuildOptions = {
  readonly url: string;
  /** Events read since the last call. */
  readonly onProgress: (events: number) => void;
};

export type Rebuilt = {
  readonly orders: number;
  readonly refunds: number;
  readonly payoutEntries: number;
  readonly corrected: number;
  readonly correctedEntries: number;
  readonly swapMs: number;
};

const rebuildLock = [0x6b696c69, 2] as const;

/**
 * Fills shadow tables, catches up with new appends, and swaps the tables in one short transaction. A killed rebuild
 * changes nothing.
 * @throws Error with a sentence if it is impossible.
 */
export async function rebuildProjections({ url, onProgress }: RebuildOptions): Promise<Rebuilt> {
  const workers = Math.min(availableParallelism(), 4);
  const sql = connect({
    url,
    settings: inHaste,
    max: workers + 1,
    applicationName: 'kilim rebuild',
    statementTimeoutSeconds: 0,
  });
  const alone = connect({ url, max: 1, applicationName: 'kilim rebuild', statementTimeoutSeconds: 0 });
  try {
    // The session holds the lock, so the lock ends with this process.
    const [group, number] = rebuildLock;
    const isFree = await isTrue(alone`select pg_try_advisory_lock(${group}::int, ${number}::int)`);
    if (!isFree) throw new Error('Another rebuild is running.');
    return await rebuildBeside({ sql, inTurn: limitConcurrency(workers, Number.POSITIVE_INFINITY), onProgress });
  } finally {
    await Promise.all([sql.end({ timeout: 1 }), alone.end({ timeout: 1 })]);
  }
}

type Work = {
  readonly sql: Sql;
  /** One turn for each connection that writes. */
  readonly inTurn: LimitConcurrency;
  readonly onProgress: (events: number) => void;
};

async function rebuildBeside({ sql, inTurn, onProgress }: Work): Promise<Rebuilt> {
  await dropShadows(sql);
  for (const table of tables) await createShadow(sql, table);
  const begun = await readHorizon(sql);
  const days = await beginDays(sql);
  await Promise.all([
    inTurn(() => countMoney(sql, days)),
    fillOrders(sql, onProgress).then(() =>
      Promise.all(tablesOfOrders.map((table) => completeShadow(sql, table, inTurn))),
    ),
    // The key first: it lets the first report of an entry count.
    completeShadow(sql, 'payout_entry', inTurn).then(() => insertPayoutEntries(sql)),
  ]);
  const caughtUp = await catchUp(sql, begun);
  const [corrections] = await Promise.all([
    inTurn(() => countCorrections(sql, caughtUp)),
    inTurn(() => countRowsOfDays(sql, days)),
    ...tables.map((table) => inTurn(() => copyStatistics(sql, table))),
  ]);
  // Statistics of wrong rows do not fit the right ones.
  if (corrections.corrected + corrections.correctedEntries > 0) {
    await Promise.all(tables.map((table) => inTurn(() => analyzeShadow(sql, table))));
  }
  const swapMs = await swap(sql, caughtUp);
  const [counts] = await Promise.all([countRows(sql), replaceDays(sql, days)]);
  await letOthersEnd(sql);
  await dropShadows(sql);
  return { ...counts, ...corrections, swapMs };
}

/** The wrong live rows, apart from those that appends have changed since. */
async function countCorrections(sql: Sql, { epoch, xid }: Horizon): Promise<Corrections> {
  const unchanged = (stream: string) => sql`
    not exists (
      select from ledger.event where stream_id = ${sql.unsafe(stream)}
        and (epoch, xid) >= (${epoch}::smallint, ${xid}::text::xid8)
    )`;
  const [counted] = await sql<Corrections[]>`
    select (
        select count(distinct order_id) from (
          select coalesce(live.order_id, made.order_id) as order_id
          from ledger.order_summary live full join rebuild.order_summary made using (order_id)
          where row(live.*) is distinct from row(made.*)
          union all
          select coalesce(live.order_id, made.order_id)
          from ledger.refund_history live full join rebuild.refund_history made using (refund_id)
          where row(live.*) is distinct from row(made.*)
        ) wrong where ${unchanged("'order-' || order_id")}
      ) as corrected, (
        select count(*) from (
          select coalesce(live.payout_id, made.payout_id) as payout_id
          from ledger.payout_entry live full join rebuild.payout_entry made using (entry_id)
          where row(live.*) is distinct from row(made.*)
        ) wrong where ${unchanged("'payout-' || payout_id")}
      ) as "correctedEntries"`;
  return counted ?? { corrected: 0, correctedEntries: 0 };
}

type Corrections = Pick<Rebuilt, 'corrected' | 'correctedEntries'>;

/**
 * Commits without waiting for the disk: a crash can only lose the rebuild. Every connection builds its own indexes, so
 * parallel workers and JIT do not help.
 */
const inHaste = {
  work_mem: '64MB',
  maintenance_work_mem: '256MB',
  max_parallel_maintenance_workers: 0,
  jit: 'off',
  synchronous_commit: 'off',
} as const;

const mostTries = 40;

/**
 * Lets other sessions go first: waits half a second for the lock, and then pauses before the next
 * try.
 */
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
