import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { expectInvariants } from '@kilim/lab/testing/invariants';
import { keepClearOfMidnight } from '@kilim/lab/testing/keep-clear-of-midnight';
import { until } from '@kilim/lab/testing/patience';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted } from '@kilim/lab/testing/shop';
import { settleNow } from '@kilim/lab/testing/work-now';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RefundRequest } from '../../../../contract/refund-request.ts';
import type { RefundAnswer, RefundProblemAnswer } from '../../../../contract/refunds.ts';
import type { StatisticsAnswer } from '../../../../contract/statistics.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const browser = openBrowser(shop);
beforeAll(async () => void (await browser.signIn()));
beforeEach(() => shop.square.clearFaults());

async function paidOrder(): Promise<{ orderId: string; paymentId: string }> {
  const quote = await quoted(shop);
  const body = await paid(shop, paymentFor(quote));
  return { orderId: quote.orderId, paymentId: body.paymentId };
}

function refundOf(paymentId: string, more: Partial<RefundRequest> = {}): RefundRequest {
  const terms = { amount: '10.00', reason: 'Goodwill', refundType: 'partial' } as const;
  return { paymentId, ...terms, idempotencyKey: crypto.randomUUID(), ...more };
}

async function refund(request: unknown): Promise<{ status: number; body: RefundAnswer & RefundProblemAnswer }> {
  const answer = await browser.post('/api/admin/refund', request);
  return { status: answer.status, body: (await answer.json()) as RefundAnswer & RefundProblemAnswer };
}

async function settleUntilQuiet(): Promise<void> {
  await until('no effect is open', async () => {
    await settleNow(shop.world, ownerSql);
    return (await ownerSql`select from ledger.effect where state = 'open'`).length === 0;
  });
}

describe('a refund', () => {
  test('is answered with its split, and reaches Square once', async () => {
    const { orderId, paymentId } = await paidOrder();
    const request = refundOf(paymentId, {
      amount: 242.22,
      reason: '  Stain did not come out ',
      adminNotes: 'Spoke on the phone',
      rugItems: [{ rugIndex: 1, amount: '242.22', reason: 'Stain did not come out' }],
    });
    const first = await refund(request);
    expect(first).toMatchObject({
      status: 201,
      body: {
        _id: request.idempotencyKey,
        refundId: request.idempotencyKey,
        orderId: { _id: orderId },
        paymentId,
        amount: 242.22,
        status: expect.stringMatching(/^(pending|completed)$/),
        refundType: 'partial',
        reason: 'Stain did not come out',
        adminNotes: 'Spoke on the phone',
        rugItems: [{ rugIndex: 1, amount: 242.22 }],
        deliveryMinimum: 0,
        split: { services: 75.08, addOns: 134.75, delivery: 19.25, deliveryMinimum: 0, salesTax: 13.14 },
        requestedBy: 'ada',
        failure: null,
      },
    });
    const again = await refund({ ...request, amount: '242.22' });
    expect([again.status, again.body.refundId]).toEqual([201, request.idempotencyKey]);
    await settleUntilQuiet();
    const atSquare = (await shop.square.refunds()).filter(({ refund: made }) => made.amount_money.amount === 24_222);
    expect(atSquare).toHaveLength(1);
    const [listed] = (await (await browser.get('/api/admin/refunds')).json()) as RefundAnswer[];
    expect(listed).toMatchObject({
      refundId: request.idempotencyKey,
      status: 'completed',
      settledAt: expect.any(String),
    });
  });

  test('by charge returns the chosen charges, and a repeat is the same refund', async () => {
    const { paymentId } = await paidOrder();
    const request = refundOf(paymentId, {
      amount: '147.89',
      charges: [
        { rugIndex: 1, charge: 'mothProtection', amount: '134.75' },
        { rugIndex: 1, charge: 'salesTax', amount: '13.14' },
      ],
    });
    const first = await refund(request);
    expect(first).toMatchObject({
      status: 201,
      body: {
        amount: 147.89,
        refundType: 'partial',
        rugItems: [{ rugIndex: 1, amount: 147.89 }],
        split: { services: 0, addOns: 134.75, delivery: 0, deliveryMinimum: 0, salesTax: 13.14 },
      },
    });
    const again = await refund({ ...request, refundType: 'charges' });
    expect([again.status, again.body.refundId]).toEqual([201, request.idempotencyKey]);
    const other = { ...request, charges: [{ rugIndex: 1, charge: 'base', amount: '50.00' }] };
    expect(await refund(other)).toMatchObject({ status: 409, body: { code: 'KeyReused' } });
  });

  test('of one charge by concurrent administrators returns the charge once', async () => {
    const { paymentId } = await paidOrder();
    const charges = [{ rugIndex: 1, charge: 'mothProtection' as const, amount: '100.00' }];
    const answers = await Promise.all(
      [1, 2, 3].map(() => refund(refundOf(paymentId, { amount: '100.00', refundType: 'charges', charges }))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    for (const { body } of answers.filter(({ status }) => status === 409)) {
      expect(body).toMatchObject({
        code: 'ExceedsCharge',
        message: '$100.00 is more than is left to refund of Green Pad of Rug #2: $34.75.',
        remaining: 658.22,
      });
    }
  });

  test('in full returns everything that is left', async () => {
    const { paymentId } = await paidOrder();
    expect((await refund(refundOf(paymentId, { amount: 58.22 }))).status).toBe(201);
    const whole = await refund(refundOf(paymentId, { refundType: 'full', amount: '758.22' }));
    expect(whole).toEqual({
      status: 409,
      body: {
        code: 'ExceedsRefundable',
        message: '$758.22 is more than can still be refunded: $700.00.',
        remaining: 700,
      },
    });
    const stale = await refund(refundOf(paymentId, { refundType: 'full', amount: '600.00' }));
    expect(stale).toMatchObject({ status: 409, body: { code: 'FullAmountDiffers', remaining: 700 } });
    expect((await refund(refundOf(paymentId, { refundType: 'full', amount: '700.00' }))).status).toBe(201);
    const nothing = await refund(refundOf(paymentId));
    expect(nothing).toEqual({
      status: 409,
      body: { code: 'FullyRefunded', message: 'This order has already been fully refunded.', remaining: 0 },
    });
  });

  test('two concurrent administrators never refund more than was taken', async () => {
    const { paymentId } = await paidOrder();
    const answers = await Promise.all([
      refund(refundOf(paymentId, { amount: '400.00' })),
      refund(refundOf(paymentId, { amount: '400.00' })),
      refund(refundOf(paymentId, { amount: '400.00' })),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    for (const { body } of answers.filter(({ status }) => status === 409)) {
      expect(body).toMatchObject({ code: 'ExceedsRefundable', remaining: 358.22 });
    }
  });

  test('a key that was used for another refund is refused', async () => {
    const { paymentId } = await paidOrder();
    const request = refundOf(paymentId);
    expect((await refund(request)).status).toBe(201);
    expect(await refund({ ...request, amount: '11.00' })).toMatchObject({ status: 409, body: { code: 'KeyReused' } });
    const other = await paidOrder();
    expect(await refund({ ...request, paymentId: other.paymentId })).toMatchObject({
      status: 409,
      body: { code: 'KeyReused' },
    });
  });

  test.each<[string, Partial<RefundRequest>, { status: number; code: string }]>([
    ['no reason', { reason: ' ' }, { status: 422, code: 'ReasonRequired' }],
    ['nothing', { amount: '0.00' }, { status: 422, code: 'InvalidAmount' }],
    ['a rug that there is not', { rugItems: [{ rugIndex: 2, amount: 1 }] }, { status: 422, code: 'UnknownRug' }],
    [
      'more for a rug than it cost',
      { amount: 600, rugItems: [{ rugIndex: 0, amount: 516.01 }] },
      { status: 409, code: 'ExceedsRug' },
    ],
    [
      'a rug twice',
      {
        rugItems: [
          { rugIndex: 0, amount: 1 },
          { rugIndex: 0, amount: 1 },
        ],
      },
      { status: 422, code: 'RugChosenTwice' },
    ],
    [
      'rugs for more than the amount',
      { rugItems: [{ rugIndex: 0, amount: 10.01 }] },
      { status: 422, code: 'ItemsExceedAmount' },
    ],
    [
      'a delivery minimum that was not paid',
      { deliveryMinimum: '1.00' },
      { status: 409, code: 'ExceedsDeliveryMinimum' },
    ],
    [
      'a charge for more than it was',
      { amount: 20, charges: [{ rugIndex: 1, charge: 'delivery', amount: '19.26' }] },
      { status: 409, code: 'ExceedsCharge' },
    ],
    [
      'a charge twice',
      {
        charges: [
          { rugIndex: 1, charge: 'delivery', amount: 1 },
          { rugIndex: 1, charge: 'delivery', amount: 1 },
        ],
      },
      { status: 422, code: 'ChargeChosenTwice' },
    ],
    [
      'a rug and one of its charges',
      { rugItems: [{ rugIndex: 1, amount: 1 }], charges: [{ rugIndex: 1, charge: 'delivery', amount: 1 }] },
      { status: 422, code: 'RugChosenTwice' },
    ],
    [
      'the charge of a delivery minimum that was not paid',
      { charges: [{ charge: 'deliveryMinimum', amount: 1 }] },
      { status: 409, code: 'ExceedsDeliveryMinimum' },
    ],
    ['more than was paid', { amount: '758.23' }, { status: 409, code: 'ExceedsRefundable' }],
  ])('%s is refused in a sentence, with what is left', async (_, more, { status, code }) => {
    const { paymentId } = await paidOrder();
    const answer = await refund(refundOf(paymentId, more));
    expect(answer).toEqual({ status, body: { code, message: expect.stringMatching(/\.$/), remaining: 758.22 } });
  });

  test.each<[string, unknown]>([
    ['paymentId', 'nobody'],
    ['amount', '1.005'],
    ['amount', '-5'],
    ['amount', null],
    ['amount', 0.1 + 0.2],
    ['reason', 7],
    ['reason', 'x'.repeat(501)],
    ['refundType', 'half'],
    ['rugItems', 'all'],
    ['rugItems.0.rugIndex', [{ rugIndex: -1, amount: 1 }]],
    ['rugItems.0.amount', [{ rugIndex: 0, amount: 'free' }]],
    ['charges', 'all'],
    ['charges.0', [{ charge: 'base', amount: 1 }]],
    ['charges.0', [{ rugIndex: 0, charge: 'greenPad', amount: 1 }]],
    ['charges.0', [{ rugIndex: 0, charge: 'deliveryMinimum', amount: 1 }]],
    ['deliveryMinimum', 'x'],
    ['adminNotes', 'x'.repeat(2001)],
    ['idempotencyKey', 'short'],
  ])('a request whose %s is %j is refused by name', async (field, value) => {
    const answer = await refund({ ...refundOf('a'.repeat(32)), [field.split('.')[0] ?? '']: value });
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'Invalid', remaining: null, fields: { [field]: expect.any(String) } },
    });
  });

  test('characters that PostgreSQL cannot store are dropped from texts', async () => {
    const { paymentId } = await paidOrder();
    const { status, body } = await refund(
      refundOf(paymentId, { reason: 'Torn\u0000 fringe\ud800', adminNotes: 'a\u0007b' }),
    );
    expect([status, body.reason, body.adminNotes]).toEqual([201, 'Torn fringe\ufffd', 'ab']);
  });

  test('an unknown payment is not found', async () => {
    expect(await refund(refundOf('f'.repeat(32)))).toEqual({
      status: 404,
      body: { code: 'UnknownPayment', message: 'This payment is not known here.', remaining: null },
    });
  });

  test('a refund that failed at Square reports it, and that no other refund is possible', async () => {
    const { orderId, paymentId } = await paidOrder();
    await shop.square.change({ refundSettlesAfterMs: 60_000 });
    const { body } = await refund(refundOf(paymentId));
    expect(body.status).toBe('pending');
    await shop.square.settleRefund(body.squareRefundId ?? '', 'FAILED');
    await shop.square.change({ refundSettlesAfterMs: 200 });
    await settleUntilQuiet();
    const [failed] = (await (await browser.get(`/api/admin/orders/${orderId}/refunds`)).json()) as RefundAnswer[];
    expect(failed).toMatchObject({
      status: 'failed',
      failure: {
        code: 'FAILED',
        message: expect.stringContaining('did not get this money'),
        advice: expect.stringContaining('by check, cash or transfer'),
        isFinal: true,
      },
    });
    expect(await refund(refundOf(paymentId))).toMatchObject({
      status: 409,
      body: { code: 'EarlierRefundFailed', remaining: 758.22 },
    });
    const onlyFailed = (await (await browser.get('/api/admin/refunds?status=failed')).json()) as RefundAnswer[];
    expect(onlyFailed.map(({ refundId }) => refundId)).toEqual([failed?.refundId]);
  });

  test('needs a recent password', async () => {
    const { paymentId } = await paidOrder();
    await browser.age(ownerSql, 660);
    const answer = await refund(refundOf(paymentId));
    expect(answer).toMatchObject({ status: 403, body: { code: 'ReauthenticationRequired' } });
    expect((await browser.get('/api/admin/refunds')).status).toBe(200);
    await browser.signIn();
    expect((await refund(refundOf(paymentId))).status).toBe(201);
  });
});

describe('figures', () => {
  const today = () => new Date().toLocaleDateString('sv-SE', { timeZone: 'America/Los_Angeles' });
  const read = async (query = '') => {
    const answer = await browser.get(`/api/admin/statistics${query}`);
    return { status: answer.status, body: (await answer.json()) as StatisticsAnswer };
  };

  test('agree with the ledger, day by day, and include the latest event', async () => {
    await keepClearOfMidnight();
    await settleUntilQuiet();
    const { body: before } = await read();
    expect(before.days).toHaveLength(30);
    expect(before.days.at(-1)).toEqual({ date: today(), ...before.today });
    const { paymentId } = await paidOrder();
    await refund(refundOf(paymentId, { amount: '100.00' }));
    await settleUntilQuiet();
    const { body: after } = await read();
    expect(after.today).toMatchObject({
      orders: before.today.orders + 1,
      takings: Math.round((before.today.takings + 758.22) * 100) / 100,
      refunds: Math.round((before.today.refunds + 100) * 100) / 100,
      refundCount: before.today.refundCount + 1,
    });
    const { takings, refunds, fees, net } = after.today;
    expect(net).toBe(Math.round((takings - refunds - fees) * 100) / 100);
    expect(after.thisMonth.takings).toBeGreaterThanOrEqual(after.today.takings);
    expect(after.total.takings).toBe(after.days.reduce((sum, day) => Math.round((sum + day.takings) * 100) / 100, 0));
    const [ledger] = await ownerSql<{ taken: number }[]>`
      select sum(amount_cents)::bigint as taken from ledger.event where type = 'PaymentCaptured'`;
    expect(after.total.takings).toBe((ledger?.taken ?? 0) / 100);
  });

  test('cover the requested days', async () => {
    const { body } = await read('?from=2024-02-27&to=2024-03-01');
    expect(body.days.map(({ date }) => date)).toEqual(['2024-02-27', '2024-02-28', '2024-02-29', '2024-03-01']);
    expect(body).toMatchObject({
      from: '2024-02-27',
      to: '2024-03-01',
      timeZone: 'America/Los_Angeles',
      total: { orders: 0, takings: 0, refunds: 0, refundCount: 0, fees: 0, net: 0 },
    });
    expect(body.today.orders).toBeGreaterThan(0);
  });

  test.each(['from=2024-01-01&to=2025-12-31', 'from=tomorrow', 'from=2024-02-02&to=2024-02-01'])(
    '%s is refused',
    async (query) => {
      expect((await read(`?${query}`)).status).toBe(422);
    },
  );
});

test('Square and the ledger agree after all of this', async () => {
  await settleUntilQuiet();
  await expectInvariants(ownerSql, shop.square);
});
