import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { QuoteRequest } from '@kilim/bff/contract/order-request';
import { rugToWire } from '@kilim/bff/contract/rug';
import { choose as chosen, newRug, side } from '@kilim/domain/rug';
import { connectSimulator, type SimulatorClient } from '@kilim/lab/square/simulator-client';
import { sealAsServer } from '@kilim/lab/testing/age-session';
import { startChildServer } from '@kilim/lab/testing/child-server';
import { cloneDatabase, type TestDatabase } from '@kilim/lab/testing/postgres';
import { test as base, expect, type Frame, type Page } from '@playwright/test';
import { databaseServer } from './database-server.ts';
import { choose, press } from './press.ts';

/** As `npm start` runs it, with one database per worker. */
export type Shop = {
  readonly url: string;
  readonly officeUrl: string;
  readonly demoUrl: string;
  readonly mailboxUrl: string;
  readonly square: SimulatorClient;
  readonly sql: TestDatabase['ownerSql'];
};

/** A shop that has set everything. */
const ofTheShop = { BUSINESS_PHONE: '(415) 555-0132', BOOKING_URL: 'https://rugs.example/book' };

type WorkerFixtures = {
  readonly shop: Shop;
  /** `test.use({ variables: { ... } })` for a file's shop. */
  readonly variables: Readonly<Record<string, string>>;
};

export const test = base.extend<object, WorkerFixtures>({
  variables: [{}, { scope: 'worker', option: true }],
  shop: [
    async ({ variables }, use) => {
      const database = await cloneDatabase(databaseServer());
      const dataDir = await mkdtemp(join(tmpdir(), 'kilim-e2e-'));
      const server = await startChildServer({
        ...ofTheShop,
        ...variables,
        DATABASE_URL: database.url,
        DATA_DIR: dataDir,
      });
      const squareUrl = /Local Square is ready[^:]*: (\S+)/.exec(server.output())?.[1] ?? '';
      const demoUrl = /Demo marketing page is ready: (\S+)/.exec(server.output())?.[1] ?? '';
      const mailboxUrl = /Mailbox is ready[^:]*: (\S+)/.exec(server.output())?.[1] ?? '';
      const { url, officeUrl } = server;
      await sealAsServer(database.ownerSql, dataDir);
      const square = connectSimulator(squareUrl);
      await use({ url, officeUrl, demoUrl, mailboxUrl, square, sql: database.ownerSql });
      await server.stop();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ shop }, use) => use(shop.url),
  // Fails on script errors and on resources that our content security policy blocks.
  page: async ({ page }, use) => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) errors.push(message.text());
    });
    await use(page);
    expect(errors).toEqual([]);
  },
});

export { expect };

type RugOnForm = {
  readonly width: readonly [feet: number, inches: number];
  readonly length: readonly [feet: number, inches: number];
  readonly tier: 'Premium' | 'Midrange' | 'Economy';
  readonly greenPad?: boolean;
};

export const twoRugs: readonly RugOnForm[] = [
  { width: [8, 0], length: [10, 0], tier: 'Premium' },
  { width: [5, 6], length: [7, 0], tier: 'Economy', greenPad: true },
];
export const smallRug: readonly RugOnForm[] = [{ width: [2, 0], length: [3, 0], tier: 'Economy' }];

export async function fillRugs(page: Page | Frame, rugs: readonly RugOnForm[]): Promise<void> {
  for (const [index, rug] of rugs.entries()) {
    if (index > 0) await press(page.getByRole('button', { name: 'Add another rug' }));
    const card = page.getByRole('region', { name: `Rug #${index + 1}`, exact: true });
    await card.getByRole('textbox', { name: 'Width (feet)' }).fill(String(rug.width[0]));
    await card.getByRole('textbox', { name: 'Width (inches)' }).fill(String(rug.width[1]));
    await card.getByRole('textbox', { name: 'Length (feet)' }).fill(String(rug.length[0]));
    await card.getByRole('textbox', { name: 'Length (inches)' }).fill(String(rug.length[1]));
    await choose(card.getByRole('radio', { name: rug.tier }));
    if (rug.greenPad === true) await choose(card.getByRole('checkbox', { name: 'Green Pad' }));
  }
}

export async function draftMatches(page: Page, pattern: RegExp): Promise<void> {
  await expect.poll(() => page.evaluate(() => localStorage.getItem('rugFormState') ?? '')).toMatch(pattern);
}

export async function fillContact(page: Page | Frame): Promise<void> {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada Lovelace');
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com');
  await page.getByRole('textbox', { name: 'Phone' }).fill('(310) 555-0142');
}

export async function choosePickup(page: Page | Frame): Promise<void> {
  await choose(page.getByRole('radio', { name: 'White Glove Pickup & Delivery' }));
  await page.getByRole('textbox', { name: 'Street address' }).fill('12 Analytical Way');
  await page.getByRole('textbox', { name: 'City' }).fill('Los Angeles');
  const state = page.getByLabel('State', { exact: true });
  if ((await state.evaluate((element) => element.tagName)) === 'SELECT') await state.selectOption('CA');
  else await state.fill('CA');
  await page.getByRole('textbox', { name: 'ZIP Code' }).fill('90025');
}

const customerInfo = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '3105550142',
  address: '12 Analytical Way',
  city: 'Los Angeles',
  state: 'CA',
  zipCode: '90025',
};

/** The browser marks requests of our own pages with it. */
const fromOwnPage = { 'sec-fetch-site': 'same-origin' };

/** Stores the quote like the form, which is faster than filling it in; `order.e2e.spec.ts` tests the form itself. */
export async function orderUpToCheckout(
  page: Page,
  rugsOnForm: readonly RugOnForm[],
  deliveryOption: QuoteRequest['deliveryOption'] = 'pickup',
): Promise<void> {
  const rugs = rugsOnForm.map(requestedRug);
  const data: QuoteRequest = { rugs, deliveryOption, customerInfo };
  const quote = await page.request.post('/api/quote', { data, headers: fromOwnPage });
  const currentOrder = { ...((await quote.json()) as object), customerInfo };
  const includeDelivery = deliveryOption === 'pickup';
  const rugFormState = { ...data, includeDelivery, currentStep: 1, activeRugIndex: 0, timestamp: Date.now() };
  await page.goto('/healthz');
  await page.evaluate(
    (stored) => {
      for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, JSON.stringify(value));
    },
    { currentOrder, rugFormState },
  );
  await page.goto('/checkout');
  await expect(page.getByRole('heading', { name: 'Complete Your Payment' })).toBeVisible();
}

function requestedRug({ width, length, tier, greenPad = false }: RugOnForm): QuoteRequest['rugs'][number] {
  const rug = { ...newRug, width: side(...width), length: side(...length), greenPad };
  return rugToWire(chosen(rug, { tier: tierNamed[tier] }));
}

const tierNamed = { Premium: 'premium', Midrange: 'midrange', Economy: 'economy' } as const;

export async function fillCard(page: Page | Frame, number = '4111 1111 1111 1111'): Promise<void> {
  await page.getByRole('textbox', { name: 'Card number' }).fill(number);
  await page.getByRole('textbox', { name: 'Expiration date' }).fill('12/30');
  await page.getByRole('textbox', { name: 'CVV' }).fill('111');
  await page.getByRole('textbox', { name: 'Postal code' }).fill('90025');
}

export function payButton(page: Page | Frame) {
  return page.getByRole('button', { name: /^Pay \$/ });
}

export async function summaryOf(page: Page): Promise<Record<string, string>> {
  const summary = page.getByRole('region', { name: 'Order Summary' });
  const terms = await summary.locator('dt').allInnerTexts();
  const amounts = await summary.locator('dt + dd').allInnerTexts();
  return Object.fromEntries(terms.map((term, index) => [firstLine(term), firstLine(amounts[index] ?? '')]));
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0]?.trim() ?? '';
}

/** Twice after violations, because a page that is still rendering may have temporary ones. */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  const found = await axeViolations(page);
  expect(found.length === 0 ? found : await axeViolations(page)).toEqual([]);
}

async function axeViolations(page: Page): Promise<readonly string[]> {
  await endAnimations(page);
  const axe = await axeIn(page);
  const { violations } = await axe.options({ resultTypes: ['violations'] }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/** An element that is fading in has too little contrast. */
function endAnimations(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(
        ({ timeline, effect }) =>
          timeline === document.timeline && effect?.getTiming().iterations !== Number.POSITIVE_INFINITY,
      );
    for (const animation of ending) animation.finish();
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

const requireAsAxe = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'));
const axeSource = readFileSync(requireAsAxe.resolve('axe-core/axe.min.js'), 'utf8');

async function axeIn(page: Page): Promise<AxeBuilder> {
  // With cross-site frames, axe collects its results in a separate page, which takes twice as long.
  if (page.frames().length > 1) return new AxeBuilder({ page });
  // By default, the axe script is injected twice per check.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  return new AxeBuilder({ page, axeSource: ';' }).setLegacyMode();
}

/** Oldest first. */
export async function eventsOfPayment(shop: Shop, paymentId: string): Promise<string[]> {
  const rows = await shop.sql<{ type: string }[]>`
    select e.type from ledger.order_summary s
    join ledger.event e on e.stream_id = 'order-' || s.order_id
    where s.payment_id = ${paymentId} and e.type <> 'ProcessingFeeAssessed'
    order by e.version`;
  return rows.map(({ type }) => type);
}
