import { readFile } from 'node:fs/promises';
import { ensureMonth, expect, expectNoAxeViolations, test } from './back-office.ts';

test('an accountant reads reports of a month on the screen and downloads them', async ({ page, shop }) => {
  await ensureMonth(shop);
  await page.goto('/admin/reports?from=2026-10-01&to=2026-10-31');

  const trialBalance = page.getByRole('table', { name: 'Trial balance, Oct 1, 2026 to Oct 31, 2026' });
  const fees = trialBalance.getByRole('row').filter({ hasText: 'Card Processing Fees' });
  await expect(fees).toContainText('$29.29');
  await expect(trialBalance.getByRole('row').last()).toContainText('Total');
  await expectNoAxeViolations(page);

  await page.getByLabel('Report', { exact: true }).selectOption('General ledger');
  await page.getByLabel('Account', { exact: true }).selectOption('Disputes');
  const ledger = page.getByRole('table', { name: /^General ledger: Disputes/ });
  await expect(ledger.getByRole('row').filter({ hasText: 'Payment disputed' })).toContainText('$400.00');
  await expect(ledger.getByRole('row').filter({ hasText: 'Closing balance' })).toContainText('$400.00');
  await expectNoAxeViolations(page);

  await page.getByLabel('Report', { exact: true }).selectOption('Refunds by reason');
  await expect(page.getByRole('table', { name: /^Refunds by reason/ })).toContainText('-$234.99');
  await expect(page.getByRole('link', { name: 'Download CSV' })).toHaveCount(0);

  await page.getByLabel('Report', { exact: true }).selectOption('Sales tax return');
  const taxReturn = page.getByRole('table', { name: /^Sales tax return/ });
  await expect(taxReturn.getByRole('row').filter({ hasText: 'Total sales' })).toContainText('$1,393.33');
  await expect(taxReturn).toContainText('9.75');
  const due = page.getByRole('definition').filter({ hasText: '$32.64' });
  await expect(due).toBeVisible();
  await expect(page.getByText('Taxable sales times the rate of each sale.')).toBeVisible();
  await expectNoAxeViolations(page);
  // At 1280 px no column is cut off.
  await page.setViewportSize({ width: 1280, height: 900 });
  const cutOff = await taxReturn.evaluate((table) => table.scrollWidth - (table.parentElement?.clientWidth ?? 0));
  expect(cutOff).toBeLessThanOrEqual(0);
  const started = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  const download = await started;
  expect(download.suggestedFilename()).toBe('kilim-sales-tax-return-2026-10-01-to-2026-10-31.csv');
  // Excel needs a byte-order mark to read UTF-8.
  expect((await readFile(await download.path())).subarray(0, 3).toString('hex')).toBe('efbbbf');

  await page.route('**/api/admin/ledger/report*', (route) => route.abort());
  await page.getByLabel('Report', { exact: true }).selectOption('Sales by tier and add-on');
  await expect(page.getByText('The report could not be loaded')).toBeVisible();
});

test('in a narrow window a long report shows 50 rows until a person asks for all', async ({ page, shop }) => {
  await ensureMonth(shop);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.route('**/api/admin/ledger/report*', async (route) => {
    const response = await route.fetch();
    const report = (await response.json()) as { readonly rows: readonly unknown[] };
    const rows = Array.from({ length: 60 }, (_, index) => report.rows[index % report.rows.length]);
    await route.fulfill({ response, json: { ...report, rows, count: 60 } });
  });
  await page.goto('/admin/reports?from=2026-10-01&to=2026-10-31');
  const rows = page.getByRole('table', { name: /^Trial balance/ }).locator('tbody tr:visible');
  await expect(rows).toHaveCount(50);
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Show all 60 rows' }).click();
  await expect(rows).toHaveCount(60);
});
