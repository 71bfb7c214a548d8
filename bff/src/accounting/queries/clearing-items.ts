import {
  clearingSumOf,
  type Figure,
  figures,
  type SumOfEvents,
  typesOf,
} from '@kilim/domain/accounting/money-of-events';
import type { EventType } from '@kilim/domain/ledger-event';
import { type Cents, cents } from '@kilim/domain/money';
import type { EntryStanding } from '@kilim/domain/payout/events';
import { disputeActivities } from '@kilim/domain/payout/postings';
import { onlyRow, type Sql, type Transaction } from '../../core/database/database.ts';
import { literal } from '../../core/database/values.ts';
import { resolutionsStream } from '../../core/ledger/codecs/resolutions.ts';
import { isOneOf, sumInSql, typesOfDays } from '../../core/ledger/money-in-sql.ts';

// Open items add up to the balance of the clearing account.

export type ClearingItem = {
  readonly kind:
    | 'order'
    | 'orphan'
    /** Belongs to no order. */
    | 'payout'
    /** Payouts that the bank returned, or that were made outside a batch, until a batch settles them. */
    | 'betweenPayouts';
  readonly squareId: string;
  readonly orderId: string | null;
  /** Negative: the account owes it. */
  readonly amount: Cents;
  /** The latest change. */
  readonly at: Date;
  readonly onItsWayIn: string | null;
  readonly state: ItemState;
};

export const itemStates = [
  /** Changed within the time that a payout takes. */
  'recent',
  'onItsWay',
  /** Older than the first recorded payout, so that no payout can explain it. */
  'beforeFirstPayout',
  /** A charge, refund or dispute that no payout has brought in time, or a payout that has not arrived. */
  'notPaidOut',
] as const;
export type ItemState = (typeof itemStates)[number];

export type ClearingSummary = Readonly<Record<ItemState, Cents>> & {
  readonly balance: Cents;
  readonly items: number;
  readonly notPaidOutItems: number;
  /** The part of the balance that no item explains. It is zero unless the ledger is inconsistent. */
  readonly unexplained: Cents;
};

/** Square pays out within two working days; banks and weekends take the rest. */
const payoutPatience = 7 * 24 * 60 * 60 * 1000;

/** Conditions on `ledger.event`. */
type EventsUntil = {
  /** `true` for all. A report as of a day passes the window of its posting days (`isSelected`). */
  readonly events: string;
  /** By default `not (events)`, which reads the whole table. */
  readonly others?: string;
  readonly now: Date;
};

/** A write-off names the payment. */
export const kindsOfPayments = ['order', 'orphan'] as const satisfies readonly ClearingItem['kind'][];

/**
 * The oldest first.
 * @param of only those of this payment or payout
 */
export async function readClearingItems(
  sql: Sql | Transaction,
  { most, of, ...until }: EventsUntil & { readonly of?: string; readonly most: number },
): Promise<readonly ClearingItem[]> {
  const rows = await sql.unsafe<(Omit<ClearingItem, 'amount'> & { amount: number })[]>(`${itemsInSql(until)}
    select kind, square_id as "squareId", order_id as "orderId", amount, at, way as "onItsWayIn", state
    from item ${of === undefined ? '' : `where square_id = ${literal(of)}`}
    order by at, square_id limit ${most}`);
  return rows.map((row) => ({ ...row, amount: cents(row.amount) }));
}

export async function sumClearing(sql: Sql | Transaction, until: EventsUntil): Promise<ClearingSummary> {
  const row = await onlyRow(
    sql.unsafe<Record<keyof ClearingSummary, number>[]>(`${itemsInSql(until)}
    select (
        select ${sumInSql(clearingSumOf(...allFigures))} from ledger.event
        where ${isOneOf(typesIn(clearingSumOf(...allFigures)))} and ${until.events}
      ) as balance,
      count(*) as items, count(*) filter (where state = 'notPaidOut') as "notPaidOutItems",
      ${itemStates.map((state) => `coalesce(sum(amount) filter (where state = '${state}'), 0)::bigint as "${state}"`)},
      coalesce(sum(amount), 0)::bigint as unexplained
    from item`),
  );
  return {
    balance: cents(row.balance),
    items: row.items,
    notPaidOutItems: row.notPaidOutItems,
    recent: cents(row.recent),
    onItsWay: cents(row.onItsWay),
    beforeFirstPayout: cents(row.beforeFirstPayout),
    notPaidOut: cents(row.notPaidOut),
    unexplained: cents(row.balance - row.unexplained),
  };
}

const allFigures = Object.keys(figures) as Figure[];
const orphanTypes: readonly EventType[] = ['OrphanPaymentFound', 'OrphanPaymentReturned'];
const payoutTypes = ['PayoutRecorded', 'PayoutPaid', 'PayoutFailed'] as const;

/** The sums of an order's own payment, without those of orphan payments in its stream. */
const ofOrders = without(clearingSumOf('takings', 'refunds', 'fees', 'disputes', 'unidentified'), orphanTypes);
const ofOrphans = only(clearingSumOf('unidentified'), orphanTypes);

function only({ adds, subtracts }: SumOfEvents, types: readonly EventType[]): SumOfEvents {
  const isWanted = (type: EventType) => types.includes(type);
  return { adds: adds.filter(isWanted), subtracts: subtracts.filter(isWanted) };
}

function without({ adds, subtracts }: SumOfEvents, types: readonly EventType[]): SumOfEvents {
  const isWanted = (type: EventType) => !types.includes(type);
  return { adds: adds.filter(isWanted), subtracts: subtracts.filter(isWanted) };
}

function typesIn({ adds, subtracts }: SumOfEvents): readonly EventType[] {
  return [...adds, ...subtracts];
}

const grossCarriedAs = ['order', 'returned', 'payout'] as const satisfies readonly EntryStanding[];

/** The payout's event books the rest: see `payoutPostings`. */
export const carriedInSql = `(
  case when standing in (${grossCarriedAs.map(literal).join(', ')}) or standing = 'orphan' and activity = 'CHARGE'
    then gross_cents else 0 end
  - case when standing = 'order' and activity not in (${[...disputeActivities].map(literal).join(', ')})
    then fee_cents else 0 end)`;

/** Those that change an order's part of the account, and that its summary does not count. */
const toldTypes: readonly EventType[] = typesOfDays;
const untoldTypes = typesIn(ofOrders).filter((type) => !toldTypes.includes(type));

/**
 * An order is settled when its summary has the sum that payouts carried, and no other event: the events of the others
 * are read.
 */
function itemsInSql({ events, others = `not (${events})`, now }: EventsUntil): string {
  const ofOrder = isOneOf(typesIn(ofOrders));
  const inTime = `${literal(new Date(now.getTime() - payoutPatience).toISOString())}::timestamptz`;
  return `
    with payout as materialized (
      select substr(stream_id, length('payout-') + 1) as payout_id, max(occurred_at) as at,
        bool_or(type <> 'PayoutRecorded') as is_over,
        ${sumInSql(clearingSumOf('bank'))} as banked
      from ledger.event
      where ${isOneOf(payoutTypes)} and ${events}
      group by stream_id
    ), entry as materialized (
      select entry.*, payout.is_over, payout.at, ${carriedInSql} as carried
      from ledger.payout_entry entry join payout using (payout_id)
    ), untold as materialized (
      select stream_id from ledger.event where ${isOneOf(untoldTypes)}
      union
      select stream_id from ledger.event where ${ofOrder} and (${others})
    ), paid_out as (
      select square_payment_id, sum(carried) as carried
      from entry where is_over and standing in ('order', 'orphan', 'returned')
      group by 1
    ), settled as materialized (
      select square_payment_id
      from paid_out join ledger.order_summary summary using (square_payment_id)
      where captured_cents - refunded_cents - fee_cents = carried
        and not exists (select from untold where stream_id = 'order-' || summary.order_id::text)
    ), by_order as (
      select summary.square_payment_id, money.amount, money.at
      from ledger.order_summary summary cross join lateral (
        select ${sumInSql(ofOrders)} as amount, max(occurred_at) as at
        from ledger.event
        where stream_id = 'order-' || summary.order_id::text and ${ofOrder} and ${events}
      ) money
      where captured_cents > 0
        and not exists (select from settled where settled.square_payment_id = summary.square_payment_id)
    ), part (square_id, amount, at, way, sent_at) as (
      select square_payment_id, amount, at, null::text, null::timestamptz from by_order where at is not null
      union all
      select payload ->> 'squarePaymentId', ${sumInSql(ofOrphans)}, max(occurred_at), null, null
      from ledger.event
      where ${isOneOf(orphanTypes)} and ${events}
      group by 1
      union all
      select square_payment_id, -sum(carried) filter (where is_over), max(at) filter (where is_over),
        max(payout_id) filter (where not is_over), max(at) filter (where not is_over)
      from entry
      where standing in ('order', 'orphan', 'returned')
        and not exists (select from settled where settled.square_payment_id = entry.square_payment_id)
      group by 1
      union all
      select payload ->> 'squarePaymentId', ${sumInSql(clearingSumOf('writeOffs'))}, max(occurred_at), null, null
      from ledger.event
      where stream_id = ${literal(resolutionsStream)} and ${isOneOf(typesOf('writeOffs'))} and ${events}
      group by 1
      having ${sumInSql(clearingSumOf('writeOffs'))} <> 0
    ), payment as (
      select square_id, coalesce(sum(amount), 0)::bigint as amount, max(at) as at, max(way) as way,
        max(sent_at) as sent_at
      from part group by square_id
    ), left_by_payout as (
      select payout.payout_id, payout.at, payout.banked + coalesce(sum(entry.net_cents), 0) as amount
      from payout left join entry using (payout_id)
      where payout.is_over
      group by payout.payout_id, payout.at, payout.banked
      having payout.banked + coalesce(sum(entry.net_cents), 0) <> 0
    ), between_payouts as (
      select coalesce(sum(amount), 0)
          - (select coalesce(sum(carried), 0) from entry where is_over and standing = 'payout') as amount,
        max(at) as at, (array_agg(payout_id order by at desc))[1] as square_id
      from left_by_payout
    ), open_item (kind, square_id, order_id, amount, at, way, sent_at) as (
      select case when summary.order_id is null then 'orphan' else 'order' end, payment.square_id, summary.order_id,
        payment.amount, payment.at, payment.way, payment.sent_at
      from payment left join ledger.order_summary summary
        on summary.square_payment_id = payment.square_id and summary.payment_status = 'paid'
      where payment.amount <> 0
      union all
      select 'payout', payout_id, null, sum(net_cents - carried)::bigint, max(at), payout_id, max(at)
      from entry where not is_over group by payout_id having sum(net_cents - carried) <> 0
      union all
      select 'betweenPayouts', square_id, null, amount::bigint, at, null, null from between_payouts where amount <> 0
    ), item as (
      select *, case
        when coalesce(sent_at, at) >= ${inTime} then case when way is null then 'recent' else 'onItsWay' end
        when way is null and at < coalesce(first_charge, 'infinity') then 'beforeFirstPayout'
        else 'notPaidOut' end as state
      from open_item, (
        -- Square need not say when an entry took effect.
        select min(coalesce(effective_at, at)) as first_charge
        from ledger.payout_entry left join payout using (payout_id) where activity = 'CHARGE'
      ) first
    )`;
}
