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

/** A text that is largest for the newest event: of two versions the one with more digits, or the larger digits, wins. */
const newest = (text: string) => `(lpad(version::text, 10, '0') || (${text})) collate "C"`;
const withoutVersion = (text: string) => `substr(${text}, 11)`;

// An order's payload is by far the largest, and taking it apart as JSON would be half of the work. Its text is canonical: keys in order, no
// white space, and no unescaped quotation mark within a text. So what looks like one of its keys is one.
const deliveryOption = `case
  when strpos(payload::text, '"deliveryOption":"pickup"') > 0 then 'pickup'
  when strpos(payload::text, '"deliveryOption":"dropoff"') > 0 then 'dropoff' end`;
/** Every rug has one tier. */
const rugCount = `(octet_length(payload::text) - octet_length(replace(payload::text, '"tier":', ''))) / octet_length('"tier":')`;

/** Rows of `ledger.order_summary` for the streams that a condition on `stream_id` names. */
export function summaries(streams: string): string {
  return `
    select order_id, version, ${withoutVersion('started')},
      case when authorized > left(started, 10) then ${withoutVersion('authorized')} end,
      coalesce((array['processing', 'paid', 'declined', 'voided'])[payment_state % 4 + 1], 'unpaid'),
      delivery_option, rug_count, total_cents, coalesce(captured_cents, 0), refund_pending_cents, refunded_cents,
      coalesce(captured_cents, 0) - refund_pending_cents - refunded_cents,
      case when refund_pending_cents > 0 then 'pending' when refunded_cents = 0 then 'none'
        when refunded_cents = captured_cents then 'full' else 'partial' end,
      fee_cents, coalesce(${withoutVersion('dispute')}, 'none'), placed_at, paid_at, updated_at
    from (
      select substr(stream_id, 7)::uuid as order_id,
        max(version) as version,
        max(case type when 'PaymentStarted' then ${newest("payload ->> 'paymentId'")} end) as started,
        max(case type when 'PaymentAuthorized' then ${newest("payload ->> 'squarePaymentId'")} end) as authorized,
        max(case type when 'PaymentStarted' then version * 4 when 'PaymentCaptured' then version * 4 + 1
          when 'PaymentDeclined' then version * 4 + 2 when 'PaymentVoided' then version * 4 + 3 end) as payment_state,
        max(case type when 'OrderPlaced' then ${deliveryOption} end) as delivery_option,
        max(case type when 'OrderPlaced' then ${rugCount} end) as rug_count,
        max(case type when 'OrderPlaced' then amount_cents end) as total_cents,
        (max(array[version, amount_cents]) filter (where type = 'PaymentCaptured'))[2] as captured_cents,
        coalesce(sum(case type when 'RefundRequested' then amount_cents when 'RefundCompleted' then -amount_cents
          when 'RefundFailed' then -amount_cents end), 0)::bigint as refund_pending_cents,
        coalesce(sum(amount_cents) filter (where type in ('RefundCompleted', 'ExternalRefundRecorded')), 0)::bigint as refunded_cents,
        coalesce(sum(amount_cents) filter (where type = 'ProcessingFeeAssessed'), 0)::bigint as fee_cents,
        max(case type when 'DisputeOpened' then ${newest("'open'")}
          when 'DisputeClosed' then ${newest("payload ->> 'outcome'")} end) as dispute,
        min(occurred_at) filter (where type = 'OrderPlaced') as placed_at,
        (array_agg(occurred_at order by version) filter (where type = 'PaymentCaptured'))[
          count(*) filter (where type = 'PaymentCaptured')] as paid_at,
        (array_agg(occurred_at order by version))[count(*)] as updated_at
      from ledger.event
      where stream_id like 'order-%' and ${streams}
      group by stream_id
    ) folded`;
}

/** Rows of `ledger.refund_history` for the streams that a condition on `stream_id` names. */
export function refunds(streams: string): string {
  return `
    select asked.refund_id, substr(asked.stream_id, 7)::uuid, asked.payload ->> 'paymentId', told.square_refund_id, 'admin',
      coalesce(told.status, 'pending'), asked.payload ->> 'refundType', asked.amount_cents, asked.payload ->> 'reason',
      asked.payload ->> 'notes', (asked.payload -> 'items')::jsonb, (asked.payload ->> 'deliveryMinimum')::bigint,
      ${split('asked')}, asked.payload ->> 'requestedBy', told.failure_code, asked.occurred_at, told.settled_at
    from ledger.event asked
    cross join lateral (
      select ${newestOf("payload ->> 'squareRefundId'", "payload ->> 'squareRefundId' is not null")} as square_refund_id,
        ${newestOf("case type when 'RefundCompleted' then 'completed' else 'failed' end", settling)} as status,
        ${newestOf("payload ->> 'code'", "type = 'RefundFailed'")} as failure_code,
        ${newestOf('occurred_at', settling)} as settled_at
      from ledger.event told
      -- Not the column itself: the index of the few events with a refund is enough, and that of all streams would be searched beside it.
      where told.refund_id = asked.refund_id and told.stream_id || '' = asked.stream_id
        and told.type in ('RefundSubmitted', 'RefundCompleted', 'RefundFailed')
    ) told
    where asked.type = 'RefundRequested' and asked.stream_id like 'order-%' and asked.refund_id is not null and ${streams.replaceAll('stream_id', 'asked.stream_id')}
    union all
    select found.payload ->> 'squareRefundId', substr(found.stream_id, 7)::uuid, found.payload ->> 'paymentId',
      found.payload ->> 'squareRefundId', 'square-dashboard', 'completed', 'partial', found.amount_cents,
      'Made in the Square dashboard', null, '[]'::jsonb, 0, ${split('found')}, 'Square dashboard', null,
      (found.payload ->> 'refundedAt')::timestamptz, (found.payload ->> 'refundedAt')::timestamptz
    from ledger.event found
    where found.type = 'ExternalRefundRecorded' and found.stream_id like 'order-%' and ${streams.replaceAll('stream_id', 'found.stream_id')}`;
}

const settling = "type in ('RefundCompleted', 'RefundFailed')";

function newestOf(value: string, condition: string): string {
  return `(array_agg(${value} order by version desc) filter (where ${condition}))[1]`;
}

function split(event: string): string {
  return ['services', 'addOns', 'delivery', 'deliveryMinimum', 'salesTax']
    .map((part) => `(${event}.payload -> 'split' ->> '${part}')::bigint`)
    .join(', ');
}
