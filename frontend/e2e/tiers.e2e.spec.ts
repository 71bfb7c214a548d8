import type { Locator } from '@playwright/test';
import { watchLayoutShifts } from './layout-shifts.ts';
import { atRest, hold } from './press.ts';
import { chip, rugOf } from './rug-fields.ts';
import { expect, expectNoAxeViolations, test } from './shop.ts';

const upright = { width: 390, height: 844 };
const lying = { width: 844, height: 390 };

test('a tier stays chosen when the phone is turned or the window resized', { tag: '@phone' }, async ({ page }) => {
  await page.setViewportSize(upright);
  await page.goto('/');
  await page.getByRole('button', { name: '8 × 10 ft' }).click();
  const copies = page.locator('[data-copy]');
  for (const tier of ['Midrange', 'Economy', 'Premium']) {
    await expect(copies).toHaveCount(4);
    const chosen = page.getByRole('radio', { name: tier, exact: true });
    await chosen.check();
    // In the middle, so that no scrolling is under way.
    await expect(chosen).toBeInViewport({ ratio: 1 });
    for (const size of [lying, { width: 760, height: 800 }, { width: 1280, height: 800 }, upright, lying, upright]) {
      await page.setViewportSize(size);
      await expect(copies).toHaveCount(size.width < 768 ? 4 : 0);
      await expect(chosen).toBeChecked();
    }
  }
});

test('the tiers are a looping carousel on a phone and side by side on a desktop', async ({ page }, { project }) => {
  await page.goto('/');
  const rug = rugOf(page, 1);
  const next = rug.getByRole('button', { name: 'Next tier' });
  if (project.name.startsWith('desktop')) {
    await expect(rug.getByRole('radio')).toHaveCount(3);
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

  test('swiping before and after the scripts run selects a tier and loops at the end', async ({ page }) => {
    const shifts = await watchLayoutShifts(page);
    const release = await hold(page, '**/assets/*.js');
    await page.goto('/', { waitUntil: 'commit' });
    const row = rugOf(page, 1).getByRole('radiogroup', { name: 'Service tier' });
    await row.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    await chip(rugOf(page, 1)).click();
    await swipe(row);
    release();
    for (const [tier, price] of [
      ['Midrange', '$316.00'],
      ['Economy', '$156.00'],
      ['Premium', '$476.00'],
    ] as const) {
      await expect(rugOf(page, 1).getByRole('radio', { name: tier })).toBeChecked();
      await expect(rugOf(page, 1).getByRole('radio', { name: tier })).toBeInViewport({ ratio: 1 });
      await expect(page.getByRole('region', { name: 'Order Summary' }).getByText(price).first()).toBeVisible();
      await swipe(row);
    }
    expect(await shifts()).toBeLessThan(0.02);
  });
});

/** From the right to the left, until the cards are at rest. */
async function swipe(row: Locator): Promise<void> {
  const client = await row.page().context().newCDPSession(row.page());
  const place = await row.boundingBox();
  if (place === null) throw new Error('No row');
  const finger = (x: number) => [{ x, y: place.y + 60 }];
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: finger(340) });
  for (let x = 320; x >= 80; x -= 20) {
    await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: finger(x) });
  }
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await atRest(row.getByRole('radio').first());
}
