import type { Sql, Transaction } from '../../database/database.ts';

// The counts of days, anew: from the events and from the successors of the tables of orders and refunds, before these take their places. As
// `ledger.count_days` counts them, but all days at once. What is appended meanwhile comes after the place up to which is counted, and makes
// its days be counted once more.

const tables = ['order_day', 'refund_day', 'money_day'] as const;

/** A place in the ledger below which nothing is added any more, and the zone whose days are counted. */
export type CountedTo = {
  readonly time_zone: string;
  readonly epoch: number;
  readonly xid: string;
  readonly position: number;
};

/** Before anything is read for the successors: they have to hold all that comes before this place. */
export async function beginDays(sql: Sql): Promise<CountedTo> {
  for (const table of tables) await sql.unsafe(`create table rebuild.${table} (like ledger.${table})`);
  const [to] = await sql<CountedTo[]>`
    select progress.time_zone, coalesce(last.epoch, 0)::int as epoch, coalesce(last.xid, '0')::text as xid, coalesce(last.position, 0) as position
    from ledger.day_progress progress left join (
      select epoch, xid, position from ledger.event
      where xid < pg_snapshot_xmin(pg_current_snapshot()) or epoch < (select max(newest.epoch) from ledger.event newest)
      order by event.epoch desc, event.xid desc, event.position desc limit 1
    ) last on true`;
  if (to === undefined) throw new Error('It is not known how far the days are counted.');
  return to;
}

/** As `ledger.money_between` counts it. */
export async function countMoney(sql: Sql, to: CountedTo): Promise<void> {
  await inZoneOf(sql, to, async (transaction) => {
    await transaction`
      insert into rebuild.money_day (day, orders, takings_cents, refunds, refunds_cents, fees_cents)
      select occurred_at::date, count(*) filter (where type = 'PaymentCaptured'),
        coalesce(sum(amount_cents) filter (where type = 'PaymentCaptured'), 0),
        count(*) filter (where type in ('RefundCompleted', 'ExternalRefundRecorded')),
        coalesce(sum(amount_cents) filter (where type in ('RefundCompleted', 'ExternalRefundRecorded')), 0),
        coalesce(sum(amount_cents) filter (where type = 'ProcessingFeeAssessed'), 0)
      from ledger.event
      where type in ('PaymentCaptured', 'ProcessingFeeAssessed', 'RefundCompleted', 'ExternalRefundRecorded')
        and (epoch, xid, position) <= (${to.epoch}::smallint, ${to.xid}::text::xid8, ${to.position})
      group by 1`;
  });
}

/** Once the successors are filled. */
export async function countRowsOfDays(sql: Sql, to: CountedTo): Promise<void> {
  await inZoneOf(sql, to, async (transaction) => {
    await transaction`
      insert into rebuild.order_day (day, payment_status, refund_status, delivery_option, orders)
      select placed_at::date, payment_status, refund_status, delivery_option, count(*)
      from rebuild.order_summary group by 1, 2, 3, 4`;
    await transaction`
      insert into rebuild.refund_day (day, status, refunds)
      select requested_at::date, status, count(*) from rebuild.refund_history group by 1, 2`;
  });
}

/** Where instants are of the zone's days by themselves: naming the zone for each would cost as much as counting. */
async function inZoneOf(sql: Sql, to: CountedTo, count: (transaction: Transaction) => Promise<void>): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`select set_config('TimeZone', ${to.time_zone}, true)`;
    await count(transaction);
  });
}

/** Readers see the old counts until the new ones are complete. */
export async function replaceDays(sql: Sql, { time_zone: timeZone, epoch, xid, position }: CountedTo): Promise<void> {
  await sql.begin(async (transaction) => {
    // Whoever counts just now is waited for.
    await transaction.unsafe('set local lock_timeout = 0');
    const [progress] = await transaction<{ time_zone: string }[]>`select time_zone from ledger.day_progress for update`;
    for (const table of tables) await transaction.unsafe(`delete from ledger.${table}`);
    if (progress?.time_zone === timeZone) {
      for (const table of tables)
        await transaction.unsafe(`insert into ledger.${table} select * from rebuild.${table}`);
      await transaction`
        update ledger.day_progress set epoch = ${epoch}::smallint, xid = ${xid}::text::xid8, position = ${position}`;
    } else {
      // The days of another zone were counted from the old tables: whoever counts them begins anew.
      await transaction`update ledger.day_progress set epoch = 0, xid = '0', position = 0`;
    }
  });
}
