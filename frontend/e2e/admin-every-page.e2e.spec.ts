import { writeSampleOrders } from '@kilim/lab/testing/sample-orders';
import type { Page } from '@playwright/test';
import {
  administrator,
  expect,
  expectLoaded,
  expectNoAxeViolations,
  openRefund,
  placeOrder,
  test,
} from './back-office.ts';
import type { Shop } from './shop.ts';

// Other variables give this file its own shop.
test.use({
  variables: { ADMIN_USERNAME: administrator.username, ADMIN_PASSWORD: administrator.password, LOG_LEVEL: 'fatal' },
});

const longName = 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh of the house at the end of the long street';

type Pages = readonly (readonly [address: string, heading: string])[];

/**
 * Fills the shop once per worker.
 * @returns every page with a heading of its own.
 */
async function everyPage(shop: Shop): Promise<Pages> {
  const [known] = await shop.sql<{ order_id: string }[]>`
    select order_id from ledger.customer_contact where name = ${longName}`;
  const orderId = known?.order_id ?? (await fill(shop));
  const [payout] = await shop.sql<{ id: string }[]>`select payout_id as id from ledger.payout_entry limit 1`;
  return [
    ['today', 'Needs you'],
    ['orders', 'Recent Orders'],
    [`orders/${orderId}`, 'Order Details'],
    [`orders/${orderId}/work-order`, 'Work order'],
    [`orders/${orderId}/labels`, 'Labels of order'],
    ['refunds', 'All Refunds'],
    ['money', 'Money by month'],
    ['accounting', 'Export'],
    ['reports', 'Reports'],
    ['books', 'The books at a glance'],
    ['payouts', 'Payouts'],
    ...(payout === undefined ? [] : ([[`payouts/${payout.id}`, 'Payout of']] as const)),
    ['settings', 'Prices'],
    ['settings/pickup', 'Pickup and delivery'],
    ['settings/tax', 'Sales tax'],
    ['people', 'People'],
    ['security', 'Security log'],
    ['password', 'Password'],
    ['nowhere', 'This page does not exist'],
  ];
}

async function fill(shop: Shop): Promise<string> {
  await writeSampleOrders(shop.sql, { orders: 45, days: 20, until: new Date(Date.now() - 3_600_000) });
  const { orderId } = await placeOrder(shop, longName, { card: 'refundsFail' });
  const [row] = await shop.sql<{ id: string }[]>`
    select square_payment_id as id from ledger.order_summary where order_id = ${orderId}::uuid`;
  await shop.square.change({ refundSettlesAfterMs: 0 });
  await shop.square.forceRefund(row?.id ?? '', 5_000);
  await shop.square.openDispute(row?.id ?? '');
  await shop.sql`select ledger.write_order_note(${orderId}::uuid, ${`Called twice. ${'w'.repeat(200)}`}, 'ada')`;
  const payoutId = await shop.square.payOut();
  await shop.square.endPayout(payoutId, 'PAID');
  await expect
    .poll(
      () => shop.sql`select 1 from ledger.order_summary where order_id = ${orderId}::uuid and dispute_status = 'open'`,
    )
    .toHaveLength(1);
  return orderId;
}

async function visit(page: Page, [address, heading]: Pages[number]): Promise<void> {
  await page.goto(`/admin/${address}`);
  await expect(page.getByRole('heading', { name: heading }).first(), address).toBeVisible();
  await expectLoaded(page);
}

for (const [colorScheme, tag] of [
  ['light', '@phone'],
  ['dark', '@desktop'],
] as const) {
  test(`no page has violations or scrolls sideways in the ${colorScheme} scheme`, { tag }, async ({ page, shop }) => {
    await page.emulateMedia({ colorScheme });
    for (const each of await everyPage(shop)) {
      await visit(page, each);
      await expectNoAxeViolations(page);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(sideways, each[0]).toBeLessThanOrEqual(0);
    }
    const { orderId } = await placeOrder(shop, 'Mary Jackson');
    await visit(page, [`orders/${orderId}`, 'Order Details']);
    const refund = await openRefund(page);
    await refund.getByRole('radio', { name: 'Partial refund' }).check();
    await refund.getByRole('textbox', { name: 'Amount' }).fill('9999');
    await expect(refund.getByText('Invalid Amount: at most $758.22 can be refunded.')).toBeVisible();
    await expectNoAxeViolations(page);
    await refund.getByRole('textbox', { name: 'Amount' }).fill('');
    await refund.getByRole('button', { name: 'Refund', exact: true }).click();
    await expect(refund.getByText('Please give a reason.')).toBeVisible();
    await expectNoAxeViolations(page);
    page.once('dialog', (question) => question.accept());
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I paid it back myself' }).click();
    await page.getByRole('button', { name: 'Record $758.22' }).click();
    await expect(page.getByText('Please choose a reason.')).toBeVisible();
    await expectNoAxeViolations(page);
  });
}

/** Controls that the Tab key does not reach, by tag and name. */
async function unreached(page: Page): Promise<readonly string[]> {
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    window.scrollTo(0, 0);
    document.addEventListener('focusin', ({ target }) => (target as HTMLElement).setAttribute('data-reached', ''));
  });
  const controls = await page.locator('a[href], button, input, select, textarea, summary').count();
  for (let press = 0; press < controls + 20; press += 1) await page.keyboard.press('Tab');
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')]
      .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !control.matches(':disabled'))
      .filter((control) => !control.hasAttribute('data-reached'))
      // Arrow keys move within one stop for the Tab key.
      .filter((control) => control.role !== 'tab' && !control.matches('[type="radio"]'))
      .map((control) => `${control.tagName} ${control.getAttribute('aria-label') ?? control.textContent}`),
  );
}

test('the keyboard reaches every control of every page', { tag: '@desktop' }, async ({ page, shop }) => {
  for (const each of await everyPage(shop)) {
    await visit(page, each);
    expect(await unreached(page), each[0]).toEqual([]);
  }
});

test('no column of the list of orders is covered, whatever the order has', { tag: '@desktop' }, async ({
  page,
  shop,
}) => {
  await everyPage(shop);
  await visit(page, ['orders', 'Recent Orders']);
  await expect(page.getByText('Disputed')).toBeVisible();
  const table = page.getByRole('region', { name: 'Recent Orders, table' });
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test('the keyboard opens every tab', { tag: '@desktop' }, async ({ page }) => {
  await page.goto('/admin');
  const tabs = page.getByRole('tab');
  await expect(tabs.first()).toBeVisible();
  const names = await tabs.allInnerTexts();
  expect(names).toHaveLength(6);
  await page.getByRole('tab', { selected: true }).focus();
  for (let at = 1; at <= names.length; at += 1) {
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const tab = tabs.nth(at % names.length);
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    await expect(tab).toBeFocused();
    await expect(page.getByRole('tabpanel').getByRole('heading').first()).toBeVisible();
  }
});
