import { expect, expectNoAxeViolations, openOrder, openRefund, placeOrder, test } from './back-office.ts';

/** An open page asks every five seconds whether the ledger has grown. */
const noticed = { timeout: 10_000 };

type Shops = Parameters<typeof placeOrder>[0];

async function paymentAtSquare(shop: Shops, orderId: string): Promise<string> {
  const [row] = await shop.sql<{ square_payment_id: string }[]>`
    select square_payment_id from ledger.order_summary where order_id = ${orderId}::uuid`;
  return row?.square_payment_id ?? '';
}

test('an open list shows an order that is placed meanwhile, and when it was loaded', async ({ page, shop }) => {
  await page.goto('/admin/orders');
  await expect(page.getByText(/^Loaded at \d+:\d\d:\d\d [AP]M$/)).toBeVisible();
  await placeOrder(shop, 'Katherine Johnson');
  await expect(page.getByRole('table', { name: 'Recent Orders' })).toContainText('Katherine Johnson', noticed);
});

test('an open order and its refund dialog show a refund and a dispute that happen at Square', async ({
  page,
  shop,
}) => {
  const { orderId } = await placeOrder(shop, 'Mary Jackson');
  const paymentId = await paymentAtSquare(shop, orderId);
  await openOrder(page, orderId);
  const dialog = await openRefund(page);
  await shop.square.forceRefund(paymentId, 5_000);
  await expect(dialog.getByText('Remaining refundable: $708.22')).toBeVisible(noticed);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('region', { name: 'Refund History' })).toContainText('$50.00 Refund');
  await shop.square.openDispute(paymentId);
  await expect(page.getByText('bank has opened a dispute')).toBeVisible(noticed);
});

test('a visit shows figures of now, and their links lead to their lists', async ({ page, shop }) => {
  await page.goto('/admin');
  await expect(page).toHaveURL(/\/admin\/overview$/);
  const figures = page.getByRole('region', { name: 'Figures' });
  await expect(figures.getByRole('img', { name: /^Takings and refunds per day/ })).toBeVisible();
  await figures.getByText('Show the days as a table').click();
  await expect(page.getByRole('table', { name: 'Takings and refunds per day' }).getByRole('row')).toHaveCount(31);
  await expectNoAxeViolations(page);
  const takings = figures.getByRole('link').first();
  const before = await takings.innerText();
  // Without the question whether the ledger has grown.
  await page.route('**/api/admin/changes', (route) => route.abort());
  await page.getByRole('tab', { name: 'Refunds' }).click();
  await placeOrder(shop, 'Dorothy Vaughan');
  await page.getByRole('tab', { name: /^Overview/ }).click();
  await expect(takings).not.toHaveText(before);
  await takings.click();
  await expect(page).toHaveURL(/\/admin\/orders\?from=\d{4}-\d\d-\d\d&to=/);
  await expect(page.getByRole('table', { name: 'Recent Orders' })).toContainText('Dorothy Vaughan');
});
