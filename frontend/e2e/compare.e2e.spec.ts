import type { Page } from '@playwright/test';
import { drawn } from './press.ts';
import { draftMatches, expect, expectNoAxeViolations, fillRugs, test, twoRugs } from './shop.ts';

const wideFromPixels = 768;

function isNarrow(page: Page): boolean {
  return (page.viewportSize()?.width ?? 0) < wideFromPixels;
}

function rug(page: Page, number: number) {
  return page.getByRole('region', { name: `Rug #${number}`, exact: true });
}

function compareButton(page: Page, number: number) {
  return rug(page, number).getByRole('button', { name: 'Compare Tiers' });
}

function overlay(page: Page) {
  return page.getByRole('dialog', { name: 'Compare Tiers' });
}

/** The second rug is economy, the first premium. */
async function openForSecondRug(page: Page): Promise<void> {
  await page.goto('/');
  await fillRugs(page, twoRugs);
  await compareButton(page, 2).click();
  await expect(overlay(page)).toBeVisible();
}

test('choosing a tier in the comparison changes that rug, shows a toast and restores the focus', async ({ page }) => {
  await openForSecondRug(page);
  await overlay(page).getByRole('button', { name: 'Choose Midrange' }).click();
  await expect(overlay(page)).toHaveCount(0);
  await expect(rug(page, 2).getByRole('radio', { name: 'Midrange' })).toBeChecked();
  await expect(rug(page, 1)).toContainText('Premium');
  await expect(page.getByRole('status').filter({ hasText: 'Midrange chosen for Rug #2' })).toBeVisible();
  await expect(compareButton(page, 2)).toBeFocused();
  await expect(compareButton(page, 2)).toBeInViewport();
});

test('the comparison shows prices, three features, all rows, recommendations and experience', async ({ page }) => {
  await openForSecondRug(page);
  const table = overlay(page).getByRole('table', { name: 'What each tier includes' });
  const rows = [
    'Wash Process',
    'Washing Coverage',
    'Water Saturation',
    'De-dusting Treatment',
    'Tier Perks',
    'Special Bonuses',
  ];
  await expect(table.getByRole('rowheader')).toHaveText(rows);
  const shown = isNarrow(page) ? ['Economy', 'Midrange'] : ['Premium', 'Midrange', 'Economy'];
  await expect(table.getByRole('columnheader')).toHaveText(shown);
  await expect(table.getByRole('cell', { name: 'Stain treatment included' })).toBeVisible();
  await expect(overlay(page).getByText('$1.95 per sq ft')).toBeVisible();
  await expect(overlay(page).getByText('$75.08')).toBeVisible();
  await expect(overlay(page).getByText('7-day turnaround')).toBeVisible();
  await expect(overlay(page).getByText('Current tier', { exact: true })).toHaveCount(1);
  await expect(overlay(page).getByRole('heading', { name: 'Recommendations' })).toBeVisible();
  await expect(overlay(page).getByText('37+ years')).toBeVisible();
});

test('with pickup, the comparison shows the prices of the tier cards', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/');
  await fillRugs(page, twoRugs);
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  await page.getByRole('radio', { name: 'White Glove Pickup & Delivery' }).check();
  await page.getByRole('button', { name: 'Back to Rugs' }).click();
  await compareButton(page, 2).click();
  await expect(overlay(page).getByText('$2.45 per sq ft')).toBeVisible();
  await expect(overlay(page).getByText('with pickup & delivery').first()).toBeVisible();
});

test('Enter opens the comparison, Escape closes it and restores the focus', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/');
  await compareButton(page, 1).focus();
  await page.keyboard.press('Enter');
  await expect(overlay(page).getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(overlay(page)).toHaveCount(0);
  await expect(compareButton(page, 1)).toBeFocused();
  await expect(rug(page, 1).getByRole('radio', { name: 'Premium' })).toBeChecked();
});

test('the Close button and a press on the backdrop close the comparison, a press inside does not', {
  tag: '@phone',
}, async ({ page }) => {
  await page.goto('/');
  await compareButton(page, 1).click();
  await overlay(page).getByRole('heading', { name: 'Recommendations' }).click();
  await expect(overlay(page)).toBeVisible();
  await overlay(page).getByRole('button', { name: 'Close' }).click();
  await expect(overlay(page)).toHaveCount(0);
  await compareButton(page, 1).click();
  await expect(overlay(page)).toBeVisible();
  await page.mouse.click(3, 400);
  await expect(overlay(page)).toHaveCount(0);
  await expect(compareButton(page, 1)).toBeFocused();
});

test('a narrow screen shows two different tiers side by side', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openForSecondRug(page);
  const first = overlay(page).getByRole('combobox', { name: 'First tier' });
  const second = overlay(page).getByRole('combobox', { name: 'Second tier' });
  await expect(first).toHaveValue('economy');
  await expect(second).toHaveValue('midrange');
  await second.selectOption('economy');
  await expect(first).toHaveValue('midrange');
  await expect(second).toHaveValue('economy');
  await first.selectOption('Premium');
  await expect(overlay(page).getByRole('columnheader')).toHaveText(['Premium', 'Economy']);
  await expect(overlay(page).getByRole('button', { name: /^Choose / })).toHaveText([
    'Choose Premium',
    'Choose Economy',
  ]);
  await overlay(page).getByRole('button', { name: 'Choose Premium' }).click();
  await expect(rug(page, 2).getByRole('radio', { name: 'Premium' })).toBeChecked();
});

test('the page behind the dialog does not scroll, and the dialog fits a screen of 320 pixels', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/');
  await compareButton(page, 1).click();
  await expect(overlay(page)).toBeVisible();
  const before = await page.evaluate(() => window.scrollY);
  await page.mouse.move(160, 320);
  await page.mouse.wheel(0, 4_000);
  await drawn(page);
  expect(await page.evaluate(() => window.scrollY)).toBe(before);
  const sideways = await page.evaluate(() =>
    [...document.querySelectorAll('dialog, dialog section')].map((part) => part.scrollWidth - part.clientWidth),
  );
  expect(sideways.filter((pixels) => pixels > 0)).toEqual([]);
});

test('in a tall iframe the dialog is in the visible part', async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 3_000 });
  await page.goto('/');
  await page.evaluate(() => {
    document.documentElement.style.setProperty('--visible-top', '1200px');
    document.documentElement.style.setProperty('--visible-height', '600px');
  });
  await compareButton(page, 1).click();
  await expect(overlay(page)).toBeVisible();
  await expect.poll(async () => (await overlay(page).boundingBox())?.y).toBeGreaterThanOrEqual(1_200);
  const box = await overlay(page).boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(1_800);
});

test('if the comparison cannot be loaded, a toast says so, and a retry loads it and keeps the order', {
  tag: '@phone',
}, async ({ page }) => {
  let lost = true;
  await page.route('**/assets/compare-overlay-*.js', (route) => (lost ? route.abort() : route.continue()));
  await page.goto('/');
  const width = rug(page, 1).getByRole('textbox', { name: 'Width (feet)' });
  await width.fill('7');
  await draftMatches(page, /"widthFeet":"?7/);
  await compareButton(page, 1).click();
  const message = page.getByRole('alert').filter({ hasText: 'The comparison could not be loaded' });
  await expect(message).toBeVisible();
  lost = false;
  await message.getByRole('button', { name: 'Try again' }).click();
  await expect(message).toHaveCount(0);
  await expect(width).toHaveValue('7');
  await compareButton(page, 1).click();
  await expect(overlay(page)).toBeVisible();
});

test('the comparison has no accessibility violations', async ({ page }) => {
  await openForSecondRug(page);
  await expectNoAxeViolations(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoAxeViolations(page);
});

test('the comparison uses the settings, and invalid settings fall back to the built-in texts', {
  tag: '@phone',
}, async ({ page }) => {
  await page.route('/', async (route) => {
    // As for an iframe: the server-rendered markup would contain the real settings.
    const answer = await route.fetch({ headers: { ...route.request().headers(), 'sec-fetch-dest': 'iframe' } });
    const settings = {
      tierPrices: { premium: 7.25, midrange: 'cheap', economy: -1 },
      tierFeatures: { premium: ['One', 'Two', 'Three', 'Four'], midrange: 'many' },
      tierComparison: {
        rows: { washProcess: { premium: 'By moonlight' }, tierPerks: 7 },
        experience: { title: 'Ages' },
      },
      addOnImages: { pad: '/pad.webp', repair: 'javascript:alert(1)' },
    };
    const body = (await answer.text()).replace(
      /"settings":\{.*\}\}<\/script>/,
      () => `"settings":${JSON.stringify(settings)}}</script>`,
    );
    await route.fulfill({ response: answer, body });
  });
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Three ways to clean' }).getByText('$7.25 per sq ft')).toBeVisible();
  const image = rug(page, 1).locator('img');
  await expect(image).toHaveAttribute('src', '/pad.webp');
  await expect
    .poll(async () => {
      const box = await image.boundingBox();
      return [box?.width, box?.height];
    })
    .toEqual([56, 56]);
  await compareButton(page, 1).click();
  const shown = overlay(page);
  await expect(shown.getByRole('cell', { name: 'By moonlight' })).toBeVisible();
  await expect(shown.getByRole('cell', { name: 'Stain treatment included' })).toBeVisible();
  await expect(shown.getByText('$7.25 per sq ft')).toBeVisible();
  await expect(shown.getByText('$3.95 per sq ft')).toBeVisible();
  await expect(shown.getByText('Three', { exact: true })).toBeVisible();
  await expect(shown.getByText('Four', { exact: true })).toHaveCount(0);
  await expect(shown.getByText('37+ years')).toBeVisible();
});
