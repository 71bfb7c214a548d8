import type { Day } from '@kilim/domain/day';
import { cents } from '@kilim/domain/money';
import type { RefundedRug, RefundType, ReimbursementMethod } from '@kilim/domain/order/events';
import type { OrderId, PaymentId } from '@kilim/domain/order/ids';
import { parseOrderNumber } from '@kilim/domain/order/number';
import {
  type RefundHistoryRow,
  type RefundHistoryStatus,
  type Reimbursement,
  refundHistory,
} from '@kilim/domain/projection/refund-history';
import type { Sql } from '../database/database.ts';
import { readOrder } from '../ledger/read.ts';
import { withRefundTexts } from '../ledger/refund-text.ts';
import { hasNumber } from './list-orders.ts';
import {
  betweenDays,
  type Fragment,
  inOrder,
  ofDays,
  type Page,
  type PageRequest,
  placeOfPage,
  seenFrom,
} from './paging.ts';

export type RefundsRequest = PageRequest & {
  readonly search: string | undefined;
  readonly status: RefundHistoryStatus | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly timeZone: string;
};

export async function listRefunds(sql: Sql, request: RefundsRequest): Promise<Page<RefundHistoryRow>> {
  if (request.search !== undefined) return await searchRefunds(sql, request.search, request);
  const place = await placeOfPage(sql, countedDays(sql, request), request);
  const { total } = place;
  if (place.day === null) return { rows: [], total, isLeast: false };
  const found = await sql<Row[]>`
    select ${columnsWithText(sql)} from ledger.refund_history ${withText(sql)}
    where ${seenFrom(sql, 'requested_at', { ...place, timeZone: request.timeZone })} ${ofStatus(sql, request)}
        ${ofDays(sql, 'requested_at', request)}
    ${place.fromNewest ? sql`order by requested_at desc, refund_id desc` : sql`order by requested_at, refund_id`}
    limit ${place.take} offset ${place.skip}`;
  return { rows: inOrder(found.map(refundOf), place, request), total, isLeast: false };
}

/** Undefined when there is no such order. */
export async function listRefundsOfOrder(sql: Sql, orderId: OrderId): Promise<readonly RefundHistoryRow[] | undefined> {
  const stream = await readOrder(sql, orderId);
  if (stream.version === 0) return undefined;
  return refundHistory(orderId, (await withRefundTexts(sql, stream)).events).toReversed();
}

async function searchRefunds(sql: Sql, search: string, request: RefundsRequest): Promise<Page<RefundHistoryRow>> {
  const id = search.trim().replaceAll(/^[#.…]+|(?<![.…])[.…]+$/g, '');
  const hex = id.toLowerCase();
  const ofOrder = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(hex)
    ? sql`union select refund_id from ledger.refund_history where order_id = ${hex}::uuid`
    : sql``;
  const ofEnd = /^[0-9a-f]{8}$/.test(hex)
    ? sql`
      union select refund_id from ledger.refund_history
      join ledger.order_summary using (order_id) where right(order_id::text, 8) = ${hex}`
    : sql``;
  const number = parseOrderNumber(id);
  const ofNumber =
    number === undefined
      ? sql``
      : sql`
      union select refund_id from ledger.refund_history
      join ledger.order_summary using (order_id) where ${hasNumber(sql, number)}`;
  const beginning = id.length < 8 ? sql`` : sql`or refund_id between ${id} and ${`${id}~`}`;
  const { page, pageSize, newestFirst } = request;
  const found = await sql<(Row & { total: number })[]>`
    with found as materialized (
      select refund_id from ledger.refund_history where refund_id = ${id} or square_refund_id = ${id} ${beginning}
      ${ofOrder} ${ofEnd} ${ofNumber}
    )
    select ${columnsWithText(sql)}, count(*) over () as total
    from ledger.refund_history join found using (refund_id) ${withText(sql)}
    where true ${ofStatus(sql, request)} ${ofDays(sql, 'requested_at', request)}
    ${newestFirst ? sql`order by requested_at desc, refund_id desc` : sql`order by requested_at, refund_id`}`;
  const rows = found.slice((page - 1) * pageSize, page * pageSize).map(refundOf);
  return { rows, total: found[0]?.total ?? 0, isLeast: false };
}

function countedDays(sql: Sql, request: RefundsRequest): Fragment {
  return sql`
    select day, refunds::integer as rows from ledger.refund_days_now(${request.timeZone})
    where true ${betweenDays(sql, request)} ${ofStatus(sql, request)}`;
}

/** Constants, not parameters: the planner uses a partial index only with its condition in the statement. */
function ofStatus(sql: Sql, { status }: RefundsRequest): Fragment {
  const statuses = {
    pending: sql`and status = 'pending'`,
    completed: sql`and status = 'completed'`,
    failed: sql`and status = 'failed'`,
  } satisfies Record<RefundHistoryStatus, Fragment>;
  return status === undefined ? sql`` : statuses[status];
}

/** The texts are stored beside the ledger. */
function columnsWithText(sql: Sql): Fragment {
  return sql`${sql(columns.map((column) => `refund_history.${column}`))},
    coalesce(refund_text.reason, refund_history.reason) as reason,
    refund_text.notes`;
}

function withText(sql: Sql): Fragment {
  return sql`left join ledger.refund_text on refund_text.refund_id = refund_history.refund_id`;
}

type Row = {
  readonly refund_id: string;
  readonly order_id: OrderId;
  readonly payment_id: PaymentId;
  readonly square_refund_id: string | null;
  readonly origin: RefundHistoryRow['origin'];
  readonly status: RefundHistoryStatus;
  readonly refund_type: RefundType;
  readonly amount_cents: number;
  readonly reason: string;
  readonly notes: string | null;
  /** The projection writes this JSON. */
  readonly items: readonly RefundedRug[];
  readonly delivery_minimum_cents: number;
  readonly services_cents: number;
  readonly add_ons_cents: number;
  readonly delivery_cents: number;
  readonly minimum_cents: number;
  readonly sales_tax_cents: number;
  readonly requested_by: string;
  readonly failure_code: string | null;
  readonly requested_at: Date;
  readonly settled_at: Date | null;
  readonly paid_by: ReimbursementMethod | null;
  readonly paid_on: Day | null;
  readonly reference: string | null;
};

/** Not `*`, which would select the next release's columns: a prepared statement whose result changes fails. */
const columns =
  `refund_id order_id payment_id square_refund_id origin status refund_type amount_cents items delivery_minimum_cents
  services_cents add_ons_cents delivery_cents minimum_cents sales_tax_cents requested_by failure_code requested_at
  settled_at paid_by paid_on reference`.split(/\s+/);

function refundOf(row: Row): RefundHistoryRow {
  return {
    refundId: row.refund_id,
    orderId: row.order_id,
    paymentId: row.payment_id,
    squareRefundId: row.square_refund_id ?? undefined,
    origin: row.origin,
    status: row.status,
    refundType: row.refund_type,
    amount: cents(row.amount_cents),
    reason: row.reason,
    notes: row.notes ?? undefined,
    items: row.items,
    deliveryMinimum: cents(row.delivery_minimum_cents),
    split: {
      services: cents(row.services_cents),
      addOns: cents(row.add_ons_cents),
      delivery: cents(row.delivery_cents),
      deliveryMinimum: cents(row.minimum_cents),
      salesTax: cents(row.sales_tax_cents),
    },
    requestedBy: row.requested_by,
    reimbursement: reimbursementOf(row),
    failureCode: row.failure_code ?? undefined,
    requestedAt: row.requested_at.toISOString(),
    settledAt: row.settled_at?.toISOString(),
  };
}

function reimbursementOf({ paid_by: method, paid_on: paidOn, reference }: Row): Reimbursement | undefined {
  if (method === null || paidOn === null) return undefined;
  return { method, paidOn, ...(reference === null ? {} : { reference }) };
}
