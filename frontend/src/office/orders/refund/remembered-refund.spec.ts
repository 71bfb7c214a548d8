import type { RefundRequest } from '@kilim/bff/contract/refund-request';
import { expect, test } from 'vitest';
import { makeStore, type Store } from '../../../shared/storage.ts';
import { forgetRefund, loadOpenRefund, rememberRefund } from './remembered-refund.ts';

const request: RefundRequest = {
  paymentId: '7cbbc7ed0aec71cd7cbbc7ed0aec71cd',
  amount: '242.22',
  reason: 'Goodwill',
  refundType: 'partial',
  rugItems: [{ rugIndex: 1, amount: '242.22', reason: 'Goodwill' }],
  deliveryMinimum: '0.00',
  idempotencyKey: 'refund-a-0123456789',
};

function openStore(): Store {
  const texts = new Map<string, string>();
  return makeStore(() => ({
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
  }));
}

test('a remembered refund is loaded unchanged, with its key', () => {
  const store = openStore();
  rememberRefund({ orderId: 'order-a', request }, store);
  expect(loadOpenRefund('order-a', store)).toEqual(request);
});

test('it is loaded for its own order only', () => {
  const store = openStore();
  rememberRefund({ orderId: 'order-a', request }, store);
  expect(loadOpenRefund('order-b', store)).toBeUndefined();
});

test('its own order forgets it, and another order does not', () => {
  const store = openStore();
  rememberRefund({ orderId: 'order-a', request }, store);
  forgetRefund('order-b', store);
  expect(loadOpenRefund('order-a', store)).toEqual(request);
  forgetRefund('order-a', store);
  expect(loadOpenRefund('order-a', store)).toBeUndefined();
});

test.each([
  ['nothing', ''],
  ['no JSON', '{"orderId":'],
  ['an amount with a third decimal', JSON.stringify({ orderId: 'order-a', request: { ...request, amount: '1.005' } })],
  ['no key', JSON.stringify({ orderId: 'order-a', request: { ...request, idempotencyKey: '' } })],
])('%s in the storage is no refund', (_, text) => {
  const store = openStore();
  store.write('openRefund', text);
  expect(loadOpenRefund('order-a', store)).toBeUndefined();
});
