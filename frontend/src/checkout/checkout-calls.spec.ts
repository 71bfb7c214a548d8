import { quote } from '@kilim/bff/contract/quote';
import { cents } from '@kilim/domain/money';
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { adaByron, orderA, quoteA, requestedRugA } from '../shared/testing/orders.ts';
import { lookUpPayment, sendPayment } from './checkout-calls.ts';

const attempt = { idempotencyKey: 'key-a', orderId: orderA.orderId, startedAt: '2026-01-05T12:00:00Z' };

const unsure = { type: 'payment.unsure' };

function answer(status: number, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>(
    async () => new Response(text, { status }),
  );
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

function noAnswer() {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
}

afterEach(() => {
  vi.unstubAllGlobals();
});

const send = () =>
  sendPayment(
    { token: 'cnon:a', attempt, order: orderA },
    { source: { embedded: false, variant: 'B' }, signal: new AbortController().signal },
  );
const lookUp = () => lookUpPayment({ idempotencyKey: 'key-a' }, new AbortController().signal);

describe('paying', () => {
  test('sends what was ordered and shown, and the key of the attempt', async () => {
    const fetched = answer(200, { success: true, paymentId: 'pay-1', orderId: orderA.orderId });
    await send();
    expect(fetched).toHaveBeenCalledOnce();
    const [path, init] = fetched.mock.calls[0] ?? [];
    expect(path).toBe('/api/process-payment');
    expect(JSON.parse(String(init?.body))).toEqual({
      token: 'cnon:a',
      amount: '476.00',
      orderDetails: {
        orderId: orderA.orderId,
        rugs: [requestedRugA],
        deliveryOption: 'dropoff',
        customerInfo: adaByron,
        source: { embedded: false, variant: 'B' },
      },
      idempotencyKey: 'key-a',
    });
  });

  test('success with a payment id is paid', async () => {
    answer(200, { success: true, paymentId: 'pay-1', orderId: orderA.orderId });
    expect(await send()).toEqual({ type: 'payment.captured', paymentId: 'pay-1' });
  });

  test('202 is unsure, under the key that the server names', async () => {
    answer(202, { success: false, status: 'pending', orderId: orderA.orderId, idempotencyKey: 'key-b' });
    const inProgress = { idempotencyKey: 'key-b', orderId: orderA.orderId };
    expect(await send()).toEqual({ type: 'payment.unsure', inProgress });
  });

  test('402 is a decline, in the server’s words', async () => {
    answer(402, { success: false, message: 'Your card has expired.', code: 'CARD_EXPIRED' });
    expect(await send()).toEqual({ type: 'payment.declined', message: 'Your card has expired.' });
  });

  test('a decline without words has the default ones', async () => {
    answer(402, { success: false, message: '', code: 'X' });
    expect(await send()).toEqual({ type: 'payment.declined', message: 'Payment processing failed' });
  });

  test('another price brings the new quote, for the same customer', async () => {
    const repriced = { ...quoteA, orderId: '0193-order-b', totalAmount: cents(50_000) };
    const wire = z.encode(quote, repriced);
    answer(409, { success: false, code: 'PriceChanged', message: 'The price has changed.', quote: wire });
    expect(await send()).toEqual({ type: 'payment.repriced', order: { ...repriced, customerInfo: adaByron } });
  });

  test.each([
    [409, 'OrderDiffers', true],
    [422, 'Invalid', true],
    [429, 'TooManyAttempts', false],
    [400, 'Malformed', false],
  ])('%i %s in the server’s words means that nothing was charged', async (status, code, isAboutCart) => {
    answer(status, { code, message: 'Please review your order again.' });
    expect(await send()).toEqual({ type: 'payment.refused', message: 'Please review your order again.', isAboutCart });
  });

  test.each([
    ['success without a payment id', 200, { success: true }],
    ['success in a proxy’s words', 200, '<html>Sign in to the network</html>'],
    ['an error of the server', 500, { code: 'Internal', message: 'Something went wrong.' }],
    ['an overloaded server', 503, { code: 'Unavailable', message: 'Please try again.' }],
    ['a gateway time-out', 504, '<html>Gateway time-out</html>'],
    ['a request time-out', 408, { code: 'Timeout', message: 'Timed out.' }],
    ['a decline in a proxy’s words', 402, '<html>Payment required</html>'],
    ['a refusal in a proxy’s words', 403, '<html>Blocked</html>'],
    ['another price without its quote', 409, '{"code":"PriceChanged","quo'],
  ])('%s is unsure', async (_, status, body) => {
    answer(status, body);
    expect(await send()).toEqual(unsure);
  });

  test('no answer is unsure', async () => {
    noAnswer();
    expect(await send()).toEqual(unsure);
  });
});

describe('asking after an attempt', () => {
  test.each([
    [
      { status: 'pending', orderId: 'o', message: '' },
      { ...unsure, message: '' },
    ],
    [
      { status: 'captured', orderId: 'o', paymentId: 'pay-1' },
      { type: 'payment.captured', paymentId: 'pay-1' },
    ],
    [
      { status: 'declined', orderId: 'o', code: 'X', message: 'No.' },
      { type: 'payment.declined', message: 'No.' },
    ],
    [{ status: 'voided', orderId: 'o', code: 'X', message: 'Cancelled.' }, { type: 'payment.voided' }],
    [
      { status: 'voided', orderId: 'o', code: 'PaymentReturned', message: 'It is being returned.' },
      { type: 'payment.declined', message: 'It is being returned.', isReturned: true },
    ],
    [
      { status: 'voided', orderId: 'o', code: 'CardPaymentUnavailable', message: 'Try again later.' },
      { type: 'payment.declined', message: 'Try again later.' },
    ],
  ])('%o', async (body, outcome) => {
    const fetched = answer(200, body);
    expect(await lookUp()).toEqual(outcome);
    expect(fetched.mock.calls[0]?.[0]).toBe('/api/payment-attempts/key-a');
  });

  test('only our own 404 means that the server has not heard of it', async () => {
    answer(404, { code: 'NotFound', message: 'No such payment attempt has arrived here.' });
    expect(await lookUp()).toEqual({ type: 'lookUp.unheard' });
    answer(404, '<html>Not found</html>');
    expect(await lookUp()).toEqual({ type: 'lookUp.unreachable' });
  });

  test.each([500, 503, 429])('%i says nothing', async (status) => {
    answer(status, { code: 'X', message: 'Please try again.' });
    expect(await lookUp()).toEqual({ type: 'lookUp.unreachable' });
  });

  test('no answer says nothing', async () => {
    noAnswer();
    expect(await lookUp()).toEqual({ type: 'lookUp.unreachable' });
  });
});
