import { sumOf, typesOf } from '@kilim/domain/accounting/money-of-events';
import { type Cents, cents } from '@kilim/domain/money';
import type { Sql } from '../database/database.ts';
import { isOneOf, sumInSql } from '../ledger/money-in-sql.ts';

export type DayFigures = {
  readonly orders: number;
  /** By card and in the shop. */
  readonly takings: Cents;
  readonly refundCount: number;
  readonly refunds: Cents;
  readonly fees: Cents;
  /** Money that banks took back, less what they returned. */
  readonly disputes: Cents;
};

export type Statistics = {
  readonly days: readonly (DayFigures & { readonly day: string })[];
  readonly total: DayFigures;
  readonly today: DayFigures;
  readonly yesterday: DayFigures;
  readonly thisMonth: DayFigures;
  /** Through the same day of the month. */
  readonly lastMonth: DayFigures;
};

export type StatisticsRequest = {
  readonly timeZone: string;
  readonly from: string;
  readonly to: string;
  readonly today: string;
};

type Row = {
  readonly day: string | null;
  readonly part: 'days' | 'total' | 'today' | 'yesterday' | 'month' | 'lastMonth';
  readonly orders: number;
  readonly takings_cents: number;
  readonly refunds: number;
  readonly refunds_cents: number;
  readonly fees_cents: number;
  readonly disputes_cents: number;
};

const disputesByDay = sumInSql(sumOf('disputes'));
const isDispute = isOneOf(typesOf('disputes'));

/** Sums daily counts, so the time does not depend on the number of orders without a difference. */
export async function readStatistics(sql: Sql, request: StatisticsRequest): Promise<Statistics> {
  const { timeZone, from, to, today } = request;
  const firstOfMonth = `${today.slice(0, 'yyyy-mm'.length)}-01`;
  const firstOfLastMonth = monthBefore(firstOfMonth);
  const first = from < firstOfLastMonth ? from : firstOfLastMonth;
  const rows = await sql<Row[]>`
    with money as materialized (
      select *, 0 as disputes_cents from ledger.money_days_now(
        ${timeZone}, ${first}::text::date, greatest(${to}::text::date, ${today}::text::date)
      )
      union all
      -- The days count Square's money only. This reads the refunds since the first day: nobody records a reimbursement
      -- before the day on which it was paid.
      select (settled_at at time zone ${timeZone})::date, 0, 0, 1, amount_cents, 0, 0 from ledger.refund_history
      where paid_by is not null and requested_at >= ledger.start_of_day(${first}::text::date, ${timeZone})
      union all
      -- Only differences are paid in the shop.
      select (occurred_at at time zone ${timeZone})::date, 0, amount_cents, 0, 0, 0, 0
      from ledger.order_summary join ledger.event on stream_id = 'order-' || order_id and type = 'CustomerPaid'
      where supplement_of is not null and payment_status = 'paid'
        and paid_at >= ledger.start_of_day(${first}::text::date, ${timeZone})
      union all
      -- Disputes are few.
      select (occurred_at at time zone ${timeZone})::date, 0, 0, 0, 0, 0, ${sql.unsafe(disputesByDay)}
      from ledger.event where ${sql.unsafe(isDispute)} group by 1
    ), part as (
      select 'days' as part, day, day as first, day as last
      from (select day::date from generate_series(${from}::text::date, ${to}::text::date, interval '1 day') as series (day)) days
      union all select 'total', null, ${from}::text::date, ${to}::text::date
      union all select 'today', null, ${today}::text::date, ${today}::text::date
      union all select 'yesterday', null, ${today}::text::date - 1, ${today}::text::date - 1
      union all select 'month', null, ${firstOfMonth}::text::date, ${today}::text::date
      union all select 'lastMonth', null, ${firstOfLastMonth}::text::date, (${today}::text::date - interval '1 month')::date
    )
    select part, part.day::text as day, coalesce(sum(orders), 0)::bigint as orders,
      coalesce(sum(takings_cents), 0)::bigint as takings_cents, coalesce(sum(refunds), 0)::bigint as refunds,
      coalesce(sum(refunds_cents), 0)::bigint as refunds_cents, coalesce(sum(fees_cents), 0)::bigint as fees_cents,
      coalesce(sum(disputes_cents), 0)::bigint as disputes_cents
    from part left join money on money.day between part.first and part.last
    group by part, part.day order by part.day`;
  const of = (part: Row['part']) => figuresOf(rows.find((row) => row.part === part));
  return {
    days: rows.flatMap((row) => (row.day === null ? [] : [{ day: row.day, ...figuresOf(row) }])),
    total: of('total'),
    today: of('today'),
    yesterday: of('yesterday'),
    thisMonth: of('month'),
    lastMonth: of('lastMonth'),
  };
}

function figuresOf(row: Row | undefined): DayFigures {
  if (row === undefined) throw new Error('The sum of a range of days is missing');
  return {
    orders: row.orders,
    takings: cents(row.takings_cents),
    refundCount: row.refunds,
    refunds: cents(row.refunds_cents),
    fees: cents(row.fees_cents),
    disputes: cents(row.disputes_cents),
  };
}

function monthBefore(day: string): string {
  const instant = new Date(`${day}T00:00:00Z`);
  instant.setUTCMonth(instant.getUTCMonth() - 1);
  return instant.toISOString().slice(0, 'yyyy-mm-dd'.length);
}
