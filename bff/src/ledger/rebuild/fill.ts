import type { Horizon } from '@kilim/domain/accounting/books';
import type { Sql, Transaction } from '../../database/database.ts';
import type { LimitConcurrency } from '../../server/limit-concurrency.ts';
import { readHorizon } from '../horizon.ts';
import { estimateEvents, type StreamRange, splitStreams, streamCondition } from '../proof/split-streams.ts';
import { type CountedTo, countMoney } from './day-counts.ts';
import { refundColumns, refunds, summaries, summaryColumns } from './fold-in-sql.ts';
import { insertPayoutEntries } from './payout-entries-in-sql.ts';
import { completeShadow } from './shadow-table.ts';

// Fills the shadow tables: all rows first, and then, in rounds, streams with new events.

/** The tables that an append to an order writes, in the order in which it locks them. */
const tablesOfOrders = ['order_summary', 'refund_history'] as const;
export const tables = [...tablesOfOrders, 'payout_entry'] as const;

type Plan = { readonly events: number; readonly ranges: readonly StreamRange[] };

export type Work = {
  readonly sql: Sql;
  readonly plan: Plan;
  /** One turn for each connection. */
  readonly inTurn: LimitConcurrency;
  readonly onProgress: (events: number) => void;
};

/** Small enough that the last range of one connection does not delay the others. */
const eventsAtOnce = 40_000;

export async function planReading(sql: Sql): Promise<Plan> {
  const events = await estimateEvents(sql);
  return { events, ranges: await splitStreams(sql, Math.ceil(events / eventsAtOnce)) };
}

/**
 * Reads orders in ranges of streams. Single jobs queue behind them, and indexes follow as soon as
 * their table is filled.
 */
export async function fill({ sql, inTurn, plan, onProgress }: Work, days: CountedTo): Promise<void> {
  const { events, ranges } = plan;
  // The longest job goes first, so that nothing waits for it at the end.
  const moneyCounted = inTurn(() => countMoney(sql, days));
  const summariesFilled = Promise.all(
    ranges.map((range) =>
      inTurn(async () => {
        await sql.begin((transaction) => insertSummaries(transaction, streamCondition(range)));
        onProgress(Math.round(events / ranges.length));
      }),
    ),
  );
  const fillOnce = async (table: string, insert: () => Promise<void>) => {
    await inTurn(insert);
    await completeShadow(sql, table, inTurn);
  };
  await Promise.all([
    moneyCounted,
    summariesFilled.then(() => completeShadow(sql, 'order_summary', inTurn)),
    fillOnce('refund_history', () => insertRefunds(sql, 'true')),
    fillOnce('payout_entry', () => insertPayoutEntries(sql, 'true')),
  ]);
}

/**
 * Finds each order's events by the index, side by side in the table. Without this setting
 * PostgreSQL would read and sort the whole table.
 */
async function insertSummaries(transaction: Transaction, streams: string): Promise<void> {
  await transaction.unsafe('set local enable_sort = off');
  await transaction.unsafe(`insert into rebuild.order_summary (${summaryColumns.join(', ')}) ${summaries(streams)}`);
}

async function insertRefunds(sql: Sql | Transaction, streams: string): Promise<void> {
  await sql.unsafe(`insert into rebuild.refund_history (${refundColumns.join(', ')}) ${refunds(streams)}`);
}

/** Few enough that folding them again takes no noticeable time. */
const few = 50;
const mostRounds = 20;

/** @returns the place after which there is still something to do: little, unless appends outrun reads. */
export async function catchUp(sql: Sql, begun: Horizon): Promise<Horizon> {
  let from = begun;
  for (let round = 0; round < mostRounds; round += 1) {
    const next = await readHorizon(sql);
    const renewed = await sql.begin((transaction) => renewSince(transaction, from));
    from = next;
    if (renewed <= few) break;
  }
  return from;
}

/**
 * Folds each stream with new events again, completely.
 * @returns the number of streams.
 */
export async function renewSince(transaction: Transaction, { epoch, xid }: Horizon): Promise<number> {
  // PostgreSQL estimates the row condition by its first column, and would scan the table instead of
  // the index.
  await transaction.unsafe('set local enable_seqscan = off');
  const streams = await transaction<{ stream_id: string }[]>`
    select distinct stream_id from ledger.event
    where (epoch, xid) >= (${epoch}::smallint, ${xid}::text::xid8) and stream_id like 'order-%'`;
  for (let at = 0; at < streams.length; at += 1000) {
    const orders = streams.slice(at, at + 1000).map(({ stream_id: streamId }) => streamId.slice('order-'.length));
    const listed = orders.map((order) => `'${order}'`).join(', ');
    for (const table of tablesOfOrders)
      await transaction.unsafe(`delete from rebuild.${table} where order_id in (${listed})`);
    const renewed = `stream_id in (${orders.map((order) => `'order-${order}'`).join(', ')})`;
    await insertSummaries(transaction, renewed);
    await insertRefunds(transaction, renewed);
  }
  await insertPayoutEntries(transaction, `(event.epoch, event.xid) >= (${epoch}::smallint, '${xid}'::xid8)`);
  return streams.length;
}
