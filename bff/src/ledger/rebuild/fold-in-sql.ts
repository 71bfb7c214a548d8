// What the ledger adds up to, as PostgreSQL adds it up: the same rows as `domain/src/projection` folds from the same events, without any of
// them leaving the server. It reads typed columns where there are some, and payloads of version 1. `compare` holds both against each other.

/** The columns of `ledger.order_summary` that are written, in the order in which `summaries` selects them. */
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
  'notes',
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
] as const;

/** Newer payloads may say the same in other words: then these statements have to learn them first. */
export const unreadableEvents = `
  select type, schema_version from ledger.event
  where (stream_id like 'order-%' or type = 'PayoutEntriesRecorded') and schema_version <> 1 limit 1`;

// Events come newest first, as the index has them backwards, so that nothing is sorted or kept: what counts is the first of its kind.
const newest = (value: string, condition: string) =>
  `any_value(${value} order by version desc) filter (where ${condition})`;

/** What there is one of. */
const only = (value: string, condition: string) => `any_value(${value}) filter (where ${condition})`;

/** Each event's type is compared once; after that it is its number in this list. Those that mean something together stand together. */
const kinds = [
  'PaymentCaptured',
  'PaymentDeclined',
  'PaymentVoided',
  'PaymentStarted',
  'PaymentAuthorized',
  'OrderPlaced',
  'ProcessingFeeAssessed',
  'RefundRequested',
  'RefundFailed',
  'RefundCompleted',
  'ExternalRefundRecorded',
  'DisputeOpened',
  'DisputeClosed',
] as const;
const kindOf = `case type ${kinds.map((kind, index) => `when '${kind}' then ${index + 1}`).join(' ')} end`;
type Kind = (typeof kinds)[number];
const numberOf = (kind: Kind) => kinds.indexOf(kind) + 1;
const is = (kind: Kind) => `kind = ${numberOf(kind)}`;
const isFrom = (first: Kind, last: Kind) => `kind between ${numberOf(first)} and ${numberOf(last)}`;

// Taking payloads apart as JSON would be half of the work. Their text is canonical: keys in order, no white space, and no unescaped quotation
// mark within a text. So what looks like one of their keys is one.
const textFrom = (key: string) => `split_part(payload::text, '"${key}":"', 2)`;
/** Of which nothing is ever escaped. */
const idAt = (key: string) => `split_part(${textFrom(key)}, '"', 1)`;

/** An order's rugs come after its delivery option. */
const fromDeliveryOption = textFrom('deliveryOption');
const deliveryOption = ['pickup', 'dropoff']
  .map((option) => `when starts_with(from_delivery_option, '${option}"') then '${option}'`)
  .join(' ');
/** Of the keys that every rug has once, the longest is found most quickly. */
const rugKey = '"repairInspection":';
const rugCount = `(octet_length(from_delivery_option) - octet_length(replace(from_delivery_option, '${rugKey}', ''))) / octet_length('${rugKey}')`;

/** As the append function has it. */
const refundStatus = `case when refund_pending_cents > 0 then 'pending' when refunded_cents = 0 then 'none'
  when refunded_cents = captured_cents then 'full' else 'partial' end`;

/** Rows of `ledger.order_summary` for the streams that a condition on `stream_id` names. Where an event is not readable, no version is given. */
export function summaries(streams: string): string {
  return `
    select order_id, version, payment_id, nullif(square_payment_id, ''), payment_status, case ${deliveryOption} end, ${rugCount}, total_cents,
      captured_cents, refund_pending_cents, refunded_cents, captured_cents - refund_pending_cents - refunded_cents, ${refundStatus},
      fee_cents, dispute_status, placed_at, paid_at, updated_at
    from (
      select right(stream_id, -6)::uuid as order_id,
        case when max(schema_version) = 1 then max(version) end as version,
        ${newest(idAt('paymentId'), is('PaymentStarted'))} as payment_id,
        -- The hold of one attempt does not stay with the next.
        ${newest(`case when ${is('PaymentAuthorized')} then ${idAt('squarePaymentId')} else '' end`, isFrom('PaymentStarted', 'PaymentAuthorized'))} as square_payment_id,
        coalesce((array['paid', 'declined', 'voided', 'processing'])[${newest('kind', isFrom('PaymentCaptured', 'PaymentStarted'))}], 'unpaid') as payment_status,
        ${only(fromDeliveryOption, is('OrderPlaced'))} as from_delivery_option,
        ${only('amount_cents', is('OrderPlaced'))} as total_cents,
        coalesce(${newest('amount_cents', is('PaymentCaptured'))}, 0) as captured_cents,
        coalesce(sum(case when ${is('RefundRequested')} then amount_cents else -amount_cents end)
          filter (where ${isFrom('RefundRequested', 'RefundCompleted')}), 0)::bigint as refund_pending_cents,
        coalesce(sum(amount_cents) filter (where ${isFrom('RefundCompleted', 'ExternalRefundRecorded')}), 0)::bigint as refunded_cents,
        coalesce(sum(amount_cents) filter (where ${is('ProcessingFeeAssessed')}), 0)::bigint as fee_cents,
        coalesce(${newest(`case when ${is('DisputeOpened')} then 'open' else payload ->> 'outcome' end`, isFrom('DisputeOpened', 'DisputeClosed'))}, 'none') as dispute_status,
        ${only('occurred_at', is('OrderPlaced'))} as placed_at,
        ${newest('occurred_at', is('PaymentCaptured'))} as paid_at,
        ${newest('occurred_at', 'true')} as updated_at
      from (
        select stream_id, version, schema_version, amount_cents, occurred_at, payload, ${kindOf} as kind
        from ledger.event
        where ${ofOrders} and ${streams}
        -- Not taken apart by the planner, so that the kind is found once for each event.
        order by stream_id desc, version desc offset 0
      ) told
      group by stream_id order by stream_id desc
    ) folded`;
}

/** As a range, and not as a pattern: PostgreSQL would try the pattern on every event too. The full stop comes after the hyphen. */
const ofOrders = `stream_id >= 'order-' and stream_id < 'order.'`;

/** Rows of `ledger.refund_history` for the streams that a condition on `stream_id` names. */
export function refunds(streams: string): string {
  return `
    select refund_id, order_id, asked ->> 'paymentId', square_refund_id, 'admin', coalesce(status, 'pending'), asked ->> 'refundType', amount_cents,
      asked ->> 'reason', asked ->> 'notes', asked -> 'items', (asked ->> 'deliveryMinimum')::bigint, ${split('asked')},
      asked ->> 'requestedBy', failure_code, requested_at, settled_at
    from (
      select refund_id, right(stream_id, -6)::uuid as order_id,
        -- Many of its fields are read, so it is taken apart only once.
        ${newest('payload::jsonb', "type = 'RefundRequested'")} as asked,
        ${newest('amount_cents', "type = 'RefundRequested'")} as amount_cents,
        ${newest('occurred_at', "type = 'RefundRequested'")} as requested_at,
        ${newest("payload ->> 'squareRefundId'", "type in ('RefundSubmitted', 'RefundCompleted', 'RefundFailed')")} as square_refund_id,
        ${newest("case type when 'RefundCompleted' then 'completed' else 'failed' end", settling)} as status,
        ${newest("payload ->> 'code'", "type = 'RefundFailed'")} as failure_code,
        ${newest('occurred_at', settling)} as settled_at
      from ledger.event
      where refund_id is not null and ${ofOrders} and ${streams}
      group by stream_id, refund_id
    ) told
    where asked is not null
    union all
    select payload ->> 'squareRefundId', right(stream_id, -6)::uuid, payload ->> 'paymentId', payload ->> 'squareRefundId', 'square-dashboard',
      'completed', 'partial', amount_cents, 'Made in the Square dashboard', null, '[]'::jsonb, 0, ${split('payload')}, 'Square dashboard', null,
      (payload ->> 'refundedAt')::timestamptz, (payload ->> 'refundedAt')::timestamptz
    from ledger.event
    where type = 'ExternalRefundRecorded' and ${ofOrders} and ${streams}`;
}

const settling = "type in ('RefundCompleted', 'RefundFailed')";

function split(payload: string): string {
  return ['services', 'addOns', 'delivery', 'deliveryMinimum', 'salesTax']
    .map((part) => `(${payload} -> 'split' ->> '${part}')::bigint`)
    .join(', ');
}
