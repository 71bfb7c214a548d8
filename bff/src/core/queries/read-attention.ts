import { tiers } from '@kilim/domain/catalog';
import { type Cents, cents } from '@kilim/domain/money';
import { turnaroundDays } from '@kilim/domain/order/due';
import type { OrderEvent } from '@kilim/domain/order/events';
import { builtInIntake } from '@kilim/domain/settings/settings';
import type { Sql } from '../database/database.ts';
import { settingsStream } from '../ledger/codecs/settings.ts';
import { requestNotProven, toldAfter } from '../ledger/effects.ts';
import { isAsked, isStillPaid } from './list-orders.ts';
import type { Fragment } from './paging.ts';

export type NeedsAttention = {
  readonly kind:
    | 'payment-risky'
    | 'refund-failed'
    | 'refund-overdue'
    | 'dispute-open'
    | 'payment-unknown'
    | 'refund-unknown'
    | 'work-parked'
    | 'refund-unproven'
    | 'difference-unpaid'
    | 'rugs-late'
    | 'rugs-uncollected'
    | 'mail-undelivered';
  /** Of the refund, the dispute, the work or the mail. */
  readonly id: string;
  /** Null: a mail about a day or a closing. */
  readonly orderId: string | null;
  readonly amount: Cents | null;
  readonly since: Date;
  /** Of a dispute: the deadline for evidence. */
  readonly dueAt: Date | null;
  /** Square's code of a failure or a dispute, or its word for an unknown state; the codes of a mail server. */
  readonly code: string | null;
};

/** Square decides most refunds within seconds. */
const overdueAfter = '2 days';
/** Then the rugs were collected and returned long ago. */
const riskyFor = '60 days';
/** A person calls a customer who has not paid a difference for so long. */
const unpaidFor = '3 days';
const most = 50;

/**
 * The oldest of each kind first. Each part's condition is that of an index, so the number of orders does not matter.
 */
export async function readAttention(sql: Sql): Promise<readonly NeedsAttention[]> {
  const rows = await sql<Row[]>`
    (
      select 'payment-risky' as kind, event.payload ->> 'paymentId' as id, order_id as "orderId", summary.total_cents as amount,
        event.occurred_at as since, null::text as "dueAt", null::text as code
      from ledger.event
      join ledger.order_summary summary on summary.order_id = right(event.stream_id, -6)::uuid
        and summary.payment_id = event.payload ->> 'paymentId'
      where event.type = 'PaymentAuthorized' and event.payload ->> 'risk' = 'high'
        and event.occurred_at > clock_timestamp() - ${riskyFor}::interval
        and summary.payment_status = 'paid' and ${isStillPaid(sql)}
        and not exists (
          select from ledger.order_note note where note.order_id = summary.order_id and note.text is not null
        )
      order by event.occurred_at limit ${most}
    ) union all (
      select 'refund-failed', refund_id, order_id, amount_cents, failed_at, null, failure_code
      from ledger.owed_refund order by failed_at limit ${most}
    ) union all (
      select 'refund-overdue', refund_id, order_id, amount_cents, requested_at, null, null
      from ledger.refund_history
      where status = 'pending' and requested_at < clock_timestamp() - ${overdueAfter}::interval
        and not exists (
          select from ledger.effect
          where effect.refund_id = refund_history.refund_id and (state = 'parked' or state = 'open' and answer is not null)
        )
      order by requested_at limit ${most}
    ) union all (
      select 'dispute-open', event.payload ->> 'squareDisputeId', summary.order_id, event.amount_cents, event.occurred_at,
        event.payload ->> 'dueAt', event.payload ->> 'reason'
      from ledger.event
      join ledger.order_summary summary on summary.order_id = right(event.stream_id, -6)::uuid
      where event.type = 'DisputeOpened' and event.stream_id like 'order-%' and summary.dispute_status = 'open'
        and not exists (
          select from ledger.event closed
          where closed.stream_id = event.stream_id and closed.type = 'DisputeClosed'
            and closed.payload ->> 'squareDisputeId' = event.payload ->> 'squareDisputeId'
        )
      order by event.occurred_at limit ${most}
    ) union all (
      select case answer when ${requestNotProven} then 'refund-unproven' else 'work-parked' end, key, order_id,
        case answer when ${requestNotProven} then refund.amount_cents else summary.total_cents end,
        opened_at, null, null
      from ledger.effect join ledger.order_summary summary using (order_id)
        left join ledger.refund_history refund using (order_id, refund_id)
      where state = 'parked' order by opened_at limit ${most}
    ) union all (
      select 'payment-unknown', key, order_id, summary.total_cents, opened_at, null, answer
      from ledger.effect join ledger.order_summary summary using (order_id)
      where state = 'open' and kind = 'charge' and opened_at < clock_timestamp() - ${toldAfter}::interval
      order by opened_at limit ${most}
    ) union all (
      -- A bank may take days to decide on a refund that Square has accepted.
      select 'refund-unknown', key, order_id, refund.amount_cents, opened_at, null, answer
      from ledger.effect join ledger.refund_history refund using (order_id, refund_id)
      where state = 'open' and opened_at < clock_timestamp() - ${toldAfter}::interval
        and (kind = 'refund' or kind = 'follow_refund' and answer is not null)
      order by opened_at limit ${most}
    ) union all (
      select 'difference-unpaid', asked.payload ->> 'supplementId', order_id, asked.amount_cents, asked.occurred_at, null, null
      from ledger.order_summary summary
        join ledger.event asked on asked.stream_id = 'order-' || order_id and asked.type = 'SupplementRequested'
          and asked.payload ->> 'supplementId' = supplement_id::text
      where supplement_id is not null and ${isAsked(sql)}
        and asked.occurred_at < clock_timestamp() - ${unpaidFor}::interval
      order by asked.occurred_at limit ${most}
    ) union all (
      select 'rugs-late', order_id::text, order_id, null, received.at, null, null
      from ledger.order_summary summary ${lastStep(sql, 'RugsReceived', 'min')} as received on true
        cross join lateral (
          select max(days) as days
          from ledger.event placed cross join lateral json_array_elements(placed.payload -> 'rugs') rug
            join unnest(${sql.typed.textArray(tiers)}::text[], ${sql.typed.textArray(tiers.map((tier) => turnaroundDays[tier]))}::integer[])
              turnaround (tier, days) on tier = rug ->> 'tier'
          where placed.stream_id = 'order-' || order_id and placed.version = 1
        ) due
      where stage = 'received' and received.at < clock_timestamp() - make_interval(days => due.days + 1)
      order by received.at limit ${most}
    ) union all (
      select 'rugs-uncollected', order_id::text, order_id, null, ready.at, null, null
      from ledger.order_summary summary ${lastStep(sql, 'OrderReady', 'max')} as ready on true
      where stage = 'ready' and ready.at < clock_timestamp() - make_interval(days => coalesce((
        select (payload -> 'settings' -> 'intake' ->> 'collectWithinDays')::integer from ledger.event
        where stream_id = ${settingsStream} order by version desc limit 1
      ), ${builtInIntake.collectWithinDays}::integer))
      order by ready.at limit ${most}
    ) union all (
      select 'mail-undelivered', kind || ':' || about, order_id, null, opened_at, null, failure
      from ledger.mail where state = 'parked' order by settled_at limit ${most}
    )`;
  return rows.map(({ amount, dueAt, ...found }) => ({
    ...found,
    amount: amount === null ? null : cents(amount),
    dueAt: dueAt === null ? null : new Date(dueAt),
  }));
}

/** When a step of the order was recorded. */
function lastStep(sql: Sql, type: OrderEvent['type'], which: 'min' | 'max'): Fragment {
  return sql`join lateral (
    select ${sql.unsafe(which)}(occurred_at) as at from ledger.event step
    where step.stream_id = 'order-' || order_id and step.type = ${type}
  )`;
}

type Row = Omit<NeedsAttention, 'amount' | 'dueAt'> & {
  readonly amount: number | null;
  readonly dueAt: string | null;
};
