import { dayAfter, dayBefore } from '@kilim/domain/day';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { adaLovelace, openShop, paid, paymentFor, quoted, sendPayment, twoRugs } from '@kilim/lab/testing/shop';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { PaymentRequest, QuoteRequest } from '../../../../contract/order-request.ts';
import { dayIn } from '../../runtime/day-in.ts';

const { appSql } = await testDatabase();
const dayInMilliseconds = 24 * 60 * 60 * 1000;
let daysAhead = 0;
const shop = await openShop(appSql, { now: () => new Date(Date.now() + daysAhead * dayInMilliseconds) });
afterAll(shop.close);
beforeEach(() => {
  daysAhead = 0;
});

const today = dayIn('America/Los_Angeles', new Date());
const tomorrow = dayAfter(today);
const wishing = (pickupDay: string): QuoteRequest => ({
  ...twoRugs,
  customerInfo: { ...adaLovelace, pickupDay },
});

async function paymentOf(request: QuoteRequest, more: Partial<PaymentRequest> = {}): Promise<PaymentRequest> {
  const quote = await quoted(shop, request);
  return paymentFor(quote, { orderDetails: { ...request, orderId: quote.orderId }, ...more });
}

test.each([
  ['with a contact', adaLovelace],
  ['before a wallet gives the contact', {}],
])('a cart with a pickup day that is over gets no price but a message at the day, %s', async (_, contact) => {
  const request = { ...twoRugs, customerInfo: { ...contact, pickupDay: dayBefore(dayBefore(today)) } };
  const answer = await shop.post('/api/quote', request);
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({
    fields: { 'customerInfo.pickupDay': 'This pickup day is over. Please choose another one' },
  });
});

test('a day that was chosen for a pickup does not stop an order that is brought', async () => {
  await quoted(shop, { ...wishing('1999-01-01'), deliveryOption: 'dropoff' });
});

test('a payment after the pickup day charges nothing, and says so at the day', async () => {
  const payment = await paymentOf(wishing(tomorrow));
  daysAhead = 3;
  const answer = await shop.post('/api/process-payment', payment);
  expect(answer.status).toBe(422);
  expect(await answer.json()).toEqual({
    code: 'PickupDayRefused',
    message: 'We can no longer come on the pickup day of this order. Please choose another day in your cart.',
    fields: { 'orderDetails.customerInfo.pickupDay': 'Please choose another day' },
  });
  expect(await shop.square.payments()).toEqual([]);
});

test('a paid order is answered with its payment after the pickup day, too, from this tab and another one', async () => {
  const payment = await paymentOf(wishing(tomorrow));
  const { paymentId } = await paid(shop, payment);
  daysAhead = 3;
  const other = { ...payment, idempotencyKey: crypto.randomUUID() };
  for (const again of [payment, other]) {
    expect(await sendPayment(shop, again)).toMatchObject({ status: 200, body: { paymentId } });
  }
});

test('a declined payment is answered as declined after the pickup day, too', async () => {
  const payment = await paymentOf(wishing(tomorrow), { token: 'cnon:card-nonce-declined' });
  const first = await sendPayment(shop, payment);
  daysAhead = 3;
  expect(first.status).toBe(402);
  expect(await sendPayment(shop, payment)).toEqual(first);
});
