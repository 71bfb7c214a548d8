import { measuredReason } from '@kilim/domain/order/refund-reasons';
import { ada, makeAdministrator, makePerson, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted, twoRugs } from '@kilim/lab/testing/shop';
import { settleNow } from '@kilim/lab/testing/work-now';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Intake } from '../../../contract/intake.ts';
import type { IntakeRequest } from '../../../contract/intake-request.ts';
import type { OrderDetailAnswer } from '../../../contract/orders.ts';
import { dayIn } from '../../core/runtime/day-in.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const clara = { username: 'clara', password: 'harvest pebble compass 58' };
const alma = { username: 'alma', password: 'lantern walnut orbit 27' };
await makePerson(appSql, clara, 'clerk');
await makePerson(appSql, alma, 'accountant');
const [owner, clerk, accountant] = [openBrowser(shop, ada), openBrowser(shop, clara), openBrowser(shop, alma)];
beforeAll(async () => void (await Promise.all([owner.signIn(), clerk.signIn(), accountant.signIn()])));

/** Premium, 8 x 10 ft, and economy with Green Pad, 5 ft 6 in x 7 ft; dropped off. */
const economy = { width: 66, length: 84 };
const ordered = [{ width: 96, length: 120 }, economy];
const smaller = [{ width: 90, length: 114 }, economy];
const larger = [{ width: 102, length: 126 }, economy];

async function placed(token?: string) {
  const quote = await quoted(shop, { ...twoRugs, deliveryOption: 'dropoff' });
  const payment = paymentFor(quote, token === undefined ? {} : { token });
  const orderDetails = { ...payment.orderDetails, deliveryOption: 'dropoff' as const };
  await paid(shop, { ...payment, orderDetails });
  return quote.orderId;
}

const pathOf = (orderId: string) => `/api/admin/orders/${orderId}/intake`;
const act = (orderId: string, body: unknown, person = clerk) => person.post(pathOf(orderId), body);
const step = async (orderId: string, body: IntakeRequest, person = clerk) => {
  const answer = await act(orderId, body, person);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Intake;
};
const stateOf = async (orderId: string) => (await (await owner.get(pathOf(orderId))).json()) as Intake;
const detailOf = async (orderId: string) =>
  (await (await owner.get(`/api/admin/orders/${orderId}`)).json()) as OrderDetailAnswer;
const refund = (orderId: string, seen: { measurement: number; amount: number }, person = clerk) =>
  person.post(`${pathOf(orderId)}/refund`, seen);

test('rugs of the ordered size are received, ready and handed over; each step is undone', async () => {
  const orderId = await placed();
  expect(await stateOf(orderId)).toMatchObject({ stage: 'waiting', measurement: null, undoable: [] });
  const received = await step(orderId, { step: 'receive', sizes: ordered });
  expect(received).toMatchObject({ stage: 'received', measurement: { number: 1, due: 0, refund: null } });
  expect(await step(orderId, { step: 'ready' })).toMatchObject({ stage: 'ready', undoable: ['ready'] });
  expect(await step(orderId, { step: 'hand-over' })).toMatchObject({ stage: 'handed-over' });
  const detail = await detailOf(orderId);
  expect(detail.order.stage).toBe('handed-over');
  expect(detail.items.map(({ measured }) => measured)).toEqual(ordered);
  expect(await step(orderId, { step: 'undo', undoes: 'handed-over' })).toMatchObject({ stage: 'ready' });
  expect(await step(orderId, { step: 'undo', undoes: 'ready' })).toMatchObject({ stage: 'received' });
  const undone = await step(orderId, { step: 'undo', undoes: 'received' });
  expect(undone).toMatchObject({ stage: 'waiting', measurement: null });
  const { timeline, items } = await detailOf(orderId);
  expect(items.map(({ measured }) => measured)).toEqual([null, null]);
  expect(timeline.map(({ what }) => what).slice(-2)).toEqual([
    'Undone: the rugs are not ready',
    'Undone: the rugs were not received',
  ]);
});

test('a smaller rug is refunded with one press, by charge, and once for two clerks', async () => {
  const orderId = await placed();
  const { measurement } = await step(orderId, { step: 'receive', sizes: smaller });
  // 80 square feet of premium became 71.25: 8.75 at 5.95.
  expect(measurement).toMatchObject({ due: -52.06, refund: 52.06, isSmall: false });
  expect(measurement?.rugs[0]).toMatchObject({ changes: { base: -52.06, salesTax: 0 } });
  const answers = await Promise.all([
    refund(orderId, { measurement: 1, amount: 52.06 }),
    refund(orderId, { measurement: 1, amount: 52.06 }, owner),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const { refunds, order } = await detailOf(orderId);
  expect(refunds).toHaveLength(1);
  expect(refunds[0]).toMatchObject({ amount: 52.06, reason: 'Size corrected after measuring' });
  expect(order.refunded + order.refundPending).toBe(52.06);
  expect(await stateOf(orderId)).toMatchObject({ measurement: { due: 0, refund: null } });
});

test('after a refund that Square rejected, the page offers no other one, and a check settles the difference', async () => {
  const orderId = await placed(`cnon:sim-refund-rejected-${crypto.randomUUID().replaceAll('-', '')}`);
  await step(orderId, { step: 'receive', sizes: smaller });
  expect((await refund(orderId, { measurement: 1, amount: 52.06 })).status).toBe(200);
  await vi.waitFor(
    async () => {
      await settleNow(shop.world, ownerSql);
      expect((await detailOf(orderId)).order.owedRefund).toBe(52.06);
    },
    { timeout: 60_000 },
  );
  expect((await stateOf(orderId)).measurement).toMatchObject({ due: -52.06, refund: null });
  const check = {
    ...{ amount: 52.06, method: 'check', reference: '1042', reason: measuredReason },
    ...{ paidOn: dayIn('America/Los_Angeles', new Date()), idempotencyKey: crypto.randomUUID() },
  };
  expect((await owner.post(`/api/admin/orders/${orderId}/reimbursements`, check)).status).toBe(201);
  expect((await stateOf(orderId)).measurement).toMatchObject({ due: 0, refund: null });
});

test('up, down and up again ends at the price of the last measurement', async () => {
  const orderId = await placed();
  await step(orderId, { step: 'receive', sizes: smaller });
  expect((await refund(orderId, { measurement: 1, amount: 52.06 })).status).toBe(200);
  const again = await step(orderId, { step: 'receive', sizes: ordered });
  // The refund was given for a size that does not hold any more.
  expect(again.measurement).toMatchObject({ number: 2, due: 52.06, refund: null });
  const back = await step(orderId, { step: 'receive', sizes: smaller });
  expect(back.measurement).toMatchObject({ number: 3, due: 0 });
});

test('what a person saw must still hold', async () => {
  const orderId = await placed();
  await step(orderId, { step: 'receive', sizes: smaller });
  await step(orderId, { step: 'receive', sizes: larger });
  for (const answer of [
    await refund(orderId, { measurement: 1, amount: 52.06 }),
    await refund(orderId, { measurement: 2, amount: 52.06 }),
    await act(orderId, { step: 'ask', measurement: 1, amount: 52.06 }),
    await act(orderId, { step: 'waive', measurement: 2, amount: 1, reason: 'Goodwill' }),
  ]) {
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ code: 'DifferenceChanged' });
  }
  expect((await detailOf(orderId)).refunds).toEqual([]);
});

test('a larger rug is waived, and the waiver is undone', async () => {
  const orderId = await placed();
  const { measurement } = await step(orderId, { step: 'receive', sizes: larger });
  const due = measurement?.due ?? 0;
  expect(due).toBe(55.04);
  const waived = await step(orderId, { step: 'waive', measurement: 1, amount: due, reason: 'Goodwill' });
  expect(waived).toMatchObject({ measurement: { isWaived: true, due }, undoable: ['waived', 'received'].toSorted() });
  const undone = await step(orderId, { step: 'undo', undoes: 'waived' });
  expect(undone.measurement?.isWaived).toBe(false);
});

test('the customer is asked with a link, which a new measurement withdraws', async () => {
  const orderId = await placed();
  await step(orderId, { step: 'receive', sizes: larger });
  const asked = await step(orderId, { step: 'ask', measurement: 1, amount: 55.04 });
  expect(asked.request).toMatchObject({ amount: 55.04, url: expect.stringMatching(/\/difference\/[0-9a-f-]{36}$/) });
  expect(await step(orderId, { step: 'ask', measurement: 1, amount: 55.04 })).toEqual(asked);
  expect((await step(orderId, { step: 'receive', sizes: ordered })).request).toBeNull();
});

test('impossible sizes, other numbers of rugs and unpaid orders are refused in words', async () => {
  const orderId = await placed();
  const [first] = ordered;
  const few = await act(orderId, { step: 'receive', sizes: [first] });
  expect(await few.json()).toMatchObject({ code: 'OtherRugs' });
  const flat = await act(orderId, { step: 'receive', sizes: [first, { width: 0, length: 84 }] });
  expect(flat.status).toBe(422);
  expect(await flat.json()).toMatchObject({ fields: { 'sizes.1': expect.stringContaining('width and the length') } });
  const long = await act(orderId, { step: 'receive', sizes: [{ width: 1201, length: 12 }, first] });
  expect(await long.json()).toMatchObject({ fields: { 'sizes.0': expect.stringContaining('100 ft') } });
  expect((await act(orderId, { step: 'receive', sizes: [{ width: 1.5, length: 3 }, first] })).status).toBe(422);
  expect(await (await act(orderId, { step: 'ready' })).json()).toMatchObject({ code: 'NotReceived' });
  expect((await act('0199d5a0-7c00-7000-8000-00000000dead', { step: 'ready' })).status).toBe(404);
  expect((await act(orderId, { step: 'receive', sizes: ordered }, accountant)).status).toBe(403);
  expect((await accountant.get(pathOf(orderId))).status).toBe(200);
});

test('the prices of the order hold, whatever they are now', async () => {
  const orderId = await placed();
  const current = (await (await owner.get('/api/admin/settings')).json()) as { version: number };
  const tierPrices = { premium: 9.95, midrange: 8.95, economy: 7.95 };
  const saved = await owner.post('/api/admin/settings', { tierPrices, version: current.version });
  expect(saved.status).toBe(200);
  expect((await step(orderId, { step: 'receive', sizes: smaller })).measurement?.due).toBe(-52.06);
});
