import type { QuoteRequest } from '@kilim/bff/contract/order-request';
import type { QuoteAnswer } from '@kilim/bff/contract/quote';
import { rugToWire } from '@kilim/bff/contract/rug';
import { parseOrderId } from '@kilim/domain/order/ids';
import { orderNumberOf } from '@kilim/domain/order/number';
import { economyWithGreenPad, largePremium, smallEconomy } from '@kilim/domain/testing/rugs';
import { ageSession as aged } from '@kilim/lab/testing/age-session';
import { addressOf } from '@kilim/lab/testing/child-server';
import { allWritten, appendFacts, lateFact, workedMonth } from '@kilim/lab/testing/worked-month';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { expect, type Shop, test as shopTest } from './shop.ts';

export { expect, expectNoAxeViolations } from './shop.ts';

export const administrator = { username: 'ada', password: 'plover sandstone harbour 88' } as const;

type SignedIn = Exclude<Parameters<BrowserContext['setStorageState']>[0], string>;

/** Signed in, unless a test sets another `storageState`. */
export const test = shopTest.extend({
  variables: [{ ADMIN_USERNAME: administrator.username, ADMIN_PASSWORD: administrator.password }, { scope: 'worker' }],
  baseURL: async ({ shop }, use) => use(shop.officeUrl),
  storageState: async ({ shop }, use) => use(await signInTo(shop)),
});

export const signedOut: SignedIn = { cookies: [], origins: [] };

/** A test may end the session. */
export async function signInTo(shop: Shop): Promise<SignedIn> {
  const answer = await postPatiently(shop, '/api/admin/login', administrator);
  if (!answer.ok) throw new Error(`Not signed in: ${answer.status} ${await answer.text()}`);
  const { origin, hostname } = new URL(shop.officeUrl);
  const cookies = answer.headers.getSetCookie().map((line) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    return {
      ...{ name, value, domain: hostname, path: '/', expires: -1 },
      ...{ httpOnly: true, secure: false, sameSite: 'Strict' as const },
    };
  });
  return { cookies, origins: [{ origin, localStorage: [{ name: 'adminLoggedIn', value: '1' }] }] };
}

/** Since the session proved who its person is. */
export async function ageSession(page: Page, shop: Shop, seconds: number): Promise<void> {
  const context = page.context();
  const session = (await context.cookies()).find(({ name }) => name === 'kilim_admin');
  if (session === undefined) throw new Error('The page has no session');
  await context.addCookies([{ ...session, value: await aged(shop.sql, session.value, seconds) }]);
}

/** Retries a 503: a busy server asks the browser to do so. */
async function postPatiently(...request: Parameters<typeof postTo>): Promise<Response> {
  let answer = await postTo(...request);
  while (answer.status === 503) answer = await postTo(...request);
  return answer;
}

export function postTo(shop: Shop, path: string, body: unknown): Promise<Response> {
  return fetch(addressOf(shop, path), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0',
    },
    body: JSON.stringify(body),
  });
}

export async function typeCredentials(page: Page, { username, password } = administrator as Credentials) {
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

type Credentials = { readonly username: string; readonly password: string };

/** 8 ft x 10 ft premium, and 5 ft 6 in x 7 ft economy with Green Pad, picked up: $516.00 and $242.22. */
const order: Omit<QuoteRequest, 'customerInfo'> = {
  rugs: [largePremium, economyWithGreenPad].map(rugToWire),
  deliveryOption: 'pickup',
};

const customer = {
  email: 'grace.hopper@example.com',
  phone: '3105550142',
  address: '12 Analytical Way',
  city: 'Los Angeles',
  state: 'CA',
  zipCode: '90025',
};

const tokens = {
  pays: 'cnon:card-nonce-ok',
  refundsPend: () => `cnon:sim-refund-pending-${crypto.randomUUID().replaceAll('-', '')}`,
  refundsFail: () => `cnon:sim-refund-fails-${crypto.randomUUID().replaceAll('-', '')}`,
};

export type PlacedOrder = { readonly orderId: string; readonly paymentId: string };

type Placing = { readonly card?: keyof typeof tokens; readonly email?: string; readonly pickupDay?: string };

/**
 * $758.22.
 * @param email shows a fault of the mailbox, see its page.
 */
export function placeOrder(
  shop: Shop,
  name: string,
  { card = 'pays', email = customer.email, pickupDay = '' }: Placing = {},
): Promise<PlacedOrder> {
  const token = card === 'pays' ? tokens.pays : tokens[card]();
  return pay(shop, { ...order, customerInfo: { name, ...customer, email, pickupDay } }, token);
}

export function placeLargeOrder(shop: Shop, name: string, rugs: number): Promise<PlacedOrder> {
  // Fifty of them stay below the largest order that is paid online.
  const rug = rugToWire({ ...smallEconomy, greenPad: true, repairInspection: true });
  const alike = Array.from({ length: rugs }, () => rug);
  return pay(shop, { ...order, rugs: alike, customerInfo: { name, ...customer } }, tokens.pays);
}

async function pay(shop: Shop, request: QuoteRequest, token: string): Promise<PlacedOrder> {
  const quote = (await (await postPatiently(shop, '/api/quote', request)).json()) as QuoteAnswer;
  const answer = await postPatiently(shop, '/api/process-payment', {
    token,
    amount: quote.totalAmount,
    idempotencyKey: crypto.randomUUID(),
    orderDetails: { ...request, orderId: quote.orderId },
  });
  if (answer.status !== 200) throw new Error(`Not paid: ${answer.status} ${await answer.text()}`);
  return { orderId: quote.orderId, paymentId: ((await answer.json()) as { paymentId: string }).paymentId };
}

/** The example month of `docs/accounting.md`, once per worker's database. */
export async function ensureMonth({ sql }: Shop): Promise<void> {
  const [known] = await sql`select 1 from ledger.order_summary where order_id = ${lateFact.order}::uuid`;
  if (known === undefined) await appendFacts(sql, workedMonth);
  await allWritten(sql);
}

export async function openOrder(page: Page, orderId: string): Promise<void> {
  await page.goto(`/admin/orders/${orderId}`);
  await expect(page.getByRole('heading', { name: 'Order Details' })).toBeVisible();
}

/** Each sentence of a page that waits for data ends like this. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('main').getByRole('status').filter({ hasText: '...' })).toHaveCount(0);
}

/** Of a list; on a phone they are folded while none is used. */
export async function openFilters(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Clear filters' })).toHaveCount(0);
  const fold = page.getByRole('search').locator('summary').filter({ visible: true });
  if ((await fold.count()) > 0) await fold.click();
}

/** @param part of the address; none: the first page. */
export async function openSettings(page: Page, part = ''): Promise<void> {
  await page.goto(`/admin/settings/${part}`);
  await expect(page.getByRole('navigation', { name: 'Pages of the settings' })).toBeVisible();
  await expectLoaded(page);
}

export async function expectHistory(page: Page, ...texts: readonly string[]): Promise<void> {
  await openSettings(page, 'history');
  for (const text of texts)
    await expect(page.getByRole('list', { name: 'History of the settings' })).toContainText(text);
}

export async function openRefund(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Process Refund' }).click();
  const dialog = page.getByRole('dialog', { name: 'Process Refund' });
  await expect(dialog).toBeVisible();
  return dialog;
}

/** Answers it, and returns its text. */
export async function nextQuestion(page: Page, answer: 'accept' | 'dismiss'): Promise<string> {
  const question = await page.waitForEvent('dialog');
  await question[answer]();
  return question.message();
}

export function alertIn(place: Page | Locator, text: string | RegExp): Locator {
  return place.getByRole('alert').filter({ hasText: text });
}

export function toast(page: Page, text: string): Locator {
  return page.getByRole('region', { name: 'Notifications' }).getByText(text);
}

/** In cents. */
export async function refundsAtSquare(shop: Shop, orderId: string): Promise<readonly number[]> {
  const [row] = await shop.sql<{ square_payment_id: string }[]>`
    select square_payment_id from ledger.order_summary where order_id = ${orderId}::uuid`;
  const refunds = await shop.square.refunds();
  return refunds
    .filter(({ refund }) => refund.payment_id === row?.square_payment_id)
    .map(({ refund }) => refund.amount_money.amount);
}

export function numberOf(orderId: string): string {
  const parsed = parseOrderId(orderId);
  if (parsed === undefined) throw new Error(`Not an order id: ${orderId}`);
  return orderNumberOf(parsed);
}
