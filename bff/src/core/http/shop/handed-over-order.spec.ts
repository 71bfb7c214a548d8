import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInRates } from '@kilim/domain/rates';
import { largePremium } from '@kilim/domain/testing/rugs';
import { afterAll, expect, test } from 'vitest';
import type { PageData } from '../../../../contract/page-data.ts';
import { rugToWire } from '../../../../contract/rug.ts';
import { builtInSettings } from '../office/built-in-settings.ts';
import { pages } from '../site/pages.ts';

const root = mkdtempSync(join(tmpdir(), 'kilim-hand-over-'));
afterAll(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, '.vite'));
writeFileSync(join(root, 'index.html'), '<html><head><!--kilim:head--></head><body><!--kilim:data--></body></html>');
writeFileSync(join(root, 'office.html'), '');
writeFileSync(join(root, '.vite/manifest.json'), '{}');

const data: PageData = {
  settings: builtInSettings,
  config: {
    square: { applicationId: '', locationId: '', environment: 'sandbox', scriptUrl: '' },
    parentOrigins: [],
    abConversionUrl: null,
    checkoutTopLevel: true,
    business: { name: 'Kilim', phone: '', bookingUrl: '', timeZone: 'America/Los_Angeles', dropOffSites: [] },
  },
};
const built = {
  root,
  data: () => data,
  contentSecurityPolicy: () => "default-src 'self'",
  adminContentSecurityPolicy: () => "default-src 'none'",
};
const isOffice = () => false;
const startOf = () => Promise.resolve('signed-out' as const);
const shopUrl = 'https://orders.example';
const app = pages(built, {
  shopUrl,
  isOffice,
  startOf,
  handOver: { rates: () => builtInRates, origin: 'https://orders.example' },
});

const rug = rugToWire(largePremium);
const customerInfo = {
  name: 'Ada </script><script>alert(1)</script>\u2028',
  email: 'ada@example.com',
  phone: '(310) 555-0142',
  address: '',
  city: '',
  state: '',
  zipCode: '',
};
const order = {
  orderId: '0198c0de-0000-7000-8000-00000000000a',
  rugs: [{ ...rug, baseCost: 0.01, totalCost: 0.01 }],
  deliveryOption: 'dropoff',
  totalAmount: 0.01,
  customerInfo,
  variant: 'A',
};
const ourForm = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };

function handOver(given: unknown, headers: Record<string, string> = ourForm) {
  const body = new URLSearchParams({ order: typeof given === 'string' ? given : JSON.stringify(given) });
  return app.request('/checkout', { method: 'POST', headers, body: body.toString() });
}

const blockIn = (html: string) => /<script type="application\/json" id="kilim-order">(.*?)<\/script>/.exec(html)?.[1];

test('the answered page contains the order of the framed form, with the prices of the server', async () => {
  const answer = await handOver(order);
  expect(answer.status).toBe(200);
  const block = blockIn(await answer.text()) ?? '';
  expect(JSON.parse(block)).toMatchObject({
    order: { orderId: order.orderId, totalAmount: 476, rugs: [{ ...rug, baseCost: 476 }], customerInfo },
    variant: 'A',
  });
});

test('the total that the frame showed comes back, and nothing for a form without one', async () => {
  for (const shownTotal of [466.5, undefined]) {
    const block = blockIn(await (await handOver({ ...order, shownTotal })).text()) ?? '';
    expect(JSON.parse(block).shownTotal).toBe(shownTotal);
  }
  expect((await handOver({ ...order, shownTotal: -1 })).status).toBe(422);
});

test('no text in an order can end its script block', async () => {
  const html = await (await handOver(order)).text();
  expect(html).not.toContain('<script>alert');
  expect(html).not.toContain('\u2028');
});

test('the page with the order is not cached, and has the same policy as other pages', async () => {
  const { headers } = await handOver(order);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-security-policy')).toBe("default-src 'self'");
});

test.each([
  { ...ourForm, 'sec-fetch-site': 'cross-site' },
  { ...ourForm, 'sec-fetch-site': 'same-site' },
  { ...ourForm, 'sec-fetch-site': 'none' },
  { ...ourForm, 'sec-fetch-site': 'cross-site', origin: 'https://orders.example' },
  { 'content-type': ourForm['content-type'], origin: 'https://rugs.example' },
  { 'content-type': ourForm['content-type'], origin: 'null' },
  { 'content-type': ourForm['content-type'] },
  { 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' },
])('a request that is not from our form is refused: %o', async (headers) => {
  const answer = await handOver(order, headers);
  expect(answer.status).toBe(403);
  expect(blockIn(await answer.text())).toBeUndefined();
});

test('an old browser that sends only the origin is accepted', async () => {
  const headers = { 'content-type': ourForm['content-type'], origin: 'https://orders.example' };
  expect((await handOver(order, headers)).status).toBe(200);
});

test.each([
  'not json',
  'null',
  { ...order, orderId: 'mine' },
  { ...order, rugs: [] },
  { ...order, rugs: [{ ...rug, widthFeet: 0 }] },
  { ...order, rugs: Array.from({ length: 51 }, () => rug) },
  { ...order, deliveryOption: 'teleport' },
  { ...order, customerInfo: { ...customerInfo, email: 'nobody' } },
  { ...order, deliveryOption: 'pickup' },
])('an order that cannot be paid is refused', async (given) => {
  const answer = await handOver(given);
  expect(answer.status).toBe(422);
  expect(blockIn(await answer.text())).toBeUndefined();
});

test('a form without an order and a form that is too large are refused', async () => {
  const empty = await app.request('/checkout', { method: 'POST', headers: ourForm, body: '' });
  expect(empty.status).toBe(422);
  expect((await handOver({ ...order, padding: 'x'.repeat(300_000) })).status).toBe(413);
});

test('with payment inside the frame, the checkout accepts no posted order', async () => {
  const answer = await pages(built, { shopUrl, isOffice, startOf }).request('/checkout', {
    method: 'POST',
    headers: ourForm,
    body: 'order=1',
  });
  expect(answer.status).toBe(405);
});
