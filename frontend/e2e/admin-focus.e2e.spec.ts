import type { Page } from '@playwright/test';
import { expect, openOrder, placeOrder, test } from './back-office.ts';

/** As a person does who uses no mouse. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).press('Enter');
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

test('a control that its own press removes or disables leaves the focus in its card', async ({ page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Dorothy Vaughan');
  await openOrder(page, orderId);
  await page.getByRole('textbox', { name: 'New note' }).fill('Call before noon.');
  await press(page, 'Save note');
  await expect(heading(page, 'Notes')).toBeFocused();

  await press(page, 'Receive rugs');
  await press(page, 'Save');
  for (const step of ['Rugs are ready', 'Hand over', 'Undo: not handed over']) {
    await expect(heading(page, 'Rugs in the shop')).toBeFocused();
    await press(page, step);
  }
  await expect(page.getByRole('button', { name: 'Hand over' })).toBeVisible();
  await expect(heading(page, 'Rugs in the shop')).toBeFocused();
});

test('who has moved on keeps the focus', async ({ page, shop }) => {
  const { orderId } = await placeOrder(shop, 'Dorothy Vaughan');
  await openOrder(page, orderId);
  const release = Promise.withResolvers<void>();
  await page.route('**/notes', async (route) => {
    await release.promise;
    await route.continue();
  });
  const link = page.getByRole('link', { name: 'Work order to print' });
  const note = page.getByRole('textbox', { name: 'New note' });
  await note.fill('Call before noon.');
  await press(page, 'Save note');
  await link.focus();
  release.resolve();
  await expect(note).toHaveValue('');
  await expect(link).toBeFocused();

  await note.fill('Ring twice.');
  await press(page, 'Save note');
  await page.getByRole('heading', { level: 1 }).click();
  await expect(note).toHaveValue('');
  await expect(heading(page, 'Notes')).not.toBeFocused();
});
