import type { OrderId } from '@kilim/domain/order/ids';
import { orderNumberOf } from '@kilim/domain/order/number';
import { cloneDatabase, testDatabase } from '@kilim/lab/testing/postgres';
import { writeSampleOrders } from '@kilim/lab/testing/sample-orders';
import { settled } from '@kilim/lab/testing/settled';
import { describe, expect, onTestFinished, test } from 'vitest';
import { countDays } from '../background/count-days.ts';
import type { Sql } from '../database/database.ts';
import { type ListedOrder, listOrders, type OrdersRequest } from './list-orders.ts';
import { listRefunds } from './list-refunds.ts';

const { appSql, ownerSql } = await testDatabase();
const timeZone = 'America/Los_Angeles';
const until = new Date('2026-11-21T19:00:00Z');

const everything: OrdersRequest = {
  page: 1,
  pageSize: 100,
  newestFirst: true,
  search: undefined,
  searchesContacts: true,
  refunds: undefined,
  payment: 'all',
  delivery: undefined,
  stage: undefined,
  from: undefined,
  to: undefined,
  timeZone,
};

const list = (more: Partial<OrdersRequest> = {}) => listOrders(appSql, { ...everything, ...more });

/** Number 0 is the newest order. */
type Sample = { refunds: string; payment: string; delivery: string; day: string; number: number };
const orderCount = 500;
const secondsApart = (60 * 86_400) / orderCount;
const sample: Sample[] = Array.from({ length: orderCount }, (_, number) => {
  const isPaid = number % 20 !== 0;
  const placed = new Date(until.getTime() - number * secondsApart * 1000);
  return {
    number,
    payment: isPaid ? 'paid' : 'attempts',
    refunds: (isPaid && ['none', 'full', 'partial', 'pending'][number % 50]) || 'none',
    delivery: number % 2 === 0 ? 'pickup' : 'dropoff',
    day: placed.toLocaleDateString('sv-SE', { timeZone }),
  };
});
await writeSampleOrders(ownerSql, { orders: orderCount, days: 60, until });

/** For a test that changes orders. */
async function ownSample() {
  const own = await cloneDatabase();
  onTestFinished(own.drop);
  await writeSampleOrders(own.ownerSql, { orders: orderCount, days: 60, until });
  return { ...own, list: (more: Partial<OrdersRequest> = {}) => listOrders(own.appSql, { ...everything, ...more }) };
}

function expected(request: OrdersRequest): { total: number; numbers: number[] } {
  const { refunds, payment, delivery, from = '0', to = '9', page, pageSize } = request;
  const found = sample.filter(
    (order) =>
      (refunds === undefined || order.refunds === refunds) &&
      (payment === 'all' || order.payment === payment) &&
      (delivery === undefined || order.delivery === delivery) &&
      order.day >= from &&
      order.day <= to,
  );
  const ordered = (request.newestFirst ? found : found.toReversed()).map(({ number }) => number);
  return { total: found.length, numbers: ordered.slice((page - 1) * pageSize, page * pageSize) };
}

function numberOf(order: ListedOrder): number {
  return Number(/\.n(\d+)@/.exec(order.contact?.email ?? '')?.[1]);
}

const filters: Partial<OrdersRequest>[] = [
  {},
  { payment: 'paid' },
  { payment: 'attempts' },
  { refunds: 'none', payment: 'paid' },
  { refunds: 'pending' },
  { refunds: 'partial' },
  { refunds: 'full', delivery: 'dropoff' },
  { delivery: 'pickup' },
  { from: '2026-10-10', to: '2026-10-20' },
  { from: '2026-11-01', payment: 'paid' },
  { to: '2026-10-01', refunds: 'pending' },
  { from: '2027-01-01' },
];

async function expectEveryPage(sql: Sql): Promise<void> {
  for (const filter of filters) {
    for (const newestFirst of [true, false]) {
      const pageSize = 61;
      const first = expected({ ...everything, ...filter, newestFirst, pageSize });
      const last = Math.max(1, Math.ceil(first.total / pageSize));
      for (let page = 1; page <= last + 1; page += 1) {
        const request = { ...everything, ...filter, newestFirst, pageSize, page };
        const { rows, total, isLeast } = await listOrders(sql, request);
        const { numbers } = expected(request);
        expect({ filter, page, total, isLeast, numbers: rows.map(numberOf) }).toEqual({
          filter,
          page,
          numbers,
          isLeast: false,
          total: first.total,
        });
      }
    }
  }
}

describe('each page of each filter equals a count of all orders one by one', () => {
  test('before the worker has counted any day, when it has counted some events, and when it has counted all', async () => {
    const own = await ownSample();
    await expectEveryPage(own.appSql);
    await settled(own.ownerSql);
    expect(await countDays(own.appSql, timeZone, 1000)).toBe(1000);
    await expectEveryPage(own.appSql);
    while ((await countDays(own.appSql, timeZone)) > 0);
    await expectEveryPage(own.appSql);
  });

  test('in a time zone other than the counted one', async () => {
    const [first] = (await list({ timeZone: 'Asia/Tokyo', to: '2026-11-21', pageSize: 1 })).rows;
    // In Tokyo the newest orders were placed on the 22nd.
    const inTokyo = (order: ListedOrder) => order.placedAt.toLocaleDateString('sv-SE', { timeZone: 'Asia/Tokyo' });
    expect(first && inTokyo(first)).toBe('2026-11-21');
    const { total } = await list({ timeZone: 'Asia/Tokyo', to: '2026-11-21' });
    expect(total).toBeLessThan(orderCount);
    expect((await list({ timeZone: 'Asia/Tokyo' })).total).toBe(orderCount);
  });
});

describe('counting', () => {
  const counted = async () => [
    await ownerSql`select * from ledger.order_day order by 1, 2, 3, 4`,
    await ownerSql`select * from ledger.refund_day order by 1, 2`,
    await ownerSql`select * from ledger.money_day order by 1`,
  ];

  test('in small steps or in one step, also after changes of the time zone, gives the same result', async () => {
    while ((await countDays(appSql, timeZone)) > 0);
    const atOnce = await counted();
    while ((await countDays(appSql, 'Asia/Tokyo', 900)) > 0);
    expect(await counted()).not.toEqual(atOnce);
    while ((await countDays(appSql, timeZone, 333)) > 0);
    expect(await counted()).toEqual(atOnce);
    const [sums] = await ownerSql`
      select (select sum(orders) from ledger.order_day)::integer as orders,
        (select sum(takings_cents) from ledger.money_day)::bigint as takings,
        (select sum(captured_cents) from ledger.order_summary)::bigint as captured,
        (select sum(refunds_cents) from ledger.money_day)::bigint as refunds,
        (select sum(refunded_cents) from ledger.order_summary)::bigint as refunded`;
    expect(sums).toMatchObject({ orders: orderCount, takings: sums?.['captured'], refunds: sums?.['refunded'] });
  });

  test('includes a transaction that commits late, and the list shows it immediately', async () => {
    const { appSql: app, ownerSql: owner, list: listOwn } = await ownSample();
    while ((await countDays(app, timeZone)) > 0);
    const before = await listOwn({ delivery: 'pickup', payment: 'attempts' });
    const slow = await owner.reserve();
    await slow`begin`;
    const [late] = sample.filter(({ payment, delivery }) => payment === 'attempts' && delivery === 'pickup');
    const paidLate = (sql: typeof slow) => sql`
      with paid as (
        update ledger.order_summary set payment_status = 'paid'
        where payment_id = md5('payment' || ${String(late?.number)}) returning order_id
      )
      insert into ledger.event (
        stream_id, version, command_id, type, schema_version, amount_cents, currency, actor, occurred_at, payload, previous_hash, hash
      )
      select 'order-' || order_id, 5, 'late', 'PaymentCaptured', 1, 700, 'USD', 'customer', '2026-11-21T19:00:00Z', '{}',
        sha256('x'), sha256('x') from paid`;
    await paidLate(slow);
    // Other transactions commit and are counted while the first one is open.
    await owner`
      insert into ledger.event (
        stream_id, version, command_id, type, schema_version, amount_cents, currency, actor, occurred_at, payload, previous_hash, hash
      ) values ('order-0199d5a0-7c00-7000-8000-00000000000b', 1, 'other', 'ProcessingFeeAssessed', 1, 9, 'USD', 'customer',
        '2026-11-21T19:00:00Z', '{}', sha256('x'), sha256('x'))`;
    await countDays(app, timeZone);
    expect((await listOwn({ delivery: 'pickup', payment: 'attempts' })).total).toBe(before.total);
    await slow`commit`;
    slow.release();
    expect((await listOwn({ delivery: 'pickup', payment: 'attempts' })).total).toBe(before.total - 1);
    await settled(owner);
    while ((await countDays(app, timeZone)) > 0);
    expect((await listOwn({ delivery: 'pickup', payment: 'attempts' })).total).toBe(before.total - 1);
    const [day] = await owner`
      select day::text, sum(takings_cents)::bigint as takings, sum(fees_cents)::bigint as fees from ledger.money_day
      where day = '2026-11-21' group by day`;
    const [all] = await owner`
      select coalesce(sum(amount_cents) filter (where type = 'PaymentCaptured'), 0)::bigint as takings,
        coalesce(sum(amount_cents) filter (where type = 'ProcessingFeeAssessed'), 0)::bigint as fees
      from ledger.event where (occurred_at at time zone 'America/Los_Angeles')::date = '2026-11-21'`;
    expect(day).toEqual({ day: '2026-11-21', ...all });
  });

  test('runs in one process at a time', async () => {
    const other = await ownerSql.reserve();
    await other`begin`;
    await other`select from ledger.day_progress for update`;
    expect(await countDays(appSql, 'UTC')).toBe(0);
    await other`rollback`;
    other.release();
  });
});

describe('searching', () => {
  const found = async (search: string, more: Partial<OrdersRequest> = {}) =>
    (await list({ search, ...more })).rows.map(numberOf);

  test.each([
    ['the whole name', 'First007 Last00049', [7]],
    ['words in another order and case', 'LAST00049 first007', [7]],
    ['the beginning of a word', 'last0349', [499]],
    ['the whole email', 'first7.last49.n7@example.com', [7]],
    ['the beginning of the email', 'first7.last49.n7@', [7]],
    ['the telephone number as people write it', '(333) 333-3499', [499]],
    ['the telephone number with its country', '+1 333 333 3499', [499]],
    ['a name that nobody has', 'Lovelace', []],
    ['the middle of a word', 'ast00049', []],
    ['signs only', '@ -- \\ \' "', []],
    ['what would be an operator', 'first007 & last00049 | last00056', []],
  ])('by %s', async (_, search, numbers) => {
    expect(await found(search)).toEqual(numbers);
  });

  test('by an email domain finds all of its customers, newest first', async () => {
    const { total, rows } = await list({ search: '@example.com', pageSize: 3 });
    expect(total).toBe(orderCount);
    expect(rows.map(numberOf)).toEqual([0, 1, 2]);
    expect(await found('@example.com', { newestFirst: false, pageSize: 2, page: 2 })).toEqual([497, 496]);
    expect(await found('@example', { refunds: 'full', pageSize: 3 })).toEqual([1, 51, 101]);
  });

  test('finds orders by the ids that people copy and read out', async () => {
    const [order] = (await list({ search: 'first007 last00049' })).rows;
    if (order === undefined) throw new Error('Number 7 is missing');
    const [{ square } = { square: '' }] = await ownerSql<{ square: string }[]>`
      select square_payment_id as square from ledger.order_summary where order_id = ${order.orderId}`;
    const { orderId, paymentId } = order;
    const number = orderNumberOf(orderId as OrderId);
    const numbers = [number, `#${number}`, number.toLowerCase().replace('-', ' ')];
    const end = orderId.slice(-8);
    const ids = [...numbers, orderId, orderId.toUpperCase(), end, `${end}...`, `#${end}`];
    const payments = [paymentId, paymentId?.slice(0, 8), `${paymentId?.slice(0, 8)}…`, square];
    for (const id of [...ids, ...payments]) expect([id, await found(id ?? '')]).toEqual([id, [7]]);
  });

  test('finds names with and without their accents and signs', async () => {
    const [{ order_id: id } = { order_id: '' }] = await ownerSql<{ order_id: string }[]>`
      select order_id from ledger.order_summary where payment_id = md5('payment9')`;
    await ownerSql`update ledger.customer_contact set name = ${"Zoë O'Brien-Ångström"} where order_id = ${id}`;
    for (const search of ['zoe', 'Zoë', "O'Brien", 'angstrom', 'Ångström zoe', 'brien-ang']) {
      expect([search, (await list({ search })).total]).toEqual([search, 1]);
    }
  });

  test.each([
    ["Zoë O'Brien-Ångström", ['obrien', 'OBrien', 'o’brien', 'zoe obrienangstrom', 'brien']],
    ['D’Angelo-Müller', ['dangelo', 'mueller', 'muller', 'Müller', 'd angelo']],
    ['Søren Łukasz Weiß', ['soren', 'lukasz', 'weiss', 'Weiß', 'Søren']],
    ['Æsa Đorđe Þóra', ['aesa', 'dorde', 'thora', 'Þóra']],
  ])('finds %s as a clerk at the telephone hears it', async (name, searches) => {
    const [{ order_id: id } = { order_id: '' }] = await ownerSql<{ order_id: string }[]>`
      select order_id from ledger.order_summary where payment_id = md5('payment9')`;
    await ownerSql`update ledger.customer_contact set name = ${name} where order_id = ${id}`;
    for (const search of searches) expect([search, (await list({ search })).total]).toEqual([search, 1]);
  });

  test('finds a telephone number by its last four or seven digits', async () => {
    const [{ order_id: id } = { order_id: '' }] = await ownerSql<{ order_id: string }[]>`
      select order_id from ledger.order_summary where payment_id = md5('payment9')`;
    await ownerSql`update ledger.customer_contact set phone = '7185559641' where order_id = ${id}`;
    for (const search of ['9641', '555-9641', '5559641', '(718) 555-9641', '+1 718 555 9641', '718 555']) {
      expect([search, (await list({ search })).total]).toEqual([search, 1]);
    }
  });

  test('does not find erased contacts', async () => {
    const { ownerSql: owner, list: listOwn } = await ownSample();
    const search = async (words: string) => (await listOwn({ search: words })).rows.map(numberOf);
    const [{ order_id: id } = { order_id: '' }] = await owner<{ order_id: string }[]>`
      select order_id from ledger.order_summary where payment_id = md5('payment11')`;
    expect(await search('first011 last00077')).toEqual([11]);
    await owner`delete from ledger.customer_contact where order_id = ${id}`;
    expect(await search('first011 last00077')).toEqual([]);
    const [order] = (await listOwn({ search: id })).rows;
    expect(order).toMatchObject({ orderId: id, contact: undefined });
  });
});

describe('refunds of all orders', () => {
  const request = {
    page: 1,
    pageSize: 10,
    newestFirst: true,
    search: undefined,
    searchesContacts: true,
    status: undefined,
    from: undefined,
    to: undefined,
    timeZone,
  };
  const numbered = (refundId: string) => Number(refundId.slice(-8));

  test('are paged newest first, and filtered by status and by day', async () => {
    const refunded = sample.filter(({ number }) => number % 20 !== 0 && [1, 2, 3, 4].includes(number % 50));
    // Orders with number n % 50 = 4 have a failed refund.
    const all = refunded.map(({ number }) => number);
    const first = await listRefunds(appSql, request);
    expect(first).toMatchObject({ total: all.length, isLeast: false });
    expect(first.rows.map(({ refundId }) => numbered(refundId))).toEqual(all.slice(0, 10));
    const lastPage = Math.ceil(all.length / 10);
    const last = await listRefunds(appSql, { ...request, page: lastPage });
    expect(last.rows.map(({ refundId }) => numbered(refundId))).toEqual(all.slice((lastPage - 1) * 10));
    const pending = await listRefunds(appSql, { ...request, status: 'pending', pageSize: 100 });
    expect(pending.rows.map(({ refundId }) => numbered(refundId))).toEqual(all.filter((number) => number % 50 === 3));
    const failed = await listRefunds(appSql, { ...request, status: 'failed', from: '2026-11-01', to: '2026-11-10' });
    expect(failed.total).toBe(failed.rows.length);
    expect(failed.rows.length).toBeGreaterThan(0);
    for (const { requestedAt } of failed.rows)
      expect(requestedAt >= '2026-11-01' && requestedAt < '2026-11-12').toBe(true);
  });

  test('are found by their ids, and by the number or the id of the order', async () => {
    const [
      {
        rows: [refund],
      } = { rows: [] },
    ] = [await listRefunds(appSql, request)];
    if (refund === undefined) throw new Error('No refund');
    const { refundId, squareRefundId, orderId } = refund;
    const ids = [refundId, squareRefundId ?? '', orderId, `${orderId.slice(-8)}...`, orderNumberOf(orderId)];
    for (const search of ids) {
      const { rows, total } = await listRefunds(appSql, { ...request, search });
      expect([search, total, rows]).toEqual([search, 1, [refund]]);
    }
    expect(await listRefunds(appSql, { ...request, search: 'nobody' })).toMatchObject({ rows: [], total: 0 });
  });
});
