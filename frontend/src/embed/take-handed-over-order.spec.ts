import { currentOrder } from '@kilim/bff/contract/quote';
import { rugToWire } from '@kilim/bff/contract/rug';
import { emptyContact } from '@kilim/domain/contact';
import { choose, newRug, side } from '@kilim/domain/rug';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseDraft } from '../order-form/stored-draft.ts';
import { clearCurrentOrder } from '../shared/current-order.ts';
import { isFromFrame } from '../shared/framed.ts';
import { localStore } from '../shared/storage.ts';
import { loadCurrentOrder, loadShownTotal } from '../shared/stored-order.ts';
import { takeHandedOverOrder } from './take-handed-over-order.ts';

const noon = Date.UTC(2026, 5, 1, 12);
const order = {
  orderId: '0198c0de-0000-7000-8000-00000000000a',
  rugs: [
    {
      ...rugToWire({
        ...choose(newRug, { tier: 'economy', stainProtection: true, repairInspection: true }),
        width: side(8, 0),
        length: side(10, 6),
      }),
      width: 8,
      length: 10.5,
      unit: 'feet',
      area: 84,
      pricePerSqft: 1.95,
      baseCost: 163.8,
      deliveryCost: 0,
      stainProtectionCost: 210,
      mothProtectionCost: 0,
      totalCost: 394.28,
    },
  ],
  deliveryOption: 'dropoff',
  includeDelivery: false,
  subtotal: 163.8,
  delivery: 0,
  deliveryMinimum: 0,
  deliveryCost: 0,
  addOns: { stainProtection: 210, mothProtection: 0, repairInspection: 0 },
  salesTax: 20.48,
  salesTaxName: 'CA Sales Tax',
  totalAmount: 394.28,
  customerInfo: { ...emptyContact, name: 'Ada', email: 'a@b.co', phone: '3105550100' },
};

function pageWith(textContent: string | null) {
  let block: { textContent: string | null; remove: () => void } | null = { textContent, remove: () => (block = null) };
  return { getElementById: (id: string) => (id === 'kilim-order' ? block : null) };
}

/** Without storage, so that the stores keep everything in memory. */
const topLevelWindow = {
  get self() {
    return this;
  },
  get top() {
    return this;
  },
};

beforeEach(() => {
  clearCurrentOrder();
  localStore.remove('rugFormState');
});

afterEach(() => vi.unstubAllGlobals());

test('a handed-over order becomes the current order, and Back leads to a cart with it', () => {
  const page = pageWith(JSON.stringify({ order, variant: 'A' }));
  takeHandedOverOrder(page, noon);
  expect(loadCurrentOrder()).toEqual({ ok: true, value: currentOrder.parse(order) });
  expect(JSON.parse(localStore.read('currentOrder') ?? '')).toEqual(order);
  const draft = parseDraft(localStore.read('rugFormState') ?? '', noon);
  expect(draft).toMatchObject({
    step: 'cart',
    contact: order.customerInfo,
    rugs: [{ rug: { tier: 'economy', width: 96, length: 126, stainProtection: true, repairInspection: true } }],
  });
  expect(localStore.read('ab_checkout_variant')).toBe('A');
  expect(page.getElementById('kilim-order')).toBeNull();
});

test('the checkout learns another total of the frame', () => {
  for (const [shownTotal, learned] of [
    [400, 40_000],
    [394.28, undefined],
    [undefined, undefined],
  ]) {
    takeHandedOverOrder(pageWith(JSON.stringify({ order, variant: 'A', shownTotal })), noon);
    expect(loadShownTotal(currentOrder.parse(order))).toBe(learned);
  }
});

test('a handed-over order counts as made in an iframe, and later orders do not', () => {
  vi.stubGlobal('window', topLevelWindow);
  takeHandedOverOrder(pageWith(JSON.stringify({ order, variant: 'A' })), noon);
  expect(isFromFrame(order.orderId)).toBe(true);
  expect(isFromFrame('0198c0de-0000-7000-8000-00000000000b')).toBe(false);
});

test.each([null, '', '{"order":', '[]', JSON.stringify({ order: { ...order, totalAmount: 'free' }, variant: 'A' })])(
  'an invalid order changes nothing',
  (text) => {
    takeHandedOverOrder(pageWith(text), noon);
    expect(loadCurrentOrder()).toEqual({ ok: false, rejection: { code: 'NoOrder' } });
    expect(localStore.read('rugFormState')).toBeNull();
  },
);
