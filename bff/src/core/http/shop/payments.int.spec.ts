import { cents } from '@kilim/domain/money';
import type { IdempotencyKey, OrderId } from '@kilim/domain/order/ids';
import { expectInvariants } from '@kilim/lab/testing/invariants';
import { until } from '@kilim/lab/testing/patience';
import { postgresOfWorker, testDatabase } from '@kilim/lab/testing/postgres';
import { adaLovelace, openShop, paid, paymentFor, quoted, sendPayment, twoRugs } from '@kilim/lab/testing/shop';
import { processHintsNow, settleNow } from '@kilim/lab/testing/work-now';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PaymentRequest } from '../../../../contract/order-request.ts';
import type { QuoteAnswer } from '../../../../contract/quote.ts';
import { connect } from '../../database/database.ts';
import { isReachable } from '../../database/repeat-while-away.ts';
import { keepHint } from '../../ledger/square-hints.ts';

const { appSql, ownerSql, url } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);

const { simulator, square } = shop;

async function paymentsAtSquare(orderId: string) {
  const payments = (await square.payments()).map(({ payment }) => payment);
  return payments.filter((payment) => payment.reference_id === orderId);
}

async function eventTypes(orderId: string): Promise<string[]> {
  const rows = await ownerSql<{ type: string }[]>`
    select type from ledger.event where stream_id = ${`order-${orderId}`} order by version`;
  return rows.map(({ type }) => type);
}

const attemptOf = async ({ idempotencyKey }: PaymentRequest) =>
  (await shop.get(`/api/payment-attempts/${idempotencyKey}`)).json();

/** Without waiting for leases. */
async function settle(): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    if ((await settleNow(shop.world, ownerSql)) === 0) return;
  }
  throw new Error('Attempts are still open after ten rounds');
}

beforeEach(square.clearFaults);
afterEach(async () => {
  await settle();
  await expectInvariants(ownerSql, square);
});

describe('paying', () => {
  test('an order is placed, authorised, captured, and answered', async () => {
    const quote = await quoted(shop);
    expect(quote.totalAmount).toBe(758.22);
    const { status, body } = await sendPayment(shop, paymentFor(quote));
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, orderId: quote.orderId, paymentId: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(await eventTypes(quote.orderId)).toEqual([
      'OrderPlaced',
      'PaymentStarted',
      'PaymentAuthorized',
      'PaymentCaptured',
    ]);
    const [payment] = await paymentsAtSquare(quote.orderId);
    expect(payment).toMatchObject({ status: 'COMPLETED', amount_money: { amount: 75_822, currency: 'USD' } });
  });

  test.each([
    '=cmd@evil.test',
    'jürgen@müller.de',
    'ada..l.@docomo.ne.jp',
    'a!#$%&*/?^`{|}~@example.com',
    'x@example.рф',
  ])('Square is not told an email address that it may refuse: %s', async (email) => {
    const quote = await quoted(shop);
    const orderDetails = { ...twoRugs, orderId: quote.orderId, customerInfo: { ...adaLovelace, email } };
    expect((await sendPayment(shop, paymentFor(quote, { orderDetails }))).status).toBe(200);
    const [payment] = await paymentsAtSquare(quote.orderId);
    expect(payment).not.toHaveProperty('buyer_email_address');
  });

  test('an email address that Square refuses all the same is no declined card', async () => {
    const refusal = { code: 'INVALID_VALUE', field: 'buyer_email_address', category: 'INVALID_REQUEST_ERROR' };
    shop.simulator.setFault({ kind: 'status', status: 400, ...refusal, times: 12 });
    const message = expect.stringMatching(/email address was not accepted/);
    for (let time = 0; time < 12; time += 1) {
      const refused = await sendPayment(shop, paymentFor(await quoted(shop)));
      expect(refused).toMatchObject({ status: 402, body: { code: 'INVALID_EMAIL_ADDRESS', message } });
    }
    expect((await sendPayment(shop, paymentFor(await quoted(shop)))).status).toBe(200);
  });

  test('a decline is answered, and the same order is then paid with another card', async () => {
    const quote = await quoted(shop);
    const declined = await sendPayment(shop, paymentFor(quote, { token: 'cnon:card-nonce-declined' }));
    expect(declined).toEqual({
      status: 402,
      body: { success: false, code: 'GENERIC_DECLINE', message: 'Your card was declined. Please try another card.' },
    });
    expect((await sendPayment(shop, paymentFor(quote))).status).toBe(200);
    expect(await eventTypes(quote.orderId)).toEqual([
      'OrderPlaced',
      'PaymentStarted',
      'PaymentDeclined',
      'PaymentStarted',
      'PaymentAuthorized',
      'PaymentCaptured',
    ]);
  });

  test('an amount other than the price is answered with the right quote; nothing is charged or recorded', async () => {
    const quote = await quoted(shop);
    for (const amount of [1, '0.01', 758.21, 758.23, '7582.20']) {
      const { status, body } = await sendPayment(shop, paymentFor(quote, { amount }));
      expect(status).toBe(409);
      expect(body).toMatchObject({ code: 'PriceChanged', quote: { totalAmount: 758.22 } });
    }
    expect(await eventTypes(quote.orderId)).toEqual([]);
    expect(await paymentsAtSquare(quote.orderId)).toEqual([]);
  });

  test('prices and areas in a request are ignored', async () => {
    const quote = await quoted(shop);
    const rugs = twoRugs.rugs.map((rug) => ({ ...rug, pricePerSqft: 0.01, baseCost: 0, area: 0.5, totalCost: 0 }));
    const payment = paymentFor(quote, { amount: 1, orderDetails: { ...twoRugs, rugs, orderId: quote.orderId } });
    expect((await sendPayment(shop, payment)).status).toBe(409);
    expect((await sendPayment(shop, { ...payment, amount: '758.22' })).status).toBe(200);
  });

  test('an order without an id gets one', async () => {
    const quote = await quoted(shop);
    const payment = paymentFor(quote, { orderDetails: twoRugs });
    const first = await sendPayment(shop, payment);
    expect(first.status).toBe(200);
    expect(await sendPayment(shop, payment)).toEqual(first);
  });
});

describe('the same payment twice', () => {
  test('a repeated request gets the first answer', async () => {
    const quote = await quoted(shop);
    const payment = paymentFor(quote);
    const first = await sendPayment(shop, payment);
    expect(await sendPayment(shop, payment)).toEqual(first);
    expect((await eventTypes(quote.orderId)).filter((type) => type === 'PaymentStarted')).toHaveLength(1);
  });

  test('a repeated declined request is declined again without a call to Square', async () => {
    const quote = await quoted(shop);
    const payment = paymentFor(quote, { token: 'cnon:card-nonce-declined' });
    const first = await sendPayment(shop, payment);
    const asked = (await square.requests()).length;
    expect(await sendPayment(shop, payment)).toEqual(first);
    expect(await square.requests()).toHaveLength(asked);
  });

  test('the key with another card, another rug or another price is refused', async () => {
    const quote = await quoted(shop);
    const payment = paymentFor(quote);
    await paid(shop, payment);
    expect(await sendPayment(shop, { ...payment, token: 'cnon:card-nonce-declined' })).toMatchObject({
      status: 409,
      body: { code: 'KeyReused' },
    });
    const other = await quoted(shop, { ...twoRugs, deliveryOption: 'dropoff' });
    const reused = paymentFor(other, {
      idempotencyKey: payment.idempotencyKey,
      orderDetails: { ...twoRugs, deliveryOption: 'dropoff', orderId: other.orderId },
    });
    expect(await sendPayment(shop, reused)).toMatchObject({ status: 409, body: { code: 'KeyReused' } });
  });

  test('sixteen concurrent clicks charge once and get the same answer, also when they ask later', async () => {
    const quote = await quoted(shop);
    const payment = paymentFor(quote);
    const answers = await Promise.all(Array.from({ length: 16 }, () => sendPayment(shop, payment)));
    expect(answers.every(({ status }) => status === 200 || status === 202)).toBe(true);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    const asked = await shop.get(`/api/payment-attempts/${payment.idempotencyKey}`);
    expect(await asked.json()).toMatchObject({ status: 'captured', orderId: quote.orderId });
    expect(await eventTypes(quote.orderId)).toHaveLength(4);
  });

  test('eight tabs that pay one order, each with another key and card, charge once', async () => {
    const quote = await quoted(shop);
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendPayment(shop, paymentFor(quote))));
    expect(answers.every(({ status }) => status === 200 || status === 202)).toBe(true);
    const pending = answers.find(({ status }) => status === 202);
    if (pending !== undefined && 'idempotencyKey' in pending.body) {
      const asked = await shop.get(`/api/payment-attempts/${pending.body.idempotencyKey}`);
      expect(await asked.json()).toMatchObject({ status: 'captured', orderId: quote.orderId });
    }
    expect(await eventTypes(quote.orderId)).toHaveLength(4);
  });

  test('paying a paid order from another tab is answered with the first payment', async () => {
    const quote = await quoted(shop);
    const first = await sendPayment(shop, paymentFor(quote));
    expect(await sendPayment(shop, paymentFor(quote))).toEqual(first);
    expect(await sendPayment(shop, paymentFor(quote, { amount: 1 }))).toEqual(first);
  });

  test('only the customer who paid an order learns its payment, whatever amount a request offers', async () => {
    const quote = await quoted(shop);
    await paid(shop, paymentFor(quote));
    const customerInfo = { ...adaLovelace, email: 'eve@example.com' };
    for (const amount of [quote.totalAmount, 1]) {
      const orderDetails = { ...twoRugs, orderId: quote.orderId, customerInfo };
      const { status, body } = await sendPayment(shop, paymentFor(quote, { amount, orderDetails }));
      expect(status).toBe(409);
      expect(body).not.toHaveProperty('paymentId');
    }
  });

  test('nor does a stranger who knows the key of the payment, and names no order', async () => {
    const quote = await quoted(shop);
    const payment = paymentFor(quote);
    await paid(shop, payment);
    const { idempotencyKey } = payment;
    const orderDetails = { ...twoRugs, customerInfo: { ...adaLovelace, email: 'eve@example.com' } };
    const stranger = await sendPayment(shop, paymentFor(quote, { idempotencyKey, amount: 1, orderDetails }));
    expect(stranger).toMatchObject({ status: 409, body: { code: 'PriceChanged' } });
    const own = await sendPayment(shop, paymentFor(quote, { idempotencyKey, amount: 1, orderDetails: twoRugs }));
    expect(own).toMatchObject({ status: 200, body: { orderId: quote.orderId } });
  });

  test.each([
    'a'.repeat(16),
    'a'.repeat(45),
    'order-1000',
    '0123456789abcdef',
    '2026-11-27T06:50:47-1',
    '1212121212121212121212',
  ])('a key that somebody can guess is refused: %s', async (idempotencyKey) => {
    const { status, body } = await sendPayment(shop, paymentFor(await quoted(shop), { idempotencyKey }));
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { fields: { idempotencyKey: expect.stringContaining('random') } },
    });
  });

  test('another order under a used order id is refused', async () => {
    const quote = await quoted(shop);
    await sendPayment(shop, paymentFor(quote, { token: 'cnon:card-nonce-declined' }));
    const other = await quoted(shop, { ...twoRugs, deliveryOption: 'dropoff' });
    const details = { ...twoRugs, deliveryOption: 'dropoff' as const, orderId: quote.orderId };
    expect(await sendPayment(shop, paymentFor(other, { orderDetails: details }))).toMatchObject({
      status: 409,
      body: { code: 'OrderDiffers' },
    });
  });
});

describe("when Square's answer is lost", () => {
  const lost = [
    ['the authorisation was not processed', { kind: 'drop-before', path: '/v2/payments' }],
    ['the authorisation was processed', { kind: 'drop-after', path: '/v2/payments' }],
    ['the authorisation hangs', { kind: 'hang-after', path: '/v2/payments' }],
    ['the authorisation is answered 504', { kind: 'status-after', status: 504, path: '/v2/payments' }],
    ['the authorisation is cut off in the middle', { kind: 'truncate', path: '/v2/payments' }],
  ] as const;

  test.each(lost)(
    'once, because %s, the identical request is sent again and the order is paid',
    async (_why, fault) => {
      simulator.setFault({ ...fault, times: 1 });
      const quote = await quoted(shop);
      expect((await sendPayment(shop, paymentFor(quote))).status).toBe(200);
      expect(await eventTypes(quote.orderId)).toHaveLength(4);
    },
  );

  test.each(lost)(
    'twice, because %s, the customer is told to wait and the attempt is finished or void',
    async (_why, fault) => {
      simulator.setFault({ ...fault, times: 2 });
      const quote = await quoted(shop);
      const payment = paymentFor(quote);
      expect(await sendPayment(shop, payment)).toEqual({
        status: 202,
        body: { success: false, status: 'pending', orderId: quote.orderId, idempotencyKey: payment.idempotencyKey },
      });
      await settle();
      const asked = (await (await shop.get(`/api/payment-attempts/${payment.idempotencyKey}`)).json()) as {
        status: string;
      };
      expect(['captured', 'voided']).toContain(asked.status);
      const again = await sendPayment(shop, paymentFor(quote));
      expect(again.status).toBe(200);
    },
  );

  test.each([
    ['not processed', 'drop-before'],
    ['processed', 'drop-after'],
    ['processed, and no answer comes', 'hang-after'],
  ] as const)('the completion was %s: the settle worker finishes what the customer asked for', async (_why, kind) => {
    simulator.setFault({ kind, path: '/v2/payments/*/complete', times: 1 });
    const quote = await quoted(shop);
    const payment = paymentFor(quote);
    expect((await sendPayment(shop, payment)).status).toBe(202);
    await settle();
    expect(await (await shop.get(`/api/payment-attempts/${payment.idempotencyKey}`)).json()).toMatchObject({
      status: 'captured',
    });
    expect(await eventTypes(quote.orderId)).toHaveLength(4);
  });

  test('while the outcome is unknown, no other attempt on the order starts', async () => {
    simulator.setFault({ kind: 'drop-after', path: '/v2/payments', times: 2 });
    const quote = await quoted(shop);
    const payment = paymentFor(quote);
    await sendPayment(shop, payment);
    expect(await sendPayment(shop, paymentFor(quote))).toEqual({
      status: 202,
      body: { success: false, status: 'pending', orderId: quote.orderId, idempotencyKey: payment.idempotencyKey },
    });
  });
});

describe('while Square refuses our access token', () => {
  const unavailable = { success: false, code: 'CardPaymentUnavailable' };

  test.each([401, 403])(
    'the attempt ends without a charge, and another one is paid afterwards (%i)',
    async (status) => {
      const quote = await quoted(shop);
      simulator.setFault({ kind: 'status', status, times: 10 });
      const payment = paymentFor(quote);
      expect(await sendPayment(shop, payment)).toMatchObject({ status: 402, body: unavailable });
      expect(await attemptOf(payment)).toMatchObject({ status: 'voided', code: 'CardPaymentUnavailable' });
      await square.clearFaults();
      expect((await sendPayment(shop, paymentFor(quote))).status).toBe(200);
    },
  );

  test('an attempt whose answer was lost earlier ends too, and its hold is cancelled', async () => {
    const quote = await quoted(shop);
    const payment = paymentFor(quote);
    simulator.setFault({ kind: 'drop-after', path: '/v2/payments', times: 2 });
    expect((await sendPayment(shop, payment)).status).toBe(202);
    simulator.setFault({ kind: 'status', status: 401, method: 'GET', path: '/v2/payments', times: 10 });
    await settle();
    expect(await attemptOf(payment)).toMatchObject({ status: 'voided', code: 'CardPaymentUnavailable' });
    await square.clearFaults();
    const [held] = await paymentsAtSquare(quote.orderId);
    await keepHint(appSql, {
      eventId: crypto.randomUUID(),
      eventType: 'payment.updated',
      subject: 'payment',
      squareId: held?.id ?? '',
    });
    await processHintsNow(shop.world);
    expect((await sendPayment(shop, paymentFor(quote))).status).toBe(200);
    expect((await paymentsAtSquare(quote.orderId)).map(({ status }) => status)).toContain('CANCELED');
  });

  test('an authorized attempt waits for a new token: only Square knows its outcome', async () => {
    const payment = paymentFor(await quoted(shop));
    simulator.setFault({ kind: 'status', status: 401, path: '/v2/payments/*/complete', times: 4 });
    simulator.setFault({ kind: 'status', status: 401, method: 'GET', path: '/v2/payments/*', times: 4 });
    expect((await sendPayment(shop, payment)).status).toBe(202);
    await square.clearFaults();
    await settle();
    expect(await attemptOf(payment)).toMatchObject({ status: 'captured' });
  });
});

describe('a hold that appears after its attempt was given up', () => {
  /** The hold is unknown, and the customer was told that nothing was charged. */
  async function givenUp(quote: QuoteAnswer) {
    simulator.setFault({ kind: 'drop-before', path: '/v2/payments', times: 2 });
    const payment = paymentFor(quote);
    expect((await sendPayment(shop, payment)).status).toBe(202);
    await settle();
    expect(await attemptOf(payment)).toMatchObject({ status: 'voided' });
    return payment;
  }
  async function holdLate({ idempotencyKey }: PaymentRequest, quote: QuoteAnswer) {
    const request = { idempotencyKey: idempotencyKey as IdempotencyKey, orderId: quote.orderId as OrderId };
    const card = { cardToken: 'cnon:card-nonce-ok', verificationToken: undefined, buyerEmail: adaLovelace.email };
    const held = await shop.world.card.authorize({ ...request, ...card, amount: cents(75_822) });
    expect(held.kind).toBe('authorized');
  }

  test.each([
    ['did not reach Square', 'drop-before'],
    ['holds the money too', 'drop-after'],
  ] as const)('is not taken for that of the next card, which %s', async (_what, kind) => {
    const quote = await quoted(shop);
    const first = await givenUp(quote);
    await holdLate(first, quote);
    simulator.setFault({ kind, path: '/v2/payments', times: 2 });
    const second = paymentFor(quote);
    expect((await sendPayment(shop, second)).status).toBe(202);
    await settle();
    expect(await attemptOf(second)).toMatchObject({ status: 'voided' });
    expect((await paymentsAtSquare(quote.orderId)).map(({ status }) => status)).not.toContain('APPROVED');
    expect((await sendPayment(shop, paymentFor(quote))).status).toBe(200);
  });

  test('pays for the order when it was completed at Square', async () => {
    const quote = await quoted(shop);
    const first = await givenUp(quote);
    await holdLate(first, quote);
    const [held] = await paymentsAtSquare(quote.orderId);
    await shop.world.card.complete(held?.id ?? '');
    simulator.setFault({ kind: 'drop-after', path: '/v2/payments', times: 2 });
    const second = paymentFor(quote);
    await sendPayment(shop, second);
    await settle();
    expect(await attemptOf(second)).toMatchObject({ status: 'captured' });
    expect((await paymentsAtSquare(quote.orderId)).map(({ status }) => status).toSorted()).toEqual([
      'CANCELED',
      'COMPLETED',
    ]);
  });
});

describe('when the database becomes unreachable', () => {
  const database = new URL(url).pathname.slice(1);
  const admin = connect({ url: postgresOfWorker(), max: 1, applicationName: 'kilim test admin' });
  afterAll(() => admin.end());

  async function cutOff(): Promise<void> {
    await admin`alter database ${admin(database)} allow_connections false`;
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`;
  }
  async function bringBack(): Promise<void> {
    await admin`alter database ${admin(database)} allow_connections true`;
    await until('the database answers', () => isReachable(ownerSql, 1000));
    await until('the server is ready', async () => (await shop.get('/readyz')).status === 200);
  }
  // After a failed test, the next one still finds a database.
  afterEach(bringBack);

  test('before the intent is recorded, Square is not called and the answer says to try again', async () => {
    const quote = await quoted(shop);
    const asked = (await square.requests()).length;
    await cutOff();
    const { status, body } = await sendPayment(shop, paymentFor(quote));
    expect((await shop.get('/readyz')).status).toBe(503);
    expect((await shop.get('/healthz')).status).toBe(200);
    await bringBack();
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'Unavailable' });
    expect(await square.requests()).toHaveLength(asked);
    expect((await sendPayment(shop, paymentFor(quote))).status).toBe(200);
  });

  test('while Square is asked to complete it, the customer waits and is paid for once', async () => {
    const path = '/v2/payments/*/complete';
    const quote = await quoted(shop);
    const payment = paymentFor(quote);
    simulator.setFault({ kind: 'delay', path, ms: 1000, times: 1 });
    const answer = sendPayment(shop, payment);
    await until('Square is asked', () => simulator.faults().length === 0);
    await cutOff();
    expect((await answer).status).toBe(202);
    await bringBack();
    await settle();
    expect(await (await shop.get(`/api/payment-attempts/${payment.idempotencyKey}`)).json()).toMatchObject({
      status: 'captured',
    });
    expect(await eventTypes(quote.orderId)).toHaveLength(4);
  });
});

describe('bad input', () => {
  test.each([
    ['rugs.0.widthFeet', { rugs: [{ ...twoRugs.rugs[0], widthFeet: -1 }] }],
    ['rugs.0.widthFeet', { rugs: [{ ...twoRugs.rugs[0], widthFeet: 'eight' }] }],
    ['rugs.0.widthFeet', { rugs: [{ ...twoRugs.rugs[0], widthFeet: 8.5 }] }],
    ['rugs.0.widthFeet', { rugs: [{ ...twoRugs.rugs[0], widthFeet: 1e308 }] }],
    ['rugs.0.widthFeet', { rugs: [{ ...twoRugs.rugs[0], widthFeet: 0 }] }],
    ['rugs.0.widthInches', { rugs: [{ ...twoRugs.rugs[0], widthInches: 12 }] }],
    ['rugs.0.serviceTier', { rugs: [{ ...twoRugs.rugs[0], serviceTier: 'platinum' }] }],
    ['rugs.0.mothProtection', { rugs: [{ ...twoRugs.rugs[0], mothProtection: 'yes' }] }],
    ['rugs', { rugs: [] }],
    ['rugs', { rugs: Array(10_000).fill(twoRugs.rugs[0]) }],
    ['rugs', { rugs: Array(80_000).fill({}) }],
    ['rugs', { rugs: Array(51).fill(twoRugs.rugs[0]) }],
    ['rugs', { rugs: 'many' }],
    ['rugs', { rugs: null }],
    ['deliveryOption', { deliveryOption: 'drone' }],
    ['customerInfo', { customerInfo: null }],
    ['customerInfo.name', { customerInfo: { ...adaLovelace, name: '🧶🧶🧶' } }],
    ['customerInfo.name', { customerInfo: { ...adaLovelace, name: 'x'.repeat(5000) } }],
    ['customerInfo.email', { customerInfo: { ...adaLovelace, email: { $ne: null } } }],
    ['customerInfo.phone', { customerInfo: { ...adaLovelace, phone: '12' } }],
    ['customerInfo.zipCode', { customerInfo: { ...adaLovelace, zipCode: '' } }],
  ])('the answer names %s', async (field, change) => {
    for (const path of ['/api/quote', '/api/process-payment']) {
      const order = { ...twoRugs, ...change };
      const prefix = path === '/api/quote' ? '' : 'orderDetails.';
      const body =
        path === '/api/quote'
          ? order
          : { token: 'cnon:card-nonce-ok', amount: '758.22', idempotencyKey: crypto.randomUUID(), orderDetails: order };
      const answer = await shop.post(path, body);
      expect(answer.status).toBe(JSON.stringify(body).length > 256 * 1024 ? 413 : 422);
      const problem = (await answer.json()) as { code: string; message: string; fields?: Record<string, string> };
      expect(problem.message).not.toBe('');
      expect(Object.keys(problem.fields ?? {})).toContain(answer.status === 413 ? 'body' : prefix + field);
      expect(Object.keys(problem.fields ?? {}).length).toBeLessThan(10);
    }
  });

  test.each([
    ['token', { token: '' }],
    ['token', { token: 7 }],
    ['amount', { amount: '758.222' }],
    ['amount', { amount: -758.22 }],
    ['amount', { amount: null }],
    ['amount', { amount: Number.MAX_SAFE_INTEGER }],
    ['idempotencyKey', { idempotencyKey: 'short' }],
    ['idempotencyKey', { idempotencyKey: "'; drop table ledger.event; --" }],
    ['idempotencyKey', { idempotencyKey: undefined }],
    ['orderDetails.orderId', { orderDetails: { ...twoRugs, orderId: '../../../etc/passwd' } }],
    ['orderDetails', { orderDetails: 'two rugs' }],
  ])('of a payment, the answer names %s', async (field, change) => {
    const quote = await quoted(shop);
    const answer = await shop.post('/api/process-payment', { ...paymentFor(quote), ...change });
    expect(answer.status).toBe(422);
    expect(Object.keys(((await answer.json()) as { fields: object }).fields)).toContain(field);
  });

  test('a body that is not JSON, not an object or unknown is refused with a message', async () => {
    const expectProblem = async (answer: Response, status: number) => {
      expect(answer.status).toBe(status);
      expect(await answer.json()).toMatchObject({ code: expect.any(String), message: expect.stringMatching(/\.$/) });
    };
    await expectProblem(await shop.post('/api/quote', '{"rugs":'), 400);
    await expectProblem(await shop.post('/api/quote', '[]'), 422);
    await expectProblem(await shop.post('/api/quote', 'null'), 422);
    await expectProblem(await shop.post('/api/quote', `"${'x'.repeat(300_000)}"`), 413);
    await expectProblem(
      await shop.post('/api/quote', 'rugs=1', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
    );
    await expectProblem(await shop.post('/api/quote', twoRugs, { 'sec-fetch-site': 'cross-site' }), 403);
    await expectProblem(await shop.post('/api/quote', twoRugs, { origin: 'https://evil.example' }), 403);
    await expectProblem(await shop.get('/api/nothing'), 404);
    await expectProblem(await shop.get('/api/quote'), 404);
    await expectProblem(await shop.get('/api/payment-attempts/unknown-attempt-0001'), 404);
    await expectProblem(await shop.get('/api/orders/payment/nonsense'), 404);
    await expectProblem(await shop.get(`/api/verify-payment/${'0'.repeat(32)}`), 404);
  });
});

describe('the receipt', () => {
  test('only the browser that paid sees the contact unmasked', async () => {
    const quote = await quoted(shop);
    const answer = await shop.post('/api/process-payment', paymentFor(quote));
    const { paymentId } = (await answer.json()) as { paymentId: string };
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    const mine = (await (await shop.get(`/api/orders/payment/${paymentId}`, { cookie })).json()) as Receipt;
    const theirs = (await (await shop.get(`/api/orders/payment/${paymentId}`)).json()) as Receipt;
    expect(mine.order).toMatchObject({
      customerInfo: adaLovelace,
      totalCost: 758.22,
      includesDelivery: true,
      deliveryOption: 'pickup',
      paymentStatus: 'paid',
    });
    expect(mine.items).toMatchObject([{ totalCost: 516 }, { totalCost: 242.22 }]);
    expect(theirs.order.totalCost).toBe(758.22);
    const text = JSON.stringify(theirs);
    for (const personal of Object.values(adaLovelace).filter((value) => value.length > 5))
      expect(text).not.toContain(personal);
    expect(await (await shop.get(`/api/verify-payment/${paymentId}`)).json()).toEqual({ status: 'COMPLETED' });
  });

  test('save-order answers with the saved order, and only for the paid order', async () => {
    const quote = await quoted(shop);
    const body = await paid(shop, paymentFor(quote));
    const save = (order: unknown) => shop.post('/api/save-order', { order, paymentId: body.paymentId });
    expect(await (await save({ orderId: quote.orderId })).json()).toMatchObject({ order: { _id: quote.orderId } });
    expect((await save({ orderId: (await quoted(shop)).orderId })).status).toBe(409);
    expect((await shop.post('/api/save-order', {})).status).toBe(422);
    expect(await eventTypes(quote.orderId)).toHaveLength(4);
  });

  type Receipt = { order: { customerInfo: unknown; totalCost: number }; items: unknown[] };
});

test('no event, command, effect or log line contains a card token or personal data', async () => {
  const quote = await quoted(shop);
  await sendPayment(shop, paymentFor(quote, { token: 'cnon:card-nonce-declined' }));
  simulator.setFault({ kind: 'drop-after', path: '/v2/payments', times: 2 });
  await sendPayment(shop, paymentFor(quote));
  await settle();
  const { paymentId } = await paid(shop, paymentFor(await quoted(shop)));
  await shop.get(`/api/orders/payment/${paymentId}`);
  await shop.post('/api/quote', '{"rugs":');
  const secrets = [...Object.values(adaLovelace).filter((value) => value.length > 5), 'cnon:'];
  const written = [
    ...(await ownerSql`select e::text as line from ledger.event e`),
    ...(await ownerSql`select c::text as line from ledger.command c`),
    ...(await ownerSql`select e::text as line from ledger.effect e`),
    ...(await ownerSql`select s::text as line from ledger.order_summary s`),
  ].map((row) => String(row['line']));
  expect(written.length).toBeGreaterThan(15);
  expect(shop.logged.length).toBeGreaterThan(10);
  for (const line of [...written, ...shop.logged]) {
    for (const secret of secrets) expect(line).not.toContain(secret);
  }
});
