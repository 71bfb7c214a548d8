import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import postgres from 'postgres';
import { connect, type Sql, type Transaction } from '../database.ts';
import { estimateEvents, splitStreams, streamCondition } from '../proof/split-streams.ts';
import { refundColumns, refunds, summaries, summaryColumns, unreadableEvents } from './fold-in-sql.ts';
import { insertPayoutEntries, provePayoutEntries } from './payout-entries.ts';
import { proveShadows } from './prove-shadows.ts';
import { completeShadow, createShadow, dropShadows, swapShadows } from './shadow-table.ts';

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

/** What an append to an order writes. In the order in which an append locks them. */
const tablesOfOrders = ['order_summary', 'refund_history'] as const;
const tables = [...tablesOfOrders, 'payout_entry'] as const;
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
    // Held by its session, and so let go of whatever happens to this process.
    const [lock] = await alone<{ free: boolean }[]>`
      select pg_try_advisory_lock(${rebuildLock[0]}::int, ${rebuildLock[1]}::int) as free`;
    if (lock?.free !== true) throw new Error('Another rebuild is running.');
    await refuseUnreadable(sql);
    await dropShadows(sql);
    const begun = await readHorizon(sql);
    await fill(sql, workers, onProgress);
    const caughtUp = await catchUp(sql, begun);
    const corrected = await proveShadows(sql);
    const correctedEntries = await provePayoutEntries(sql);
    const swapMs = await swap(sql, caughtUp);
    await recountDays(sql);
    return { ...(await countRows(sql)), corrected, correctedEntries, swapMs };
  } finally {
    await Promise.all([sql.end({ timeout: 1 }), alone.end({ timeout: 1 })]);
  }
}

/**
 * Indexes are sorted in memory, and nobody waits for the disk after each step: what is lost with a server that dies is the rebuild, or its last
 * moments.
 */
function inHaste(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}maintenance_work_mem=256MB&synchronous_commit=off`;
}

async function refuseUnreadable(sql: Sql): Promise<void> {
  const [event] = await sql.unsafe<{ type: string; schema_version: number }[]>(unreadableEvents);
  if (event === undefined) return;
  throw new Error(
    `The ledger holds ${event.type} in version ${event.schema_version}, which rebuilding does not know yet.`,
  );
}

const eventsAtOnce = 100_000;

/** Each connection takes one range of streams after the other. */
async function fill(sql: Sql, workers: number, onProgress: (events: number) => void): Promise<void> {
  for (const table of tables) await createShadow(sql, table);
  const events = await estimateEvents(sql);
  const ranges = await splitStreams(
    sql,
    events < eventsAtOnce / 5 ? 1 : Math.max(workers, Math.ceil(events / eventsAtOnce)),
  );
  // Refunds and payouts are few, and found by reading everything once.
  const left = [
    () => insertRefunds(sql, 'true'),
    () => insertPayoutEntries(sql, 'true'),
    ...ranges.map((range) => async () => {
      await insertSummaries(sql, streamCondition(range));
      onProgress(Math.round(events / ranges.length));
    }),
  ];
  const work = async () => {
    for (let part = left.shift(); part !== undefined; part = left.shift()) await part();
  };
  await Promise.all(Array.from({ length: workers }, work));
  await Promise.all(tables.map((table) => completeShadow(sql, table)));
}

async function insertSummaries(sql: Sql | Transaction, streams: string): Promise<void> {
  await sql.unsafe(`insert into rebuild.order_summary (${summaryColumns.join(', ')}) ${summaries(streams)}`);
}

async function insertRefunds(sql: Sql | Transaction, streams: string): Promise<void> {
  await sql.unsafe(`insert into rebuild.refund_history (${refundColumns.join(', ')}) ${refunds(streams)}`);
}

type Horizon = { readonly epoch: number; readonly xid: string };

/** Everything that is appended and not seen yet comes at or after it. */
async function readHorizon(sql: Sql): Promise<Horizon> {
  const [horizon] = await sql<Horizon[]>`
    select coalesce((select max(epoch) from ledger.event), 1)::int as epoch,
      pg_snapshot_xmin(pg_current_snapshot())::text as xid`;
  if (horizon === undefined) throw new Error('The database answered nothing');
  return horizon;
}

/** So few that making them anew once more takes no time at all. */
const few = 50;
const mostRounds = 20;

/** @returns from where on there is still something to do: little, unless more is appended than can be read. */
async function catchUp(sql: Sql, begun: Horizon): Promise<Horizon> {
  let from = begun;
  for (let round = 0; round < mostRounds; round += 1) {
    const next = await readHorizon(sql);
    const renewed = await sql.begin((transaction) => renewSince(transaction, from));
    from = next;
    if (renewed <= few) break;
  }
  return from;
}

/** Streams are folded whole again when anything was appended to them. @returns how many. */
async function renewSince(transaction: Transaction, { epoch, xid }: Horizon): Promise<number> {
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

/** The days are counted from the new tables, from the first one on. Readers see the old counts until the new ones are complete. */
async function recountDays(sql: Sql): Promise<void> {
  await sql.begin(async (transaction) => {
    // Whoever counts just now is waited for.
    await transaction.unsafe('set local lock_timeout = 0');
    const [progress] = await transaction<{ time_zone: string }[]>`select time_zone from ledger.day_progress for update`;
    if (progress === undefined) throw new Error('It is not known how far the days are counted.');
    for (const table of ['order_day', 'refund_day', 'money_day'])
      await transaction.unsafe(`delete from ledger.${table}`);
    await countDaysAtOnce(transaction, progress.time_zone);
  });
}

/**
 * As `ledger.count_days` counts them, without asking for each order in between. What is appended meanwhile comes after the place up to
 * which it counts, and makes its days be counted once more.
 */
async function countDaysAtOnce(transaction: Transaction, timeZone: string): Promise<void> {
  await transaction`
    update ledger.day_progress set epoch = last.epoch, xid = last.xid, position = last.position
    from (
      select epoch, xid, position from (
        select epoch, xid, position from ledger.event
        where xid < pg_snapshot_xmin(pg_current_snapshot()) or epoch < (select max(newest.epoch) from ledger.event newest)
        order by event.epoch desc, event.xid desc, event.position desc limit 1
      ) newest
      union all select 0::smallint, '0'::xid8, 0 order by 1 desc, 2 desc, 3 desc limit 1
    ) last`;
  await transaction`
    insert into ledger.money_day
    select counted.* from ledger.day_progress progress, ledger.money_between(
      ${timeZone}, row(true, '', 0::smallint, '0'::xid8, 0::bigint)::ledger.day_progress, progress) counted`;
  await transaction`
    insert into ledger.order_day (day, payment_status, refund_status, delivery_option, orders)
    select (placed_at at time zone ${timeZone})::date, payment_status, refund_status, delivery_option, count(*)
    from ledger.order_summary group by 1, 2, 3, 4`;
  await transaction`
    insert into ledger.refund_day (day, status, refunds)
    select (requested_at at time zone ${timeZone})::date, status, count(*) from ledger.refund_history group by 1, 2`;
}

type Counts = Pick<Rebuilt, 'orders' | 'refunds' | 'payoutEntries'>;

async function countRows(sql: Sql): Promise<Counts> {
  const [count] = await sql<Counts[]>`
    select (select count(*) from ledger.order_summary) as orders, (select count(*) from ledger.refund_history) as refunds,
      (select count(*) from ledger.payout_entry) as "payoutEntries"`;
  return count ?? { orders: 0, refunds: 0, payoutEntries: 0 };
}
