import type { Page } from '@playwright/test';
import { administrator, ageSession, alertIn, expect, expectNoAxeViolations, signInTo, test } from './back-office.ts';

const stronger = 'gravel umbrella telegraph 41';

type Passwords = { readonly current: string; readonly next: string; readonly confirm?: string };

async function change(page: Page, { current, next, confirm = next }: Passwords): Promise<void> {
  await page.getByRole('textbox', { name: 'Current Password' }).fill(current);
  await page.getByRole('textbox', { name: 'New Password' }).fill(next);
  await page.getByRole('textbox', { name: 'Confirm Password' }).fill(confirm);
  await page.getByRole('button', { name: 'Update Password' }).click();
}

test('a new password must be strong and confirmed, and ends every other session', async ({ page, browser, shop }) => {
  const context = await browser.newContext({ storageState: await signInTo(shop) });
  const other = await context.newPage();
  await other.goto('/admin/refunds');
  await expect(other.getByRole('heading', { name: 'All Refunds' })).toBeVisible();

  await page.goto('/admin/password');
  await expect(page.getByText('Update your admin login password')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Where you are signed in' })).toContainText('This browser');
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Show passwords' }).click();
  await expect(page.getByRole('textbox', { name: 'New Password' })).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide passwords' }).click();
  await expect(page.getByRole('textbox', { name: 'New Password' })).toHaveAttribute('type', 'password');

  const { password } = administrator;
  await change(page, { current: password, next: 'abc' });
  await expect(alertIn(page, 'Password must be at least 4 characters long')).toBeVisible();
  await change(page, { current: password, next: stronger, confirm: 'another' });
  await expect(alertIn(page, 'Passwords do not match')).toBeVisible();
  await change(page, { current: 'not my password', next: stronger });
  await expect(alertIn(page, 'Current password is incorrect')).toBeVisible();
  await change(page, { current: password, next: 'rugcleaning' });
  await expect(alertIn(page, 'Password is too easy to guess')).toBeVisible();
  await page.getByRole('textbox', { name: 'New Password' }).fill('plaid');
  const strength = page.getByRole('status').filter({ has: page.getByRole('meter', { name: 'Password strength' }) });
  await expect(strength).toContainText('Password is too easy to guess');
  await expectNoAxeViolations(page);
  await page.getByRole('textbox', { name: 'New Password' }).fill(stronger);
  await expect(strength).toContainText('Very strong');
  await change(page, { current: password, next: stronger });
  await expect(page.getByRole('status').filter({ hasText: 'Password updated successfully!' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'New Password' })).toHaveValue('');
  await expectNoAxeViolations(page);

  await other.reload();
  await expect(other.getByRole('button', { name: 'Sign In' })).toBeVisible();
  await context.close();
  await page.reload();
  await expect(page.getByRole('list', { name: 'Where you are signed in' }).getByRole('listitem')).toHaveCount(1);
  // For the other tests of this shop.
  await change(page, { current: stronger, next: password });
  await expect(page.getByRole('status').filter({ hasText: 'Password updated successfully!' })).toBeVisible();
});

test('an administrator signs out another browser in the list of sessions', { tag: '@desktop' }, async ({
  page,
  browser,
  shop,
}) => {
  const context = await browser.newContext({
    storageState: await signInTo(shop),
    userAgent: 'Firefox/140.0 (Windows)',
  });
  const other = await context.newPage();
  await other.goto('/admin/orders');
  await expect(other.getByRole('heading', { name: 'Recent Orders' })).toBeVisible();
  await page.goto('/admin/password');
  const sessions = page.getByRole('list', { name: 'Where you are signed in' }).getByRole('listitem');
  await expect(sessions.filter({ hasText: 'Firefox on Windows' }).first()).toBeVisible();
  const before = await sessions.count();
  await ageSession(page, shop, 660);
  await sessions.getByRole('button', { name: 'Sign out Firefox on Windows at 127.0.0.1' }).first().click();
  const prompt = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await prompt.getByRole('textbox', { name: 'Password' }).fill('wrong');
  await prompt.getByRole('button', { name: 'Continue' }).click();
  await expect(alertIn(prompt, 'Current password is incorrect')).toBeVisible();
  await prompt.getByRole('textbox', { name: 'Password' }).fill(administrator.password);
  await prompt.getByRole('button', { name: 'Continue' }).click();
  await expect(sessions).toHaveCount(before - 1);
  await ageSession(page, shop, 660);
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(prompt).toBeVisible();
  await expect(alertIn(prompt, 'Current password is incorrect')).toHaveCount(0);
  await other.reload();
  await expect(other.getByRole('button', { name: 'Sign In' })).toBeVisible();
  await context.close();
});
