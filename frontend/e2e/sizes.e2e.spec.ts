import type { Locator, Page } from '@playwright/test';
import { hold, press } from './press.ts';
import { box, rugOf } from './rug-fields.ts';
import { expect, expectNoAxeViolations, test } from './shop.ts';

async function paste(target: Locator, text: string): Promise<void> {
  await target.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

test('a size pasted into any field fills all its fields', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/');
  const rug = rugOf(page, 1);
  // The reader of sizes loads at the first focus. Before that, a paste is typed text.
  await box(rug, 'Width (inches)').focus();
  await expect(async () => {
    await paste(box(rug, 'Width (inches)'), `5'6"x7'`);
    await expect(box(rug, 'Width (feet)')).toHaveValue('5', { timeout: 100 });
  }).toPass();
  await expect(box(rug, 'Width (inches)')).toHaveValue('6');
  await expect(box(rug, 'Length (feet)')).toHaveValue('7');
  await expect(rug.getByText('Area: 38.50 sq ft')).toBeVisible();
  await box(rug, 'Length (feet)').fill('66 in');
  await box(rug, 'Length (inches)').focus();
  await expect(box(rug, 'Length (feet)')).toHaveValue('5');
});

test('a size with two readings is chosen by a tap or by the keyboard', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/');
  const rug = rugOf(page, 1);
  const width = box(rug, 'Width (feet)');
  await width.fill('66x90');
  await press(page.getByRole('button', { name: 'Continue to cart' }));
  const question = 'What size is “66x90”? Please choose it, or type it with its unit';
  await expect(page.getByRole('link', { name: `Rug #1: ${question}` })).toBeVisible();
  await expect(width).toHaveValue('66x90');
  await expect(width).toHaveAccessibleDescription(question);
  const choices = rug.getByRole('group', { name: 'Which size is it?' });
  await expect(choices.getByRole('button')).toHaveText([
    '66 × 90 inches (5 ft 6 in × 7 ft 6 in)',
    '66 × 90 centimeters (2 ft 2 in × 2 ft 11 in)',
    '66 × 90 feet',
  ]);
  await expectNoAxeViolations(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await choices.getByRole('button', { name: 'centimeters' }).press('Enter');
  await expect(width).toBeFocused();
  await expect(rug.getByText('Area: 6.32 sq ft')).toBeVisible();

  await width.fill('66');
  await box(rug, 'Width (inches)').fill('');
  await box(rug, 'Length (feet)').fill('90');
  await box(rug, 'Length (inches)').fill('');
  await press(page.getByRole('button', { name: 'Continue to cart' }));
  await press(choices.getByRole('button', { name: '66 × 90 inches' }));
  await expect(rug.getByText('Area: 41.25 sq ft')).toBeVisible();
  await press(page.getByRole('button', { name: 'Continue to cart' }));
  await expect(page.getByRole('heading', { name: 'Your Rugs' })).toBeHidden();
});

test.describe('before the reader of sizes is loaded', { tag: '@phone' }, () => {
  const reader = '**/size-text-*.js';
  const onward = (page: Page) => page.getByRole('button', { name: 'Continue to cart' });

  test('Continue waits for it, keeps the focus and shows no error', async ({ page }) => {
    const release = await hold(page, reader);
    await page.goto('/');
    const width = box(rugOf(page, 1), 'Width (feet)');
    await width.fill('8x10');
    await press(onward(page));
    await expect(width).toHaveAccessibleDescription('Reading the size…');
    await expect(page.getByRole('button', { name: 'Reading the size…' })).toBeFocused();
    await expect(page.getByText('Incomplete rug dimensions')).toHaveCount(0);
    release();
    await expect(page.getByRole('heading', { name: 'Cart & Checkout' })).toBeFocused();
    await expect(page.getByText('8 × 10 ft')).toBeVisible();
  });

  test('Continue waits for it even if it was pressed before any script ran', async ({ page }) => {
    const releaseScripts = await hold(page, '**/assets/*.js');
    const release = await hold(page, reader);
    await page.goto('/', { waitUntil: 'commit' });
    const width = box(rugOf(page, 1), 'Width (feet)');
    await width.fill('8x10');
    await onward(page).click();
    releaseScripts();
    await expect(width).toHaveAccessibleDescription('Reading the size…');
    release();
    await expect(page.getByRole('heading', { name: 'Cart & Checkout' })).toBeFocused();
    await expect(page.getByText('8 × 10 ft')).toBeVisible();
  });

  test('typing takes a press on Continue back', async ({ page }) => {
    const release = await hold(page, reader);
    await page.goto('/');
    const width = box(rugOf(page, 1), 'Width (feet)');
    await width.fill('8x1');
    await press(onward(page));
    await width.fill('8x10');
    await box(rugOf(page, 1), 'Length (inches)').focus();
    release();
    await expect(rugOf(page, 1).getByText('Area: 80.00 sq ft')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Your Rugs' })).toBeVisible();
  });
});

test('without the reader of sizes, a text stays as typed and whole numbers work', { tag: '@phone' }, async ({
  page,
}) => {
  await page.route(/size-text/, (route) => route.abort());
  await page.goto('/');
  const rug = rugOf(page, 1);
  await box(rug, 'Width (feet)').fill('8x10');
  await box(rug, 'Length (feet)').fill('10');
  await expect(box(rug, 'Width (feet)')).toHaveValue('8x10');
  await press(page.getByRole('button', { name: 'Continue to cart' }));
  await expect(box(rug, 'Width (feet)')).toHaveAccessibleDescription(/We cannot read “8x10”/);
  await box(rug, 'Width (feet)').fill('8');
  await expect(rug.getByText('Area: 80.00 sq ft')).toBeVisible();
});

test('the size tooltip opens on focus or after 700 ms of hovering, and Escape closes it', async ({ page }) => {
  await page.clock.install();
  await page.goto('/');
  await expect(page.locator('#order')).toHaveAttribute('aria-busy', 'false');
  const help = page.getByRole('button', { name: 'About the size' });
  const tooltip = page.getByRole('tooltip');
  await help.focus();
  await expect(tooltip).toBeVisible();
  await expectNoAxeViolations(page);
  await page.keyboard.press('Escape');
  await expect(tooltip).toBeHidden();
  await expect(help).toBeFocused();
  await help.blur();

  // Real time must not count while the machine is busy.
  await page.clock.pauseAt(Date.now() + 60_000);
  await help.hover();
  await page.clock.runFor(600);
  await expect(tooltip).toBeHidden();
  await page.clock.runFor(200);
  await expect(tooltip).toBeVisible();
  await tooltip.hover();
  await page.clock.runFor(2_000);
  await expect(tooltip).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tooltip).toBeHidden();

  await page.mouse.move(2, 2);
  await help.hover();
  await page.clock.runFor(300);
  await page.mouse.move(2, 2);
  await page.clock.runFor(2_000);
  await expect(tooltip).toBeHidden();
});
