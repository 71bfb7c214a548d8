import { cents } from '@kilim/domain/money';
import { z } from 'zod';
import { type PayoutState, payoutStates } from '../../../contract/payouts.ts';
import { onlyRow, type Sql } from '../../core/database/database.ts';
import type { Page } from '../../core/queries/paging.ts';

const listedPayout = z.object({
  id: z.string(),
  state: z.enum(payoutStates),
  day: z.string(),
  amount: z.int().transform(cents),
  lines: z.int(),
  /** ISO 8601 instant. */
  sentAt: z.string(),
  dueOn: z.string().nullable(),
  arrivedOn: z.string().nullable(),
  sentBackOn: z.string().nullable(),
});
export type ListedPayout = Readonly<z.output<typeof listedPayout>>;

export type PayoutsRequest = {
  readonly page: number;
  readonly pageSize: number;
  readonly state: PayoutState | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly timeZone: string;
};

const answer = z.object({ total: z.int(), rows: z.array(listedPayout) });

export async function listPayouts(sql: Sql, request: PayoutsRequest): Promise<Page<ListedPayout>> {
  const { page, pageSize, state, from, to, timeZone } = request;
  const row = await onlyRow(sql<{ found: string }[]>`
    with payout as (${payoutsOf(sql, timeZone, sql``)}),
    listed as materialized (
      select * from payout
      where true
        ${state === undefined ? sql`` : sql`and state = ${state}`}
        ${from === undefined ? sql`` : sql`and day >= ${from}`}
        ${to === undefined ? sql`` : sql`and day <= ${to}`}
    ),
    shown as (
      select * from listed order by day desc, "sentAt" desc, id desc limit ${pageSize} offset ${(page - 1) * pageSize}
    )
    select json_build_object(
      'total', (select count(*) from listed),
      'rows', coalesce((select json_agg(shown order by day desc, "sentAt" desc, id desc) from shown), '[]')
    )::text as found`);
  const { total, rows } = answer.parse(JSON.parse(row.found));
  return { rows, total, isLeast: false };
}

/** @returns undefined when the ledger has no such payout. */
export async function findPayout(sql: Sql, id: string, timeZone: string): Promise<ListedPayout | undefined> {
  const [row] = await sql<{ found: string }[]>`
    select json_build_object('total', 1, 'rows', json_agg(found))::text as found
    from (${payoutsOf(sql, timeZone, sql`and stream_id = ${`payout-${id}`}`)}) found
    having count(*) > 0`;
  return row === undefined ? undefined : answer.parse(JSON.parse(row.found)).rows[0];
}

export function linesInSql(sql: Sql): ReturnType<Sql> {
  return sql`(select sum((total ->> 'entries')::integer) from json_array_elements(event.payload -> 'totals') total)`;
}

/** Texts sort by their bytes, and so do days. */
function payoutsOf(sql: Sql, timeZone: string, condition: ReturnType<Sql>) {
  const dayOf = (type: 'PayoutPaid' | 'PayoutFailed') =>
    sql`(max(occurred_at) filter (where type = ${type}) at time zone ${timeZone})::date::text`;
  const recorded = sql`filter (where type = 'PayoutRecorded')`;
  return sql`
    select id, amount, lines, "sentAt", "dueOn", "arrivedOn", "sentBackOn",
      case when "sentBackOn" is not null then 'failed' when "arrivedOn" is not null then 'paid' else 'sent' end as state,
      coalesce("arrivedOn", "dueOn", ("sentAt"::timestamptz at time zone ${timeZone})::date::text) collate "C" as day
    from (
      select substr(stream_id, length('payout-') + 1) as id,
        max(amount_cents) ${recorded} as amount,
        coalesce(max(${linesInSql(sql)}) ${recorded}, 0) as lines,
        max(payload ->> 'sentAt') ${recorded} as "sentAt",
        max(payload ->> 'arrivalDate') ${recorded} as "dueOn",
        ${dayOf('PayoutPaid')} as "arrivedOn",
        ${dayOf('PayoutFailed')} as "sentBackOn"
      from ledger.event
      where type in ('PayoutRecorded', 'PayoutPaid', 'PayoutFailed') ${condition}
      group by stream_id
    ) news`;
}
