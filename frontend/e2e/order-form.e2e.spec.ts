import type { Locator, Page } from '@playwright/test';
import { expect, expectNoAxeViolations, fillContact, test } from './shop.ts';

const rugOf = (page: Page, number: number) => page.getByRole('region', { name: `Rug #${number}`, exact: true });
const box = (rug: Locator, name: string) => rug.getByRole('textbox', { name });
const chip = (rug: Locator) => rug.getByRole('button', { name: '8 × 10 ft' });

async function paste(target: Locator, text: string): Promise<void> {
  await target.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

test('a size that is pasted into any box fills the boxes it speaks of', async ({ page }) => {
  await page.goto('/');
  const rug = rugOf(page, 1);
  await paste(box(rug, 'Width (inches)'), `5'6"x7'`);
  await expect(box(rug, 'Width (feet)')).toHaveValue('5');
  await expect(box(rug, 'Width (inches)')).toHaveValue('6');
  await expect(box(rug, 'Length (feet)')).toHaveValue('7');
  await expect(rug.getByText('Area: 38.50 sq ft')).toBeVisible();
  await box(rug, 'Length (feet)').fill('66 in');
  await box(rug, 'Length (inches)').focus();
  await expect(box(rug, 'Length (feet)')).toHaveValue('5');
});

test('what the size may be is said at once on focus, after a while on hover, and goes with Escape', async ({
  page,
}) => {
  await page.goto('/');
  const help = page.getByRole('button', { name: 'About the size' });
  await help.focus();
  await expect(page.getByRole('tooltip')).toBeVisible();
  await expectNoAxeViolations(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tooltip')).toBeHidden();
});

test('a rug is duplicated, removed and brought back with its values', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Remove Rug #1' })).toBeHidden();
  await chip(rugOf(page, 1)).click();
  await page.getByRole('button', { name: 'Duplicate Rug #1' }).click();
  await expect(box(rugOf(page, 2), 'Length (feet)')).toHaveValue('10');
  await box(rugOf(page, 1), 'Width (feet)').fill('9');
  await page.getByRole('button', { name: 'Remove Rug #1' }).click();
  await expect(rugOf(page, 2)).toBeHidden();
  await expect(page.getByText('Rug #1 removed')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(box(rugOf(page, 1), 'Width (feet)')).toHaveValue('9');
  await expect(page.getByRole('heading', { name: 'Rug #1', exact: true })).toBeFocused();
});

test('the tiers loop by their buttons on a phone and stand side by side on a desktop', async ({ page }, {
  project,
}) => {
  await page.goto('/');
  const rug = rugOf(page, 1);
  const next = rug.getByRole('button', { name: 'Next tier' });
  if (project.name === 'desktop') {
    await expect(next).toBeHidden();
    const tops = await rug
      .getByRole('radio')
      .evaluateAll((radios) => radios.map((radio) => radio.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    return;
  }
  await expect(rug.getByText('Swipe to compare tiers')).toBeVisible();
  for (const tier of ['Midrange', 'Economy', 'Premium', 'Midrange']) {
    await next.click();
    await expect(rug.getByRole('radio', { name: tier })).toBeChecked();
    await expect(rug.getByRole('radio', { name: tier })).toBeInViewport();
  }
  await rug.getByRole('button', { name: 'Previous tier' }).click();
  await rug.getByRole('button', { name: 'Previous tier' }).click();
  await expect(rug.getByRole('radio', { name: 'Economy' })).toBeChecked();
  await expectNoAxeViolations(page);
});

test.describe('with a finger', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('swiping selects a tier, past the end as well', async ({ page }) => {
    await page.goto('/');
    const row = rugOf(page, 1).getByRole('radiogroup', { name: 'Service tier' });
    await row.scrollIntoViewIfNeeded();
    const client = await page.context().newCDPSession(page);
    for (const tier of ['Economy', 'Midrange', 'Premium']) {
      const place = await row.boundingBox();
      if (place === null) throw new Error('No row');
      const finger = (x: number) => [{ x, y: place.y + 60 }];
      await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: finger(80) });
      for (let x = 100; x <= 340; x += 20) {
        await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: finger(x) });
      }
      await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      await expect(rugOf(page, 1).getByRole('radio', { name: tier })).toBeChecked();
    }
  });
});

test('back and forward move between the steps, and a reload keeps the step', async ({ page }) => {
  await page.goto('/rugs-of-the-moon');
  await page.goto('/');
  await chip(rugOf(page, 1)).click();
  await page.getByRole('button', { name: 'Continue to cart' }).click();
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

test('a hash leads to its rug, and to the cart only with rugs that are fit to order', async ({ page }) => {
  await page.goto('/#cart');
  await expect(page.getByText('Incomplete rug dimensions')).toBeVisible();
  await expect(page).toHaveURL('/');
  await chip(rugOf(page, 1)).click();
  await page.getByRole('button', { name: 'Duplicate Rug #1' }).click();
  await page.waitForTimeout(500);
  await page.goto('/#rug-1');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Rug #2', exact: true })).toBeFocused();
  await page.evaluate(() => {
    window.location.hash = '#rug-0';
  });
  await expect(page.getByRole('heading', { name: 'Rug #1', exact: true })).toBeFocused();
});

test('the cart that cannot be fetched says so, and is fetched again', async ({ page }) => {
  await page.route('**/cart-details-*.js', (route) => route.abort());
  await page.goto('/');
  await chip(rugOf(page, 1)).click();
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  await expect(page.getByText('The cart could not be loaded')).toBeVisible();
  await expectNoAxeViolations(page);
  await page.unroute('**/cart-details-*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await fillContact(page);
});

test('nothing scrolls sideways at 320 pixels, with less motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto('/');
  await chip(rugOf(page, 1)).click();
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await width()).toBeLessThanOrEqual(320);
  await rugOf(page, 1).getByRole('button', { name: 'Next tier' }).click();
  await expect(rugOf(page, 1).getByRole('radio', { name: 'Midrange' })).toBeChecked();
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeVisible();
  expect(await width()).toBeLessThanOrEqual(320);
});

test('a draft that is too old, or was tampered with, is thrown away', async ({ page }) => {
  await page.goto('/rugs-of-the-moon');
  const old = JSON.stringify({ rugs: [], timestamp: 0 });
  for (const draft of [old, '{"__proto__":{"polluted":true}}', '[]', 'x'.repeat(200_000)]) {
    await page.evaluate((text) => localStorage.setItem('rugFormState', text), draft);
    await page.goto('/');
    await expect(rugOf(page, 1)).toBeVisible();
    await expect(rugOf(page, 2)).toBeHidden();
    expect(await page.evaluate(() => 'polluted' in Object.prototype)).toBe(false);
    await page.goto('/rugs-of-the-moon');
  }
});
