import type { Browser, Page } from '@playwright/test';
import { administrator, expect, expectHistory, expectNoAxeViolations, placeOrder, test, toast } from './back-office.ts';
import { choose, press } from './press.ts';
import { choosePickup, fillContact, fillRugs, type Shop, smallRug } from './shop.ts';

// A shop of its own, because it drives to few places.
test.use({
  variables: {
    ADMIN_USERNAME: administrator.username,
    ADMIN_PASSWORD: administrator.password,
    BUSINESS_NAME: 'Kilim of West LA',
  },
});

/** In the shop, a day of the next ones as the form and as the settings write it. */
function dayAhead(days: number) {
  const at = new Date(Date.now() + days * 24 * 60 * 60 * 1000);
  const written = (options: Intl.DateTimeFormatOptions, locale = 'en-US') =>
    new Intl.DateTimeFormat(locale, { timeZone: 'America/Los_Angeles', ...options }).format(at);
  return {
    weekday: written({ weekday: 'long' }),
    onForm: written({ weekday: 'long', month: 'long', day: 'numeric' }),
    inSettings: written({ dateStyle: 'short' }, 'en-CA'),
  };
}

async function setPlan(page: Page): Promise<void> {
  await page.goto('/admin/settings/pickup');
  await page.getByRole('textbox', { name: 'ZIP codes served' }).fill('90025, 9002x\n913');
  await press(page.getByRole('checkbox', { name: dayAhead(1).weekday, exact: true }));
  await press(page.getByRole('checkbox', { name: `${dayAhead(3).weekday} morning` }));
  await page.getByRole('textbox', { name: 'Pickups a day' }).fill('1');
  await page.getByRole('textbox', { name: 'Closed days' }).fill(dayAhead(2).inSettings);
  const save = page.getByRole('button', { name: 'Save Settings' });
  await press(save);
  const codes = page.getByRole('textbox', { name: 'ZIP codes served' });
  await expect(codes).toHaveAccessibleDescription(/“9002x” is not a ZIP code\./);
  await expectNoAxeViolations(page);
  await codes.fill('90025 913');
  await press(save);
  await expect(toast(page, 'Your settings have been successfully updated.')).toBeVisible();
  await expect(codes).toHaveValue('90025, 913');
}

async function openCart(browser: Browser, shop: Shop, address = '/'): Promise<Page> {
  const context = await browser.newContext({
    ...{ baseURL: shop.url, storageState: { cookies: [], origins: [] } },
    viewport: { width: 390, height: 844 },
  });
  const customer = await context.newPage();
  await customer.goto(address);
  await fillRugs(customer, smallRug);
  await press(customer.getByRole('button', { name: 'Continue to cart' }));
  await choose(customer.getByRole('radio', { name: 'White Glove Pickup & Delivery' }));
  return customer;
}

test('an owner says where and when the shop drives, and customers are offered no more', async ({
  page,
  browser,
  shop,
}) => {
  await setPlan(page);
  await expectHistory(
    page,
    'ZIP codes served: added “90025”, added “913”',
    `Pickup on ${dayAhead(1).weekday}: morning, afternoon, evening → none`,
    'Pickups a day: no limit → 1',
  );

  const customer = await openCart(browser, shop);
  const zipCode = customer.getByRole('textbox', { name: 'ZIP Code' });
  const chooseDropOff = customer.getByRole('button', { name: 'Choose drop-off' });
  await zipCode.pressSequentially('1000');
  await expect(chooseDropOff).toHaveCount(0);
  await zipCode.pressSequentially('1');
  await expect(customer.getByRole('status').filter({ has: chooseDropOff })).toContainText(
    /^We do not drive to 10001\. Drop-off is free: .+\.Choose drop-off$/,
  );
  await expect(zipCode).toHaveAccessibleDescription(/We do not drive to 10001\./);
  await expectNoAxeViolations(customer);

  await choosePickup(customer);
  await zipCode.fill('10001');
  await fillContact(customer);
  const onward = customer.getByRole('button', { name: 'Continue to payment' });
  await press(onward);
  await expect(zipCode).toBeFocused();

  await zipCode.fill('91304-1234');
  await expect(chooseDropOff).toHaveCount(0);
  const day = customer.getByRole('combobox', { name: 'Preferred day' });
  const time = customer.getByRole('combobox', { name: 'Preferred time' });
  await expect(day.getByRole('option')).toHaveText(['Any day', ...[3, 4, 5].map((ahead) => dayAhead(ahead).onForm)]);
  await expect(time.getByRole('option')).toHaveText(['Any time', /^Morning/, /^Afternoon/, /^Evening/]);
  await time.selectOption('morning');
  await day.selectOption(dayAhead(3).onForm);
  await expect(time.getByRole('option')).toHaveText(['Any time', /^Afternoon/, /^Evening/]);
  await expect(time).toHaveValue('');
  await expectNoAxeViolations(customer);

  await day.selectOption(dayAhead(4).onForm);
  await placeOrder(shop, 'Grace Hopper', { pickupDay: dayAhead(4).inSettings });
  await press(onward);
  await expect(day).toHaveAccessibleDescription(/^We can no longer come on .+, so this is now “Any day”$/);
  await expect(day.getByRole('option')).toHaveText(['Any day', ...[3, 5].map((ahead) => dayAhead(ahead).onForm)]);

  await zipCode.fill('10001');
  await press(chooseDropOff);
  const dropOff = customer.getByRole('radio', { name: 'Drop-off', exact: true });
  await expect(dropOff).toBeChecked();
  await expect(dropOff).toBeFocused();
  await press(onward);
  await expect(customer.getByRole('heading', { name: 'Complete Your Payment' })).toBeVisible();
  await customer.context().close();

  const before = (await shop.square.payments()).length;
  const wanda = await openCart(browser, shop, '/?test-wallets=google');
  await press(wanda.getByRole('button', { name: 'Continue with Apple Pay or Google Pay' }));
  await press(wanda.getByRole('button', { name: 'Google Pay (test)' }));
  await press(wanda.getByRole('dialog').getByRole('button', { name: 'Pay', exact: true }));
  const refusal = wanda.getByRole('alert').filter({ hasText: 'We do not drive to 90402. Drop-off is free: ' });
  await expect(refusal).toContainText('Please choose it in your cart. Nothing was charged.');
  expect(await shop.square.payments()).toHaveLength(before);
  await expect(refusal.getByRole('button', { name: 'Back to your cart' })).toBeVisible();
  await wanda.context().close();
});
