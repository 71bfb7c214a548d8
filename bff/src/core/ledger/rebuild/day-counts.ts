import type { Sql, Transaction } from '../../database/database.ts';
import { isOneOf, moneyOfDays, typesOfDays } from '../money-in-sql.ts';

// `ledger.count_days` counts the same in more passes. Events that are appended during the rebuild come after the
// counted place, so their days are counted again later.

const tables = ['order_day', 'refund_day', 'money_day'] as const;

/**
 * A place in the ledger before which no event is added any more, and the zone of the counted days.
 */
export type CountedTo = {
  readonly time_zone: string;
  readonly epoch: number;
  readonly xid: string;
  readonly position: number;
};

/**
 * Must run before the shadow tables are filled: they have to hold every event before this place.
 */
export async function beginDays(sql: Sql): Promise<CountedTo> {
  for (const table of tables) await sql.unsafe(`create table rebuild.${table} (like ledger.${table})`);
  const [to] = await sql<CountedTo[]>`
    select progress.time_zone, coalesce(last.epoch, 0)::int as epoch, coalesce(last.xid, '0')::text as xid, coalesce(last.position, 0) as position
    from ledger.day_progress progress left join (
      select epoch, xid, position from ledger.event
      where xid < pg_snapshot_xmin(pg_current_snapshot()) or epoch < (select ledger.current_epoch())
      order by event.epoch desc, event.xid desc, event.position desc limit 1
    ) last on true`;
  if (to === undefined) throw new Error('It is not known how far the days are counted.');
  return to;
}

export async function countMoney(sql: Sql, to: CountedTo): Promise<void> {
  await inZoneOf(sql, to, async (transaction) => {
    await transaction`
      insert into rebuild.money_day (day, ${transaction.unsafe(Object.keys(moneyOfDays).join(', '))})
      select occurred_at::date, ${transaction.unsafe(Object.values(moneyOfDays).join(', '))}
      from ledger.event
      where ${transaction.unsafe(isOneOf(typesOfDays))}
        and (epoch, xid, position) <= (${to.epoch}::smallint, ${to.xid}::text::xid8, ${to.position})
      group by 1`;
  });
}

/** Must run after the shadow tables are filled. */
export async function countRowsOfDays(sql: Sql, to: CountedTo): Promise<void> {
  await inZoneOf(sql, to, async (transaction) => {
    await transaction`
      insert into rebuild.order_day (day, payment_status, refund_status, delivery_option, orders)
      select placed_at::date, payment_status, refund_status, delivery_option, count(*)
      from rebuild.order_summary where supplement_of is null group by 1, 2, 3, 4`;
    await transaction`
      insert into rebuild.refund_day (day, status, refunds)
      select requested_at::date, status, count(*) from rebuild.refund_history group by 1, 2`;
  });
}

/** In the session's time zone a cast to a date is enough: `at time zone` would double the cost. */
async function inZoneOf(sql: Sql, to: CountedTo, count: (transaction: Transaction) => Promise<void>): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`select set_config('TimeZone', ${to.time_zone}, true)`;
    await count(transaction);
  });
}

/** Readers see the old counts until this transaction commits. */
export async function replaceDays(sql: Sql, { time_zone: timeZone, epoch, xid, position }: CountedTo): Promise<void> {
  await sql.begin(async (transaction) => {
    // Wait for a count that is running.
    await transaction.unsafe('set local lock_timeout = 0');
    const [progress] = await transaction<{ time_zone: string }[]>`select time_zone from ledger.day_progress for update`;
    for (const table of tables) await transaction.unsafe(`delete from ledger.${table}`);
    if (progress?.time_zone === timeZone) {
      for (const table of tables)
        await transaction.unsafe(`insert into ledger.${table} select * from rebuild.${table}`);
      await transaction`
        update ledger.day_progress set epoch = ${epoch}::smallint, xid = ${xid}::text::xid8, position = ${position}`;
    } else {
      // The days of another zone were counted from the old tables.
      await transaction`update ledger.day_progress set epoch = 0, xid = '0', position = 0`;
    }
  });
}
