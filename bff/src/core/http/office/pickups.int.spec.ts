import { type Day, dayAfter } from '@kilim/domain/day';
import { eachWeekday } from '@kilim/domain/pickup-plan';
import { ada, makeAdministrator, makePerson, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { adaLovelace, openShop, paid, paymentFor, quoted, twoRugs } from '@kilim/lab/testing/shop';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { QuoteRequest } from '../../../../contract/order-request.ts';
import type { OrderDetailAnswer } from '../../../../contract/orders.ts';
import type { AdminSettingsAnswer } from '../../../../contract/settings.ts';
import { dayIn } from '../../runtime/day-in.ts';

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

const today = dayIn('America/Los_Angeles', new Date());
const tomorrow = dayAfter(today);
const dayThree = dayAfter(dayAfter(tomorrow));
const dayFour = dayAfter(dayThree);

async function placed(wish: QuoteRequest['customerInfo'] = {}, more: Partial<QuoteRequest> = {}) {
  const request = { ...twoRugs, customerInfo: { ...adaLovelace, ...wish }, ...more };
  const quote = await quoted(shop, request);
  const { paymentId } = await paid(shop, paymentFor(quote, { orderDetails: { ...request, orderId: quote.orderId } }));
  return { orderId: quote.orderId, paymentId };
}

function agree(orderId: string, day: string, { window = 'morning', person = clerk } = {}) {
  return person.post(`/api/admin/orders/${orderId}/pickup`, { day, window });
}

async function detailOf(orderId: string): Promise<OrderDetailAnswer> {
  return (await (await owner.get(`/api/admin/orders/${orderId}`)).json()) as OrderDetailAnswer;
}

async function plan(changes: object) {
  const { version } = (await (await owner.get('/api/admin/settings')).json()) as AdminSettingsAnswer;
  const unset = { zipCodes: [], windows: eachWeekday(() => ['morning', 'evening']), mostPerDay: null, closedDays: [] };
  const answer = await owner.post('/api/admin/settings', { version, pickupPlan: { ...unset, ...changes } });
  expect(answer.status, await answer.clone().text()).toBe(200);
}

type FreeDays = { readonly days: readonly { readonly day: Day; readonly windows: readonly string[] }[] };
async function freeDays(orderId: string): Promise<readonly string[]> {
  const { days } = (await (await clerk.get(`/api/admin/orders/${orderId}/pickup-days`)).json()) as FreeDays;
  return days.map(({ day }) => day);
}

const fullDays = async () => (await (await shop.get('/api/pickup-days')).json()) as unknown;

test('a clerk agrees on a day, and on another one; the order has the last and its timeline both', async () => {
  const { orderId } = await placed();
  expect((await detailOf(orderId)).order.agreedPickup).toBeNull();
  expect((await agree(orderId, tomorrow)).status).toBe(204);
  expect((await agree(orderId, tomorrow)).status).toBe(204);
  expect((await agree(orderId, dayThree, { window: 'evening', person: owner })).status).toBe(204);
  const { order, timeline } = await detailOf(orderId);
  expect(order.agreedPickup).toEqual({ day: dayThree, window: 'evening' });
  const lines = timeline.filter(({ what }) => what.startsWith('Pickup agreed: '));
  expect(lines.map(({ who }) => who)).toEqual(['clara', 'ada']);
  expect(lines[1]?.what).toMatch(/^Pickup agreed: [A-Z][a-z]+day, [A-Z][a-z]+ \d+, evening$/);
  const stored = await ownerSql`
    select payload from ledger.event where stream_id = ${`order-${orderId}`} and type = 'PickupAgreed' order by version`;
  expect(stored.map(({ payload }) => payload as unknown)).toEqual([
    { day: tomorrow, window: 'morning' },
    { day: dayThree, window: 'evening' },
  ]);
});

test('what cannot be agreed on says why', async () => {
  const broughtBy = await placed({}, { deliveryOption: 'dropoff' });
  const { orderId, paymentId } = await placed();
  const refusals = async (id: string, day: string, person = clerk) => {
    const answer = await agree(id, day, { person });
    return [answer.status, ((await answer.json()) as { code: string }).code];
  };
  expect(await refusals(broughtBy.orderId, tomorrow)).toEqual([409, 'NotPickup']);
  expect(await refusals(orderId, '2026-01-01')).toEqual([422, 'PastPickupDay']);
  expect(await refusals(orderId, 'Friday')).toEqual([422, 'Invalid']);
  expect(await refusals(crypto.randomUUID(), tomorrow)).toEqual([404, 'NotFound']);
  expect(await refusals('no-id', tomorrow)).toEqual([404, 'NotFound']);
  expect(await refusals(orderId, tomorrow, accountant)).toEqual([403, 'NotPermitted']);
  const refund = { paymentId, amount: 758.22, reason: 'Goodwill', refundType: 'full' };
  expect((await owner.post('/api/admin/refund', { ...refund, idempotencyKey: crypto.randomUUID() })).status).toBe(201);
  expect(await refusals(orderId, tomorrow)).toEqual([409, 'FullyRefunded']);
});

test('a full day counts agreed pickups instead of wished ones, and never the order itself', async () => {
  const wishing = await placed({ pickupDay: dayFour });
  const other = await placed();
  await plan({ mostPerDay: 1, closedDays: [{ from: tomorrow, to: tomorrow }] });
  expect(await fullDays()).toEqual({ fullDays: [dayThree, dayFour] });
  expect(await freeDays(wishing.orderId)).toContain(dayFour);
  expect(await freeDays(other.orderId)).not.toContain(dayFour);
  expect(await freeDays(other.orderId)).toContain(today);
  expect(await freeDays(other.orderId)).not.toContain(tomorrow);
  const later = dayAfter(dayFour);
  await agree(wishing.orderId, later);
  expect(await fullDays()).toEqual({ fullDays: [dayThree, later] });
  expect(await freeDays(other.orderId)).toContain(dayFour);
  await plan({});
});
