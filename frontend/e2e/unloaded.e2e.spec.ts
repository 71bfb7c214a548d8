import type { Page } from '@playwright/test';
import { expect, test } from './shop.ts';

// The page's own scripts do not arrive: the network changes, or another version was put in place
// just then.

async function loseScripts(page: Page, times: number): Promise<() => number> {
  let asked = 0;
  await page.route('**/assets/index-*.js', async (route) => {
    asked += 1;
    if (asked <= times) await route.abort('connectionfailed');
    else await route.continue();
  });
  return () => asked;
}

test('a page whose scripts are lost on the way is loaded again by itself', async ({ page }) => {
  const asked = await loseScripts(page, 1);
  await page.goto('/');
  await expect(page.getByRole('textbox', { name: 'Width (feet)' }).first()).toBeVisible();
  expect(asked()).toBe(2);
});

test('a page whose scripts stay away says so, and comes when somebody asks again', async ({ page }) => {
  await loseScripts(page, 2);
  await page.goto('/');
  await expect(page.getByRole('alert')).toContainText('This page could not be loaded');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('textbox', { name: 'Width (feet)' }).first()).toBeVisible();
});
