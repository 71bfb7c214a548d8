import { type OrderId, parseOrderId } from '@kilim/domain/order/ids';
import type { StreamEvent } from '@kilim/domain/projection/order-summary';
import type { Sql, Transaction } from '../../database/database.ts';
import { orderCodec } from '../codecs/order.ts';
import { type Difference, differencesOf, foldOrder, type OrderRows, textOfRow } from './fold-in-domain.ts';
import { refundColumns, refunds, summaries, summaryColumns, unreadableEvents } from './fold-in-sql.ts';
import { comparePayoutEntries } from './payout-entries.ts';

export type Compared = { readonly orders: number; readonly differences: readonly Difference[] };

/**
 * Compares, in one snapshot, the rows that appends wrote with those that PostgreSQL and the domain
 * fold from the events; also the entries of payouts, and the counts of days. `onProgress` gets the
 * number of events read since its last call.
 */
export async function compareProjections(sql: Sql, onProgress: (events: number) => void): Promise<Compared> {
  return await sql.begin('isolation level repeatable read read only', async (transaction) => {
    await transaction.unsafe('set local idle_in_transaction_session_timeout = 0');
    // Makes a rebuild wait: this snapshot would see its new tables as empty.
    await transaction`lock table ledger.order_summary, ledger.refund_history, ledger.payout_entry in access share mode`;
    const folded = await compareWithDomain(transaction, onProgress);
    const differences = [
      ...folded.differences,
      ...(await rowsWithoutStream(transaction)),
      ...(await compareWithSql(transaction)),
      ...(await comparePayoutEntries(transaction)),
      ...(await compareDays(transaction)),
    ];
    return { orders: folded.orders, differences };
  });
}

type EventRow = {
  readonly stream_id: string;
  readonly version: number;
  readonly type: string;
  readonly schema_version: number;
  readonly occurred_at: Date;
  readonly payload: string;
};

type Folded = { readonly orderId: OrderId; readonly rows: OrderRows };

async function compareWithDomain(transaction: Transaction, onProgress: (events: number) => void): Promise<Compared> {
  const differences: Difference[] = [];
  let orders = 0;
  let waiting: Folded[] = [];
  let stream: { readonly id: string; readonly events: StreamEvent[] } = { id: '', events: [] };
  const finish = () => {
    const orderId = parseOrderId(stream.id.slice('order-'.length));
    if (orderId === undefined) return;
    waiting.push({ orderId, rows: foldOrder(orderId, stream.events) });
    orders += 1;
  };
  for await (const batch of readOrderEvents(transaction)) {
    for (const row of batch) {
      if (row.stream_id !== stream.id) {
        finish();
        stream = { id: row.stream_id, events: [] };
      }
      const event = orderCodec.decode({ type: row.type, schemaVersion: row.schema_version, payload: row.payload });
      stream.events.push({ event, version: row.version, occurredAt: row.occurred_at.toISOString() });
    }
    onProgress(batch.length);
    differences.push(...(await compareLive(transaction, waiting)));
    waiting = [];
  }
  finish();
  differences.push(...(await compareLive(transaction, waiting)));
  return { orders, differences };
}

const eventsPerBatch = 2000;

/**
 * A cursor of PostgreSQL: one of postgres.js would block the connection until its last row, and
 * another query between two batches would never finish.
 */
async function* readOrderEvents(transaction: Transaction): AsyncGenerator<readonly EventRow[], void> {
  await transaction`
    declare order_events no scroll cursor for
    select stream_id, version, type, schema_version, occurred_at, payload::text as payload from ledger.event
    where stream_id like 'order-%' order by stream_id, version`;
  for (;;) {
    const batch = await transaction.unsafe<EventRow[]>(`fetch ${eventsPerBatch} from order_events`);
    if (batch.length === 0) return;
    yield batch;
  }
}

async function compareLive(transaction: Transaction, folded: readonly Folded[]): Promise<readonly Difference[]> {
  if (folded.length === 0) return [];
  const ids = transaction.typed.textArray(folded.map(({ orderId }) => orderId));
  const summaryRows = await transaction<{ order_id: string }[]>`
    select * from ledger.order_summary where order_id = any(${ids}::uuid[])`;
  const refundRows = await transaction<{ order_id: string; refund_id: string }[]>`
    select * from ledger.refund_history where order_id = any(${ids}::uuid[])`;
  const live = new Map(summaryRows.map((row) => [row.order_id, textOfRow(row)]));
  const liveRefunds = Map.groupBy(refundRows, (row) => row.order_id);
  return folded.flatMap(({ orderId, rows }) => [
    ...differenceOf(orderId, 'The row', { live: live.get(orderId), folded: rows.summary }),
    ...refundDifferences(orderId, liveRefunds.get(orderId) ?? [], rows.refunds),
  ]);
}

function refundDifferences(
  orderId: OrderId,
  stored: readonly { readonly refund_id: string }[],
  folded: ReadonlyMap<string, string>,
): readonly Difference[] {
  const live = new Map(stored.map((row) => [row.refund_id, textOfRow(row)]));
  return [...new Set([...live.keys(), ...folded.keys()])].flatMap((refundId) =>
    differenceOf(orderId, `Refund ${refundId}`, { live: live.get(refundId), folded: folded.get(refundId) }),
  );
}

type BothRows = { readonly live: string | undefined; readonly folded: string | undefined };

function differenceOf(of: string, subject: string, { live, folded }: BothRows): readonly Difference[] {
  if (live === folded) return [];
  if (live === undefined) return [{ of, what: `${subject} is missing` }];
  if (folded === undefined) return [{ of, what: `${subject} is there, and the ledger knows nothing of it` }];
  return [{ of, what: `${subject}: ${differencesOf(live, folded)}` }];
}

async function rowsWithoutStream(transaction: Transaction): Promise<readonly Difference[]> {
  const rows = await transaction<{ order_id: string }[]>`
    select distinct order_id from (
      select order_id from ledger.order_summary union all select order_id from ledger.refund_history
    ) stored
    where not exists (select from ledger.event where stream_id = 'order-' || stored.order_id)`;
  return rows.map(({ order_id: of }) => ({ of, what: 'There are rows of it, and it has no events' }));
}

/** Compares with the rows of `rebuild`. A difference only here means that `rebuild` is wrong. */
async function compareWithSql(transaction: Transaction): Promise<readonly Difference[]> {
  const [unreadable] = await transaction.unsafe<{ type: string; schema_version: number }[]>(unreadableEvents);
  if (unreadable !== undefined) {
    const { type, schema_version: version } = unreadable;
    return [{ of: type, what: `Rebuilding does not know version ${version} of it yet` }];
  }
  const rows = await transaction.unsafe<{ order_id: string }[]>(`
    select distinct order_id from (
      ${rowsThatDiffer('order_summary', summaryColumns, summaries('true'))}
      union all
      ${rowsThatDiffer('refund_history', refundColumns, refunds('true'))}
    ) differing`);
  return rows.map(({ order_id: of }) => ({ of, what: 'What a rebuild makes of it is not what is stored' }));
}

function rowsThatDiffer(table: string, columns: readonly string[], folded: string): string {
  const row = (name: string) => `row(${columns.map((column) => `${name}.${column}`).join(', ')})`;
  const [key] = columns;
  return `
    select coalesce(live.order_id, folded.order_id) as order_id
    from ledger.${table} live full join (${folded}) folded (${columns.join(', ')}) using (${key})
    where ${row('live')} is distinct from ${row('folded')}`.replaceAll(`live.${key},`, `${key},`);
}

async function compareDays(transaction: Transaction): Promise<readonly Difference[]> {
  const rows = await transaction<{ day: string; counts: string }[]>`
    with zone as (select time_zone from ledger.day_progress), live as (
      select 'orders' as counts, day, payment_status || refund_status || delivery_option as part, array[orders] as sums
      from zone, ledger.order_days_now(time_zone)
      union all
      select 'refunds', day, status, array[refunds] from zone, ledger.refund_days_now(time_zone)
      union all
      select 'money', day, '', array[orders, takings_cents, refunds, refunds_cents, fees_cents]
      from zone, ledger.money_days_now(time_zone, '-infinity', 'infinity')
    ), counted as (
      select 'orders' as counts, (placed_at at time zone time_zone)::date as day,
        payment_status || refund_status || delivery_option as part, array[count(*)] as sums
      from zone, ledger.order_summary group by 2, 3
      union all
      select 'refunds', (requested_at at time zone time_zone)::date, status, array[count(*)]
      from zone, ledger.refund_history group by 2, 3
      union all
      select 'money', day, '', array[orders, takings_cents, refunds, refunds_cents, fees_cents]
      from zone, ledger.money_between(
        time_zone, row(true, '', 0::smallint, '0'::xid8, 0::bigint)::ledger.day_progress, null)
    )
    select distinct day::text, counts from live full join counted using (counts, day, part)
    where live.sums is distinct from counted.sums order by 1, 2`;
  return rows.map(({ day, counts }) => ({
    of: day,
    what: `The counted ${counts} of this day are not those of the rows`,
  }));
}
