import {
  administrator,
  expect,
  expectNoAxeViolations,
  numberOf,
  openFilters,
  placeOrder,
  test,
} from './back-office.ts';

// Other variables give this file its own shop and payouts.
test.use({
  variables: { ADMIN_USERNAME: administrator.username, ADMIN_PASSWORD: administrator.password, LOG_LEVEL: 'error' },
});

test('an accountant finds a payout, its lines and their orders', async ({ page, shop }) => {
  await page.goto('/admin/payouts');
  await expect(page.getByText('There are no payouts yet.')).toBeVisible();
  const { orderId } = await placeOrder(shop, 'Grace Hopper');
  let lastOrder = orderId;
  for (let other = 0; other < 10; other += 1) lastOrder = (await placeOrder(shop, 'Ada Lovelace')).orderId;
  const payoutId = await shop.square.payOut();
  await shop.square.endPayout(payoutId, 'PAID');
  const row = page.getByRole('table', { name: 'Payouts' }).getByRole('row').filter({ hasText: payoutId });
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText('Arrived', { timeout: 2_000 });
  }).toPass();
  await expect(row).toContainText('$8,095.23');
  await expectNoAxeViolations(page);

  await openFilters(page);
  await page.getByRole('combobox', { name: 'State' }).selectOption('Sent back');
  await expect(page.getByText('No payout matches your filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.keyboard.press('j');
  await expect(row.getByRole('link', { name: `Payout ${payoutId}` })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: /^Payout of/ })).toContainText(payoutId);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  const sum = page.getByRole('table', { name: 'By activity' }).getByRole('row').filter({ hasText: 'Sum' });
  await expect(sum).toContainText('$8,095.23');
  await expectNoAxeViolations(page);
  const lines = page.getByRole('table', { name: 'Lines' });
  const lastLink = lines.getByRole('link', { name: `Order ${numberOf(lastOrder)}` });
  const pages = page.getByRole('navigation', { name: 'Lines, pages' });
  await expect(pages).toContainText('Showing 1 to 10 of 11 results');
  await expect(lastLink).toHaveCount(0);
  await pages.getByRole('button', { name: 'Next' }).click();
  await expect(lastLink).toBeVisible();
  await expectNoAxeViolations(page);
  await pages.getByRole('button', { name: 'Page 1' }).click();
  await lines.getByRole('link', { name: `Order ${numberOf(orderId)}` }).click();
  await expect(page).toHaveURL(new RegExp(`/admin/orders/${orderId}$`));

  await page.goto('/admin/payouts/po_unknown');
  await expect(page.getByText('There is no such payout.')).toBeVisible();
  await expectNoAxeViolations(page);
});
