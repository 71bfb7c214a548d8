import { expect, test } from './shop.ts';

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
