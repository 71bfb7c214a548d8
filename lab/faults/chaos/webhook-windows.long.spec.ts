import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { signWebhook } from '../../square/webhook-signature.ts';
import { patience } from '../../testing/patience.ts';
import { testDatabase } from '../../testing/postgres.ts';
import { type Administrator, refundOf, requestRefundPatiently, signIn } from './administrator.ts';
import type { ChaosServer } from './chaos-server.ts';
import { type Paid, paidOrder, payment, payPatiently, quotedBy } from './customer.ts';
import { openStage, type Stage } from './stage.ts';

// A webhook is only a hint: lost, late or forged, it must not change the ledger's final state.

const { url, ownerSql } = await testDatabase();
let stage: Stage;
let server: ChaosServer;
let admin: Administrator;

beforeAll(async () => {
  stage = await openStage({ databaseUrl: url, ownerSql });
  server = await stage.start({ squareTimeoutSeconds: 10 });
  admin = await signIn(server);
});
afterEach(async () => {
  expect(await stage.settled()).toEqual([]);
});
afterAll(() => stage.close());

async function payAndRefund(): Promise<Paid> {
  const paid = await paidOrder(stage, server);
  const request = refundOf(paid, 1000);
  expect((await requestRefundPatiently(stage, server, { admin, request }))?.status).toBe(201);
  return paid;
}

async function streamLength(): Promise<number> {
  const [row] = await ownerSql<{ count: number }[]>`select count(*)::int as count from ledger.event`;
  return row?.count ?? 0;
}

test.each(['webhook-drop', 'webhook-duplicate', 'webhook-reorder', 'webhook-bad-signature'] as const)(
  'the outcome is the same under %s',
  async (kind) => {
    stage.simulator.setFault({ kind, times: 8 });
    await payAndRefund();
    expect(await stage.settled()).toEqual([]);
    await stage.square.clearFaults();
  },
);

test('a webhook that overtakes the answer to its payment appends nothing twice', async () => {
  stage.simulator.setFault({ kind: 'delay', path: '/v2/payments/*/complete', ms: 10 });
  await server.arm('after complete', 'hold');
  const quote = await quotedBy(server);
  const answering = payPatiently(stage, server, payment(quote, 'ok'));
  await server.reached('after complete');
  // The webhook is sent before the request knows that the payment is complete, and a worker follows it.
  const isLookedAt = () => ownerSql`
    select from ledger.square_hint hint join ledger.order_summary summary on summary.square_payment_id = hint.square_id
    where summary.order_id = ${quote.orderId} and hint.tries > 0`;
  await expect.poll(isLookedAt, patience).not.toHaveLength(0);
  await server.release();
  expect((await answering)?.status).toBe(200);
});

test('lost events that arrive later, in reverse and twice, record each fact once', async () => {
  stage.simulator.setFault({ kind: 'webhook-drop', times: 1000 });
  const { orderId } = await payAndRefund();
  await stage.decided();
  await stage.square.clearFaults();
  await tellAllAgain(2);
  expect(await stage.settled()).toEqual([]);
  const recorded = await ownerSql<{ type: string }[]>`
    select type from ledger.event where stream_id = ${`order-${orderId}`} order by type`;
  expect(recorded.map(({ type }) => type)).toEqual([
    'OrderPlaced',
    'PaymentAuthorized',
    'PaymentCaptured',
    'PaymentStarted',
    'ProcessingFeeAssessed',
    'RefundCompleted',
    'RefundRequested',
    'RefundSubmitted',
  ]);
});

test('a payout is recorded although its webhooks are repeated and reordered', async () => {
  await payAndRefund();
  await stage.decided();
  stage.simulator.setFault({ kind: 'webhook-reorder', times: 1 });
  stage.simulator.setFault({ kind: 'webhook-duplicate', times: 2 });
  const payoutId = await stage.square.payOut();
  await stage.square.endPayout(payoutId, 'PAID');
  const recorded = async () =>
    (
      await ownerSql<{ type: string }[]>`
      select type from ledger.event where stream_id = ${`payout-${payoutId}`} order by version`
    ).map(({ type }) => type);
  const whole = ['PayoutRecorded', 'PayoutEntriesRecorded', 'PayoutPaid'];
  await expect.poll(recorded, patience).toEqual(whole);
  await tellAllAgain(2);
  expect(await stage.settled()).toEqual([]);
  expect(await recorded()).toEqual(whole);
});

test('a replay of all webhooks in reverse order appends nothing', async () => {
  await payAndRefund();
  await stage.decided();
  // A dropped webhook arrives here for the first time, and may append.
  const told = await tellAllAgain();
  expect(await stage.settled()).toEqual([]);
  const before = await streamLength();
  // Hints are deleted after a month, so each webhook is followed again.
  await ownerSql`delete from ledger.square_hint`;
  await tellAllAgain();
  expect(await stage.settled()).toEqual([]);
  expect(await ownerSql`select from ledger.square_hint where handled_at is not null`).toHaveLength(told);
  expect(await streamLength()).toBe(before);
});

/**
 * The newest first.
 * @returns how many events there are.
 */
async function tellAllAgain(times = 1): Promise<number> {
  const { events, deliveries } = await stage.square.events();
  for (const { event } of events.toReversed()) {
    await Promise.all(Array.from({ length: times }, () => stage.square.redeliver(event.event_id)));
  }
  const arrived = async () => (await stage.square.events()).deliveries.length - deliveries.length;
  await expect.poll(arrived, patience).toBeGreaterThanOrEqual(events.length * times);
  return events.length;
}

async function tell(event: object, { signatureKey } = stage.webhooks): Promise<number> {
  const body = JSON.stringify(event);
  const signature = signWebhook({ url: stage.webhooks.url, signatureKey, body });
  const headers = { 'content-type': 'application/json', 'x-square-hmacsha256-signature': signature };
  return (await fetch(stage.webhooks.url, { method: 'POST', body, headers })).status;
}

const unknownPayment = () => ({
  event_id: crypto.randomUUID(),
  type: 'payment.updated',
  data: { id: 'NoSuchPayment1' },
});

test('a forged webhook is refused and leaves nothing', async () => {
  const before = await streamLength();
  expect(await tell(unknownPayment(), { ...stage.webhooks, signatureKey: 'not the key' })).toBe(401);
  expect(await ownerSql`select from ledger.square_hint where square_id = 'NoSuchPayment1'`).toHaveLength(0);
  expect(await streamLength()).toBe(before);
});

test('a webhook about an unknown payment is acknowledged and leaves no event', async () => {
  const before = await streamLength();
  expect(await tell(unknownPayment())).toBe(200);
  expect(await stage.settled()).toEqual([]);
  expect(await streamLength()).toBe(before);
});
