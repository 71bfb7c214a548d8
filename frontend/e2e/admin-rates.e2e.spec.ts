import type { Page } from '@playwright/test';
import {
  administrator,
  expect,
  expectHistory,
  expectNoAxeViolations,
  openSettings,
  test,
  toast,
} from './back-office.ts';
import { fillCard, orderUpToCheckout, summaryOf } from './shop.ts';

// A shop of its own, because its rates change.
test.use({
  variables: {
    ADMIN_USERNAME: administrator.username,
    ADMIN_PASSWORD: administrator.password,
    BUSINESS_NAME: 'Golden Fleece',
  },
});

/** Each on its own page of the settings. */
async function change(page: Page, [part, name, value]: readonly [string, string, string]): Promise<void> {
  await openSettings(page, part);
  await page.getByRole('textbox', { name }).fill(value);
  await save(page);
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save Settings' }).click();
  await expect(toast(page, 'Your settings have been successfully updated.')).toBeVisible();
}

test('rates that change during a checkout are shown line by line, and paid only after another press on Pay', async ({
  page,
  browser,
  shop,
}) => {
  const context = await browser.newContext({ baseURL: shop.url, storageState: { cookies: [], origins: [] } });
  const customer = await context.newPage();
  await orderUpToCheckout(customer, [
    { width: [8, 0], length: [10, 0], tier: 'Premium' },
    { width: [5, 6], length: [7, 0], tier: 'Economy', greenPad: true },
  ]);
  await fillCard(customer);
  const before = (await shop.square.payments()).length;

  await change(page, ['add-ons', 'Green Pad per sq ft', '3.60']);
  await change(page, ['tax', 'Rate 1 in percent', '9.875']);
  await change(page, ['pickup', 'Pickup per sq ft', '$0.60']);
  await expectHistory(page, 'Green Pad per sq ft: $3.50 → $3.60', 'Sales tax from January 1, 2000: 9.75 % → 9.875 %');

  await customer.getByRole('button', { name: 'Pay $758.22' }).click();
  const alert = customer.getByRole('alert').filter({ hasText: 'The price of your order has changed' });
  await expect(alert.getByRole('row')).toHaveText([
    'What changedBeforeNow',
    'Rug #2: Green Pad$134.75$138.60',
    'White Glove Pickup & Delivery$59.25$71.10',
    'CA Sales Tax$13.14$13.69',
    'Total$758.22$774.47',
  ]);
  expect(await shop.square.payments()).toHaveLength(before);
  await expectNoAxeViolations(customer);
  await customer.getByRole('button', { name: 'Pay $774.47' }).click();
  await expect(customer.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  const receipt = customer.url();

  await change(page, ['tax', 'Name of the sales tax', 'LA Sales Tax']);
  await change(page, ['add-ons', 'Green Pad per sq ft', '9']);
  await customer.goto(receipt);
  const order = customer.getByRole('region', { name: 'Your order' });
  await expect(order).toContainText('CA Sales Tax');
  await expect(order).toContainText('$138.60');
  await context.close();
});

test('a rate that begins later is entered ahead of time, and rates are removed and checked', {
  tag: '@desktop',
}, async ({ page }) => {
  await openSettings(page, 'tax');
  await page.getByRole('button', { name: 'Add a rate' }).click();
  await page.getByRole('textbox', { name: 'Rate 2 in percent' }).fill('31');
  await page.getByRole('button', { name: 'Save Settings' }).click();
  await expect(page.getByText('Please choose the first day of this rate').last()).toBeVisible();
  await expect(page.getByText('Please enter 0 to 30, with at most three decimals').last()).toBeVisible();
  await page.getByRole('textbox', { name: 'Rate 2 in percent' }).fill('10.25 %');
  await page.getByLabel('Rate 2 begins on').fill('2090-04-01');
  await expect(page.getByText('From April 1, 2090: 10.25 %.')).toBeVisible();
  await expectNoAxeViolations(page);
  await save(page);
  await expectHistory(page, 'Sales tax from April 1, 2090');
  await openSettings(page, 'tax');
  await page.getByRole('button', { name: 'Remove rate 2' }).click();
  await page.getByRole('button', { name: 'Remove rate 1' }).click();
  await page.getByRole('button', { name: 'Save Settings' }).click();
  await expect(page.getByText('Please enter at least one rate. Without a tax, enter 0 %.').last()).toBeVisible();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByLabel('Rate 2 begins on')).toHaveValue('2090-04-01');
});

test('the order form offers the sizes, add-ons, minimums and sites of the settings', async ({
  page,
  browser,
  shop,
}) => {
  await change(page, ['sizes', 'Common sizes', "6 x 9\n2'6\" x 8'"]);
  await expect(page.getByRole('textbox', { name: 'Common sizes' })).toHaveValue('6 × 9 ft\n2 ft 6 in × 8 ft');
  await change(page, ['add-ons', 'Stain protection per sq ft', '0']);
  await change(page, ['', 'Economy minimum per rug', '80']);
  await change(page, ['pickup', 'Minimum order with pickup', '450']);
  await change(page, ['sites', 'Drop-off site 2 link', 'https://example.com/valley']);

  const context = await browser.newContext({ baseURL: shop.url, storageState: { cookies: [], origins: [] } });
  const form = await context.newPage();
  await form.goto('/');
  const sizes = form.getByRole('group', { name: 'Common sizes' });
  await expect(sizes.getByRole('button')).toHaveText(['6 × 9 ft', '2 ft 6 in × 8 ft']);
  await sizes.getByRole('button', { name: '2 ft 6 in × 8 ft' }).click();
  await expect(form.getByRole('textbox', { name: 'Width (inches)' })).toHaveValue('6');
  await form.getByRole('radio', { name: 'Economy' }).check();
  expect(await summaryOf(form)).toEqual({ Total: '$80.00' });
  await expect(form.getByRole('checkbox', { name: 'Stain protection' })).toHaveAccessibleDescription(/Free/);
  await expect(form.getByRole('link', { name: 'Valley' })).toHaveAttribute('href', 'https://example.com/valley');
  await form.getByRole('button', { name: 'Continue to cart' }).click();
  await form.getByRole('radio', { name: 'White Glove Pickup & Delivery' }).check();
  await expect(form.getByText('$450 minimum order requirement')).toBeVisible();
  await expectNoAxeViolations(form);
  await context.close();
});
