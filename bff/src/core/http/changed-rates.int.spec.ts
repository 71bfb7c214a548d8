import { firstOfMonth } from '@kilim/domain/day';
import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { readCsv } from '@kilim/lab/testing/import-limits';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted, sendPayment, twoRugs } from '@kilim/lab/testing/shop';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { ConfigAnswer } from '../../../contract/config.ts';
import type { QuoteRequest } from '../../../contract/order-request.ts';
import type { OrderDetailAnswer } from '../../../contract/orders.ts';
import type { QuoteAnswer } from '../../../contract/quote.ts';
import type { PaidOrder } from '../../../contract/receipt.ts';
import type { Report } from '../../../contract/reports.ts';
import type { AdminSettingsAnswer, SettingsAnswer } from '../../../contract/settings.ts';
import { dayIn } from '../runtime/day-in.ts';

// The owner changes what orders cost while customers are in the checkout.

const { appSql } = await testDatabase();
const shop = await openShop(appSql);
await makeAdministrator(appSql);
const admin = openBrowser(shop);
/** The tests set its clock. */
let now = new Date();
const timedShop = await openShop(appSql, { now: () => now });
afterAll(() => Promise.all([shop.close(), timedShop.close()]));

const builtIn = (await (await shop.get('/api/settings')).json()) as SettingsAnswer;
const builtInTax = { name: 'CA Sales Tax', rates: [{ since: '2000-01-01', percent: 9.75 }] };

async function save(changes: object): Promise<void> {
  const { version } = (await (await admin.get('/api/admin/settings')).json()) as AdminSettingsAnswer;
  const answer = await admin.post('/api/admin/settings', { version, ...changes });
  expect(answer.status, await answer.clone().text()).toBe(200);
  await timedShop.settings.refresh();
}

beforeEach(async () => {
  await admin.signIn();
  const { tierPrices, tierMinimums, addOnPrices, pickup, largestOrder, sizePresets } = builtIn;
  await save({ tierPrices, tierMinimums, addOnPrices, pickup, largestOrder, sizePresets, salesTax: builtInTax });
});

/** 8 ft x 10 ft midrange with stain protection and Green Pad, dropped off. */
const withAddOns: QuoteRequest = {
  ...twoRugs,
  rugs: twoRugs.rugs.slice(0, 1).map((rug) => ({ ...rug, serviceTier: 'midrange', mothProtection: true })),
  deliveryOption: 'dropoff',
};
/** 2 ft x 3 ft economy. */
const small: QuoteRequest = {
  ...twoRugs,
  rugs: twoRugs.rugs.slice(1).map((rug) => ({
    ...rug,
    ...{ widthFeet: 2, widthInches: 0, lengthFeet: 3, mothProtection: false },
  })),
  deliveryOption: 'dropoff',
};

function payment(quote: QuoteAnswer, { rugs, deliveryOption, customerInfo }: QuoteRequest) {
  return paymentFor(quote, { orderDetails: { rugs, deliveryOption, customerInfo, orderId: quote.orderId } });
}

async function eventsOf(orderId: string): Promise<readonly { readonly type: string; readonly payload: string }[]> {
  return await appSql`
    select type, payload::text as payload from ledger.event where stream_id = ${`order-${orderId}`} order by version`;
}

describe('a change during the checkout charges nothing and answers the new total:', () => {
  test.each<[string, object, { request: QuoteRequest; before: number; after: number }]>([
    // 80 sq ft at 0.30 more.
    [
      'a price',
      { tierPrices: { ...builtIn.tierPrices, premium: 6.25 } },
      { request: twoRugs, before: 758.22, after: 782.22 },
    ],
    [
      'a minimum of a tier',
      { tierMinimums: { ...builtIn.tierMinimums, economy: 80 } },
      { request: small, before: 75, after: 80 },
    ],
    // 80 sq ft at 0.50 more, and 9.75 % of 40.00.
    [
      'stain protection',
      { addOnPrices: { ...builtIn.addOnPrices, stainProtection: 3 } },
      { request: withAddOns, before: 842.8, after: 886.7 },
    ],
    // 280.00 less, and 9.75 % of it.
    [
      'the Green Pad, which becomes free',
      { addOnPrices: { ...builtIn.addOnPrices, greenPad: 0 } },
      { request: withAddOns, before: 842.8, after: 535.5 },
    ],
    // 118.5 sq ft at 0.25 more: 29.625, where 59.25 was.
    [
      'the price of pickup',
      { pickup: { ...builtIn.pickup, price: 0.75 } },
      { request: twoRugs, before: 758.22, after: 787.85 },
    ],
    [
      'the minimum order',
      { pickup: { ...builtIn.pickup, minimumOrder: 450 } },
      { request: { ...small, deliveryOption: 'pickup' }, before: 400, after: 450 },
    ],
    // 9.875 % of 134.75 is 13.31, where 13.14 was.
    [
      'the sales tax',
      { salesTax: { ...builtInTax, rates: [{ since: '2000-01-01', percent: 9.875 }] } },
      { request: twoRugs, before: 758.22, after: 758.39 },
    ],
  ])('%s', async (_, changes, { request, before, after }) => {
    const old = await quoted(shop, request);
    expect(old.totalAmount).toBe(before);
    await save(changes);
    const payments = (await shop.square.payments()).length;
    expect(await sendPayment(shop, payment(old, request))).toMatchObject({
      status: 409,
      body: { code: 'PriceChanged', quote: { totalAmount: after } },
    });
    expect(await shop.square.payments()).toHaveLength(payments);
    expect(await eventsOf(old.orderId)).toEqual([]);
    expect((await sendPayment(shop, payment({ ...old, totalAmount: after }, request))).status).toBe(200);
  });
});

test('an order above the limit gets no price, cannot be paid, and is answered if it was paid before', async () => {
  const rugs = twoRugs.rugs.map((rug) => ({ ...rug, widthFeet: 20, lengthFeet: 20 }));
  const order: QuoteRequest = { ...twoRugs, rugs };
  const old = await quoted(shop, order);
  const attempt = payment(old, order);
  const { paymentId } = await paid(shop, attempt);
  const unpaid = await quoted(shop, order);
  await save({ largestOrder: 1000 });
  const refusal = { code: 'OrderTooLarge', message: expect.stringContaining('Please contact us') };
  const quote = await shop.post('/api/quote', order);
  expect([quote.status, await quote.json()]).toEqual([422, refusal]);
  const before = (await shop.square.payments()).length;
  expect(await sendPayment(shop, payment(unpaid, order))).toMatchObject({ status: 422, body: refusal });
  expect(await shop.square.payments()).toHaveLength(before);
  expect(await eventsOf(unpaid.orderId)).toEqual([]);
  for (const again of [attempt, payment(old, order)]) {
    expect(await sendPayment(shop, again)).toMatchObject({ status: 200, body: { paymentId } });
  }
});

test('an older order keeps its prices, its tax and the name of its tax', async () => {
  const old = await quoted(shop, withAddOns);
  const body = await paid(shop, payment(old, withAddOns));
  const { paymentId = '' } = body as { paymentId?: string };
  const receiptOf = async (id: string) => (await (await shop.get(`/api/orders/payment/${id}`)).json()) as PaidOrder;
  const detailOf = async () =>
    (await (await admin.get(`/api/admin/orders/${old.orderId}`)).json()) as OrderDetailAnswer;
  const [receipt, detail] = [await receiptOf(paymentId), await detailOf()];
  await save({
    addOnPrices: { stainProtection: 9, greenPad: 9 },
    salesTax: { name: 'LA Sales Tax', rates: [{ since: '2000-01-01', percent: 10.25 }] },
  });
  expect(await receiptOf(paymentId)).toEqual(receipt);
  expect(await detailOf()).toEqual(detail);
  expect(receipt.order).toMatchObject({ salesTaxName: 'CA Sales Tax', salesTax: 46.8 });
  expect(receipt.items).toMatchObject([{ stainProtectionCost: 200, mothProtectionCost: 280 }]);
  const next = await quoted(shop, withAddOns);
  expect(next.salesTaxName).toBe('LA Sales Tax');
  await paid(shop, payment(next, withAddOns));
  const [placed] = await eventsOf(next.orderId);
  expect(JSON.parse(placed?.payload ?? '')).toMatchObject({
    salesTax: { name: 'LA Sales Tax', millipercent: 10_250, since: '2000-01-01' },
  });
});

describe('a rate of the sales tax that begins on April 1, 2027', () => {
  const lastInstant = '2027-03-31T23:59:59.999-07:00';
  const firstInstant = '2027-04-01T00:00:00.000-07:00';
  const newRate = { since: '2027-04-01', percent: 10.25 };

  async function taxAt(instant: string) {
    now = new Date(instant);
    const { salesTax } = (await (await timedShop.get('/api/settings')).json()) as SettingsAnswer;
    return [salesTax.percent, (await quoted(timedShop)).salesTax];
  }

  test('holds from midnight in the shop, and not before', async () => {
    await save({ salesTax: { ...builtInTax, rates: [newRate, ...builtInTax.rates] } });
    expect(await taxAt(lastInstant)).toEqual([9.75, 13.14]);
    expect(await taxAt(firstInstant)).toEqual([10.25, 13.81]);
    // It is April in London and in UTC.
    expect(await taxAt('2027-04-01T06:59:59.999Z')).toEqual([9.75, 13.14]);
  });

  test('is asked about if the checkout was opened before midnight', async () => {
    await save({ salesTax: { ...builtInTax, rates: [...builtInTax.rates, newRate] } });
    const quoteAt = async (instant: string): Promise<QuoteAnswer> => {
      now = new Date(instant);
      return await quoted(timedShop);
    };
    const old = await quoteAt(lastInstant);
    now = new Date(firstInstant);
    expect(await sendPayment(timedShop, paymentFor(old))).toMatchObject({
      status: 409,
      body: { code: 'PriceChanged', quote: { totalAmount: 758.89, salesTax: 13.81 } },
    });
  });

  test('is shown in the back office ahead of time, and not to customers', async () => {
    await save({ salesTax: { ...builtInTax, rates: [newRate, ...builtInTax.rates] } });
    const whole = (await (await admin.get('/api/admin/settings')).json()) as AdminSettingsAnswer;
    expect(whole.salesTax).toEqual({ ...builtInTax, rates: [...builtInTax.rates, newRate] });
    const shown = await (await shop.get('/api/settings')).text();
    expect(shown).not.toContain('2027-04-01');
  });
});

test('the sales tax return and its file have a row for each rate', async () => {
  const pay = async () => paid(shop, payment(await quoted(shop, withAddOns), withAddOns));
  await pay();
  await save({ salesTax: { ...builtInTax, rates: [...builtInTax.rates, { since: '2026-01-01', percent: 9.875 }] } });
  await pay();
  const { timeZone } = ((await (await shop.get('/api/config')).json()) as ConfigAnswer).business;
  const today = dayIn(timeZone, new Date());
  const range = `from=${firstOfMonth(today)}&to=${today}`;
  const report = await (await admin.get(`/api/admin/ledger/report?report=sales-tax-return&${range}`)).json();
  const { rows } = report as Report;
  const rates = rows.filter(([, item]) => String(item).startsWith('Rate: ')).map((row) => row.slice(2));
  expect(rates).toContainEqual(['9.875', 480, 47.4]);
  expect(rates.map(([percent]) => percent)).toContain('9.75');
  const file = readCsv(await (await admin.get(`/api/admin/ledger/export?format=sales-tax-csv&${range}`)).text());
  expect(file.rows.find((row) => row['rate_since'] === '2026-01-01')).toMatchObject({
    rate_percent: '9.875',
    ...{ gross_sales: '796.00', taxable_sales: '480.00', tax_collected: '47.40', tax_due: '47.40' },
  });
  expect(file.rows.some((row) => row['rate_since'] === '2000-01-01' && row['rate_percent'] === '9.75')).toBe(true);
  expect(file.rows.length).toBe(rates.length);
});
