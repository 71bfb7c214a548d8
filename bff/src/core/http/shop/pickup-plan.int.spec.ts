import { type Day, dayAfter } from '@kilim/domain/day';
import { eachWeekday } from '@kilim/domain/pickup-plan';
import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { adaLovelace, openShop, paid, paymentFor, quoted, sendPayment, twoRugs } from '@kilim/lab/testing/shop';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { QuoteRequest } from '../../../../contract/order-request.ts';
import type { AdminSettingsAnswer, SettingsAnswer } from '../../../../contract/settings.ts';
import { dayIn } from '../../runtime/day-in.ts';

const { appSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const admin = openBrowser(shop);

const all = ['morning', 'afternoon', 'evening'];
const unset = { zipCodes: [], windows: eachWeekday(() => all), mostPerDay: null, closedDays: [] };
const today = dayIn('America/Los_Angeles', new Date());
const tomorrow = dayAfter(today);
const dayThree = dayAfter(dayAfter(tomorrow));
const dayFour = dayAfter(dayThree);

async function save(changes: object): Promise<Response> {
  const { version } = (await (await admin.get('/api/admin/settings')).json()) as AdminSettingsAnswer;
  return admin.post('/api/admin/settings', { version, ...changes });
}

async function plan(changes: object): Promise<void> {
  const answer = await save({ pickupPlan: { ...unset, ...changes } });
  expect(answer.status, await answer.clone().text()).toBe(200);
}

beforeEach(async () => {
  await admin.signIn();
  await plan({});
});

function wishing(customerInfo: QuoteRequest['customerInfo']): QuoteRequest {
  return { ...twoRugs, customerInfo: { ...adaLovelace, ...customerInfo } };
}

async function pay(request: QuoteRequest) {
  const quote = await quoted(shop, request);
  return paymentFor(quote, { orderDetails: { ...request, orderId: quote.orderId } });
}

async function refusalOf(request: QuoteRequest) {
  const answer = await shop.post('/api/quote', request);
  expect(answer.status).toBe(422);
  return ((await answer.json()) as { fields: unknown }).fields;
}

const fullDays = async () => (await (await shop.get('/api/pickup-days')).json()) as unknown;
const newYork = wishing({ zipCode: '10001' });

test('until an owner sets it, every ZIP code and day is served, and the public settings say so', async () => {
  await quoted(shop, wishing({ zipCode: '10001', pickupDay: dayFour, pickupWindow: 'evening' }));
  expect(await (await shop.get('/api/settings')).json()).toMatchObject({ pickupPlan: unset });
  expect(await fullDays()).toEqual({ fullDays: [] });
});

describe('an address where the shop does not drive', () => {
  const message = 'We do not drive to 10001. Drop-off is free.';

  test.each([
    ['with a contact', newYork],
    ['before the name', { ...twoRugs, customerInfo: { zipCode: '10001' } }],
  ])('gets no price but a message at the ZIP code, %s', async (_, request) => {
    await plan({ zipCodes: ['900'] });
    expect(await refusalOf(request)).toEqual({ 'customerInfo.zipCode': message });
  });

  test('of a wallet, which gives it with the payment, is refused before any charge', async () => {
    await plan({ zipCodes: ['900'] });
    const quote = await quoted(shop, { ...twoRugs, customerInfo: {} });
    const payment = paymentFor(quote, { orderDetails: { ...newYork, orderId: quote.orderId } });
    const { status, body } = await sendPayment(shop, payment);
    expect([status, body]).toEqual([
      422,
      {
        code: 'ZipCodeUnserved',
        message: `${message} Please choose it in your cart.`,
        fields: { 'orderDetails.customerInfo.zipCode': message },
      },
    ]);
    expect(await shop.square.payments()).toEqual([]);
    const dropoff = { ...newYork, deliveryOption: 'dropoff' as const };
    await paid(shop, await pay(dropoff));
  });

  test('names the sites where rugs can be brought', async () => {
    const dropOffSites = ['West LA', 'Valley'].map((name) => ({ name, note: '' }));
    await save({ business: { name: 'Kilim', phone: '', bookingUrl: '', dropOffSites } });
    await plan({ zipCodes: ['90025'] });
    expect(await refusalOf(newYork)).toEqual({
      'customerInfo.zipCode': 'We do not drive to 10001. Drop-off is free: West LA, Valley.',
    });
  });

  test('that was paid before is answered with its payment', async () => {
    const payment = await pay(newYork);
    const { paymentId } = await paid(shop, payment);
    await plan({ zipCodes: ['900'] });
    for (const again of [payment, { ...payment, idempotencyKey: crypto.randomUUID() }]) {
      expect(await sendPayment(shop, again)).toMatchObject({ status: 200, body: { paymentId } });
    }
  });
});

describe('a day', () => {
  const closed = { 'customerInfo.pickupDay': 'We do not come on this day. Please choose another one' };

  test('that is closed gets no price, and cannot be paid when it was closed after the quote', async () => {
    const payment = await pay(wishing({ pickupDay: tomorrow }));
    await plan({ closedDays: [{ from: today, to: tomorrow }] });
    expect(await refusalOf(wishing({ pickupDay: tomorrow }))).toEqual(closed);
    await quoted(shop, wishing({ pickupDay: dayThree }));
    expect(await sendPayment(shop, payment)).toMatchObject({ status: 422, body: { code: 'PickupDayRefused' } });
  });

  test('without a window is not driven, and only its own windows are', async () => {
    const weekday = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'long' });
    const nameOf = (day: Day) => weekday.format(Date.parse(day)).toLowerCase();
    await plan({ windows: { ...unset.windows, [nameOf(tomorrow)]: [], [nameOf(dayThree)]: ['evening'] } });
    expect(await refusalOf(wishing({ pickupDay: tomorrow }))).toEqual(closed);
    expect(await refusalOf(wishing({ pickupDay: dayThree, pickupWindow: 'morning' }))).toEqual({
      'customerInfo.pickupWindow': 'We do not come at this time. Please choose another one',
    });
    await quoted(shop, wishing({ pickupDay: dayThree, pickupWindow: 'evening' }));
  });

  test('is full with so many paid pickups, except for a customer who is paying, and has room again after a refund', async () => {
    await plan({ mostPerDay: 1 });
    const mine = wishing({ pickupDay: dayFour });
    const [first, second] = [await pay(mine), await pay(mine)];
    expect(await fullDays()).toEqual({ fullDays: [] });
    const { paymentId } = await paid(shop, first);
    expect(await fullDays()).toEqual({ fullDays: [dayFour] });
    expect(await refusalOf(mine)).toEqual({ 'customerInfo.pickupDay': 'This day is full. Please choose another one' });
    await quoted(shop, { ...mine, deliveryOption: 'dropoff' });
    expect(await sendPayment(shop, first)).toMatchObject({ status: 200, body: { paymentId } });
    await paid(shop, second);
    await plan({ mostPerDay: 2 });
    expect(await fullDays()).toEqual({ fullDays: [dayFour] });
    const refund = { paymentId, amount: 758.22, reason: 'Goodwill', refundType: 'full' };
    const answer = await admin.post('/api/admin/refund', { ...refund, idempotencyKey: crypto.randomUUID() });
    expect(answer.status, await answer.clone().text()).toBeLessThan(300);
    await quoted(shop, mine);
  });
});

test.each<[string, object, string]>([
  ['letters', { zipCodes: ['900', '9002x'] }, 'pickupPlan.zipCodes.1'],
  ['two digits', { zipCodes: ['90'] }, 'pickupPlan.zipCodes.0'],
  ['no day', { windows: eachWeekday(() => []) }, 'pickupPlan.windows'],
  ['no such time', { windows: { ...unset.windows, monday: ['night'] } }, 'pickupPlan.windows.monday.0'],
  ['no pickup', { mostPerDay: 0 }, 'pickupPlan.mostPerDay'],
  ['half a pickup', { mostPerDay: 1.5 }, 'pickupPlan.mostPerDay'],
  ['no such day', { closedDays: [{ from: '2026-02-30', to: '2026-03-01' }] }, 'pickupPlan.closedDays.0.from'],
  ['days backwards', { closedDays: [{ from: '2026-12-26', to: '2026-12-24' }] }, 'pickupPlan.closedDays.0.to'],
])('a plan with %s is not saved', async (_, changes, path) => {
  const answer = await save({ pickupPlan: { ...unset, ...changes } });
  expect(answer.status).toBe(422);
  const { fields } = (await answer.json()) as { fields: Record<string, string> };
  expect(Object.keys(fields)).toEqual([path]);
  if (path.endsWith('.1')) expect(fields[path]).toMatch(/^“9002x” is not a ZIP code/);
});

test('a save keeps each ZIP code once, and the closed days in order', async () => {
  const [early, late] = [
    { from: '2026-12-24', to: '2026-12-26' },
    { from: '2027-07-04', to: '2027-07-04' },
  ];
  await plan({ zipCodes: ['913', '900', '913'], closedDays: [late, early] });
  const { pickupPlan } = (await (await shop.get('/api/settings')).json()) as SettingsAnswer;
  expect(pickupPlan).toEqual({ ...unset, zipCodes: ['900', '913'], closedDays: [early, late] });
});
