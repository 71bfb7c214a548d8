import type { FirstDayAnswer } from '@kilim/bff/contract/first-day';
import type { Locator, Page } from '@playwright/test';
import { administrator, expect, expectNoAxeViolations, signedOut, signInTo, test } from './back-office.ts';

// From the first sign-in with a temporary password to the first paid order and the first mail.

test.use({
  storageState: signedOut,
  variables: [
    {
      ADMIN_USERNAME: administrator.username,
      ADMIN_PASSWORD: administrator.password,
      BUSINESS_PHONE: '',
      BOOKING_URL: '',
    },
    { scope: 'worker' },
  ],
});

const own = 'gravel umbrella telegraph 41';

/** A keyboard has a key for the next field, also on a phone, so that needs no press. */
function person() {
  const done = { presses: 0 };
  return {
    done,
    press: async (target: Locator) => {
      done.presses += 1;
      await target.click();
    },
    /** Into the focused field and those after it. */
    type: async (page: Page, ...texts: readonly string[]) => {
      for (const [index, text] of texts.entries()) {
        if (index > 0) await page.keyboard.press('Tab');
        await page.keyboard.type(text);
      }
    },
  };
}

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function signInWith(page: Page, { press, type }: ReturnType<typeof person>) {
  await page.goto('/admin');
  await press(field(page, 'Username'));
  await type(page, administrator.username, administrator.password);
  await press(button(page, 'Sign In'));
  await expect(page.getByRole('heading', { name: 'Choose a password of your own' })).toBeVisible();
}

test('without mails the step says who can set them up, and the owner can go on', { tag: '@desktop' }, async ({
  page,
  shop,
}) => {
  await page.context().addCookies((await signInTo(shop)).cookies);
  await page.route('**/api/admin/first-day', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as FirstDayAnswer), mailTo: null } });
  });
  await page.goto('/admin');
  const step = page.getByRole('list', { name: 'First day' }).getByRole('listitem').filter({ hasText: 'Send yourself' });
  await expect(step).toContainText('Emails are not set up. The person who runs the server can do it.');
  await expect(step.getByRole('button')).toHaveText(['Go on without emails']);
  await page.unrouteAll({ behavior: 'wait' });
});

test('a new owner gets from the sign-in to the first order with at most 25 presses', { tag: '@desktop' }, async ({
  page,
  shop,
  context,
}) => {
  await shop.sql`update admin.account set must_change_password = true where username = ${administrator.username}`;
  const owner = person();
  const { press, type, done } = owner;
  await signInWith(page, owner);
  await expectNoAxeViolations(page);
  await expect(field(page, 'Current Password')).toHaveCount(0);

  // A reload forgets the proof of the sign-in: only then is the temporary password asked for again.
  const again = await context.newPage();
  await again.goto('/admin');
  await expect(field(again, 'Current Password')).toBeVisible();
  await again.close();

  await press(field(page, 'New Password'));
  await type(page, own, own);
  await press(button(page, 'Update Password'));

  const list = page.getByRole('list', { name: 'First day' });
  const step = (text: string) => list.getByRole('listitem').filter({ hasText: text });
  const region = page.getByRole('region', { name: 'First day' });
  const toToday = page.getByRole('tab', { name: /^Today/ });
  await expect(region).toContainText('1 of 9 done');
  await expect(step('Choose a password of your own')).toContainText('Done');
  await expect(list.getByRole('listitem')).toHaveCount(9);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoAxeViolations(page);
  }

  await press(list.getByRole('link', { name: 'Name and phone' }));
  await press(field(page, 'Business phone'));
  await type(page, '(310) 555-0100');
  await press(button(page, 'Save Settings'));
  await expect(page.getByText('You have changes that are not saved.')).toHaveCount(0);
  await press(toToday);
  await expect(region).toContainText('2 of 9 done');

  await press(list.getByRole('link', { name: 'Drop-off sites' }));
  await press(field(page, 'Drop-off site 1 address'));
  await type(page, '1234 Sepulveda Blvd, Los Angeles, CA 90025');
  const second = field(page, 'Drop-off site 2 address');
  while (!(await second.evaluate((element) => element === document.activeElement))) await page.keyboard.press('Tab');
  await type(page, '99 Loom St, Van Nuys, CA 91401');
  await press(button(page, 'Save Settings'));
  await expect(page.getByText('You have changes that are not saved.')).toHaveCount(0);
  await press(toToday);
  await expect(region).toContainText('3 of 9 done');

  for (const sentence of ['Check what you charge', 'Check the tax', 'Write the terms', 'Say where and when']) {
    await press(step(sentence).getByRole('button', { name: /^It is right as it is/ }));
    await expect(step(sentence)).toContainText('Done');
    await expect(step(sentence)).toBeFocused();
  }
  // The list shows it, and a toast would cover a step on a phone.
  await expect(page.getByText(/^Saved/)).toHaveCount(0);
  await expect(region).toContainText('7 of 9 done');
  await expectNoAxeViolations(page);

  await expect(step('Place a test order')).toContainText('4111 1111 1111 1111');
  const opened = context.waitForEvent('page');
  await press(list.getByRole('link', { name: 'Open the order form' }));
  const form = await opened;
  await press(button(form, '8 × 10 ft'));
  await press(button(form, 'Continue to cart'));
  await press(field(form, 'Name'));
  await type(form, 'Ada Lovelace', 'ada@example.com', '3105550142');
  await press(button(form, 'Continue to payment'));
  await press(field(form, 'Card number'));
  for (const text of ['4111111111111111', '1230', '111', '90025']) await form.keyboard.type(text);
  await press(form.getByRole('button', { name: /^Pay \$/ }));
  await expect(form.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  // Closing the tab of the order form is a press, too.
  await form.close();
  done.presses += 1;
  await expect(step('Place a test order')).toContainText('Done');

  await expect(step('Send yourself an email')).toContainText('owner@shop.example');
  await press(button(page, 'Send me an email'));
  await expect(list).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Needs you' })).toBeVisible();
  expect(done.presses).toBeLessThanOrEqual(25);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Needs you' })).toBeVisible();
  await expect(list).toHaveCount(0);
});
