import type { Sql } from '../database/database.ts';

/** Which part of a list somebody asks for. */
export type PageRequest = {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly newestFirst: boolean;
};

export type Page<Row> = {
  readonly rows: readonly Row[];
  /** On all pages. */
  readonly total: number;
  /** There may be more than `total`: then they were not all counted. */
  readonly isLeast: boolean;
};

/** Part of a statement. */
export type Fragment = ReturnType<Sql>;

/**
 * Where the rows of a page are: so many rows after the beginning of a day, seen from the nearer end of the list. However far down a page is,
 * only rows of its own day are passed over.
 */
export type PagePlace = {
  readonly total: number;
  readonly take: number;
  readonly skip: number;
  /** Read from the newest backwards, else from the oldest onwards. */
  readonly fromNewest: boolean;
  /** `2026-11-21`; null when there is nothing on this page. */
  readonly day: string | null;
};

/**
 * @param days selects `day` and `rows`, an integer: how many rows of the list there are on each day, in one row or in several. Not a `bigint`,
 * whose sums PostgreSQL makes in decimal arithmetic: that takes as long again as all the rest.
 */
export async function placeOfPage(sql: Sql, days: Fragment, request: PageRequest): Promise<PagePlace> {
  const [place] = await (passedBy(request) <= mostPassed
    ? placeNearBeginning(sql, days, request)
    : placeAmongDays(sql, days, request));
  if (place === undefined) throw new Error('Counting answered nothing');
  return place;
}

/** So few rows are sooner passed over than found out about. */
const mostPassed = 50;

function passedBy({ page, pageSize }: PageRequest): number {
  return (page - 1) * pageSize;
}

/** The first pages, which are asked for most, begin on the first day of the list. */
function placeNearBeginning(sql: Sql, days: Fragment, request: PageRequest) {
  const { pageSize, newestFirst } = request;
  const passed = passedBy(request);
  return sql<PagePlace[]>`
    select total, take, ${newestFirst}::boolean as "fromNewest", ${passed}::integer as skip, case when take > 0 then day::text end as day
    from (
      select total, day, greatest(0, least(${pageSize}::bigint, total - ${passed}::bigint)) as take
      from (
        select coalesce(sum(rows), 0)::bigint as total, ${newestFirst ? sql`max(day)` : sql`min(day)`} as day from (${days}) days
      ) counted
    ) asked`;
}

function placeAmongDays(sql: Sql, days: Fragment, request: PageRequest) {
  const { pageSize, newestFirst } = request;
  const passed = passedBy(request);
  return sql<PagePlace[]>`
    with days as materialized (select day, sum(rows)::integer as rows from (${days}) days group by day),
    asked as (
      select total, greatest(0, least(${pageSize}::bigint, total - ${passed}::bigint)) as take
      from (select coalesce(sum(rows), 0)::bigint as total from days) counted
    ),
    -- How many rows of the list are newer than the page, whichever way it is read.
    page as (
      select total, take, case when ${newestFirst} then ${passed}::bigint else total - ${passed}::bigint - take end as newer
      from asked
    ),
    near as (
      select total, take, newer * 2 <= total as from_newest,
        case when newer * 2 <= total then newer else total - newer - take end as before
      from page
    ),
    through as (
      select day, rows, sum(rows) over (
        order by case when from_newest then '2000-01-01'::date - day else day - '2000-01-01'::date end
      ) as through
      from days, near
    )
    select total, take, from_newest as "fromNewest", through.day::text as day,
      coalesce(before - (through.through - through.rows), 0)::bigint as skip
    from near left join through
      on take > 0 and before < through.through and before >= through.through - through.rows`;
}

/** Days of the business, both included: `2026-11-21`. */
type Days = { readonly from: string | undefined; readonly to: string | undefined; readonly timeZone: string };

/** When a row of a list began. */
type Began = 'placed_at' | 'requested_at';

/** The rows of a list from where a page is seen. */
export function seenFrom(
  sql: Sql,
  began: Began,
  { fromNewest, day, timeZone }: PagePlace & Pick<Days, 'timeZone'>,
): Fragment {
  return fromNewest
    ? sql`${sql(began)} < ledger.start_of_day(${day}::text::date + 1, ${timeZone})`
    : sql`${sql(began)} >= ledger.start_of_day(${day}::text::date, ${timeZone})`;
}

/** Further conditions, for the rows of a list. */
export function ofDays(sql: Sql, began: Began, { from, to, timeZone }: Days): Fragment {
  return sql`
    ${from === undefined ? sql`` : sql`and ${sql(began)} >= ledger.start_of_day(${from}::text::date, ${timeZone})`}
    ${to === undefined ? sql`` : sql`and ${sql(began)} < ledger.start_of_day(${to}::text::date + 1, ${timeZone})`}`;
}

/** For the counted days. Left out where it says nothing: PostgreSQL would keep a plan that looks each day up in an index. */
export function betweenDays(sql: Sql, { from, to }: Days): Fragment {
  return sql`
    ${from === undefined ? sql`` : sql`and day >= ${from}::text::date`}
    ${to === undefined ? sql`` : sql`and day <= ${to}::text::date`}`;
}

/** Rows as they were read from the nearer end, in the order in which they were asked for. */
export function inOrder<Row>(rows: readonly Row[], place: PagePlace, { newestFirst }: PageRequest): readonly Row[] {
  return place.fromNewest === newestFirst ? rows : rows.toReversed();
}
