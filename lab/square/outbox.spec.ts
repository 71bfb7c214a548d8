import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebhooksHelper } from 'square';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectSimulator, type SimulatorClient } from './simulator-client.ts';
import { paymentRequest, squareSdk, startTestSimulator } from './simulator-under-test.ts';
import type { Simulator } from './start-simulator.ts';
import { signWebhook } from './webhook-signature.ts';

const signatureKey = 'test-signature-key';
const held = { autocomplete: false };

type Received = {
  readonly type: string;
  readonly id: string;
  readonly retry: string | undefined;
  readonly genuine: boolean;
};

let subscriber: Server;
let received: Received[];
let answers: number[];
let url: string;
let simulator: Simulator;
let oracle: SimulatorClient;

beforeEach(async () => {
  received = [];
  answers = [];
  subscriber = createServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => subscriber.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(subscriber.address() as AddressInfo).port}/api/webhooks/square`;
  simulator = await startTestSimulator({ webhook: { url, signatureKey }, settings: { webhookDelayMs: 1 } });
  oracle = connectSimulator(simulator.url);
});
afterEach(async () => {
  await simulator.close();
  subscriber.close();
  subscriber.closeAllConnections();
});

async function pay(key = 'a', changed: object = {}) {
  const { payment } = await squareSdk(simulator.url).payments.create(paymentRequest(key, changed));
  return payment?.id ?? '';
}

/** Checks the signature with Square's own helper. */
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const requestBody = await text(request);
  const signatureHeader = String(request.headers['x-square-hmacsha256-signature']);
  const genuine = await WebhooksHelper.verifySignature({
    requestBody,
    signatureHeader,
    signatureKey,
    notificationUrl: url,
  });
  const { type, event_id: id } = JSON.parse(requestBody) as { type: string; event_id: string };
  received.push({ type, id, retry: request.headers['square-retry-number']?.toString(), genuine });
  response.writeHead(answers.shift() ?? 200).end();
}

const types = () => received.map(({ type }) => type);
const states = async () => (await oracle.events()).events.map(({ state }) => state);

test('the signature equals that of the published test vector', () => {
  const body = '{"merchant_id":"MSIM","type":"payment.updated","event_id":"e-1"}';
  const signature = signWebhook({ url: 'http://127.0.0.1:8787/api/webhooks/square', signatureKey, body });
  expect(signature).toBe('tI8K9fdE90uQgJ0Nclypf5m9fsTSt0lQIaNvlJi8abQ=');
});

test('a payment and its refund send an event for each step, with a signature that the SDK accepts', async () => {
  simulator.setFault({ kind: 'refund-status', to: 'COMPLETED', afterMs: 5 });
  const paymentId = await pay();
  const amountMoney = { amount: 1n, currency: 'USD' as const };
  await squareSdk(simulator.url).refunds.refundPayment({ idempotencyKey: 'r', paymentId, amountMoney });
  await expect
    .poll(() => types().toSorted())
    .toEqual([
      'payment.created',
      'payment.updated',
      'payment.updated',
      'payment.updated',
      'refund.created',
      'refund.updated',
    ]);
  expect(received.every(({ genuine }) => genuine)).toBe(true);
  await expect.poll(states).toEqual(Array(6).fill('delivered'));
});

test('a replayed request sends no event', async () => {
  await pay('a', held);
  await pay('a', held);
  await expect.poll(states).toEqual(['delivered']);
  expect(types()).toEqual(['payment.created']);
});

test('an event that is not accepted is sent again with the same id and a retry number', async () => {
  answers = [500, 302];
  await pay('a', held);
  await expect.poll(states).toEqual(['delivered']);
  expect(received.map(({ retry }) => retry)).toEqual([undefined, '1', '2']);
  expect(new Set(received.map(({ id }) => id)).size).toBe(1);
});

test('an event is dropped after eleven retries, and can still be redelivered', async () => {
  await oracle.change({ webhookRetryScale: 1 / 60_000_000 });
  answers = Array(12).fill(500);
  await pay('a', held);
  await expect.poll(states).toEqual(['dropped']);
  expect(received).toHaveLength(12);
  await oracle.redeliver(received[0]?.id ?? '');
  await expect.poll(() => received.length).toBe(13);
});

test('a fault can send an event twice', async () => {
  simulator.setFault({ kind: 'webhook-duplicate', event: 'payment.created' });
  await pay('a', held);
  await expect.poll(types).toEqual(['payment.created', 'payment.created']);
  expect(received[0]?.id).toBe(received[1]?.id);
});

test('a fault can send an event after the next one', async () => {
  simulator.setFault({ kind: 'webhook-reorder', event: 'payment.created' });
  await pay();
  await expect.poll(types).toEqual(['payment.updated', 'payment.created']);
});

test('a fault can drop, forge or delay an event', async () => {
  simulator.setFault({ kind: 'webhook-drop' });
  await pay('a', held);
  simulator.setFault({ kind: 'webhook-bad-signature' });
  await pay('b', held);
  await expect.poll(() => received).toMatchObject([{ type: 'payment.created', genuine: false }]);
  simulator.setFault({ kind: 'webhook-delay', ms: 100 });
  await pay('c', held);
  await pay('d', held);
  await expect.poll(() => received.length).toBe(2);
  await expect.poll(states).toEqual(['dropped', 'delivered', 'delivered', 'delivered']);
});

test('an event that is older than a day is dropped', async () => {
  await simulator.close();
  simulator = await startTestSimulator({ settings: { webhookDelayMs: 1 } });
  oracle = connectSimulator(simulator.url);
  await pay('a', held);
  await oracle.advanceClock(24 * 60 * 60 + 1);
  await pay('b', held);
  simulator.subscribe({ url, signatureKey });
  await expect.poll(states).toEqual(['dropped', 'delivered']);
  expect(types()).toEqual(['payment.created']);
});

test('events wait for a subscriber', async () => {
  await simulator.close();
  simulator = await startTestSimulator({ settings: { webhookDelayMs: 1 } });
  oracle = connectSimulator(simulator.url);
  await pay('a', held);
  expect(await states()).toEqual(['waiting']);
  simulator.subscribe({ url, signatureKey });
  await expect.poll(types).toEqual(['payment.created']);
});
