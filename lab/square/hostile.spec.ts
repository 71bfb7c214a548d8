import type { OrderId } from '@kilim/domain/order/ids';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSquareProcessor } from '../../bff/src/core/square/square.ts';
import { connectSimulator, type SimulatorClient } from './simulator-client.ts';
import { identity, paymentRequest, squareSdk, startTestSimulator } from './simulator-under-test.ts';
import type { Simulator } from './start-simulator.ts';

let simulator: Simulator;
let square: SimulatorClient;
beforeEach(async () => {
  simulator = await startTestSimulator({ settings: { hostile: true } });
  square = connectSimulator(simulator.url);
});
afterEach(() => simulator.close());

const processor = () => createSquareProcessor({ ...identity, baseUrl: simulator.url });
const all = { from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' };
const listed = async () => {
  const payments = await processor().listPayments(all);
  return payments.kind === 'listed' ? payments.items : [];
};

test('a location is readable without all that Square may leave out', async () => {
  expect(await processor().getLocation()).toMatchObject({
    kind: 'found',
    location: { isActive: true, currency: 'USD', takesCards: undefined },
  });
});

test('every list is read to its end, and nothing foreign is taken for unreadable', async () => {
  const sold = await squareSdk(simulator.url).payments.create(paymentRequest('a'));
  await square.openDispute(sold.payment?.id ?? '');
  const payoutId = await square.payOut();
  await square.change({ listLagMs: 0 });
  const card = processor();
  const lists = [card.listPayments(all), card.listRefunds(all), card.listDisputes(), card.listPayouts(all)];
  for (const list of await Promise.all([...lists, card.listPayoutEntries(payoutId)])) {
    expect(list).toMatchObject({ kind: 'listed', unreadable: [] });
  }
  const order = { orderId: 'order-a' as OrderId, since: '2020-01-01T00:00:00Z' };
  expect(await card.listForOrder(order)).toMatchObject({ payments: [{ status: 'completed' }] });
});

test('a list shows a payment late, and first as it was', async () => {
  await square.change({ listLagMs: 3_600_000 });
  const { payment } = await squareSdk(simulator.url).payments.create(paymentRequest('a', { autocomplete: false }));
  const ours = async () => (await listed()).filter(({ squarePaymentId }) => squarePaymentId === payment?.id);
  expect(await ours()).toEqual([]);
  await square.advanceClock(3500);
  await processor().complete(payment?.id ?? '');
  await square.advanceClock(200);
  expect(await ours()).toMatchObject([{ status: 'approved' }]);
  expect(await processor().get(payment?.id ?? '')).toMatchObject({ payment: { status: 'completed' } });
  await square.advanceClock(3600);
  expect(await ours()).toMatchObject([{ status: 'completed' }]);
});

test('it can be switched off and on', async () => {
  const count = async () => (await listed()).length;
  expect(await count()).toBe(5);
  await square.change({ hostile: false });
  expect(await count()).toBe(0);
  await square.change({ hostile: true });
  expect(await count()).toBe(5);
});
