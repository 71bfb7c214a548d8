import type { Browser, Page } from '@playwright/test';
import {
  administrator,
  alertIn,
  expect,
  expectNoAxeViolations,
  nextQuestion,
  openOrder,
  openRefund,
  placeOrder,
  signedOut,
  signInTo,
  test,
  typeCredentials,
} from './back-office.ts';
import { hold } from './press.ts';
import type { Shop } from './shop.ts';

const password = 'copper lantern orchard 12';

type Invited = { readonly username: string; readonly name: string; readonly role: string };

/** @returns the address of the link. */
async function invite(page: Page, { username, name, role }: Invited): Promise<string> {
  await page.goto('/admin/people');
  const form = page.getByRole('region', { name: 'Invite a person' });
  await form.getByRole('textbox', { name: 'Sign-in name' }).fill(username);
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await form.getByRole('combobox', { name: 'Role' }).selectOption(role);
  await form.getByRole('button', { name: 'Invite' }).click();
  const link = form.getByRole('status').getByText('/admin/invitation#');
  await expect(link).toBeVisible();
  return (await link.textContent()) ?? '';
}

type Accepted = { readonly link: string; readonly username: string; readonly storageState?: typeof signedOut };

/** In a browser of its own. */
async function accept(browser: Browser, shop: Shop, { link, username, storageState = signedOut }: Accepted) {
  const context = await browser.newContext({ storageState, baseURL: shop.url });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(password);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByRole('heading', { name: 'Your password is set' })).toBeVisible();
  await expect(page.getByText('ada is signed in in this browser.')).toHaveCount(storageState === signedOut ? 0 : 1);
  await page.getByRole('button', { name: 'Go to the sign-in' }).click();
  await typeCredentials(page, { username, password });
  await expect(page.getByRole('heading', { name: 'Needs you' })).toBeVisible();
  return page;
}

test('an owner invites a clerk, who cannot open settings, and is signed out when the owner disables the account', async ({
  page,
  browser,
  shop,
}, { project }) => {
  const username = `ben-${project.name}`;
  const name = `Ben Doe ${project.name}`;
  const link = await invite(page, { username, name, role: 'clerk' });
  await expectNoAxeViolations(page);

  const context = await browser.newContext({ storageState: signedOut, baseURL: shop.url });
  const guest = await context.newPage();
  await guest.goto(link);
  await expect(guest.getByRole('heading', { name: `Welcome, ${name}` })).toBeVisible();
  await expect(guest.getByText('You are invited to the back office as clerk.')).toBeVisible();
  await expectNoAxeViolations(guest);
  await guest.getByRole('textbox', { name: 'Password', exact: true }).fill('password1');
  await guest.getByRole('textbox', { name: 'Confirm password' }).fill('password2');
  await guest.getByRole('button', { name: 'Set password' }).click();
  await expect(alertIn(guest, 'The two passwords differ')).toBeVisible();
  await guest.getByRole('textbox', { name: 'Confirm password' }).fill('password1');
  await guest.getByRole('button', { name: 'Set password' }).click();
  await expect(alertIn(guest, 'Password is too easy to guess')).toBeVisible();
  await expect(alertIn(guest, '..')).toHaveCount(0);
  await context.close();

  // At the computer of the shop, where the owner is signed in.
  const clerk = await accept(browser, shop, { link, username, storageState: await signInTo(shop) });
  await expect(clerk.getByRole('tab')).toHaveText([/^Today/, 'Orders', 'Refunds', 'Password']);
  await clerk.goto('/admin/settings');
  await expect(clerk.getByText('Only owners can see the settings, and you are a clerk.')).toBeVisible();
  await expectNoAxeViolations(clerk);
  const again = await clerk.context().newPage();
  await again.goto(link);
  await expect(again.getByRole('heading', { name: 'This link cannot be used' })).toBeVisible();

  await page.reload();
  await page.getByRole('button', { name: `Manage ${name}` }).click();
  const dialog = page.getByRole('dialog', { name: `Account of ${name}` });
  await expectNoAxeViolations(page);
  const question = nextQuestion(page, 'dismiss');
  await dialog.getByRole('button', { name: 'Reset second factor' }).click();
  expect(await question).toContain(`Remove all passkeys and codes of ${name}?`);
  const next = nextQuestion(page, 'accept');
  await dialog.getByRole('button', { name: 'Disable account' }).click();
  expect(await next).toContain(`Disable the account of ${name}?`);
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('row').filter({ hasText: name })).toContainText('Disabled');
  await clerk.getByRole('tab', { name: 'Refunds' }).click();
  await expect(clerk.getByRole('dialog', { name: 'Please sign in again' })).toBeVisible();
  await typeCredentials(clerk, { username, password });
  await expect(alertIn(clerk, 'Invalid credentials')).toBeVisible();
  await clerk.context().close();
});

test('an accountant sees masked contacts, and neither refunds nor erases', { tag: '@desktop' }, async ({
  page,
  browser,
  shop,
}) => {
  const order = await placeOrder(shop, 'Grace Hopper');
  const link = await invite(page, { username: 'cleo', name: 'Cleo Poe', role: 'accountant' });
  const accountant = await accept(browser, shop, { link, username: 'cleo' });
  await expect(accountant.getByRole('tab')).toHaveText([/^Today/, 'Orders', 'Refunds', 'Money', 'Password']);
  await openOrder(accountant, order.orderId);
  await expect(accountant.getByText('G•••• H•••••')).toBeVisible();
  await expect(accountant.getByText('Hopper')).toHaveCount(0);
  const details = accountant.getByRole('region', { name: 'Order Details' });
  await expect(details).toContainText(/Phone\s*-\s*Address\s*CA/);
  await expect(details.getByRole('link', { name: 'CA' })).toHaveCount(0);
  await expect(accountant.getByRole('button', { name: /Process Refund|Erase contact/ })).toHaveCount(0);
  await expectNoAxeViolations(accountant);
  await accountant.context().close();
});

test('the last owner cannot be disabled, and a temporary password must be replaced', { tag: '@desktop' }, async ({
  page,
  shop,
}) => {
  await page.goto('/admin/people');
  await page.getByRole('button', { name: 'Manage ada' }).click();
  const question = nextQuestion(page, 'accept');
  await page.getByRole('button', { name: 'Disable account' }).click();
  expect(await question).toContain('You are signed out at once, and only another owner can enable it again.');
  await expect(alertIn(page, 'This is the last active owner. Make another person an owner first.')).toBeVisible();
  await shop.sql`update admin.account set must_change_password = true where username = 'ada'`;
  await page.goto('/admin/orders');
  await expect(page.getByRole('heading', { name: 'Choose a password of your own' })).toBeVisible();
  await expect(page.getByRole('tab')).toHaveCount(0);
  await expectNoAxeViolations(page);
  await shop.sql`update admin.account set must_change_password = false where username = 'ada'`;
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Recent Orders' })).toBeVisible();
});

test('an owner limits refunds, and the refund dialog says how much is allowed', async ({ page, shop }, { project }) => {
  const customer = `Dorothy Vaughan ${project.name}`;
  const { orderId } = await placeOrder(shop, customer);
  const saveLimit = async (amount: string) => {
    await page.goto('/admin/people');
    const card = page.getByRole('region', { name: 'Limits on refunds' });
    await card.getByRole('group', { name: 'Owner' }).getByRole('textbox', { name: 'One refund' }).fill(amount);
    await card.getByRole('button', { name: 'Save limits' }).click();
    await expect(page.getByText('Limits saved').or(page.getByRole('dialog'))).toBeVisible();
    const prompt = page.getByRole('dialog');
    if (await prompt.isVisible()) {
      await prompt.getByRole('textbox', { name: 'Password' }).fill(administrator.password);
      await prompt.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByText('Limits saved')).toBeVisible();
    }
  };
  await saveLimit('20.00');
  await expectNoAxeViolations(page);

  const release = await hold(page, '**/api/admin/refund-allowance');
  await openOrder(page, orderId);
  const dialog = await openRefund(page);
  release();
  await expect(dialog.getByText('Your limit is $20.00 for one refund.')).toBeVisible();
  await expect(dialog.getByRole('radio', { name: 'Full refund' })).toBeDisabled();
  await expect(dialog.getByRole('radio', { name: 'Partial refund' })).toBeChecked();
  await dialog.getByRole('combobox', { name: 'Reason' }).fill('Goodwill');
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('20.01');
  await expect(dialog.getByText('This is more than you may refund.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(
    alertIn(dialog, 'Your limit is $20.00 for one refund. No other person can refund this amount now.').first(),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await saveLimit('10,000');
});
