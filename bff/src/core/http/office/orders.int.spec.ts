import { emptyContact } from '@kilim/domain/contact';
import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { isHostile } from '@kilim/lab/testing/only-ours';
import { until } from '@kilim/lab/testing/patience';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { adaLovelace, openShop, paid, paymentFor, quoted, sendPayment, twoRugs } from '@kilim/lab/testing/shop';
import { settleNow } from '@kilim/lab/testing/work-now';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OrderDetailAnswer, OrderRowAnswer } from '../../../../contract/orders.ts';
import type { RefundAnswer } from '../../../../contract/refunds.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const browser = openBrowser(shop);
beforeAll(async () => void (await browser.signIn()));
beforeEach(() => shop.square.clearFaults());

async function placed(): Promise<{ orderId: string; paymentId: string }> {
  return await paid(shop, paymentFor(await quoted(shop)));
}

async function orderDeclined(request = twoRugs): Promise<{ orderId: string }> {
  const quote = await quoted(shop, request);
  const orderDetails = { ...request, orderId: quote.orderId };
  const { status } = await sendPayment(shop, paymentFor(quote, { token: 'cnon:card-nonce-declined', orderDetails }));
  expect(status).toBe(402);
  return { orderId: quote.orderId };
}

async function listed(query = ''): Promise<{ rows: OrderRowAnswer[]; headers: Headers }> {
  const answer = await browser.get(`/api/admin/orders${query}`);
  expect(answer.status).toBe(200);
  return { rows: (await answer.json()) as OrderRowAnswer[], headers: answer.headers };
}

async function orderOf(orderId: string): Promise<OrderDetailAnswer> {
  return (await (await browser.get(`/api/admin/orders/${orderId}`)).json()) as OrderDetailAnswer;
}

async function settleUntilQuiet(): Promise<void> {
  await until('no effect is open', async () => {
    await settleNow(shop.world, ownerSql);
    return (await ownerSql`select from ledger.effect where state = 'open'`).length === 0;
  });
}

describe('the list of orders', () => {
  test('begins with the latest paid order and has all fields of a row', async () => {
    const { orderId, paymentId } = await placed();
    const { rows, headers } = await listed();
    expect(rows[0]).toEqual({
      _id: orderId,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      totalCost: 758.22,
      paymentId,
      paymentStatus: 'paid',
      includesDelivery: true,
      customerInfo: { name: 'Ada Lovelace', email: adaLovelace.email, phone: adaLovelace.phone },
      rugCount: 2,
      refundStatus: 'No Refunds',
      remainingRefundable: 758.22,
      disputeStatus: 'none',
      stage: 'waiting',
      isAsked: false,
      owedRefund: 0,
    });
    expect(Number(headers.get('x-total-count'))).toBe(rows.length);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('shows attempts that took no money only on request or in a search', async () => {
    const declined = await orderDeclined({
      ...twoRugs,
      customerInfo: { ...adaLovelace, name: 'Grace Hopper', email: 'grace@example.com' },
    });
    const ids = async (query: string) => (await listed(query)).rows.map(({ _id }) => _id);
    expect(await ids('')).not.toContain(declined.orderId);
    expect((await ids('?payment=attempts'))[0]).toBe(declined.orderId);
    expect((await ids('?payment=all'))[0]).toBe(declined.orderId);
    expect(await ids('?search=hopper')).toEqual([declined.orderId]);
    expect(await ids('?search=hopper&payment=paid')).toEqual([]);
    const { rows } = await listed('?search=grace@example.com');
    expect(rows).toMatchObject([{ paymentStatus: 'declined', remainingRefundable: 0 }]);
  });

  test('is paged, and its headers have the total and the other pages', async () => {
    for (let count = 0; count < 3; count += 1) await placed();
    const { headers: all } = await listed();
    const total = Number(all.get('x-total-count'));
    const { rows, headers } = await listed('?page=2&pageSize=1&delivery=pickup&search=');
    expect(rows).toHaveLength(1);
    expect(headers.get('link')).toBe(
      [
        '</api/admin/orders?page=1&pageSize=1&delivery=pickup&search=>; rel="first"',
        '</api/admin/orders?page=1&pageSize=1&delivery=pickup&search=>; rel="prev"',
        '</api/admin/orders?page=3&pageSize=1&delivery=pickup&search=>; rel="next"',
        `</api/admin/orders?page=${total}&pageSize=1&delivery=pickup&search=>; rel="last"`,
      ].join(', '),
    );
    const beyond = await listed('?page=999');
    expect(beyond.rows).toEqual([]);
    expect(beyond.headers.get('x-total-count')).toBe(String(total));
  });

  test('is filtered by the days of the business', async () => {
    await placed();
    const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'America/Los_Angeles' });
    expect((await listed(`?from=${today}&to=${today}`)).rows.length).toBeGreaterThan(0);
    expect((await listed('?to=2020-02-29')).rows).toEqual([]);
  });

  test.each([
    ['page=0', 'page'],
    ['page=two', 'page'],
    ['page=1.5', 'page'],
    ['pageSize=101', 'pageSize'],
    ['status=refunded', 'status'],
    ['payment=cash', 'payment'],
    ['delivery=drone', 'delivery'],
    ['from=2026-02-30', 'from'],
    ['to=yesterday', 'to'],
    ['from=2026-02-02&to=2026-02-01', 'to'],
    ['sort=totalCost', 'sort'],
    [`search=${'x'.repeat(201)}`, 'search'],
  ])('an invalid query is refused with its field: %s', async (query, field) => {
    const answer = await browser.get(`/api/admin/orders?${query}`);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ code: 'Invalid', fields: { [field]: expect.any(String) } });
  });

  test('a search may hold anything', async () => {
    for (const search of ['\u0000', '%', "';--", '\\', '🧶', "'a' <-> b:*", 'é'.repeat(200), '((()', '!a & |']) {
      expect((await listed(`?search=${encodeURIComponent(search)}`)).rows).toBeInstanceOf(Array);
    }
  });
});

describe('one order', () => {
  test('has all that is known about the order, line by line', async () => {
    const { orderId, paymentId } = await placed();
    const { order, items, timeline, refunds } = await orderOf(orderId);
    const { createdAt: _, paidAt, payment, ...facts } = order;
    expect(facts).toEqual({
      _id: orderId,
      totalCost: 758.22,
      paymentId,
      paymentStatus: 'paid',
      includesDelivery: true,
      deliveryOption: 'pickup',
      agreedPickup: null,
      customerInfo: { ...emptyContact, ...adaLovelace },
      subtotal: 551.08,
      delivery: 59.25,
      deliveryMinimum: 0,
      addOns: { stainProtection: 0, mothProtection: 134.75, repairInspection: 0 },
      salesTax: 13.14,
      salesTaxName: 'CA Sales Tax',
      refundStatus: 'No Refunds',
      refunded: 0,
      refundPending: 0,
      remainingRefundable: 758.22,
      refundableDeliveryMinimum: 0,
      refundBlock: null,
      disputeStatus: 'none',
      stage: 'waiting',
      isAsked: false,
      owedRefund: 0,
      source: { embedded: false, variant: 'B' },
      erasableTexts: 0,
      supplementOf: null,
    });
    expect(paidAt).not.toBeNull();
    expect(payment).toMatchObject({
      amount: 758.22,
      ...(isHostile ? {} : { cardBrand: 'VISA', cardLastFour: expect.stringMatching(/^\d{4}$/) }),
    });
    if (!isHostile) expect(payment?.receiptUrl).toMatch(/^http/);
    expect(items).toMatchObject([
      { width: 8, length: 10, unit: 'feet', serviceTier: 'premium', area: 80, totalCost: 516, refundable: 516 },
      { serviceTier: 'economy', area: 38.5, totalCost: 242.22, mothProtectionCost: 134.75, salesTax: 13.14 },
    ]);
    expect(timeline.map(({ what, who }) => `${what} (${who})`)).toEqual([
      'Order placed for $758.22 (Customer)',
      'Payment of $758.22 started (Customer)',
      expect.stringMatching(/^(Card|Visa ending in \d{4}) holds the money \(Customer\)$/),
      'Payment of $758.22 taken (Customer)',
    ]);
    expect(refunds).toEqual([]);
  });

  test('has its refunds: the rest of each rug, and the administrator', async () => {
    const { orderId, paymentId } = await placed();
    const refund = await browser.post('/api/admin/refund', {
      paymentId,
      amount: '516.00',
      reason: 'Damaged in the wash',
      refundType: 'partial',
      rugItems: [{ rugIndex: 0, amount: '516.00', reason: 'Damaged in the wash' }],
      idempotencyKey: crypto.randomUUID(),
    });
    expect(refund.status).toBe(201);
    const pending = await orderOf(orderId);
    expect(pending.order).toMatchObject({ refundStatus: 'Refund Pending', remainingRefundable: 242.22 });
    await settleUntilQuiet();
    const { order, items, timeline, refunds } = await orderOf(orderId);
    expect(order).toMatchObject({ refundStatus: 'Partially Refunded', refunded: 516, remainingRefundable: 242.22 });
    expect(items.map(({ refundable }) => refundable)).toEqual([0, 242.22]);
    expect(items.map(({ refundableCharges }) => refundableCharges)).toEqual([
      { baseCost: 0, deliveryCost: 0, stainProtectionCost: 0, mothProtectionCost: 0, salesTax: 0 },
      { baseCost: 75.08, deliveryCost: 19.25, stainProtectionCost: 0, mothProtectionCost: 134.75, salesTax: 13.14 },
    ]);
    expect(refunds).toMatchObject([{ status: 'completed', amount: 516, requestedBy: 'ada' }]);
    const lines = timeline.map(({ what, who, amount }) => [what, who, amount]);
    expect(lines).toContainEqual(['Partial refund of $516.00 requested', 'ada', null]);
    expect(lines).toContainEqual(['Refund of $516.00 completed', 'Automatic', -516]);
    const { rows } = await listed('?status=partial');
    expect(rows.map(({ _id }) => _id)).toContain(orderId);
    const alone = (await (await browser.get(`/api/admin/orders/${orderId}/refunds`)).json()) as RefundAnswer[];
    expect(alone).toEqual(refunds);
  });

  test('explains why it cannot be refunded', async () => {
    const { orderId } = await orderDeclined();
    const { order, items } = await orderOf(orderId);
    expect(order).toMatchObject({
      payment: null,
      paidAt: null,
      remainingRefundable: 0,
      refundBlock: { code: 'NotPaid', message: 'This order has not been paid, so there is nothing to refund.' },
    });
    expect(items.map(({ refundable }) => refundable)).toEqual([0, 0]);
  });

  test('has no contact after it was erased', async () => {
    const { orderId } = await placed();
    await ownerSql`delete from ledger.customer_contact where order_id = ${orderId}`;
    expect((await orderOf(orderId)).order.customerInfo).toBeNull();
    expect((await listed(`?search=${orderId}`)).rows).toMatchObject([{ customerInfo: null }]);
  });

  test.each(['0199d5a0-7c00-7000-8000-00000000000a', 'nonsense', '%27', 'a'.repeat(300)])(
    '%s is not found',
    async (id) => {
      for (const path of [`/api/admin/orders/${id}`, `/api/admin/orders/${id}/refunds`]) {
        const answer = await browser.get(path);
        expect([answer.status, await answer.json()]).toEqual([404, { code: 'NotFound', message: 'Order not found' }]);
      }
    },
  );
});

test('a client without a session sees none of it', async () => {
  const stranger = openBrowser(shop);
  const { orderId } = await placed();
  for (const path of ['orders', `orders/${orderId}`, `orders/${orderId}/refunds`, 'refunds', 'statistics']) {
    expect([path, (await stranger.get(`/api/admin/${path}`)).status]).toEqual([path, 401]);
  }
  expect((await stranger.post('/api/admin/refund', {})).status).toBe(401);
});
