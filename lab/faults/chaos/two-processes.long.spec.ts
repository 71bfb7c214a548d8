import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { signWebhook } from '../../square/webhook-signature.ts';
import { patience } from '../../testing/patience.ts';
import { testDatabase } from '../../testing/postgres.ts';
import { type Administrator, refundOf, requestRefundPatiently, signIn } from './administrator.ts';
import type { ChaosServer } from './chaos-server.ts';
import { type Answered, paidOrder, payment, payPatiently, quotedBy } from './customer.ts';
import { openStage, type Stage } from './stage.ts';

// No process keeps state that matters. The specs of the windows test the death of a process and clicks that reach both.

const { url, ownerSql } = await testDatabase();
let stage: Stage;
let first: ChaosServer;
let second: ChaosServer;

beforeAll(async () => {
  stage = await openStage({ databaseUrl: url, ownerSql });
  [first, second] = await Promise.all([stage.start(), stage.start()]);
});
afterEach(async () => {
  expect(stage.deaths(), stage.output()).toBe(0);
  expect(await stage.settled()).toEqual([]);
  expect(stage.deaths(), stage.output()).toBe(0);
});
afterAll(() => stage.close());

const as = ({ cookie }: Administrator) => ({ headers: { cookie, 'content-type': 'application/json' } });
const sessionAt = async (server: ChaosServer, admin: Administrator) =>
  (await fetch(`${server.officeUrl}/api/admin/session`, as(admin))).status;

test('one server answers for a payment that the other took: retry, status and receipt', async () => {
  const { request, paymentId, orderId } = await paidOrder(stage, first);
  const again: Answered | undefined = await payPatiently(stage, second, request);
  expect(again).toEqual({ status: 200, body: { success: true, paymentId, orderId } });
  const asked = await fetch(`${second.url}/api/payment-attempts/${request.idempotencyKey}`);
  expect(await asked.json()).toMatchObject({ status: 'captured', paymentId });
  const receipt = await fetch(`${second.url}/api/orders/payment/${paymentId}`);
  expect(await receipt.json()).toMatchObject({ order: { _id: orderId, paymentStatus: 'paid' } });
});

test('a session of one server is valid at the other, and a sign-out ends it at both', async () => {
  const admin = await signIn(first);
  expect(await sessionAt(second, admin)).toBe(200);
  const out = await fetch(`${second.officeUrl}/api/admin/logout`, { method: 'POST', body: '{}', ...as(admin) });
  expect(out.status).toBeLessThan(300);
  expect(await sessionAt(first, admin)).toBe(401);
});

test('a refund that one server made is a repeat at the other, and both know the same remaining amount', async () => {
  const admin = await signIn(first);
  const paid = await paidOrder(stage, first);
  const request = refundOf(paid, 10_000);
  const made = await requestRefundPatiently(stage, first, { admin, request });
  const repeated = await requestRefundPatiently(stage, second, { admin, request });
  expect([made?.status, repeated?.status]).toEqual([201, 201]);
  const tooMuch = await requestRefundPatiently(stage, second, { admin, request: refundOf(paid, paid.cents) });
  expect(tooMuch).toMatchObject({ status: 409, body: { remaining: (paid.cents - 10_000) / 100 } });
});

test('a price that one server saves is charged by the other, too', async () => {
  const admin = await signIn(first);
  const old = await quotedBy(second);
  const held = (await (await fetch(`${first.officeUrl}/api/admin/settings`, as(admin))).json()) as {
    tierPrices: object;
  };
  const settings = { ...held, tierPrices: { ...held.tierPrices, premium: 6.35 } };
  const saving = { method: 'POST', body: JSON.stringify(settings), ...as(admin) };
  expect((await fetch(`${first.officeUrl}/api/admin/settings`, saving)).status).toBe(200);
  const total = async () => (await quotedBy(second)).totalAmount;
  await expect.poll(total, patience).not.toBe(old.totalAmount);
  expect(await payPatiently(stage, second, payment(old, 'ok'))).toMatchObject({
    status: 409,
    body: { code: 'PriceChanged' },
  });
  const quote = await quotedBy(second);
  expect((await payPatiently(stage, second, payment(quote, 'ok')))?.status).toBe(200);
});

test('a webhook that reaches both servers at the same time is stored once', async () => {
  const eventId = crypto.randomUUID();
  const body = JSON.stringify({
    merchant_id: 'M',
    event_id: eventId,
    type: 'payment.updated',
    created_at: new Date().toISOString(),
    data: { type: 'payment', id: 'nobody-knows-it' },
  });
  const signature = signWebhook({ ...stage.webhooks, body });
  const headers = { 'content-type': 'application/json', 'x-square-hmacsha256-signature': signature };
  const told = await Promise.all(
    Array.from({ length: 10 }, (_, time) =>
      fetch(`${(time % 2 === 0 ? first : second).url}/api/webhooks/square`, { method: 'POST', body, headers }),
    ),
  );
  expect(new Set(told.map(({ status }) => status))).toEqual(new Set([200]));
  const kept = await ownerSql`select from ledger.square_hint where event_id = ${eventId}`;
  expect(kept).toHaveLength(1);
});
