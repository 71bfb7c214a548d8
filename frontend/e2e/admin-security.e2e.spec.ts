import { expect, expectNoAxeViolations, test } from './back-office.ts';

test('an owner reads the security log, and finds failed sign-ins with the keyboard', async ({ page }) => {
  await page.goto('/admin/security');
  const table = page.getByRole('table', { name: 'Security log' });
  await expect(table).toContainText('Signed in with the password');
  await expectNoAxeViolations(page);

  await page.evaluate(async () => {
    const headers = { 'content-type': 'application/json' };
    await fetch('/api/admin/login', { method: 'POST', headers, body: '{"username":"nobody","password":"wrong"}' });
  });
  await page.getByRole('button', { name: 'Refresh' }).press('Enter');
  await expect(table).toContainText('Failed to sign in: wrong name or password');
  await page.getByRole('combobox', { name: 'What happened' }).focus();
  await page.keyboard.type('Sign-in failed');
  await expect(page).toHaveURL(/kind=sign-in-failed/);
  await expect(table).not.toContainText('Signed in with');
  await expect(table.getByRole('row').nth(1)).toContainText('No account');
  await expect(table.getByRole('row').nth(1)).toContainText('Chrome on');
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await expect(table).toContainText('Signed in with the password');
});

test('a log that cannot be loaded says so and can be tried again', async ({ page }) => {
  let isBroken = true;
  await page.route('**/api/admin/security-log*', (route) => (isBroken ? route.abort() : route.continue()));
  await page.goto('/admin/security');
  await expect(page.getByText('The security log could not be loaded')).toBeVisible();
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('table', { name: 'Security log' })).toBeVisible();
});
