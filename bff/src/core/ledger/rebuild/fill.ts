import type { Horizon } from '@kilim/domain/accounting/books';
import type { Sql, Transaction } from '../../database/database.ts';
import { readHorizon } from '../horizon.ts';
import { type FoldedBatch, foldOrders } from './fold.ts';
import { readPayoutEntries } from './payout-entries.ts';

/** The tables that an append to an order writes, in the order in which it locks them. */
export const tablesOfOrders = ['order_summary', 'refund_history'] as const;
export const tables = [...tablesOfOrders, 'payout_entry'] as const;

/** The reading transaction writes nothing, so that it holds up no reader of the newest events. */
export async function fillOrders(sql: Sql, onProgress: (events: number) => void): Promise<void> {
  await sql.begin('read only', async (reader) => {
    await reader.unsafe('set local idle_in_transaction_session_timeout = 0');
    let inserted = Promise.resolve();
    for await (const batch of foldOrders(reader)) {
      // The next batch is folded while PostgreSQL inserts this one.
      await inserted;
      inserted = insertOrders(sql, batch);
      // An early failure is thrown by the next turn.
      inserted.catch(() => undefined);
      onProgress(batch.events);
    }
    await inserted;
  });
}

/** @throws Error with a sentence when an event cannot be read. */
async function insertOrders(sql: Sql | Transaction, { orders }: FoldedBatch): Promise<void> {
  const folded = orders.map((order) => {
    if ('unreadable' in order) throw new Error(`Order ${order.orderId}: ${order.unreadable}. Nothing was changed.`);
    return order;
  });
  const summaries = folded.flatMap(({ summary }) => (summary === undefined ? [] : [summary]));
  // Any conflict is an error: a row that another one displaces would be missing.
  await sql`${rowsInto(sql, 'order_summary', summaries)}`;
  const refunds = folded.flatMap((order) => order.refunds);
  await sql`${rowsInto(sql, 'refund_history', refunds)}`;
}

export async function insertPayoutEntries(sql: Sql | Transaction, since?: Horizon): Promise<void> {
  for await (const rows of readPayoutEntries(sql, since)) {
    await sql`${rowsInto(sql, 'payout_entry', rows)} on conflict (entry_id) do nothing`;
  }
}

function rowsInto(sql: Sql | Transaction, table: (typeof tables)[number], rows: readonly object[]) {
  const shadow = sql(`rebuild.${table}`);
  return sql`
    insert into ${shadow} select * from json_populate_recordset(null::${shadow}, ${JSON.stringify(rows)}::text::json)`;
}

/** Few enough that folding them again takes no noticeable time. */
const few = 50;
const mostRounds = 20;

/** @returns the place after which there is still something to do: little, unless appends are faster than reads. */
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
export async function renewSince(transaction: Transaction, since: Horizon): Promise<number> {
  // PostgreSQL estimates the row condition by its first column and would scan the table.
  await transaction.unsafe('set local enable_seqscan = off');
  const streams = await transaction<{ stream_id: string }[]>`
    select distinct stream_id from ledger.event
    where (epoch, xid) >= (${since.epoch}::smallint, ${since.xid}::text::xid8) and stream_id like 'order-%'`;
  for (let at = 0; at < streams.length; at += 1000) {
    const some = streams.slice(at, at + 1000).map(({ stream_id: streamId }) => streamId);
    const orders = transaction.typed.textArray(some.map((streamId) => streamId.slice('order-'.length)));
    for (const table of tablesOfOrders) {
      await transaction`delete from ${transaction(`rebuild.${table}`)} where order_id = any(${orders}::uuid[])`;
    }
    for await (const batch of foldOrders(transaction, some)) await insertOrders(transaction, batch);
  }
  await insertPayoutEntries(transaction, since);
  return streams.length;
}
