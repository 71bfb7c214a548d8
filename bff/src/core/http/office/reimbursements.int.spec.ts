import { decimalDollars } from '@kilim/domain/money';
import { builtInRefundLimits } from '@kilim/domain/people/refund-limits';
import { makeAdministrator, makePerson, openBrowser } from '@kilim/lab/testing/administrator';
import { keepClearOfMidnight } from '@kilim/lab/testing/keep-clear-of-midnight';
import { patience } from '@kilim/lab/testing/patience';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted, twoRugs } from '@kilim/lab/testing/shop';
import { settleNow } from '@kilim/lab/testing/work-now';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderDetailAnswer, OrderRowAnswer } from '../../../../contract/orders.ts';
import type { RefundAnswer } from '../../../../contract/refunds.ts';
import type { ReimbursementRequest } from '../../../../contract/reimbursements.ts';
import type { Statistics } from '../../../../contract/statistics.ts';
import { compareBooks } from '../../../accounting/queries/compare-books.ts';
import { compareProjections } from '../../ledger/rebuild/compare.ts';
import { dayIn } from '../../runtime/day-in.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const clara = { username: 'clara', password: 'quartz meadow lantern 41' };
await makePerson(appSql, clara, 'clerk');
const browser = openBrowser(shop);
beforeAll(async () => void (await browser.signIn()));

/** A payment must not be of a later day than its reimbursement. */
const today = () => dayIn('America/Los_Angeles', new Date());

async function placed(): Promise<string> {
  const quote = await quoted(shop, twoRugs);
  await paid(shop, paymentFor(quote, { orderDetails: { ...twoRugs, orderId: quote.orderId } }));
  return quote.orderId;
}

function asked(more: Partial<ReimbursementRequest> = {}): ReimbursementRequest {
  return {
    amount: 50,
    method: 'check',
    paidOn: today(),
    reference: 'No. 1042',
    reason: 'Goodwill',
    idempotencyKey: crypto.randomUUID(),
    ...more,
  };
}

function reimburse(orderId: string, request: ReimbursementRequest, person = browser) {
  return person.post(`/api/admin/orders/${orderId}/reimbursements`, request);
}

async function detailOf(orderId: string): Promise<OrderDetailAnswer> {
  return (await (await browser.get(`/api/admin/orders/${orderId}`)).json()) as OrderDetailAnswer;
}

test('counts in the order, the lists and the figures, and never at Square', async () => {
  await keepClearOfMidnight();
  const orderId = await placed();
  const before = await statistics();
  const request = asked();
  const answer = await reimburse(orderId, request);
  expect(answer.status).toBe(201);
  const made = (await answer.json()) as RefundAnswer;
  expect(made).toMatchObject({
    amount: 50,
    status: 'completed',
    squareRefundId: null,
    reimbursement: { method: 'check', paidOn: request.paidOn, reference: 'No. 1042' },
  });
  const { order, refunds, timeline } = await detailOf(orderId);
  expect(order).toMatchObject({ refundStatus: 'Partially Refunded', refunded: 50, remainingRefundable: 708.22 });
  expect(refunds).toEqual([made]);
  expect(timeline.at(-1)).toMatchObject({ what: '$50.00 given back by check', amount: -50, who: 'ada' });
  const listed = (await (await browser.get('/api/admin/refunds')).json()) as RefundAnswer[];
  expect(listed[0]).toEqual(made);
  const after = await statistics();
  expect(after.today.refunds - before.today.refunds).toBeCloseTo(50);
  expect((await shop.square.refunds()).length).toBe(0);
});

test('the same request again records nothing, and another one under its key is refused', async () => {
  const orderId = await placed();
  const request = asked({ amount: 10 });
  const first = (await (await reimburse(orderId, request)).json()) as RefundAnswer;
  expect(await (await reimburse(orderId, request)).json()).toEqual(first);
  const other = await reimburse(orderId, { ...request, amount: 11 });
  expect([other.status, ((await other.json()) as { code: string }).code]).toEqual([409, 'KeyReused']);
  expect((await detailOf(orderId)).order.refunded).toBe(10);
});

test.each([
  ['more than is left', { amount: 758.23 }, 409, 'ExceedsRefundable'],
  ['a day before the payment', { paidOn: '2020-01-01' }, 422, 'ImpossibleDay'],
  ['words as the number', { reference: 'for Ada' }, 422, 'Invalid'],
  ['a free reason', { reason: 'because' as 'Other' }, 422, 'Invalid'],
] as const)('refuses %s', async (...[, wrong, status, code]) => {
  const orderId = await placed();
  const answer = await reimburse(orderId, asked(wrong));
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([status, code]);
  expect((await detailOf(orderId)).order.refunded).toBe(0);
});

test('is for the charges that it names', async () => {
  const orderId = await placed();
  const charges = [
    { rugIndex: 1, charge: 'mothProtection', amount: 20 },
    { rugIndex: 1, charge: 'salesTax', amount: 1.95 },
  ] as const;
  const made = (await (
    await reimburse(orderId, asked({ amount: 21.95, charges: [...charges] }))
  ).json()) as RefundAnswer;
  expect(made.split).toEqual({ services: 0, addOns: 20, delivery: 0, deliveryMinimum: 0, salesTax: 1.95 });
  const beyond = await reimburse(orderId, asked({ amount: 5, charges: [...charges] }));
  expect([beyond.status, await beyond.json()]).toMatchObject([422, { code: 'ItemsExceedAmount' }]);
});

test('what a refund was for is corrected once, and rows, lists and the next refund follow', async () => {
  const orderId = await placed();
  const made = (await (await reimburse(orderId, asked())).json()) as RefundAnswer;
  const correct = (more: object, person = browser) =>
    person.post(`/api/admin/orders/${orderId}/split-corrections`, {
      refundId: made.refundId,
      reason: 'Chosen by mistake',
      ...more,
    });
  const charges = [
    { rugIndex: 1, charge: 'mothProtection', amount: 45.56 },
    { rugIndex: 1, charge: 'salesTax', amount: 4.44 },
  ];
  const answers = await Promise.all([correct({ charges }), correct({ charges })]);
  expect(answers.map(({ status }) => status)).toEqual([204, 204]);
  const { refunds, refundedCharges, items, order, timeline } = await detailOf(orderId);
  expect(order).toMatchObject({ refunded: 50, remainingRefundable: 708.22 });
  expect(refunds).toMatchObject([{ amount: 50, split: { services: 0, addOns: 45.56, salesTax: 4.44 } }]);
  expect(refundedCharges).toMatchObject([
    { refundId: made.refundId, rugs: [{ rugIndex: 1, charges: { mothProtectionCost: 45.56, salesTax: 4.44 } }] },
  ]);
  expect(items[0]?.refundable).toBe(items[0]?.totalCost);
  const corrections = timeline.filter(({ what }) => what === 'What the refund of $50.00 was for was corrected');
  expect(corrections).toMatchObject([{ amount: null, who: 'ada' }]);
  const listed = (await (await browser.get(`/api/admin/orders/${orderId}/refunds`)).json()) as RefundAnswer[];
  expect(listed).toEqual(refunds);
  expect(await compareProjections(ownerSql, () => undefined)).toMatchObject({ differences: [] });

  const unknown = await correct({ refundId: 'unheard' });
  expect([unknown.status, await unknown.json()]).toMatchObject([409, { code: 'UnknownRefund' }]);
  expect((await correct({ charges, reason: 'because' })).status).toBe(422);
  expect((await correct({ charges: [{ rugIndex: 9, charge: 'base', amount: 1 }] })).status).toBe(422);
  const person = openBrowser(shop, clara);
  await person.signIn();
  expect((await correct({ charges }, person)).status).toBe(403);
});

test('counts for the limits of the person, with refunds of the same day', async () => {
  const person = openBrowser(shop, clara);
  await person.signIn();
  const orderId = await placed();
  const most = builtInRefundLimits.clerk.perRefund;
  const over = await reimburse(orderId, asked({ amount: Number(decimalDollars(most)) + 1 }), person);
  expect([over.status, ((await over.json()) as { code: string }).code]).toEqual([409, 'RefundLimitReached']);
  expect((await reimburse(orderId, asked({ amount: Number(decimalDollars(most)) }), person)).status).toBe(201);
});

test('many at the same time never give back more than was paid', async () => {
  const orderId = await placed();
  const answers = await Promise.all(Array.from({ length: 12 }, () => reimburse(orderId, asked({ amount: 100 }))));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(7);
  expect((await detailOf(orderId)).order).toMatchObject({ refunded: 700, remainingRefundable: 58.22 });
});

test('the rows are those that the events add up to', async () => {
  const orderId = await placed();
  await reimburse(orderId, asked({ method: 'bank-transfer', reference: undefined }));
  expect((await compareBooks(ownerSql, new Date())).differing).toBe(0);
  expect(await compareProjections(ownerSql, () => undefined)).toMatchObject({ differences: [] });
});

async function statistics(): Promise<Statistics> {
  return (await (await browser.get('/api/admin/statistics')).json()) as Statistics;
}

test('a failed refund is owed until it is made good', async () => {
  const quote = await quoted(shop, twoRugs);
  const token = `cnon:sim-refund-fails-${crypto.randomUUID().replaceAll('-', '')}`;
  await paid(shop, paymentFor(quote, { token, orderDetails: { ...twoRugs, orderId: quote.orderId } }));
  const { order } = await detailOf(quote.orderId);
  await browser.post('/api/admin/refund', {
    ...{ paymentId: order.paymentId, amount: 80, reason: 'Goodwill', refundType: 'partial' },
    idempotencyKey: crypto.randomUUID(),
  });
  const owed = async () =>
    ((await (await browser.get('/api/admin/orders?status=failed')).json()) as OrderRowAnswer[]).map(
      ({ _id, owedRefund }) => [_id, owedRefund],
    );
  const settledOwed = async () => {
    await settleNow(shop.world, ownerSql);
    return await owed();
  };
  await expect.poll(settledOwed, patience).toEqual([[quote.orderId, 80]]);
  expect((await detailOf(quote.orderId)).order).toMatchObject({ owedRefund: 80, refundStatus: 'No Refunds' });
  expect((await (await browser.get('/api/admin/orders.csv?status=failed')).text()).split('\r\n')[1]).toContain(
    ',80.00,none',
  );
  expect((await reimburse(quote.orderId, asked({ amount: 80 }))).status).toBe(201);
  expect(await owed()).toEqual([]);
  expect((await detailOf(quote.orderId)).order).toMatchObject({ owedRefund: 0, refundStatus: 'Partially Refunded' });
});
