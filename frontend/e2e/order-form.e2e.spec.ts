import type { Page } from '@playwright/test';
import { press } from './press.ts';
import { box, chip, rugOf } from './rug-fields.ts';
import { draftMatches, expect, expectNoAxeViolations, fillContact, test } from './shop.ts';

test('premium includes stain protection, and other tiers leave it to the customer', {
  tag: '@phone',
}, async ({ page }) => {
  await page.goto('/');
  const rug = rugOf(page, 1);
  const stain = rug.getByRole('checkbox', { name: 'Stain protection' });
  const choose = (tier: string) => rug.getByRole('radio', { name: tier }).check();
  await chip(rug).click();
  await expect(stain).toBeChecked();
  await expect(stain).toBeDisabled();
  // `aria-disabled`: a press must not change it.
  await stain.click({ force: true });
  await expect(stain).toBeChecked();
  await choose('Midrange');
  await expect(stain).not.toBeChecked();
  await stain.check();
  await expect(page.getByRole('region', { name: 'Order Summary' }).getByText('$200.00')).toBeVisible();
  await choose('Economy');
  await expect(stain).toBeChecked();
  await stain.uncheck();
  await choose('Midrange');
  await expect(stain).not.toBeChecked();
  await choose('Premium');
  await expect(stain).toBeChecked();
  await expect(page.getByRole('region', { name: 'Order Summary' }).getByText('Stain Protection')).toHaveCount(0);
});

test('a rug is duplicated, removed and restored with its values', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Remove Rug #1' })).toBeHidden();
  await chip(rugOf(page, 1)).click();
  await press(page.getByRole('button', { name: 'Duplicate Rug #1' }));
  await expect(box(rugOf(page, 2), 'Length (feet)')).toHaveValue('10');
  // A rug with a size is one line.
  await expect(rugOf(page, 1)).toContainText('8 × 10 ft, Premium');
  await expect(box(rugOf(page, 1), 'Width (feet)')).toHaveCount(0);
  await page.getByRole('button', { name: 'Edit Rug #1' }).click();
  await box(rugOf(page, 1), 'Width (feet)').fill('9');
  await press(page.getByRole('button', { name: 'Remove Rug #1' }));
  await expect(rugOf(page, 2)).toBeHidden();
  await expect(page.getByText('Rug #1 removed')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(box(rugOf(page, 1), 'Width (feet)')).toHaveValue('9');
  await expect(page.getByRole('heading', { name: 'Rug #1', exact: true })).toBeFocused();
});

test('back and forward move between the steps, and a reload keeps the step', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/rugs-of-the-moon');
  await page.goto('/');
  await chip(rugOf(page, 1)).click();
  await press(page.getByRole('button', { name: 'Continue to cart' }));
  await expect(page).toHaveURL('/#cart');
  await expect(page.getByRole('heading', { name: 'Cart & Checkout' })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeVisible();
  await page.goBack();
  await expect(rugOf(page, 1)).toBeVisible();
  await page.goForward();
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeVisible();
  await page.getByRole('button', { name: 'Back to Rugs' }).click();
  await expect(rugOf(page, 1)).toBeVisible();
  await expect(page).toHaveURL('/');
  await page.goBack();
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
});

test('a hash opens its rug, and opens the cart only with complete rugs', async ({ page }) => {
  await page.goto('/#cart');
  await expect(page).toHaveURL('/');
  await chip(rugOf(page, 1)).click();
  await press(page.getByRole('button', { name: 'Duplicate Rug #1' }));
  await draftMatches(page, /"widthFeet".*"widthFeet"/);
  await page.goto('/#rug-1');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Rug #2', exact: true })).toBeFocused();
  await page.evaluate(() => {
    window.location.hash = '#rug-0';
  });
  await expect(page.getByRole('heading', { name: 'Rug #1', exact: true })).toBeFocused();
});

test('if the cart cannot be loaded, the page shows an error, and a retry loads it', { tag: '@phone' }, async ({
  page,
}) => {
  await page.route('**/cart-details-*.js', (route) => route.abort());
  await page.goto('/');
  await chip(rugOf(page, 1)).click();
  await press(page.getByRole('button', { name: 'Continue to cart' }));
  await expect(page.getByText('The cart could not be loaded')).toBeVisible();
  await expectNoAxeViolations(page);
  await page.unroute('**/cart-details-*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await fillContact(page);
});

test('if the cart cannot be loaded offline, the page says so, and loads it when the connection is back', {
  tag: '@phone',
}, async ({ page, context }) => {
  await page.goto('/');
  await expect(page.locator('#order')).toHaveAttribute('aria-busy', 'false');
  await context.setOffline(true);
  await chip(rugOf(page, 1)).click();
  await press(page.getByRole('button', { name: 'Continue to cart' }));
  await expect(page.getByRole('alert')).toContainText('You are offline. Check your connection.');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toContainText('You are offline. Check your connection.');
  await context.setOffline(false);
  await fillContact(page);
  await expect(page.getByText('8 × 10 ft, Premium')).toBeVisible();
});

test('the form does not scroll sideways at 320 pixels with reduced motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto('/');
  await chip(rugOf(page, 1)).click();
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await width()).toBeLessThanOrEqual(320);
  await rugOf(page, 1).getByRole('button', { name: 'Next tier' }).click();
  await expect(rugOf(page, 1).getByRole('radio', { name: 'Midrange' })).toBeChecked();
  await press(page.getByRole('button', { name: 'Continue to cart' }));
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeVisible();
  expect(await width()).toBeLessThanOrEqual(320);
});

/** As the form stores it. */
function draftOf(minutesOld: number, changes: object = {}): string {
  const rug = {
    widthFeet: 6,
    widthInches: 3,
    lengthFeet: 9,
    lengthInches: 0,
    serviceTier: 'economy',
    stainProtection: false,
    mothProtection: true,
    repairInspection: false,
  };
  const customerInfo = {
    name: 'Ada',
    email: 'ada@example.com',
    phone: '',
    address: '',
    city: '',
    state: '',
    zipCode: '',
  };
  return JSON.stringify({
    rugs: [rug, { ...rug, widthFeet: 4 }],
    includeDelivery: true,
    deliveryOption: 'pickup',
    customerInfo,
    currentStep: 0,
    activeRugIndex: 1,
    timestamp: Date.now() - minutesOld * 60_000,
    ...changes,
  });
}

async function openWithDraft(page: Page, draft: string): Promise<void> {
  if (!page.url().endsWith('/rugs-of-the-moon')) await page.goto('/rugs-of-the-moon');
  await page.evaluate((text) => localStorage.setItem('rugFormState', text), draft);
  await page.goto('/');
  await expect(rugOf(page, 1)).toBeVisible();
}

test('a draft is restored within an hour and deleted after it', { tag: ['@phone', '@core'] }, async ({ page }) => {
  const draft = draftOf(59);
  await openWithDraft(page, draft);
  await expect(box(rugOf(page, 2), 'Width (feet)')).toHaveValue('4');
  await expect(rugOf(page, 2).getByRole('radio', { name: 'Economy' })).toBeChecked();
  await expect(rugOf(page, 2).getByRole('checkbox', { name: 'Green Pad' })).toBeChecked();
  await rugOf(page, 1).scrollIntoViewIfNeeded();
  await rugOf(page, 2).scrollIntoViewIfNeeded();
  await page.goto('/rugs-of-the-moon');
  // Viewing and leaving did not renew it.
  const saved: unknown = JSON.parse((await page.evaluate(() => localStorage.getItem('rugFormState'))) ?? '');
  expect(saved).toMatchObject({ timestamp: JSON.parse(draft).timestamp });
  await openWithDraft(page, draftOf(61));
  await expect(box(rugOf(page, 1), 'Width (feet)')).toHaveValue('');
  await expect(rugOf(page, 2)).toHaveCount(0);
});

test('a manipulated draft is deleted and has no effect', { tag: '@phone' }, async ({ page }) => {
  const rug = JSON.parse(draftOf(0)).rugs[0];
  const hostile = [
    '{"__proto__":{"polluted":true}}',
    draftOf(0, { rugs: [{ ...rug, serviceTier: '__proto__' }] }),
    draftOf(0, { rugs: Array.from({ length: 51 }, () => rug) }),
    draftOf(0, { customerInfo: { name: { toString: 'x' } } }),
    draftOf(0, { currentStep: 7 }),
    draftOf(-120),
    'x'.repeat(200_000),
  ];
  for (const draft of hostile) {
    await openWithDraft(page, draft);
    await expect(box(rugOf(page, 1), 'Width (feet)')).toHaveValue('');
    await expect(rugOf(page, 2)).toHaveCount(0);
    expect(await page.evaluate(() => localStorage.getItem('rugFormState'))).not.toBe(draft);
    expect(await page.evaluate(() => 'polluted' in Object.prototype)).toBe(false);
    await page.goto('/rugs-of-the-moon');
  }
});

const adaOfPickup = {
  ...{ name: 'Ada', email: 'ada@example.com', phone: '3105550142', address: '12 Analytical Way' },
  ...{ city: 'Los Angeles', state: 'CA', zipCode: '90025', driverNote: 'Gate code 12' },
};
const dayInMilliseconds = 24 * 60 * 60 * 1000;

test.describe('a form that stays open for days', () => {
  // Before and after the shop's midnight, it is another day there than here.
  test.use({ timezoneId: 'Asia/Tokyo' });

  test('offers the days of today, and changes a day that has passed to any day, with a word about it', {
    tag: '@phone',
  }, async ({ page }) => {
    await page.clock.install();
    await openWithDraft(
      page,
      draftOf(0, { customerInfo: adaOfPickup, deliveryOption: 'pickup', includeDelivery: true }),
    );
    await press(page.getByRole('button', { name: 'Continue to cart' }));
    const day = page.getByRole('combobox', { name: 'Preferred day' });
    const first = await day.getByRole('option').nth(1).innerText();
    await day.selectOption({ index: 1 });
    await page.clock.setSystemTime(Date.now() + 3 * dayInMilliseconds);
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await expect(day).toHaveValue('');
    await expect(day).toHaveAccessibleDescription(`We can no longer come on ${first}, so this is now “Any day”`);
    await expect(day.getByRole('option')).toHaveCount(6);
    await expect(day.getByRole('option').nth(1)).not.toHaveText(first);

    // Without leaving the page, too.
    const second = await day.getByRole('option').nth(1).innerText();
    await day.selectOption({ index: 1 });
    await expect(day).toHaveAccessibleDescription('');
    await page.clock.setSystemTime(Date.now() + 6 * dayInMilliseconds);
    const pay = page.getByRole('button', { name: 'Continue to payment' });
    await press(pay);
    await expect(day).toBeFocused();
    await expect(day).toHaveAccessibleDescription(`We can no longer come on ${second}, so this is now “Any day”`);
    await expect(page.getByRole('textbox', { name: 'Note for the driver' })).toHaveValue('Gate code 12');
    await press(pay);
    await expect(page.getByRole('heading', { name: 'Complete Your Payment' })).toBeVisible();
  });
});

test('a restored text with two readings asks at Continue, without a visit to its field', { tag: '@phone' }, async ({
  page,
}) => {
  const rug = { ...JSON.parse(draftOf(0)).rugs[0], widthFeet: '66x90' };
  await openWithDraft(page, draftOf(0, { rugs: [rug] }));
  await press(page.getByRole('button', { name: 'Continue to cart' }));
  await press(rugOf(page, 1).getByRole('button', { name: '66 × 90 inches' }));
  await expect(rugOf(page, 1).getByText('Area: 41.25 sq ft')).toBeVisible();
});

test('a day that only the server refuses has its message at its field', { tag: '@phone' }, async ({ page }) => {
  await page.clock.install();
  await page.clock.setSystemTime(Date.now() - 4 * dayInMilliseconds);
  await openWithDraft(page, draftOf(4 * 24 * 60, { customerInfo: adaOfPickup, deliveryOption: 'pickup' }));
  await press(page.getByRole('button', { name: 'Continue to cart' }));
  const day = page.getByRole('combobox', { name: 'Preferred day' });
  await day.selectOption({ index: 1 });
  await press(page.getByRole('button', { name: 'Continue to payment' }));
  await expect(day).toHaveAccessibleDescription(/^This pickup day is over\./);
  await expect(day).toBeFocused();
});

test('an order above the limit asks to call instead of paying', { tag: '@phone' }, async ({ page }) => {
  const rug = { ...JSON.parse(draftOf(0)).rugs[0], widthFeet: 80, widthInches: 1, lengthFeet: 90, lengthInches: 1 };
  await openWithDraft(page, draftOf(0, { rugs: [rug], customerInfo: adaOfPickup }));
  await press(page.getByRole('button', { name: 'Continue to cart' }));
  const call = page.getByRole('status').filter({ hasText: 'Let us arrange this order with you' });
  await expect(call).toContainText('Orders above $25,000 are not paid online.');
  await expect(call.getByRole('link', { name: /^Call \(/ })).toHaveAttribute('href', /^tel:\d{10}$/);
  await expect(page.getByRole('button', { name: 'Continue to payment' })).toHaveCount(0);
  await expectNoAxeViolations(page);
  await press(page.getByRole('button', { name: 'Back to Rugs' }));
  await box(rugOf(page, 1), 'Width (feet)').fill('8x10');
  await press(page.getByRole('button', { name: 'Continue to cart' }));
  await expect(page.getByRole('button', { name: 'Continue to payment' })).toBeVisible();
});

test('markup in a draft is shown as text', { tag: '@phone' }, async ({ page }) => {
  const script = '<img src=x onerror="document.title=`run`">';
  const rug = { ...JSON.parse(draftOf(0)).rugs[0], widthFeet: script };
  const customerInfo = { ...JSON.parse(draftOf(0)).customerInfo, name: script };
  await openWithDraft(page, draftOf(0, { rugs: [rug], activeRugIndex: 1e9, customerInfo }));
  await expect(box(rugOf(page, 1), 'Width (feet)')).toHaveValue(script);
  await press(page.getByRole('button', { name: 'Continue to cart' }));
  await expect(page.getByRole('alert').first()).toBeVisible();
  await expect(page.locator('img[src="x"]')).toHaveCount(0);
  expect(await page.title()).not.toBe('run');
});

test('with reduced motion, nothing is animated and nothing scrolls smoothly', { tag: '@phone' }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  const longest = () =>
    page.evaluate(() => {
      // Scroll-driven animations follow the user's own scrolling.
      const timed = document.getAnimations().filter(({ timeline }) => timeline === document.timeline);
      return Math.max(0, ...timed.map(({ effect }) => Number(effect?.getComputedTiming().endTime ?? 0)));
    });
  await press(page.getByRole('button', { name: 'Continue to cart' }));
  await expect(page.getByText('Incomplete rug dimensions')).toBeVisible();
  expect(await longest()).toBeLessThan(1);
  await rugOf(page, 1).getByRole('button', { name: 'Compare Tiers' }).click();
  await expect(page.getByRole('dialog', { name: 'Compare Tiers' })).toBeVisible();
  expect(await longest()).toBeLessThan(1);
  await page.keyboard.press('Escape');
  const smooth = await page.evaluate(
    () =>
      [...document.querySelectorAll('*')].filter((element) => getComputedStyle(element).scrollBehavior === 'smooth')
        .length,
  );
  expect(smooth).toBe(0);
});
