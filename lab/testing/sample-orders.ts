import type { Sql } from '../../bff/src/core/database/database.ts';

/** Written directly into the tables of the lists, for tests that need many. */
export type SampleOrders = {
  readonly orders: number;
  readonly days: number;
  readonly until: Date;
};

/**
 * With rights that the application does not have; the hash chains are not valid. Of 20 orders one is declined; of 50
 * one each is fully refunded, partly refunded and has a pending refund; half are picked up. Order 0 is the newest; the
 * customer of order 7 is `First007 Last00049`.
 */
export async function writeSampleOrders(ownerSql: Sql, { orders, days, until }: SampleOrders): Promise<void> {
  const secondsApart = (days * 86_400) / orders;
  await ownerSql`create temporary table sample as
    select n, at, total, case when n % 20 = 0 then 0 else total end as captured,
      case when n % 20 = 0 then 'none' when n % 50 = 1 then 'full' when n % 50 = 2 then 'partial' when n % 50 = 3 then 'pending'
        when n % 50 = 4 then 'failed' else 'none' end as refund,
      (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(hash, 1, 3) || '8' || substr(hash, 4, 15))::uuid
        as order_id,
      md5('payment' || n) as payment_id, 'sq-' || hash as square_payment_id
    from (
      select n, ${until}::timestamptz - make_interval(secs => n * ${secondsApart}::float8) as at, 10000 + n % 50000 as total,
        md5('order' || n) as hash
      from generate_series(0, ${orders}::integer - 1) n
    ) numbered`;
  await ownerSql`
    insert into ledger.order_summary (
      order_id, version, payment_id, square_payment_id, payment_status, delivery_option, rug_count, total_cents, captured_cents,
      refund_pending_cents, refunded_cents, refundable_cents, refund_status, fee_cents, dispute_status, placed_at, paid_at, updated_at
    )
    select order_id, 4, payment_id, square_payment_id, case when captured = 0 then 'declined' else 'paid' end,
      case when n % 2 = 0 then 'pickup' else 'dropoff' end, 1 + n % 3, total, captured,
      case when refund = 'pending' then 500 else 0 end,
      case refund when 'full' then captured when 'partial' then 500 else 0 end,
      case refund when 'full' then 0 when 'partial' then captured - 500 when 'pending' then captured - 500 else captured end,
      case when refund in ('full', 'partial', 'pending') then refund else 'none' end, 300, 'none', at, at, at
    from sample order by n desc`;
  await ownerSql`
    insert into ledger.customer_contact (order_id, salt, name, email, phone, receipt_token_hash)
    select order_id, decode(repeat('00', 16), 'hex'), 'First' || lpad((n % 200)::text, 3, '0') || ' Last' || lpad(((n * 7) % 20011)::text, 5, '0'),
      'first' || n % 200 || '.last' || (n * 7) % 20011 || '.n' || n || '@example.com', lpad(n::text, 10, '3'), sha256('x')
    from sample order by n desc`;
  await ownerSql`
    insert into ledger.refund_history (
      refund_id, order_id, payment_id, square_refund_id, origin, status, refund_type, amount_cents, reason, items,
      delivery_minimum_cents, services_cents, add_ons_cents, delivery_cents, minimum_cents, sales_tax_cents, requested_by, requested_at,
      settled_at
    )
    select 'refund-of-number-' || lpad(n::text, 8, '0'), order_id, payment_id, 'sqr-' || n, 'admin',
      case refund when 'pending' then 'pending' when 'failed' then 'failed' else 'completed' end,
      case refund when 'full' then 'full' else 'partial' end, amount, 'Goodwill', '[]', 0, amount, 0, 0, 0, 0, 'ada',
      at + interval '1 day', at + interval '2 days'
    from (select *, case refund when 'full' then captured else 500 end as amount from sample where refund <> 'none') refunded
    order by n desc`;
  await ownerSql`
    insert into ledger.event (
      stream_id, version, command_id, type, schema_version, amount_cents, currency, actor, occurred_at, payload, previous_hash, hash
    )
    select 'order-' || order_id, version, 'sample', type, 1, amount, 'USD', 'customer', happened, '{}', sha256('x'), sha256('x')
    from sample cross join lateral (values
      (1, 'OrderPlaced', total, at),
      (2, 'PaymentCaptured', captured, at),
      (3, 'ProcessingFeeAssessed', 300, at),
      (4, 'RefundCompleted', case refund when 'full' then captured when 'partial' then 500 else 0 end, at + interval '2 days')
    ) as happening (version, type, amount, happened)
    where version = 1 or (captured > 0 and amount > 0)
    order by n desc, version`;
  await ownerSql`drop table sample`;
}
