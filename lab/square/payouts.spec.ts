import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createSquareProcessor } from '../../bff/src/core/square/square.ts';
import { patience } from '../testing/patience.ts';
import { connectSimulator } from './simulator-client.ts';
import { identity, paymentRequest, squareSdk, startTestSimulator } from './simulator-under-test.ts';
import type { Simulator, SimulatorOptions } from './start-simulator.ts';

const simulators: Simulator[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const simulator of simulators.splice(0)) await simulator.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

async function start(options: Partial<SimulatorOptions> = {}) {
  const simulator = await startTestSimulator(options);
  simulators.push(simulator);
  const card = createSquareProcessor({ ...identity, baseUrl: simulator.url });
  return { simulator, oracle: connectSimulator(simulator.url), sdk: squareSdk(simulator.url), card };
}

const always = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };

async function listed<Item>(asked: Promise<{ kind: string; items?: readonly Item[] }>): Promise<readonly Item[]> {
  const answer = await asked;
  if (answer.items === undefined) throw new Error(JSON.stringify(answer));
  return answer.items;
}

async function waitFor(what: () => Promise<boolean>): Promise<void> {
  await expect.poll(what, patience).toBe(true);
}

test("a payout holds everything since the last one less Square's fees, and is paid once it arrives", async () => {
  const { oracle, sdk, card } = await start({ settings: { payoutArrivesAfterMs: 0 } });
  const { payment } = await sdk.payments.create(paymentRequest('key-of-payment-a'));
  await sdk.payments.create(paymentRequest('key-of-a-mere-hold', { autocomplete: false }));
  const id = await oracle.payOut();
  await waitFor(async () => (await listed(card.listPayouts(always)))[0]?.status === 'paid');
  const [payout] = await listed(card.listPayouts(always));
  // 100.25 dollars less 2.9 % and 30 cents.
  expect(payout).toMatchObject({ squarePayoutId: id, kind: 'batch', amount: 9704 });
  expect(await listed(card.listPayoutEntries(id))).toMatchObject([
    { activity: 'CHARGE', gross: 10_025, fee: 321, net: 9704, squarePaymentId: payment?.id },
  ]);
  await expect(oracle.payOut()).rejects.toThrow('nothing to pay out');
});

test('each status of a payout sends its own event, which holds the payout of that moment', async () => {
  const { oracle, sdk } = await start({ settings: { payoutArrivesAfterMs: 1e9 } });
  await sdk.payments.create(paymentRequest('key-of-payment-a'));
  const id = await oracle.payOut();
  await oracle.endPayout(id, 'PAID');
  await oracle.endPayout(id, 'FAILED');
  const told = (await oracle.events()).events
    .map(({ event }) => event)
    .filter(({ type }) => type.startsWith('payout.'));
  expect(told.map(({ type, data }) => ({ type, data }))).toMatchObject(
    ['SENT', 'PAID', 'FAILED'].map((status) => ({
      type: `payout.${status.toLowerCase()}`,
      data: { type: 'payout', id, object: { payout: { id, status, amount_money: { amount: 9704 } } } },
    })),
  );
});

test('refunds and disputes reduce a payout, even below zero', async () => {
  const { oracle, sdk, card } = await start({ settings: { refundSettlesAfterMs: 0 } });
  const { payment } = await sdk.payments.create(paymentRequest('key-of-payment-b'));
  await oracle.payOut();
  const paymentId = payment?.id ?? '';
  await sdk.refunds.refundPayment({
    idempotencyKey: 'key-of-refund-b',
    paymentId,
    amountMoney: { amount: 25n, currency: 'USD' },
  });
  const disputeId = await oracle.openDispute(paymentId);
  const id = await oracle.payOut([{ type: 'RESERVE_HOLD', gross: -100 }]);
  expect(await listed(card.listPayoutEntries(id))).toMatchObject([
    { activity: 'REFUND', net: -25, squarePaymentId: paymentId },
    { activity: 'DISPUTE', net: -10_025, squarePaymentId: paymentId, squareDisputeId: disputeId },
    { activity: 'RESERVE_HOLD', net: -100 },
  ]);
  await oracle.decideDispute(disputeId, 'WON');
  const next = await oracle.payOut();
  expect(await listed(card.listPayoutEntries(next))).toMatchObject([{ activity: 'DISPUTE', net: 10_025 }]);
});

test('an inquiry of a bank takes no money until it becomes a chargeback', async () => {
  const { oracle, sdk, card } = await start();
  const { payment } = await sdk.payments.create(paymentRequest('key-of-payment-i'));
  const id = await oracle.openDispute(payment?.id ?? '', { state: 'INQUIRY_EVIDENCE_REQUIRED' });
  await oracle.decideDispute(id, 'INQUIRY_PROCESSING');
  const first = await oracle.payOut();
  expect(await listed(card.listPayoutEntries(first))).toMatchObject([{ activity: 'CHARGE' }]);
  await oracle.decideDispute(id, 'EVIDENCE_REQUIRED');
  const charged = await oracle.payOut();
  expect(await listed(card.listPayoutEntries(charged))).toMatchObject([{ activity: 'DISPUTE', net: -10_025 }]);
});

test('the balance is paid out after the configured time, even after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kilim-payouts-'));
  folders.push(folder);
  const options = { dataFile: join(folder, 'square.jsonl'), settings: { payoutAfterMs: 100_000 } };
  const before = await start(options);
  await before.sdk.payments.create(paymentRequest('key-of-payment-c'));
  await before.simulator.close();
  simulators.splice(0);
  const { oracle, card } = await start(options);
  expect(await listed(card.listPayouts(always))).toEqual([]);
  await oracle.advanceClock(101);
  expect(await listed(card.listPayouts(always))).toMatchObject([{ amount: 9704 }]);
});

test('lists are paged, sorted, and filtered by time and status', async () => {
  const { oracle, sdk, card } = await start();
  const ids: string[] = [];
  for (let day = 0; day < 3; day += 1) {
    ids.push(await oracle.payOut([{ type: 'ADJUSTMENT', gross: 100 + day }]));
    await oracle.advanceClock(24 * 60 * 60);
  }
  const page = await sdk.payouts.list({ limit: 2 });
  expect(page.data.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  const all: string[] = [];
  for await (const { id } of page) all.push(id);
  expect(all).toEqual(ids.toReversed());
  const [second] = (await listed(card.listPayouts(always))).slice(1);
  const from = second?.createdAt ?? '';
  expect(await listed(card.listPayouts({ ...always, from }))).toHaveLength(2);
  expect((await sdk.payouts.list({ status: 'FAILED' })).data).toEqual([]);
  expect((await sdk.payouts.get({ payoutId: ids[0] ?? '' })).payout).toMatchObject({ amountMoney: { amount: 100n } });
  await expect(sdk.payouts.list({ cursor: 'of-somebody-else' })).rejects.toMatchObject({ statusCode: 400 });
  await expect(sdk.payouts.get({ payoutId: 'nobody' })).rejects.toMatchObject({ statusCode: 404 });
});
