import { pendingRefunds, refundsOfOrders, sumOf, typesOf } from '@kilim/domain/accounting/money-of-events';
import { deliveryOptions } from '@kilim/domain/catalog';
import type { EventType } from '@kilim/domain/ledger-event';
import type { OrderEvent, SoldRug } from '@kilim/domain/order/events';
import type { OrderPaymentStatus } from '@kilim/domain/projection/order-summary';
import { isOneOf, sumInSql, typesOfOrders } from '../money-in-sql.ts';

// The projections of `domain/src/projection` as SQL: PostgreSQL folds the same rows, and no event
// leaves the server. It reads typed columns where possible, and payloads of the versions below.
// `compare` and `rebuild.int.spec.ts` hold both against each other.

/** The columns of `ledger.order_summary`, in the order in which `summaries` selects them. */
export const summaryColumns = [
  'order_id',
  'version',
  'payment_id',
  'square_payment_id',
  'payment_status',
  'delivery_option',
  'rug_count',
  'total_cents',
  'captured_cents',
  'refund_pending_cents',
  'refunded_cents',
  'refundable_cents',
  'refund_status',
  'fee_cents',
  'dispute_status',
  'placed_at',
  'paid_at',
  'updated_at',
] as const;

/** The columns of `ledger.refund_history`, in the order in which `refunds` selects them. */
export const refundColumns = [
  'refund_id',
  'order_id',
  'payment_id',
  'square_refund_id',
  'origin',
  'status',
  'refund_type',
  'amount_cents',
  'reason',
  'items',
  'delivery_minimum_cents',
  'services_cents',
  'add_ons_cents',
  'delivery_cents',
  'minimum_cents',
  'sales_tax_cents',
  'requested_by',
  'failure_code',
  'requested_at',
  'settled_at',
  'paid_by',
  'paid_on',
  'reference',
] as const;

/**
 * The version of an event for these statements. Version 2 of `RefundRequested` only adds the chosen
 * charges, which no row holds, so it is read as version 1.
 */
const versionOfRow = `schema_version - (${isOneOf(['RefundRequested'])} and schema_version = 2)::int`;

/** Events with a newer payload, which these statements cannot read yet. */
export const unreadableEvents = `
  select type, schema_version from ledger.event
  where (stream_id like 'order-%' or type = 'PayoutEntriesRecorded') and ${versionOfRow} <> 1 limit 1`;

// The index, read backwards, needs no sort. The first event of its kind counts.
const newest = (value: string, condition: string) =>
  `any_value(${value} order by version desc) filter (where ${condition})`;

/** The value of the only event of its kind. */
const only = (value: string, condition: string) => `any_value(${value}) filter (where ${condition})`;

/** The columns that each type of event sets in an order's row, besides the sums of money. */
const parts = {
  PaymentCaptured: 'paid',
  PaymentDeclined: 'declined',
  PaymentVoided: 'voided',
  PaymentStarted: 'processing',
  PaymentAuthorized: 'hold',
  OrderPlaced: 'order',
  ProcessingFeeAssessed: 'nothing',
  RefundRequested: 'nothing',
  RefundFailed: 'nothing',
  RefundCompleted: 'nothing',
  ExternalRefundRecorded: 'nothing',
  CustomerReimbursed: 'nothing',
  RefundSplitCorrected: 'nothing',
  DisputeOpened: 'dispute',
  DisputeClosed: 'dispute',
  RefundSubmitted: 'nothing',
  ExcessRefundFound: 'nothing',
  OrphanPaymentFound: 'nothing',
  OrphanPaymentReturned: 'nothing',
  ContactErased: 'nothing',
} satisfies Record<OrderEvent['type'], PaymentStatus | 'hold' | 'order' | 'dispute' | 'nothing'>;
type PaymentStatus = Exclude<OrderPaymentStatus, 'unpaid'>;

/** Each event's type is compared once, and replaced by its number in this list. */
const kinds = (Object.keys(parts) as OrderEvent['type'][]).filter(
  (type) => parts[type] !== 'nothing' || typesOfOrders.includes(type),
);
const kindOf = `case type ${kinds.map((kind, index) => `when '${kind}' then ${index + 1}`).join(' ')} end`;

/** The condition on an event's number. Types that stand together in the list make a range. */
function is(types: readonly EventType[]): string {
  const numbers = kinds.flatMap((kind, index) => (types.includes(kind) ? [index + 1] : []));
  const [first = 0, last = first] = [numbers[0], numbers.at(-1)];
  if (numbers.length === 1) return `kind = ${first}`;
  return last - first + 1 === numbers.length ? `kind between ${first} and ${last}` : `kind in (${numbers.join(', ')})`;
}

const statuses = { paid: true, declined: true, voided: true, processing: true } satisfies Record<PaymentStatus, true>;
const settingStatus = kinds.filter((kind) => parts[kind] in statuses);
const paymentStatus = `case ${newest('kind', is(settingStatus))}
  ${settingStatus.map((kind) => `when ${kinds.indexOf(kind) + 1} then '${parts[kind]}'`).join(' ')} else 'unpaid' end`;

// Parsing payloads as JSON would be half of the work. Their text is canonical: keys in order, no
// white space, and no unescaped quotation mark within a text. So a text that looks like a key is
// one.
type PayloadKey = OrderEvent extends infer Event ? (Event extends unknown ? keyof Event : never) : never;
const textFrom = (key: PayloadKey) => `split_part(payload::text, '"${key}":"', 2)`;
/** The value of a key whose values never need an escape. */
const idAt = (key: PayloadKey) => `split_part(${textFrom(key)}, '"', 1)`;

/** The text that starts at the delivery option. The order's rugs follow it. */
const fromDeliveryOption = textFrom('deliveryOption');
const deliveryOption = deliveryOptions
  .map((option) => `when starts_with(from_delivery_option, '${option}"') then '${option}'`)
  .join(' ');
/** A key that every rug has once; the longest is found fastest. Its type follows a renamed field. */
const rugField: keyof SoldRug = 'repairInspection';
const rugKey = `"${rugField}":`;
const rugCount = `(octet_length(from_delivery_option) - octet_length(replace(from_delivery_option, '${rugKey}', ''))) / octet_length('${rugKey}')`;

/**
 * Rows of `ledger.order_summary` for the streams that satisfy a condition on `stream_id`. The
 * version is null when an event cannot be read.
 */
export function summaries(streams: string): string {
  return `
    select order_id, version, payment_id, nullif(square_payment_id, ''), payment_status, case ${deliveryOption} end, ${rugCount}, total_cents,
      captured_cents, refund_pending_cents, refunded_cents, captured_cents - refund_pending_cents - refunded_cents,
      ledger.refund_status(refund_pending_cents, refunded_cents, captured_cents),
      fee_cents, dispute_status, placed_at, paid_at, updated_at
    from (
      select right(stream_id, -6)::uuid as order_id,
        case when max(row_version) = 1 then max(version) end as version,
        ${newest(idAt('paymentId'), is(['PaymentStarted']))} as payment_id,
        -- A new attempt does not keep the hold of the last one.
        ${newest(`case when ${is(['PaymentAuthorized'])} then ${idAt('squarePaymentId')} else '' end`, is(['PaymentStarted', 'PaymentAuthorized']))} as square_payment_id,
        ${paymentStatus} as payment_status,
        ${only(fromDeliveryOption, is(['OrderPlaced']))} as from_delivery_option,
        ${only('amount_cents', is(['OrderPlaced']))} as total_cents,
        coalesce(${newest('amount_cents', is(typesOf('takings')))}, 0) as captured_cents,
        ${sumInSql(pendingRefunds, is)} as refund_pending_cents,
        ${sumInSql(refundsOfOrders, is)} as refunded_cents,
        ${sumInSql(sumOf('fees'), is)} as fee_cents,
        coalesce(${newest(`case when ${is(['DisputeOpened'])} then 'open' else payload ->> 'outcome' end`, is(['DisputeOpened', 'DisputeClosed']))}, 'none') as dispute_status,
        ${only('occurred_at', is(['OrderPlaced']))} as placed_at,
        ${newest('occurred_at', is(['PaymentCaptured']))} as paid_at,
        ${newest('occurred_at', 'true')} as updated_at
      from (
        select stream_id, version, ${versionOfRow} as row_version, amount_cents, occurred_at, payload, ${kindOf} as kind
        from ledger.event
        where ${ofOrders} and ${streams}
        -- An offset keeps the planner from inlining this query, so each event's kind is found once.
        order by stream_id desc, version desc offset 0
      ) numbered
      group by stream_id order by stream_id desc
    ) folded`;
}

/**
 * A range is faster than a pattern, which PostgreSQL also tries on every event. `.` comes after
 * `-`.
 */
const ofOrders = `stream_id >= 'order-' and stream_id < 'order.'`;

/** The effect of each refund event on the refund's row. */
const refundSteps = {
  RefundRequested: 'requested',
  RefundSubmitted: 'submitted',
  RefundCompleted: 'completed',
  RefundFailed: 'failed',
} satisfies Record<RefundEvent['type'], 'requested' | 'submitted' | Settled>;
type RefundEvent = Extract<OrderEvent, { readonly refundId: unknown }>;
type Settled = 'completed' | 'failed';
type RefundStep = (typeof refundSteps)[keyof typeof refundSteps];

const hasStep = (...steps: readonly RefundStep[]) =>
  isOneOf(
    (Object.keys(refundSteps) as (keyof typeof refundSteps)[]).filter((type) => steps.includes(refundSteps[type])),
  );
const [isRequested, isSettled] = [hasStep('requested'), hasStep('completed', 'failed')];

/** Rows of `ledger.refund_history` for the streams that satisfy a condition on `stream_id`. */
export function refunds(streams: string): string {
  return `
    select refund_id, order_id, payment_id, square_refund_id, origin, status, refund_type, amount_cents, reason,
      coalesce(corrected -> 'items', items), coalesce((corrected ->> 'deliveryMinimum')::bigint, delivery_minimum),
      ${splitParts.map((part) => `coalesce((corrected -> 'split' ->> '${part}')::bigint, "${part}")`).join(', ')},
      requested_by, failure_code, requested_at, settled_at, paid_by, paid_on, reference
    from (${refundsAsBooked(streams)}) as booked (refund_id, order_id, payment_id, square_refund_id, origin, status, refund_type,
      amount_cents, reason, items, delivery_minimum, ${splitParts.map((part) => `"${part}"`).join(', ')},
      requested_by, failure_code, requested_at, settled_at, paid_by, paid_on, reference)
    left join (
      select right(stream_id, -6)::uuid as order_id, payload ->> 'correctedRefundId' as refund_id,
        any_value(payload::jsonb order by version desc) as corrected
      from ledger.event
      where ${isOneOf(['RefundSplitCorrected'])} and ${ofOrders} and ${streams}
      group by 1, 2
    ) correction using (order_id, refund_id)`;
}

/** The rows without what people have corrected since. */
function refundsAsBooked(streams: string): string {
  return `
    select refund_id, order_id, asked ->> 'paymentId', square_refund_id, 'admin', coalesce(status, 'pending'), asked ->> 'refundType', amount_cents,
      asked ->> 'reason', asked -> 'items', (asked ->> 'deliveryMinimum')::bigint, ${split('asked')},
      asked ->> 'requestedBy', failure_code, requested_at, settled_at, null, null, null
    from (
      select refund_id, right(stream_id, -6)::uuid as order_id,
        -- Many fields are read, so the payload is parsed only once.
        ${newest('payload::jsonb', isRequested)} as asked,
        ${newest('amount_cents', isRequested)} as amount_cents,
        ${newest('occurred_at', isRequested)} as requested_at,
        ${newest("payload ->> 'squareRefundId'", hasStep('submitted', 'completed', 'failed'))} as square_refund_id,
        ${newest(`case when ${hasStep('completed')} then 'completed' else 'failed' end`, isSettled)} as status,
        ${newest("payload ->> 'code'", hasStep('failed'))} as failure_code,
        ${newest('occurred_at', isSettled)} as settled_at
      from ledger.event
      where refund_id is not null and ${ofOrders} and ${streams}
      group by stream_id, refund_id
    ) folded
    where asked is not null
    union all
    select payload ->> 'squareRefundId', right(stream_id, -6)::uuid, payload ->> 'paymentId', payload ->> 'squareRefundId', 'square-dashboard',
      'completed', 'partial', amount_cents, 'Made in the Square dashboard', '[]'::jsonb, 0, ${split('payload')}, 'Square dashboard', null,
      (payload ->> 'refundedAt')::timestamptz, (payload ->> 'refundedAt')::timestamptz, null, null, null
    from ledger.event
    where ${isOneOf(['ExternalRefundRecorded'])} and ${ofOrders} and ${streams}
    union all
    select payload ->> 'reimbursementId', right(stream_id, -6)::uuid, payload ->> 'paymentId', null, 'admin',
      'completed', 'partial', amount_cents, payload ->> 'reason', '[]'::jsonb, 0, ${split('payload')}, payload ->> 'reimbursedBy', null,
      (payload ->> 'recordedAt')::timestamptz, occurred_at, payload ->> 'method', payload ->> 'paidOn', payload ->> 'reference'
    from ledger.event
    where ${isOneOf(['CustomerReimbursed'])} and ${ofOrders} and ${streams}`;
}

const splitParts = ['services', 'addOns', 'delivery', 'deliveryMinimum', 'salesTax'] as const;

function split(payload: string): string {
  return splitParts.map((part) => `(${payload} -> 'split' ->> '${part}')::bigint`).join(', ');
}
