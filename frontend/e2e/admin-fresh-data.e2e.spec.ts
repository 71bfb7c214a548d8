import { expect, expectNoAxeViolations, openOrder, openRefund, placeOrder, test } from './back-office.ts';

/** An open page asks every five seconds whether the ledger has grown. */

type Shops = Parameters<typeof placeOrder>[0];

async function paymentAtSquare(shop: Shops, orderId: string): Promise<string> {
  const [row] = await shop.sql<{ square_payment_id: string }[]>`
    select square_payment_id from ledger.order_summary where order_id = ${orderId}::uuid`;
  return row?.square_payment_id ?? '';
}

test('an open list shows the time of loading, and a new order without a reload', { tag: '@core' }, async ({
  page,
  shop,
}) => {
  await page.goto('/admin/orders');
  await expect(page.getByText(/^Loaded at \d+:\d\d [AP]M$/)).toBeVisible();
  await placeOrder(shop, 'Maria Agnesi');
  await expect(page.getByRole('table', { name: 'Recent Orders' })).toContainText('Maria Agnesi');
});

test('an open order and its refund dialog show a refund and a dispute that happen at Square', async ({
  page,
  shop,
}) => {
  const { orderId } = await placeOrder(shop, 'Mileva Maric');
  const paymentId = await paymentAtSquare(shop, orderId);
  await openOrder(page, orderId);
  const dialog = await openRefund(page);
  await shop.square.forceRefund(paymentId, 5_000);
  await expect(dialog.getByText('Remaining refundable: $708.22')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('region', { name: 'Refund History' })).toContainText('$50.00 Refund');
  await shop.square.openDispute(paymentId);
  await expect(page.getByText('bank disputes this payment')).toBeVisible();
});

test('pages that stay open show within ten seconds an order that is placed, refunded elsewhere and disputed', async ({
  page: list,
  context,
  shop,
}) => {
  await shop.square.change({ refundSettlesAfterMs: 0 });
  const today = await context.newPage();
  await today.goto('/admin/today');
  const money = await context.newPage();
  await money.goto('/admin/money');
  await list.goto('/admin/orders');
  const figures = money.getByRole('table', { name: 'Money by month' }).getByRole('row').nth(1).getByRole('link');
  const [takings, refunds] = [figures.nth(0), figures.nth(1)];
  const before = { takings: await takings.innerText(), refunds: await refunds.innerText() };
  const row = list.getByRole('table', { name: 'Recent Orders' }).getByRole('row').filter({ hasText: 'Sophie Germain' });

  const { orderId } = await placeOrder(shop, 'Sophie Germain');
  await Promise.all([
    expect(row).toContainText('No Refunds'),
    expect(takings).not.toHaveText(before.takings),
    expect(today.getByRole('list', { name: 'To call' })).toContainText('Sophie Germain'),
  ]);
  const order = await context.newPage();
  await openOrder(order, orderId);
  const pages = [list, today, money, order];
  for (const page of pages) await page.evaluate(() => document.body.setAttribute('data-not-reloaded', ''));

  const paymentId = await paymentAtSquare(shop, orderId);
  await shop.square.forceRefund(paymentId, 5_000);
  const history = order.getByRole('region', { name: 'Refund History' });
  await Promise.all([
    expect(row).toContainText('Partially Refunded'),
    expect(history).toContainText('$50.00 Refund'),
    expect(order.getByRole('region', { name: 'Amounts' })).toContainText('$708.22'),
    expect(refunds).not.toHaveText(before.refunds),
  ]);

  await shop.square.openDispute(paymentId);
  const items = today.getByRole('list', { name: 'Needs you' }).getByRole('listitem');
  const item = items.filter({ has: today.locator(`a[href$="${orderId}"]`) });
  await Promise.all([
    expect(row).toContainText('Disputed'),
    expect(order.getByText('bank disputes this payment')).toBeVisible(),
    expect(item).toContainText('A bank disputes a payment of $758.22'),
    expect(item).toContainText('Evidence is due by'),
    ...pages.map((page) => expect(page.getByRole('tab', { name: /^Today, \d+ needs? attention$/ })).toBeVisible()),
  ]);
  for (const page of pages) await expect(page.locator('body')).toHaveAttribute('data-not-reloaded', '');
  await item.getByRole('link', { name: /^Open order/ }).click();
  await expect(today.getByRole('region', { name: 'Order Details' })).toContainText('Sophie Germain');
});

test('a visit shows figures of now, and their links lead to their lists', async ({ page, shop }) => {
  await page.goto('/admin');
  await expect(page).toHaveURL(/\/admin\/today$/);
  await page.getByRole('link', { name: 'Money by day and month' }).click();
  const figures = page.getByRole('region', { name: 'Money by month', exact: true });
  await expect(figures.getByRole('img', { name: /^Paid and paid back per day/ })).toBeVisible();
  await figures.getByText('Show the days as a table').click();
  await expect(page.getByRole('table', { name: 'Paid and paid back per day' }).getByRole('row').nth(150)).toBeVisible();
  await expectNoAxeViolations(page);
  const takings = figures.getByRole('link').first();
  const before = await takings.innerText();
  await page.route('**/api/admin/changes', (route) => route.abort());
  await page.getByRole('tab', { name: 'Refunds' }).click();
  // The router shows a page until the next one is loaded.
  await expect(figures).toHaveCount(0);
  await placeOrder(shop, 'Emmy Noether');
  await page.getByRole('tab', { name: 'Money' }).click();
  await expect(takings).not.toHaveText(before);
  await takings.click();
  await expect(page).toHaveURL(/\/admin\/orders\?from=\d{4}-\d\d-\d\d&to=/);
  await expect(page.getByRole('table', { name: 'Recent Orders' })).toContainText('Emmy Noether');
});
