import type { Glance } from '@kilim/bff/contract/glance';
import { quietly } from '@kilim/lab/testing/quietly';
import type { Page } from '@playwright/test';
import { administrator, expect, expectNoAxeViolations, numberOf, placeOrder, test } from './back-office.ts';
import { failUntilPressed } from './press.ts';

// Other variables give this file its own shop and books.
test.use({
  variables: { ADMIN_USERNAME: administrator.username, ADMIN_PASSWORD: administrator.password, LOG_LEVEL: 'warn' },
});

/** The server's background job compares within a few seconds. */
async function compare(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Compare Now' }).click();
  await expect(page.getByRole('button', { name: 'Comparing...' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Compare Now' })).toBeVisible();
}

function row(page: Page, what: string, source: RegExp) {
  const totals = page.getByRole('table', { name: 'Totals' }).locator('tbody').getByRole('row');
  return totals.filter({ hasText: what }).filter({ hasText: source });
}

test('the books show that everything agrees, and name an order that differs', async ({ page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Grace Hopper');
  const payoutId = await shop.square.payOut();
  await shop.square.endPayout(payoutId, 'PAID');
  await page.goto('/admin/books');
  await expect(page.getByRole('heading', { name: 'The books at a glance' })).toBeVisible();
  await compare(page);
  await expect(page.getByText('Everything agrees')).toBeVisible();
  await expect(page.getByText('Nothing differs.')).toBeVisible();
  for (const [what, source] of [
    ['Paid', /List of orders/],
    ['Taken by Square', /Square, since/],
  ] as const) {
    await expect(row(page, what, source)).toContainText('$758.22');
    await expect(row(page, what, source)).toContainText('Same');
  }
  await expect(row(page, 'Charges paid out', /Payouts of Square/)).toContainText('$758.22');
  const money = page.getByRole('region', { name: 'Where the money is' });
  await expect(money).toContainText('Paid by card$758.22');
  await expect(money).toContainText('At Square$0.00');
  await expect(money).toContainText('Arrived at the bank$735.93');
  const changed = page.getByRole('region', { name: 'Was anything changed?' });
  await changed.getByText('Technical details').press('Enter');
  await expect(changed).toContainText('No place gets them, so no note leaves the server.');
  await expectNoAxeViolations(page);

  await shop.sql`update ledger.order_summary set captured_cents = captured_cents - 100 where order_id = ${orderId}::uuid`;
  await compare(page);
  await expect(page.getByText(/^\d things? differs?$/)).toBeVisible();
  await expect(row(page, 'Paid', /List of orders/)).toContainText('Differs');
  const differences = page.getByRole('region', { name: 'What differs', exact: true });
  await expect(differences.getByText('The list of orders says something else than the ledger')).toBeVisible();
  await expectNoAxeViolations(page);
  await differences
    .getByRole('link', { name: `Order ${numberOf(orderId)}` })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`/admin/orders/${orderId}$`));
});

test('a person starts a check of all events, and reads what it found', async ({ page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Grace Hopper');
  await page.goto('/admin/books');
  const changed = page.getByRole('region', { name: 'Was anything changed?' });
  const found = changed.getByRole('status');
  const check = async () => {
    await changed.getByRole('button', { name: 'Check now' }).click();
    await expect(found).toContainText('The check is running.');
    await expect(changed.getByRole('button', { name: 'Check now' })).toBeVisible();
  };
  await check();
  await expect(found).toHaveText(/^All \d+ events are unchanged Checked .*\.$/);
  await expect(changed).toContainText('This check runs on the same server.');
  const rename = (name: string) =>
    quietly(shop.sql, `update ledger.customer_contact set name = '${name}' where order_id = '${orderId}'`);
  await rename('Mallory');
  await check();
  await expect(found).toContainText('1 fault was found Tell the person who runs the server');
  await expect(changed).toContainText('the contact was changed');
  await expectNoAxeViolations(page);
  await rename('Grace Hopper');
  await check();
  await expect(found).toContainText('events are unchanged');
});

test('a person marks a difference as explained, with a reason', async ({ page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Grace Hopper');
  const [order] = await shop.sql<{ id: string }[]>`
    select square_payment_id as id from ledger.order_summary where order_id = ${orderId}::uuid`;
  await shop.square.change({ refundSettlesAfterMs: 0 });
  await shop.square.forceRefund(order?.id ?? '', 76_822);
  await page.goto('/admin/books');
  await compare(page);
  const differences = page.getByRole('region', { name: 'What differs', exact: true });
  const excess = differences.getByRole('row').filter({ hasText: 'more than the order still had to refund' });
  await expect(excess).toContainText('$768.22');
  await expectNoAxeViolations(page);
  await excess.getByRole('button', { name: 'Mark as Explained' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').selectOption('Agreed with the customer');
  await dialog.getByRole('button', { name: 'Mark as Explained' }).click();
  await expect(excess).toHaveCount(0);
  const resolved = page.getByRole('region', { name: 'Resolved differences', exact: true });
  await expect(resolved).toContainText('Agreed with the customer');
  await expectNoAxeViolations(page);
});

test('a person assigns a payment without an order to an order, or writes it off', async ({ page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Grace Hopper');
  const [assigned, writtenOff] = [await shop.square.payByLink(4000), await shop.square.payByLink(1500)];
  await page.goto('/admin/books');
  await compare(page);
  const differences = page.getByRole('region', { name: 'What differs', exact: true });
  const rowOf = (squareId: string) => differences.getByRole('row').filter({ hasText: squareId });
  const dialog = page.getByRole('dialog');

  await rowOf(assigned).getByRole('button', { name: 'Assign to an Order' }).click();
  await dialog.getByRole('button', { name: 'Assign $40.00' }).click();
  await expect(dialog.getByText('Enter the number of the order.')).toBeVisible();
  await expect(dialog.getByText('Please choose a reason.')).toBeVisible();
  await dialog.getByLabel('Reason').selectOption('Agreed with the customer');
  await dialog.getByLabel('Order number').fill('0000-0000');
  await dialog.getByRole('button', { name: 'Assign $40.00' }).click();
  await expect(dialog.getByText('There is no single order with this number.')).toBeVisible();
  await expectNoAxeViolations(page);
  await dialog.getByLabel('Order number').fill(` ${numberOf(orderId).toLowerCase()} `);
  await dialog.getByRole('button', { name: 'Assign $40.00' }).click();
  await expect(rowOf(assigned)).toHaveCount(0);

  await rowOf(writtenOff).getByRole('button', { name: 'Write Off' }).click();
  await dialog.getByLabel('Reason').selectOption('A test payment');
  await dialog.getByRole('button', { name: 'Write Off $15.00' }).click();
  await expect(rowOf(writtenOff)).toHaveCount(0);

  const resolved = page.getByRole('region', { name: 'Resolved differences', exact: true });
  await expect(resolved.getByRole('row').filter({ hasText: assigned })).toContainText('$40.00');
  const mistake = resolved.getByRole('row').filter({ hasText: writtenOff });
  await expect(mistake).toContainText('A test payment');
  await mistake.getByRole('button', { name: 'Undo' }).click();
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await expect(mistake).toContainText('Undone by');
  await expect(mistake.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await expect(rowOf(writtenOff)).toHaveCount(1);
  await resolved.getByRole('link', { name: `Order ${numberOf(orderId)}` }).click();
  await expect(page.getByRole('list', { name: 'Timeline' })).toContainText(
    'A payment of $40.00 without an order was assigned to this order',
  );
});

test('a person writes off an open item that no payout has brought for a week', async ({ page, shop }) => {
  const squareId = await shop.square.payByLink(1900);
  await page.goto('/admin/books');
  await compare(page);
  const items = page.getByRole('region', { name: 'What explains the money at Square' });
  const item = items.getByRole('row').filter({ hasText: squareId });
  await expect(item).toContainText('$19.00');
  await expect(item.getByRole('button', { name: 'Write Off' })).toHaveCount(0);
  await quietly(
    shop.sql,
    `update ledger.event set occurred_at = '2026-01-02' where payload ->> 'squarePaymentId' = '${squareId}'`,
  );
  await compare(page);
  await expectNoAxeViolations(page);
  await item.getByRole('button', { name: 'Write Off' }).click();
  const dialog = page.getByRole('dialog', { name: 'Write this open item off?' });
  await expect(dialog).toContainText('Payment without an order: $19.00');
  await dialog.getByLabel('Reason').selectOption('Too small to pursue');
  await dialog.getByRole('button', { name: 'Write Off $19.00' }).click();
  await expect(item).toHaveCount(0);
  const resolved = page.getByRole('region', { name: 'Resolved differences', exact: true });
  await expect(resolved.getByRole('row').filter({ hasText: 'Open item at Square' })).toContainText('-$19.00');
});

test('a server that protects no new records says who helps, and keeps the reason for that person', async ({ page }) => {
  const reason = 'Run once: npm run ledger -- checkpoint --accept-restore.';
  await page.route('**/api/admin/books/glance', async (route) => {
    const response = await route.fetch();
    const glance = (await response.json()) as Glance;
    await route.fulfill({ response, json: { ...glance, seals: { ...glance.seals, refused: reason } } });
  });
  await page.goto('/admin/books');
  const alert = page.getByRole('alert').filter({ hasText: 'New records are not protected against changes' });
  await expect(alert).toContainText('Tell the person who runs the server soon');
  await expect(page.getByText(reason)).toBeHidden();
  const changed = page.getByRole('region', { name: 'Was anything changed?' });
  await changed.getByText('Technical details', { exact: true }).click();
  await expect(page.getByText(reason)).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });
});

test('the page shows an error and a retry button if the books cannot be loaded', {
  tag: '@desktop',
}, async ({ page }) => {
  const retry = await failUntilPressed(page, {
    patterns: ['**/api/admin/books/glance'],
    fail: (route) => route.fulfill({ status: 503, body: '' }),
  });
  await page.goto('/admin/books');
  await expect(page.getByText('The books could not be loaded')).toBeVisible();
  await retry(page.getByRole('button', { name: 'Try again' }));
  await expect(
    page.getByText(/Not compared yet|Everything agrees|No difference found|things? differs?/).first(),
  ).toBeVisible();
});
