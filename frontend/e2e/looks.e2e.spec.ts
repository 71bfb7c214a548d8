import type { Page } from '@playwright/test';
import {
  choosePickup,
  expect,
  expectNoAxeViolations,
  fillCard,
  fillContact,
  fillRugs,
  payButton,
  test,
  twoRugs,
} from './shop.ts';

// Every look that a device can ask for; the other specs check the light one.

const looks = [
  { look: 'the dark scheme', media: { colorScheme: 'dark' } },
  { look: 'forced colours', media: { forcedColors: 'active' } },
] as const;

for (const { look, media } of looks) {
  test(`no state from the form to the receipt has violations in ${look}`, async ({ page }) => {
    await page.emulateMedia(media);
    await page.goto('/');
    await page.getByRole('button', { name: 'Continue to cart' }).click();
    await expect(page.getByText('Incomplete rug dimensions')).toBeVisible();
    await expectNoAxeViolations(page);
    await fillRugs(page, twoRugs);
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Compare Tiers' }).first().click();
    await expect(page.getByRole('dialog', { name: 'Compare Tiers' })).toBeVisible();
    await expectNoAxeViolations(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Continue to cart' }).click();
    await choosePickup(page);
    await page.getByRole('button', { name: 'Continue to payment' }).click({ force: true });
    await expect(page.getByText('(Please review this section)')).toBeVisible();
    await expectNoAxeViolations(page);
    await fillContact(page);
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await expect(page.getByRole('textbox', { name: 'Card number' })).toBeVisible();
    await expectNoAxeViolations(page);
    await fillCard(page, '4000 0000 0000 0002');
    await payButton(page).click();
    await expect(page.getByRole('alert').filter({ hasText: 'declined' }).first()).toBeVisible();
    await expectNoAxeViolations(page);
    await fillCard(page);
    await payButton(page).click();
    await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
    await expectNoAxeViolations(page);
    await page.goto('/rugs-of-the-moon');
    await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
    await expectNoAxeViolations(page);
  });
}

/** Behind the text. */
function backgroundOf(page: Page, name: string): Promise<string> {
  return page
    .getByRole('button', { name, exact: true })
    .first()
    .evaluate((element) => getComputedStyle(element).backgroundColor);
}

test('with forced colours the chosen size and the current step can be told from the others', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/');
  await page.getByRole('button', { name: '8 × 10 ft' }).click();
  await expect(page.getByRole('button', { name: '8 × 10 ft', pressed: true })).toBeVisible();
  await page.mouse.move(0, 0);
  expect(await backgroundOf(page, '8 × 10 ft')).not.toBe(await backgroundOf(page, '5 × 8 ft'));
  expect(await backgroundOf(page, 'Rug #1')).not.toBe(await backgroundOf(page, 'Cart & Checkout'));
});

test('the page follows the device to the dark scheme and back, and a form in a frame stays light', async ({
  page,
  shop,
}) => {
  const paperOf = (place: { locator: Page['locator'] }) =>
    place.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/');
  const dark = await paperOf(page);
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await paperOf(page);
  expect(dark).not.toBe(light);
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  expect(await paperOf(page)).toBe(light);
  await page.emulateMedia({ colorScheme: 'dark', media: 'screen' });
  await page.goto(shop.demoUrl);
  const form = page.frameLocator('iframe').first();
  await expect(form.getByRole('textbox', { name: 'Width (feet)' }).first()).toBeVisible();
  expect(await paperOf(form)).toBe(light);
});
