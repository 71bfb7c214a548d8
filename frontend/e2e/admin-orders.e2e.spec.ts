import { readFile } from 'node:fs/promises';
import { writeSampleOrders } from '@kilim/lab/testing/sample-orders';
import type { Locator, Page } from '@playwright/test';
import {
  expect,
  expectLoaded,
  expectNoAxeViolations,
  openFilters,
  openOrder,
  openRefund,
  placeOrder,
  test,
} from './back-office.ts';
import { failUntilPressed } from './press.ts';
import type { Shop } from './shop.ts';

const samples = 45;

/** A month of orders, once per worker's database, by `First001 Last00007`, `First002 Last00014`, ... */
async function ensureSamples(shop: Shop): Promise<void> {
  const [known] = await shop.sql`select 1 from ledger.customer_contact where name = 'First001 Last00007'`;
  if (known !== undefined) return;
  await writeSampleOrders(shop.sql, { orders: samples, days: 20, until: new Date(Date.now() - 3_600_000) });
}

function rows(page: Page) {
  return page.getByRole('table', { name: 'Recent Orders' }).locator('tbody').getByRole('row');
}

test('orders are found by customer and by filters, and the URL keeps both through a reload and Back', async ({
  page,
  shop,
}) => {
  await ensureSamples(shop);
  await page.goto('/admin/orders');
  await expect(page.getByText(/^Showing 1-25 of \d+ orders$/)).toBeVisible();
  await page.getByRole('combobox', { name: 'Orders on a page' }).selectOption('10 orders');
  await expect(page).toHaveURL(/pageSize=10/);
  await expect(page.getByText(/^Showing 1-10 of \d+ orders$/)).toBeVisible();
  await expect(rows(page)).toHaveCount(10);
  await expectNoAxeViolations(page);

  const answered = Promise.withResolvers<void>();
  await page.route(/\/api\/admin\/orders\?.*page=2/, async (route) => {
    await answered.promise;
    await route.continue();
  });
  await page.getByRole('navigation', { name: 'Pages of orders' }).getByRole('button', { name: 'Next' }).click();
  await expect(page).toHaveURL(/page=2/);
  // The counter describes the page that is still shown.
  await expect(page.getByText(/^Showing 1 to 10 of \d+ results$/)).toBeVisible();
  answered.resolve();
  await expect(page.getByText(/^Showing 11 to 20 of \d+ results$/)).toBeVisible();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText(/^Showing 1-10 of/)).toBeVisible();

  await page.getByRole('searchbox', { name: 'Search orders' }).fill('First007 last00049');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('first7.last49.n7@example.com');
  await expect(rows(page)).toContainText('$100.07');
  await page.reload();
  await expect(page.getByRole('searchbox', { name: 'Search orders' })).toHaveValue('First007 last00049');
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: /^View order [0-9a-f]{8}$/ }).click();
  await expect(page).toHaveURL(/\/admin\/orders\/[0-9a-f-]{36}$/);
  await page.goBack();
  await expect(page.getByRole('searchbox', { name: 'Search orders' })).toHaveValue('First007 last00049');
  await expect(rows(page)).toHaveCount(1);

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await openFilters(page);
  await page.getByRole('combobox', { name: 'Refund status' }).selectOption('Partially Refunded');
  await expect(page).toHaveURL(/status=partial/);
  await expect(rows(page).filter({ hasText: 'First002 Last00014' })).toContainText('Partially Refunded');
  await page.getByRole('searchbox', { name: 'Search orders' }).fill('nobody of this name');
  await expect(page.getByText('No orders found')).toBeVisible();
  await expectNoAxeViolations(page);

  // An old link to a page that no longer exists.
  await page.goto('/admin/orders?page=900&pageSize=10');
  await expect(page.getByText(/^Showing \d1-\d+ of \d+ orders$/)).toBeVisible();
  expect(await rows(page).count()).toBeGreaterThan(0);
});

test('an order’s page shows all its data, and a failed load has an error and a retry button', async ({
  page,
  shop,
}) => {
  const { orderId, paymentId } = await placeOrder(shop, 'Chien Wu');
  const unavailable = { status: 503, json: { code: 'Unavailable', message: 'Please try again in a moment.' } };
  const retry = await failUntilPressed(page, {
    patterns: ['**/api/admin/orders?*'],
    fail: (route) => route.fulfill(unavailable),
  });
  await page.goto('/admin/orders');
  await expect(page.getByText('The orders could not be loaded')).toBeVisible();
  await expectNoAxeViolations(page);
  await retry(page.getByRole('button', { name: 'Try again' }));
  // The customer can read it on the receipt.
  await page.getByRole('searchbox', { name: 'Search orders' }).fill(paymentId.slice(0, 8));
  await expect(page).toHaveURL(/search=/);
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: `View order ${orderId.slice(-8)}` }).click();

  const detail = page.getByRole('region', { name: 'Order Details' });
  for (const text of ['Chien Wu', 'grace.hopper@example.com', '(310) 555-0142', '$758.22', 'Yes']) {
    await expect(detail).toContainText(text);
  }
  await expect(page.getByRole('region', { name: 'More' })).toContainText(orderId);
  const rugs = page.getByRole('table', { name: 'Rugs' }).locator('tbody').getByRole('row');
  await expect(rugs).toHaveCount(2);
  for (const text of ['8 × 10 ft', 'Premium', '80.00 sq ft', '$516.00']) await expect(rugs.first()).toContainText(text);
  for (const text of ['5 ft 6 in × 7 ft', 'Economy', 'Green Pad', '$242.22'])
    await expect(rugs.last()).toContainText(text);
  const amounts = page.getByRole('region', { name: 'Amounts' });
  for (const text of ['$551.08', '$59.25', '$134.75', '$13.14', '$758.22']) await expect(amounts).toContainText(text);
  await expect(page.getByRole('region', { name: 'Payment' })).toContainText('Visa ending in 1111');
  await expect(page.getByText('This order has no refunds.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Order timeline' })).toContainText('Payment of $758.22 taken');
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Back to Orders' }).click();
  await expect(page.getByRole('searchbox', { name: 'Search orders' })).toHaveValue(paymentId.slice(0, 8));

  await page.goto('/admin/orders/00000000-0000-7000-8000-000000000000');
  await expect(page.getByText('Order not found')).toBeVisible();
  await expectNoAxeViolations(page);
});

test('Refresh loads new orders from any page, and an order is loaded again whenever it is opened', async ({
  page,
  shop,
}) => {
  await ensureSamples(shop);
  await page.goto('/admin/orders?pageSize=10');
  await page.getByRole('navigation', { name: 'Pages of orders' }).getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText(/^Showing 11 to 20 of \d+ results$/)).toBeVisible();
  const { orderId } = await placeOrder(shop, 'Vera Rubin');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText(/^Showing 1-10 of/)).toBeVisible();
  const view = page.getByRole('button', { name: `View order ${orderId.slice(-8)}` });
  await expect(view).toBeVisible();

  const loaded = () => page.waitForResponse((response) => response.url().endsWith(`/api/admin/orders/${orderId}`));
  await Promise.all([loaded(), view.click()]);
  await page.getByRole('button', { name: 'Back to Orders' }).click();
  await Promise.all([loaded(), view.click()]);
  await Promise.all([loaded(), openRefund(page)]);
});

test('the list is used by keyboard: search, rows, opening, and back to the same row', {
  tag: ['@desktop', '@core'],
}, async ({ page, shop }) => {
  await ensureSamples(shop);
  for (const name of ['Vera Rubin', 'Chien Wu']) await placeOrder(shop, name);
  await page.goto('/admin/orders');
  await expect(rows(page)).toHaveCount(25);
  const link = (index: number) =>
    rows(page)
      .nth(index)
      .getByRole('button', { name: /^View order/ });
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search orders' })).toBeFocused();
  await page.keyboard.type('jk');
  await expect(page.getByRole('searchbox', { name: 'Search orders' })).toHaveValue('jk');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows(page)).toHaveCount(25);
  await page.keyboard.press('j');
  await expect(link(0)).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await expect(link(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Order Details' })).toBeFocused();
  await page.goBack();
  await expect(link(1)).toBeFocused();
  await Promise.all([page.waitForResponse(/\/api\/admin\/orders\?/), page.keyboard.press('r')]);

  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expectNoAxeViolations(page);
  await help.getByRole('checkbox', { name: 'Use single keys on the lists' }).uncheck();
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search orders' })).not.toBeFocused();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await help.getByRole('checkbox', { name: 'Use single keys on the lists' }).check();
});

test('twelve rows are above the fold, a row opens by a click, and its CSV has the filters', {
  tag: '@desktop',
}, async ({ page, shop }) => {
  await ensureSamples(shop);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/admin/orders');
  await expect(rows(page)).toHaveCount(25);
  const twelfth = await rows(page).nth(11).boundingBox();
  expect((twelfth?.y ?? 900) + (twelfth?.height ?? 0)).toBeLessThanOrEqual(900);
  for (const title of ['Date', 'Order ID', 'Customer', 'Rugs', 'Delivery', 'Total', 'Status', 'Actions']) {
    await expect(page.getByRole('columnheader', { name: title, exact: true })).toBeVisible();
  }
  await page.getByRole('searchbox', { name: 'Search orders' }).fill('First007 last00049');
  await expect(rows(page)).toHaveCount(1);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('kilim-orders.csv');
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('first7.last49.n7@example.com');
  const { orderId } = await placeOrder(shop, 'Lise Meitner');
  await page.getByRole('searchbox', { name: 'Search orders' }).fill(orderId);
  await expect(rows(page)).toHaveCount(1);
  await rows(page).getByText('Lise Meitner').click();
  await expect(page.getByRole('heading', { name: 'Order Details' })).toBeVisible();
});

test('erasing contact details needs a confirmation and removes them from the order and from the search', {
  tag: '@desktop',
}, async ({ page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Tilly Edinger');
  await openOrder(page, orderId);
  await page.getByRole('button', { name: 'Erase contact details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase this customer’s contact details?' });
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('region', { name: 'Order Details' })).toContainText('Tilly Edinger');
  await page.getByRole('button', { name: 'Erase contact details' }).click();
  await dialog.getByRole('button', { name: 'Erase for good' }).click();
  await expect(page.getByText('Contact Details Erased')).toBeVisible();
  const detail = page.getByRole('region', { name: 'Order Details' });
  await expect(detail).not.toContainText('Tilly Edinger');
  await expect(page.getByRole('button', { name: 'Erase contact details' })).toHaveCount(0);
  await expect(detail).toContainText('$758.22');
  await page.goto('/admin/orders?search=Edinger');
  await expect(page.getByText('No orders found')).toBeVisible();
});

test('the places take one line on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  const items = [{ kind: 'job-late', id: 'a', orderId: null, amount: null, since: null, dueAt: null, detail: null }];
  await page.route('**/api/admin/attention', (route) => route.fulfill({ json: { items } }));
  await page.goto('/admin/password');
  const tabs = page.getByRole('tab');
  await expect(tabs).toHaveText(['Today1', 'Orders', 'Refunds', 'Money', 'Settings', 'Password']);
  const tops = await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
});

test('no page of the back office scrolls sideways in a narrow window', { tag: '@desktop' }, async ({ page, shop }) => {
  await ensureSamples(shop);
  const { orderId } = await placeOrder(shop, 'A customer with a name that is far longer than most customers have');
  await page.setViewportSize({ width: 320, height: 700 });
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
  for (const address of ['/admin/orders', '/admin/refunds', '/admin/settings', '/admin/password']) {
    await page.goto(address);
    await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toBeVisible();
    await expectLoaded(page);
    expect(await fits(), address).toBe(true);
  }
  await page.goto('/admin/orders');
  await expect(rows(page).first()).toBeVisible();
  expect(await fits()).toBe(true);
  const total = await rows(page).first().getByText('$758.22').boundingBox();
  expect((total?.x ?? 999) + (total?.width ?? 0)).toBeLessThan(320);
  await openOrder(page, orderId);
  expect(await fits()).toBe(true);
  for (const tab of ['Orders', 'Refunds', 'Settings', 'Password']) {
    await expect(page.getByRole('tab', { name: tab })).toBeInViewport({ ratio: 1 });
  }
  await expectNoAxeViolations(page);
});

/** From the work order and back. On paper they are where the sheet of labels has them. */
async function expectLabels(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Labels' }).click();
  const labels = page.getByRole('main').getByRole('listitem');
  await expect(labels).toHaveText([
    /^[0-9A-Z]{4}-[0-9A-Z]{4}-18 × 10 ftPremium, due .*Rita Levi$/,
    /^[0-9A-Z]{4}-[0-9A-Z]{4}-25 ft 6 in × 7 ftEconomy, due .*Rita Levi$/,
  ]);
  await expectNoAxeViolations(page);
  const screenSize = page.viewportSize() ?? { width: 1280, height: 900 };
  // After such a sheet, Chromium lets an emulated phone draw no further frame.
  if (screenSize.width >= 768) await expectPlacesOnPaper(page, labels);
  await page.setViewportSize(screenSize);
  await page.getByRole('link', { name: 'Back to the work order' }).click();
}

async function expectPlacesOnPaper(page: Page, labels: Locator): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 816, height: 1056 });
  const inch = 96;
  const label = { y: inch / 2, width: 2.625 * inch, height: inch };
  // Browsers lay out in parts of a pixel.
  const placeOf = async (which: Locator) => {
    const box = await which.boundingBox();
    const { x = 0, y = 0, width = 0, height = 0 } = box ?? {};
    return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
  };
  const places = () => Promise.all([placeOf(labels.first()), placeOf(labels.last())]);
  // The page is laid out anew for the paper.
  await expect.poll(places).toEqual([
    { ...label, x: 0.1875 * inch },
    { ...label, x: (0.1875 + 2.625 + 0.125) * inch },
  ]);
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.emulateMedia({ media: 'screen' });
}

test('an order has links, notes, other orders of its customer, due days and a work order', async ({ page, shop }) => {
  const first = await placeOrder(shop, 'Rita Levi');
  const { orderId } = await placeOrder(shop, 'Rita Levi');
  await openOrder(page, orderId);
  const detail = page.getByRole('region', { name: 'Order Details' });
  await expect(detail.getByRole('link', { name: 'grace.hopper@example.com' })).toHaveAttribute(
    'href',
    'mailto:grace.hopper@example.com',
  );
  await expect(detail.getByRole('link', { name: '(310) 555-0142' })).toHaveAttribute('href', 'tel:+13105550142');
  await expect(detail.getByRole('link', { name: /^12 Analytical Way/ })).toHaveAttribute('href', /^https:.*Analytical/);
  const notes = page.getByRole('region', { name: 'Notes' });
  await notes.getByRole('textbox', { name: 'New note' }).fill('Called: the stain is wine.');
  await notes.getByRole('button', { name: 'Save note' }).click();
  await expect(notes.getByRole('listitem')).toContainText('Called: the stain is wine.');
  await expect(notes.getByRole('listitem')).toContainText('ada');
  await expectNoAxeViolations(page);

  await page.getByRole('link', { name: 'Work order to print' }).click();
  await expect(page.getByRole('heading', { name: /^Work order [0-9A-Z]{4}-[0-9A-Z]{4}$/ })).toBeVisible();
  await expect(page.getByText('Called: the stain is wine.')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Rugs' }).getByRole('row')).toHaveCount(3);
  await expect(page.getByText('$')).toHaveCount(0);
  await expectNoAxeViolations(page);
  // On paper each rug is one line.
  const screenSize = page.viewportSize() ?? { width: 1280, height: 900 };
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 720, height: 900 });
  const cells = page.getByRole('table', { name: 'Rugs' }).getByRole('row').nth(1).getByRole('cell');
  const [left, right] = [await cells.first().boundingBox(), await cells.last().boundingBox()];
  expect(right?.y).toBe(left?.y);
  expect((right?.x ?? 720) + (right?.width ?? 0)).toBeLessThanOrEqual(720);
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize(screenSize);
  await expect(page.getByRole('img', { name: 'QR code that opens the order' })).toBeVisible();
  await expectLabels(page);
  await page.getByRole('link', { name: 'Back to the order' }).click();
  await notes.getByRole('button', { name: /^Delete the note/ }).click();
  await expect(notes.getByRole('listitem')).toContainText(/^Deleted by ada on /);
  await expect(notes.getByText('Called: the stain is wine.')).toHaveCount(0);
  await page.getByRole('link', { name: 'Work order to print' }).click();
  await expect(page.getByRole('table', { name: 'Rugs' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Notes' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Back to the order' }).click();
  const others = page.getByRole('region', { name: 'Other orders with this email or phone' });
  await others.locator(`a[href$="${first.orderId}"]`).click();
  await expect(page).toHaveURL(new RegExp(`${first.orderId}$`));
  await expect(page.getByRole('region', { name: 'More' })).toContainText(first.orderId);
});
