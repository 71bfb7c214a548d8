import { onlyRow, type Sql } from '../database/database.ts';

export type PageRequest = {
  readonly page: number;
  readonly pageSize: number;
  readonly newestFirst: boolean;
};

export type Page<Row> = {
  readonly rows: readonly Row[];
  readonly total: number;
  /** There may be more than `total`. */
  readonly isLeast: boolean;
};

export type Fragment = ReturnType<Sql>;

/** `skip` rows after the start of a day, from the nearer end of the list. So any page skips only rows of one day. */
export type PagePlace = {
  readonly total: number;
  readonly take: number;
  readonly skip: number;
  /** False: from the oldest row forwards. */
  readonly fromNewest: boolean;
  /** `2026-11-21`; null when the page is empty. */
  readonly day: string | null;
};

/**
 * @param days selects `day` and `rows`: the number of list rows on each day, in one row per day or in several. `rows`
 *   is an integer, because the decimal sums of `bigint` double the time of the whole query.
 */
export async function placeOfPage(sql: Sql, days: Fragment, request: PageRequest): Promise<PagePlace> {
  return await onlyRow(
    passedBy(request) <= mostPassed ? placeNearBeginning(sql, days, request) : placeAmongDays(sql, days, request),
  );
}

/** Faster than locating the page by its day. */
const mostPassed = 50;

function passedBy({ page, pageSize }: PageRequest): number {
  return (page - 1) * pageSize;
}

/** The first pages are requested most often. */
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
    -- The number of rows that are newer than the page, in either direction.
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

/** Days of the business, both included. */
type Days = { readonly from: string | undefined; readonly to: string | undefined; readonly timeZone: string };

type SortedBy = 'placed_at' | 'requested_at';

/** The condition for rows from the page's day on, in reading direction. */
export function seenFrom(
  sql: Sql,
  sortedBy: SortedBy,
  { fromNewest, day, timeZone }: PagePlace & Pick<Days, 'timeZone'>,
): Fragment {
  return fromNewest
    ? sql`${sql(sortedBy)} < ledger.start_of_day(${day}::text::date + 1, ${timeZone})`
    : sql`${sql(sortedBy)} >= ledger.start_of_day(${day}::text::date, ${timeZone})`;
}

export function ofDays(sql: Sql, sortedBy: SortedBy, { from, to, timeZone }: Days): Fragment {
  return sql`
    ${from === undefined ? sql`` : sql`and ${sql(sortedBy)} >= ledger.start_of_day(${from}::text::date, ${timeZone})`}
    ${to === undefined ? sql`` : sql`and ${sql(sortedBy)} < ledger.start_of_day(${to}::text::date + 1, ${timeZone})`}`;
}

/**
 * Open ends are left out: for a condition that is always true, PostgreSQL keeps a plan that looks up each day in an
 * index.
 */
export function betweenDays(sql: Sql, { from, to }: Days): Fragment {
  return sql`
    ${from === undefined ? sql`` : sql`and day >= ${from}::text::date`}
    ${to === undefined ? sql`` : sql`and day <= ${to}::text::date`}`;
}

/** Puts rows that were read from the nearer end into the requested order. */
export function inOrder<Row>(rows: readonly Row[], place: PagePlace, { newestFirst }: PageRequest): readonly Row[] {
  return place.fromNewest === newestFirst ? rows : rows.toReversed();
}
