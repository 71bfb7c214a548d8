import { dayAfter } from '@kilim/domain/day';
import { parseOrderId } from '@kilim/domain/order/ids';
import { orderNumberOf } from '@kilim/domain/order/number';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { adaLovelace, openShop, paymentFor, quoted, twoRugs } from '@kilim/lab/testing/shop';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { QuoteRequest } from '../../../../contract/order-request.ts';
import { dayIn } from '../../runtime/day-in.ts';
import { agreePickup } from '../../use-case/agree-pickup.ts';

const { appSql } = await testDatabase();
const day = 24 * 60 * 60 * 1000;
let daysAhead = 0;
const shop = await openShop(appSql, { now: () => new Date(Date.now() + daysAhead * day) });
afterAll(shop.close);
beforeEach(() => {
  daysAhead = 0;
});

const tomorrow = dayAfter(dayIn('America/Los_Angeles', new Date()));
const tomorrowInCalendar = tomorrow.replaceAll('-', '');
const wishes = {
  addressLine2: 'Apt 4',
  pickupDay: tomorrow,
  pickupWindow: 'morning',
  driverNote: 'Gate code 1815',
};
const pickup: QuoteRequest = { ...twoRugs, customerInfo: { ...adaLovelace, ...wishes } };
const dropOff: QuoteRequest = { ...twoRugs, deliveryOption: 'dropoff' };

async function pay(request: QuoteRequest) {
  const quote = await quoted(shop, request);
  const answer = await shop.post(
    '/api/process-payment',
    paymentFor(quote, { orderDetails: { ...request, orderId: quote.orderId } }),
  );
  const { paymentId } = (await answer.json()) as { paymentId: string };
  const orderId = parseOrderId(quote.orderId);
  if (orderId === undefined) throw new Error('An order has another id than expected');
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { orderId, receipt: `/api/orders/payment/${paymentId}`, cookie };
}

test('the receipt shows the wishes for a pickup to the browser that paid, and others only when it is', async () => {
  const { receipt, cookie } = await pay(pickup);
  const mine = (await (await shop.get(receipt, { cookie })).json()) as { order: { customerInfo: object } };
  expect(mine.order.customerInfo).toMatchObject({ ...adaLovelace, ...wishes });
  const theirs = await (await shop.get(receipt)).text();
  expect(theirs).toContain(`"pickupDay":"${tomorrow}","pickupWindow":"morning"`);
  for (const personal of ['Apt 4', 'Gate code', 'Analytical']) expect(theirs).not.toContain(personal);
});

test('the calendar of a pickup has the wished day, and the address for the browser that paid', async () => {
  const { orderId, receipt, cookie } = await pay(pickup);
  const answer = await shop.get(`${receipt}/calendar`, { cookie });
  expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toContain(`order-${orderNumberOf(orderId)}.ics`);
  const own = (await answer.text()).replaceAll('\r\n ', '');
  expect(own).toContain(`DTSTART;VALUE=DATE:${tomorrowInCalendar}`);
  expect(own).toContain(String.raw`LOCATION:12 Analytical Way\, Apt 4\, Los Angeles\, CA 90025`);
  const other = await (await shop.get(`${receipt}/calendar`)).text();
  expect(other).toContain(`DTSTART;VALUE=DATE:${tomorrowInCalendar}`);
  expect(other).not.toContain('Analytical');
});

test('once a pickup is agreed, the receipt has that day, and the calendar has it as certain', async () => {
  const { orderId, receipt } = await pay(pickup);
  expect(await (await shop.get(`${receipt}/calendar`)).text()).toContain('STATUS:TENTATIVE');
  const world = { sql: appSql, now: () => new Date(), timeZone: 'America/Los_Angeles' };
  const agreed = { orderId, day: dayAfter(tomorrow), window: 'morning', by: 'ada', requestId: undefined } as const;
  expect(await agreePickup(world, agreed)).toEqual({ ok: true, value: undefined });
  const calendar = await (await shop.get(`${receipt}/calendar`)).text();
  expect(calendar).toContain(`DTSTART;VALUE=DATE:${dayAfter(tomorrow).replaceAll('-', '')}`);
  expect(calendar).toContain('STATUS:CONFIRMED');
  expect(calendar.replaceAll('\r\n ', '')).toContain('in the morning');
  expect(await (await shop.get(receipt)).json()).toMatchObject({
    order: { agreedPickup: { pickupDay: dayAfter(tomorrow), pickupWindow: 'morning' } },
  });
});

test('the calendar of a drop-off has tomorrow, and a pickup without a day has none', async () => {
  const brought = await pay(dropOff);
  expect(await (await shop.get(`${brought.receipt}/calendar`)).text()).toMatch(
    /DTSTART;VALUE=DATE:\d{8}\r\nDTEND;VALUE=DATE:\d{8}\r\n/,
  );
  const picked = await pay(twoRugs);
  expect((await shop.get(`${picked.receipt}/calendar`)).status).toBe(404);
});

test('a receipt opens for ninety days', async () => {
  const { receipt, cookie } = await pay(dropOff);
  daysAhead = 89;
  expect((await shop.get(receipt)).status).toBe(200);
  daysAhead = 91;
  const paymentId = receipt.split('/').at(-1);
  const answers = [
    await shop.get(receipt, { cookie }),
    await shop.get(`${receipt}/calendar`, { cookie }),
    await shop.post('/api/save-order', { order: {}, paymentId }),
  ];
  for (const ended of answers) {
    expect(ended.status).toBe(410);
    expect(await ended.json()).toMatchObject({ code: 'ReceiptExpired' });
  }
});
