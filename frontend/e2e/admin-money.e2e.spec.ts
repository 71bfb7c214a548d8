import { ensureMonth, expect, expectLoaded, expectNoAxeViolations, placeOrder, test, toast } from './back-office.ts';

test('an owner sends a month to the accountant with three presses', async ({ page, shop }) => {
  await ensureMonth(shop);
  await placeOrder(shop, 'Grace Hopper');
  await page.goto('/admin/today');
  await page.getByRole('tab', { name: 'Money' }).click();
  await expect(page.getByRole('heading', { name: 'Money by month' })).toBeVisible();
  await expectLoaded(page);
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Send to my accountant' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send to my accountant' });
  const send = dialog.getByRole('button', { name: /^Send / });
  const month = (await send.textContent())?.replace('Send ', '') ?? '';
  await expectNoAxeViolations(page);
  await send.click();
  await expect(toast(page, `${month} is on its way`)).toBeVisible();
  await expect(dialog).toHaveCount(0);
  const sent = page.getByRole('list', { name: 'Sent to your accountant' });
  await expect(async () => {
    await page.reload();
    await expect(sent).toContainText(`${month} for QuickBooks: sent`, { timeout: 2000 });
  }).toPass();
});
