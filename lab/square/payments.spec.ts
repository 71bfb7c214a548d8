import { SquareError } from 'square';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { connectSimulator, type SimulatorClient } from './simulator-client.ts';
import { identity, paymentRequest, squareSdk, startTestSimulator } from './simulator-under-test.ts';
import type { Simulator } from './start-simulator.ts';
import { testCards } from './test-cards.ts';

const oneHourSeconds = 3600;
const held = { autocomplete: false, delayDuration: 'PT1H', delayAction: 'CANCEL' };

let simulator: Simulator;
let sdk: ReturnType<typeof squareSdk>;
let oracle: SimulatorClient;

beforeAll(async () => {
  simulator = await startTestSimulator({ settings: { approvesAfterMs: 20 } });
  sdk = squareSdk(simulator.url);
  oracle = connectSimulator(simulator.url);
});
beforeEach(() => oracle.reset());
afterAll(() => simulator.close());

async function pay(key: string, changed: object = {}) {
  const { payment } = await sdk.payments.create(paymentRequest(key, changed));
  if (payment?.id === undefined) throw new Error('No payment');
  return { ...payment, id: payment.id };
}

async function refusal(call: PromiseLike<unknown>) {
  const error: unknown = await Promise.resolve(call).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SquareError)) throw new Error('Not refused');
  const [first] = error.errors;
  return { status: error.statusCode, code: first?.code, category: first?.category, field: first?.field };
}

test('a payment is captured immediately unless the request asks for a hold', async () => {
  const taken = await pay('a');
  expect(taken).toMatchObject({
    status: 'COMPLETED',
    amountMoney: { amount: 10_025n },
    approvedMoney: { amount: 10_025n },
  });
  expect(taken.cardDetails).toMatchObject({ status: 'CAPTURED', card: { cardBrand: 'VISA', last4: '1111' } });
  expect(taken.receiptNumber).toBe(taken.id.slice(0, 4));
  const hold = await pay('b', held);
  expect(hold).toMatchObject({ status: 'APPROVED', delayAction: 'CANCEL', cardDetails: { status: 'AUTHORIZED' } });
  expect(hold.receiptUrl).toBeUndefined();
});

test('a hold is completed or canceled once, and then never changes', async () => {
  const taken = await pay('a', held);
  expect((await sdk.payments.complete({ paymentId: taken.id })).payment?.status).toBe('COMPLETED');
  const released = await pay('b', held);
  expect((await sdk.payments.cancel({ paymentId: released.id })).payment?.status).toBe('CANCELED');
  const notApproved = { status: 400, code: 'BAD_REQUEST', category: 'INVALID_REQUEST_ERROR' };
  expect(await refusal(sdk.payments.complete({ paymentId: taken.id }))).toMatchObject(notApproved);
  expect(await refusal(sdk.payments.cancel({ paymentId: taken.id }))).toMatchObject(notApproved);
  expect(await refusal(sdk.payments.complete({ paymentId: released.id }))).toMatchObject(notApproved);
  expect((await oracle.payments()).map(({ payment }) => payment.status)).toEqual(['COMPLETED', 'CANCELED']);
});

test('a hold is canceled when it expires', async () => {
  const { id } = await pay('a', held);
  await oracle.advanceClock(oneHourSeconds - 60);
  expect((await sdk.payments.get({ paymentId: id })).payment?.status).toBe('APPROVED');
  await oracle.advanceClock(60);
  expect((await sdk.payments.get({ paymentId: id })).payment?.status).toBe('CANCELED');
  expect((await oracle.payment(id)).history.map(({ what }) => what)).toEqual(['created', 'canceled']);
});

test('a pending payment is approved a moment later', async () => {
  const { id, status } = await pay('a', { ...held, sourceId: 'cnon:sim-pending-00000001' });
  expect(status).toBe('PENDING');
  await expect.poll(async () => (await sdk.payments.get({ paymentId: id })).payment?.status).toBe('APPROVED');
});

const declines = testCards.flatMap(({ outcome, decline }) =>
  decline === undefined ? [] : [[`cnon:sim-${outcome}-00000001`, decline.status, decline.code] as const],
);

test.each([
  ...declines,
  ['cnon:card-nonce-declined', 400, 'GENERIC_DECLINE'] as const,
  ['cnon:card-nonce-rejected-cvv', 400, 'CVV_FAILURE'] as const,
  ['cnon:card-nonce-rejected-postalcode', 400, 'ADDRESS_VERIFICATION_FAILURE'] as const,
  ['cnon:card-nonce-rejected-expiration', 400, 'INVALID_EXPIRATION'] as const,
])('%s is declined with %i %s, and leaves a failed payment', async (sourceId, status, code) => {
  const thrown: unknown = await pay('a', { sourceId }).catch((error: unknown) => error);
  expect(thrown).toMatchObject({ statusCode: status, errors: [{ code, category: 'PAYMENT_METHOD_ERROR' }] });
  expect(thrown).toMatchObject({ body: { payment: { status: 'FAILED', approved_money: { amount: 0 } } } });
});

test('a declined payment remains the answer to its key', async () => {
  const declined = { sourceId: 'cnon:sim-declined-00000001' };
  const first = await refusal(pay('a', declined));
  expect(await refusal(pay('a', declined))).toEqual(first);
  expect(await refusal(pay('a'))).toMatchObject({ status: 400, code: 'IDEMPOTENCY_KEY_REUSED' });
  expect(await oracle.payments()).toHaveLength(1);
});

test('a token from the card form works once', async () => {
  const sourceId = 'cnon:sim-ok-00000001';
  await pay('a', { sourceId });
  expect(await refusal(pay('b', { sourceId }))).toMatchObject({ status: 400, code: 'CARD_TOKEN_USED' });
  expect((await pay('a', { sourceId })).status).toBe('COMPLETED');
  expect(await oracle.payments()).toHaveLength(1);
});

test.each(['cnon:CBASE0sv17bsn3xqh1nbifh5n', 'cnon:sim-riches-00000001', 'ccof:card', 'toString'])(
  'a token that the local Square did not make is unknown: %s',
  async (sourceId) => {
    expect(await refusal(pay('a', { sourceId }))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  },
);

test('concurrent requests with one key make one payment', async () => {
  const payments = await Promise.all(Array.from({ length: 8 }, () => pay('a', { sourceId: 'cnon:sim-ok-00000001' })));
  expect(new Set(payments.map(({ id }) => id)).size).toBe(1);
  expect(await oracle.payments()).toHaveLength(1);
});

test('the same fields in another order are the same request; another amount is not', async () => {
  const { amountMoney, ...rest } = paymentRequest('a');
  const first = await sdk.payments.create({ amountMoney, ...rest });
  const second = await sdk.payments.create({ ...rest, amountMoney });
  expect(second.payment?.id).toBe(first.payment?.id);
  const other = { amountMoney: { amount: 1n, currency: 'USD' } };
  expect(await refusal(pay('a', other))).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', field: 'idempotency_key' });
});

test.each([
  ['idempotency_key', 'VALUE_TOO_LONG', { idempotencyKey: 'k'.repeat(46) }],
  ['idempotency_key', 'VALUE_TOO_SHORT', { idempotencyKey: '' }],
  ['reference_id', 'VALUE_TOO_LONG', { referenceId: 'r'.repeat(41) }],
  ['note', 'VALUE_TOO_LONG', { note: 'n'.repeat(501) }],
  ['amount_money', 'MISSING_REQUIRED_PARAMETER', { amountMoney: undefined }],
  ['amount_money.amount', 'MISSING_REQUIRED_PARAMETER', { amountMoney: { currency: 'USD' } }],
  ['amount_money.amount', 'VALUE_TOO_LOW', { amountMoney: { amount: 0n, currency: 'USD' } }],
  ['amount_money.currency', 'INVALID_VALUE', { amountMoney: { amount: 1n, currency: 'EUR' } }],
  ['delay_duration', 'INVALID_VALUE', { ...held, delayDuration: 'PT59S' }],
])('%s beyond its limit is %s', async (field, code, changed) => {
  expect(await refusal(pay('a', changed))).toMatchObject({ status: 400, code, field });
  expect(await oracle.payments()).toEqual([]);
});

test('a foreign location and a wrong token are refused as configuration', async () => {
  expect(await refusal(pay('a', { locationId: 'L2' }))).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  const stranger = squareSdk(simulator.url, 'wrong');
  expect(await refusal(stranger.payments.get({ paymentId: 'x' }))).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
});

test('a body that is not JSON is refused', async () => {
  const headers = { authorization: `Bearer ${identity.accessToken}` };
  const response = await fetch(`${simulator.url}/v2/payments`, { method: 'POST', body: '{', headers });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ errors: [{ code: 'EXPECTED_JSON_BODY' }] });
});

test('the list can be filtered, sorted and paged', async () => {
  for (const key of ['a', 'b', 'c', 'd', 'e']) await pay(key, { referenceId: key });
  const page = await sdk.payments.list({ sortOrder: 'ASC', limit: 2, locationId: identity.locationId, total: 10_025n });
  const references: unknown[] = [];
  for await (const { referenceId } of page) references.push(referenceId);
  expect(references).toEqual(['a', 'b', 'c', 'd', 'e']);
  const newest = await sdk.payments.list({ limit: 1 });
  expect(newest.data.map(({ referenceId }) => referenceId)).toEqual(['e']);
  expect((await sdk.payments.list({ locationId: 'L2' })).data).toEqual([]);
  expect((await sdk.payments.list({ endTime: '2020-01-01T00:00:00Z' })).data).toEqual([]);
  expect(await refusal(sdk.payments.list({ cursor: 'nonsense' }))).toMatchObject({ code: 'INVALID_CURSOR' });
});

test('the list can lag, as at Square', async () => {
  await oracle.change({ listLagMs: 60_000 });
  const { id } = await pay('a');
  expect((await sdk.payments.list()).data).toEqual([]);
  expect((await sdk.payments.get({ paymentId: id })).payment?.id).toBe(id);
  await oracle.advanceClock(60);
  expect((await sdk.payments.list()).data).toHaveLength(1);
});

test('a fault applies to its number of requests, and only on its path', async () => {
  simulator.setFault({ kind: 'status', status: 500, times: 2 });
  simulator.setFault({ kind: 'status', status: 503, path: '/v2/refunds' });
  expect((await sdk.payments.list()).data).toEqual([]);
  expect([await refusal(pay('a')), await refusal(pay('a'))]).toMatchObject([{ status: 500 }, { status: 500 }]);
  expect((await pay('a')).status).toBe('COMPLETED');
});

test("the SDK's retry after a 504 makes no second payment", async () => {
  simulator.setFault({ kind: 'status-after', status: 504 });
  const { payment } = await sdk.payments.create(paymentRequest('a'), { maxRetries: 1 });
  expect((await oracle.payments()).map((record) => record.payment.id)).toEqual([payment?.id]);
  expect((await oracle.requests()).map(({ status }) => status)).toEqual([504, 200]);
});

test.each([
  ['request-lost', [0, 1]],
  ['answer-cut', [1, 1]],
  ['gateway-timeout', [1, 1]],
] as const)('the card %s fails on the first request and pays on the second', async (outcome, counts) => {
  const sourceId = `cnon:sim-${outcome}-00000001`;
  await expect(pay('a', { sourceId })).rejects.toThrow();
  expect(await oracle.payments()).toHaveLength(counts[0]);
  await pay('a', { sourceId });
  expect(await oracle.payments()).toHaveLength(counts[1]);
});

test('the card capture-answer-lost is captured although the answer is lost', async () => {
  const { id } = await pay('a', { ...held, sourceId: 'cnon:sim-capture-answer-lost-00000001' });
  await expect(sdk.payments.complete({ paymentId: id })).rejects.toThrow();
  expect((await sdk.payments.get({ paymentId: id })).payment?.status).toBe('COMPLETED');
});

test('the local Square does not start in production', async () => {
  vi.stubEnv('NODE_ENV', 'production');
  await expect(startTestSimulator()).rejects.toThrow('never runs in production');
});

test('the start page explains the test server and lists every card', async () => {
  const page = await (await fetch(simulator.url)).text();
  expect(page).toContain('takes test cards only');
  for (const { summary } of testCards) expect(page).toContain(summary);
});
