import { codeOf } from '@kilim/lab/testing/second-factor';
import { administrator, expect, expectNoAxeViolations, signedOut, test, typeCredentials } from './back-office.ts';

test.use({
  storageState: signedOut,
  variables: [
    {
      ADMIN_USERNAME: administrator.username,
      ADMIN_PASSWORD: administrator.password,
      SECOND_FACTOR_REQUIRED: 'true',
    },
    { scope: 'worker' },
  ],
});

test('where a second factor is required, the first sign-in adds one before anything else opens', async ({ page }) => {
  await page.goto('/admin/settings');
  await typeCredentials(page);
  await expect(page.getByRole('heading', { name: 'Add a second factor' })).toBeVisible();
  await expect(page.getByRole('tab')).toHaveCount(0);
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  await expectNoAxeViolations(page);
  const secret = ((await page.getByText(/^Key:/).textContent()) ?? '').replaceAll(/^Key:|\s/g, '');
  await page.getByRole('textbox', { name: 'Code that the app shows now' }).fill(codeOf(secret));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'I have kept the codes' }).click();
  await expect(page.getByRole('heading', { name: 'Add a second factor' })).toHaveCount(0);
  await expect(
    page
      .getByRole('tab', { name: 'Settings' })
      .or(page.getByRole('link', { name: 'Settings' }))
      .first(),
  ).toBeVisible();
});
