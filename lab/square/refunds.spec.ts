import { SquareError } from 'square';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectSimulator, type SimulatorClient } from './simulator-client.ts';
import { identity, paymentRequest, squareSdk, startTestSimulator } from './simulator-under-test.ts';
import type { Simulator } from './start-simulator.ts';

const oneYearSeconds = 366 * 24 * 60 * 60;

let simulator: Simulator;
let sdk: ReturnType<typeof squareSdk>;
let oracle: SimulatorClient;

beforeAll(async () => {
  simulator = await startTestSimulator({ settings: { refundSettlesAfterMs: 20 } });
  sdk = squareSdk(simulator.url);
  oracle = connectSimulator(simulator.url);
});
beforeEach(() => oracle.reset());
afterAll(() => simulator.close());

/** A payment of 100.25 dollars. */
async function paid(changed: object = {}): Promise<string> {
  const { payment } = await sdk.payments.create(paymentRequest('paid', changed));
  return payment?.id ?? '';
}

async function refund(paymentId: string, amount: bigint, key = `refund-${amount}`) {
  const amountMoney = { amount, currency: 'USD' as const };
  const answer = await sdk.refunds.refundPayment({ idempotencyKey: key, paymentId, amountMoney, reason: key });
  if (answer.refund?.id === undefined) throw new Error('No refund');
  return answer.refund;
}

async function codeOf(call: Promise<unknown>): Promise<unknown> {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  return error instanceof SquareError ? error.errors[0]?.code : 'done';
}

function statusOf(refundId: string) {
  return async () => (await sdk.refunds.get({ refundId })).refund?.status;
}

test('a refund is pending first and completed a moment later', async () => {
  const paymentId = await paid();
  const { id, status, reason } = await refund(paymentId, 5_000n, 'refund-a');
  expect({ status, reason }).toEqual({ status: 'PENDING', reason: 'refund-a' });
  await expect.poll(statusOf(id)).toBe('COMPLETED');
  const { payment } = await sdk.payments.get({ paymentId });
  expect(payment).toMatchObject({ status: 'COMPLETED', refundedMoney: { amount: 5_000n }, refundIds: [id] });
});

test('a repeated request refunds once', async () => {
  const paymentId = await paid();
  const [first, second] = await Promise.all([refund(paymentId, 1n, 'a'), refund(paymentId, 1n, 'a')]);
  expect(second.id).toBe(first.id);
  expect(await oracle.refunds()).toHaveLength(1);
  expect(await codeOf(refund(paymentId, 2n, 'a'))).toBe('IDEMPOTENCY_KEY_REUSED');
});

test('refunds, pending ones included, never exceed the captured amount', async () => {
  const paymentId = await paid();
  await refund(paymentId, 10_000n);
  expect(await codeOf(refund(paymentId, 26n))).toBe('REFUND_AMOUNT_INVALID');
  expect(await codeOf(refund(paymentId, 25n))).toBe('done');
  expect(await codeOf(refund(paymentId, 1n))).toBe('REFUND_AMOUNT_INVALID');
});

test('a payment has at most twenty refunds', async () => {
  const paymentId = await paid();
  for (let amount = 1n; amount <= 20n; amount += 1n) await refund(paymentId, amount);
  expect(await codeOf(refund(paymentId, 21n))).toBe('PAYMENT_NOT_REFUNDABLE');
});

test('only a completed payment that is younger than a year is refunded', async () => {
  const hold = await paid({ autocomplete: false });
  expect(await codeOf(refund(hold, 1n))).toBe('REFUND_ERROR_PAYMENT_NEEDS_COMPLETION');
  await sdk.payments.complete({ paymentId: hold });
  await oracle.advanceClock(oneYearSeconds);
  expect(await codeOf(refund(hold, 1n))).toBe('PAYMENT_NOT_REFUNDABLE');
  expect(await codeOf(refund('nobody', 1n))).toBe('NOT_FOUND');
});

test('a failed refund no longer counts, but blocks further refunds of its payment', async () => {
  const paymentId = await paid({ sourceId: 'cnon:sim-refund-fails-00000001' });
  const { id } = await refund(paymentId, 10_025n);
  await expect.poll(statusOf(id)).toBe('FAILED');
  expect((await sdk.payments.get({ paymentId })).payment?.refundedMoney).toBeUndefined();
  expect(await codeOf(refund(paymentId, 1n))).toBe('PAYMENT_NOT_REFUNDABLE');
});

test('a rejected refund no longer counts, and another refund is possible', async () => {
  const paymentId = await paid({ sourceId: 'cnon:sim-refund-rejected-00000001' });
  const { id } = await refund(paymentId, 10_025n);
  await expect.poll(statusOf(id)).toBe('REJECTED');
  expect(await codeOf(refund(paymentId, 10_024n))).toBe('done');
});

test('a fault can complete a refund in the answer, or keep it pending until a test settles it', async () => {
  const paymentId = await paid();
  simulator.setFault({ kind: 'refund-status', to: 'COMPLETED' });
  expect((await refund(paymentId, 1n)).status).toBe('COMPLETED');
  simulator.setFault({ kind: 'refund-status', to: 'PENDING' });
  const { id } = await refund(paymentId, 2n);
  await oracle.advanceClock(60);
  expect(await statusOf(id)()).toBe('PENDING');
  await oracle.settleRefund(id, 'FAILED');
  expect(await statusOf(id)()).toBe('FAILED');
  await expect(oracle.settleRefund(id, 'COMPLETED')).rejects.toThrow('FAILED');
});

test('a repeated request finds the refund whose answer was lost', async () => {
  const paymentId = await paid();
  simulator.setFault({ kind: 'drop-after', path: '/v2/refunds' });
  await expect(refund(paymentId, 1n, 'a')).rejects.toThrow();
  const { id } = await refund(paymentId, 1n, 'a');
  expect((await oracle.refunds()).map((record) => record.refund.id)).toEqual([id]);
});

test('a refund of a payment must not name a location, and its reason has a limit', async () => {
  const call = (changed: object) =>
    sdk.refunds.refundPayment({ idempotencyKey: 'a', paymentId: 'x', amountMoney: { amount: 1n }, ...changed });
  const amountMoney = { amount: 1n, currency: 'USD' as const };
  expect(await codeOf(call({ amountMoney, locationId: identity.locationId }))).toBe('INVALID_VALUE');
  expect(await codeOf(call({ amountMoney, reason: 'r'.repeat(193) }))).toBe('VALUE_TOO_LONG');
});

test('the list of refunds can be filtered by status', async () => {
  const paymentId = await paid();
  simulator.setFault({ kind: 'refund-status', to: 'COMPLETED' });
  const done = await refund(paymentId, 1n);
  simulator.setFault({ kind: 'refund-status', to: 'PENDING' });
  await refund(paymentId, 2n);
  const listed = await sdk.refunds.list({ status: 'COMPLETED' });
  expect(listed.data.map(({ id }) => id)).toEqual([done.id]);
});
