import type { Page } from '@playwright/test';
import { expect, test } from './shop.ts';

// The network changes, or a new version is deployed.

async function abortScripts(page: Page, times: number): Promise<() => number> {
  let requests = 0;
  await page.route('**/assets/index-*.js', async (route) => {
    requests += 1;
    if (requests <= times) await route.abort('connectionfailed');
    else await route.continue();
  });
  return () => requests;
}

test('a page whose scripts fail to load reloads automatically', async ({ page }) => {
  const requests = await abortScripts(page, 1);
  await page.goto('/');
  await expect.poll(requests).toBe(2);
  await expect(page.locator('#order')).toHaveAttribute('aria-busy', 'false');
});

test('after a second failure the page shows an error and a retry button', { tag: '@core' }, async ({ page }) => {
  await abortScripts(page, 2);
  await page.goto('/');
  await expect(page.getByRole('alert')).toContainText('This page could not be loaded');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('textbox', { name: 'Width (feet)' }).first()).toBeVisible();
});
