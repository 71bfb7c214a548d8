import { type Day, dayAfter } from '@kilim/domain/day';
import { ada, makeAdministrator, makePerson, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { adaLovelace, openShop, paid, paymentFor, quoted, twoRugs } from '@kilim/lab/testing/shop';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { QuoteRequest } from '../../../../contract/order-request.ts';
import type { TodayAnswer } from '../../../../contract/today.ts';
import { dayIn } from '../../runtime/day-in.ts';

const { appSql, ownerSql } = await testDatabase();
const day = 24 * 60 * 60 * 1000;
let daysAhead = 0;
const shop = await openShop(appSql, { now: () => new Date(Date.now() + daysAhead * day) });
afterAll(shop.close);
await makeAdministrator(appSql);
const alma = { username: 'alma', password: 'lantern walnut orbit 27' };
await makePerson(appSql, alma, 'accountant');
const [owner, accountant] = [openBrowser(shop, ada), openBrowser(shop, alma)];
beforeAll(async () => void (await Promise.all([owner.signIn(), accountant.signIn()])));
beforeEach(async () => {
  daysAhead = 0;
  await ownerSql`truncate ledger.order_summary, ledger.customer_contact`;
});

const today = dayIn('America/Los_Angeles', new Date());
const after = (days: number): Day => Array.from({ length: days }).reduce<Day>(dayAfter, today);

async function placed(name: string, wish: QuoteRequest['customerInfo'] = {}, more: Partial<QuoteRequest> = {}) {
  const request = { ...twoRugs, customerInfo: { ...adaLovelace, name, ...wish }, ...more };
  const quote = await quoted(shop, request);
  const { paymentId } = await paid(shop, paymentFor(quote, { orderDetails: { ...request, orderId: quote.orderId } }));
  return { orderId: quote.orderId, paymentId };
}

async function agree({ orderId }: { readonly orderId: string }, onDay: Day, window = 'morning') {
  expect((await owner.post(`/api/admin/orders/${orderId}/pickup`, { day: onDay, window })).status).toBe(204);
}

async function todayOf(person = owner): Promise<TodayAnswer> {
  const answer = await person.get('/api/admin/today');
  expect(answer.status, await answer.clone().text()).toBe(200);
  return (await answer.json()) as TodayAnswer;
}

type Pickups = TodayAnswer['toCall'];
const namesOf = ({ rows }: Pickups) => rows.map(({ customerInfo }) => customerInfo?.name);

test('a paid pickup is to call until it is agreed, and then comes on its day, by time', async () => {
  const [late, early, soon] = [
    await placed('Any Day'),
    await placed('Late Wish', { pickupDay: after(4), pickupWindow: 'evening' }),
    await placed('Early Wish', { pickupDay: after(1), driverNote: 'Gate code 1815' }),
  ];
  await placed('Brings Them', {}, { deliveryOption: 'dropoff' });
  expect(namesOf((await todayOf()).toCall)).toEqual(['Any Day', 'Early Wish', 'Late Wish']);
  await agree(late, today, 'evening');
  await agree(early, today);
  await agree(soon, after(1));
  const { day: shown, toCall, coming, tomorrow } = await todayOf();
  expect(shown).toBe(today);
  expect(toCall).toEqual({ total: 0, rows: [] });
  expect(namesOf(coming)).toEqual(['Late Wish', 'Any Day']);
  expect(tomorrow).toMatchObject({
    total: 1,
    rows: [
      {
        _id: soon.orderId,
        rugCount: 2,
        agreedPickup: { day: after(1), window: 'morning' },
        customerInfo: { phone: adaLovelace.phone, address: adaLovelace.address, driverNote: 'Gate code 1815' },
      },
    ],
  });
  daysAhead = 1;
  const next = await todayOf();
  expect([namesOf(next.coming), namesOf(next.tomorrow)]).toEqual([['Early Wish'], []]);
});

test('a refunded order is in no list, nor is one whose contact was erased or that is sixty days old to call', async () => {
  const refunded = await placed('Refunded', { pickupDay: after(1) });
  const agreed = await placed('Refunded Later');
  await agree(agreed, today);
  for (const { paymentId } of [refunded, agreed]) {
    const refund = { paymentId, amount: 758.22, reason: 'Goodwill', refundType: 'full' };
    await owner.post('/api/admin/refund', { ...refund, idempotencyKey: crypto.randomUUID() });
  }
  const erased = await placed('Erased');
  await owner.post(`/api/admin/orders/${erased.orderId}/erase-contact`, {});
  const { toCall, coming, due } = await todayOf();
  expect([toCall.total, coming.total]).toEqual([0, 0]);
  expect(due.rows.map(({ _id, customerInfo }) => [_id, customerInfo])).toEqual([
    [erased.orderId, null],
    [erased.orderId, null],
  ]);
  await placed('Forgotten');
  expect((await todayOf()).toCall.total).toBe(1);
  daysAhead = 61;
  expect((await todayOf()).toCall.total).toBe(0);
});

test('rugs are due by their tier, from the agreed day, the wished one, or the day of the order', async () => {
  const ordered = await placed('Ordered Today', {}, { deliveryOption: 'dropoff' });
  const wished = await placed('Wished', { pickupDay: after(4) });
  const agreed = await placed('Agreed', { pickupDay: after(1) });
  await agree(agreed, after(3));
  const { due } = await todayOf();
  expect(due.rows.map(({ _id, ...row }) => [_id, row.customerInfo?.name, row.tier, row.due, row.rugCount])).toEqual([
    [ordered.orderId, 'Ordered Today', 'premium', after(3), 1],
    [agreed.orderId, 'Agreed', 'premium', after(6), 1],
    // Seven days for economy; that of the other two is later than in seven days.
    ...[
      [ordered.orderId, 'Ordered Today', 'economy', after(7), 1],
      [wished.orderId, 'Wished', 'premium', after(7), 1],
    ].toSorted(([one = ''], [other = '']) => String(one).localeCompare(String(other))),
  ]);
  daysAhead = 4;
  const later = (await todayOf()).due.rows.filter(({ _id }) => _id === ordered.orderId);
  expect(later.map(({ tier }) => tier)).toEqual(['economy']);
});

test('rugs in the shop are counted as the lists of their links count them', async () => {
  expect((await todayOf()).inShop).toEqual({ received: 0, ready: 0, asked: 0 });
  const sizes = [
    { width: 102, length: 126 },
    { width: 66, length: 84 },
  ];
  const intakeOf = ({ orderId }: { readonly orderId: string }) => `/api/admin/orders/${orderId}/intake`;
  const [asked, ready] = [await placed('Asked'), await placed('Ready')];
  await placed('Waiting');
  for (const order of [asked, ready]) await owner.post(intakeOf(order), { step: 'receive', sizes });
  await owner.post(intakeOf(ready), { step: 'ready' });
  const measured = (await (await owner.get(intakeOf(asked))).json()) as { measurement: { due: number } };
  await owner.post(intakeOf(asked), { step: 'ask', measurement: 1, amount: measured.measurement.due });
  const { inShop, due } = await todayOf();
  expect(inShop).toEqual({ received: 1, ready: 1, asked: 1 });
  expect(due.rows.map(({ _id }) => _id)).not.toContain(ready.orderId);
  for (const stage of ['received', 'ready', 'asked'] as const) {
    const listed = (await (await owner.get(`/api/admin/orders?stage=${stage}`)).json()) as readonly unknown[];
    expect(listed).toHaveLength(inShop[stage]);
  }
});

test('an accountant sees masked contacts, and the takings', async () => {
  await placed('Ada Lovelace', { pickupDay: after(1) });
  const { toCall, due, figures } = await todayOf(accountant);
  expect(toCall.rows[0]?.customerInfo).toMatchObject({ name: 'A•• L•••••••', phone: '', address: '' });
  expect(due.rows.map(({ customerInfo }) => customerInfo)).toEqual(due.rows.map(() => toCall.rows[0]?.customerInfo));
  const mine = await todayOf();
  const { phone, address } = adaLovelace;
  expect(mine.due.rows[0]?.customerInfo).toMatchObject({ phone, address });
  expect(figures).toEqual(mine.figures);
  expect(figures.today.takings).toBeGreaterThan(0);
});

test('at most twenty rows are listed, and all are counted', async () => {
  for (let order = 0; order < 21; order += 1) await placed(`Customer ${order}`);
  const { toCall } = await todayOf();
  expect([toCall.rows.length, toCall.total]).toEqual([20, 21]);
});
