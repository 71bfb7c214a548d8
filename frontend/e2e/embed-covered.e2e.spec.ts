import type { Frame, Page } from '@playwright/test';
import { expectHittable, frameRests, openDemo, scrollTo, topInWindow, waysOfEmbedding } from './embedded-form.ts';
import { press } from './press.ts';
import { expect, fillRugs, test, twoRugs } from './shop.ts';

/** A toast stays while the document is hidden. */
async function keepToasts(page: Page): Promise<void> {
  await page.addInitScript(() => Object.defineProperty(document, 'hidden', { get: () => true }));
}

function toastButtons(form: Frame) {
  return form.getByRole('region', { name: /Notifications/ }).getByRole('button');
}

async function expectComparisonHittable(page: Page, form: Frame): Promise<void> {
  await press(form.getByRole('button', { name: 'Compare Tiers' }).first());
  const dialog = form.getByRole('dialog', { name: 'Compare Tiers' });
  await expectHittable(page, dialog.getByRole('button', { name: /^(Close|Choose)/ }));
}

test('a parent’s bar covers neither the tiers’ buttons nor Undo', async ({ page, shop }) => {
  await keepToasts(page);
  const form = await openDemo(page, shop, '?script=none');
  await fillRugs(form, twoRugs);
  await expectComparisonHittable(page, form);
  await press(form.getByRole('button', { name: 'Choose Midrange' }));
  await expectHittable(page, toastButtons(form));
  await press(form.getByRole('button', { name: 'Remove Rug #2' }));
  await expectHittable(page, toastButtons(form));
  await press(form.getByRole('button', { name: 'Undo' }));
  await expect(form.getByRole('region', { name: 'Rug #2', exact: true })).toBeVisible();
});

test('a sticky header covers nothing if the page declares its height', async ({ page, shop }) => {
  await keepToasts(page);
  const form = await openDemo(page, shop);
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      'html{scroll-padding-top:80px}.sticky{position:fixed;z-index:9;inset:0 0 auto;height:80px;background:#900}',
    );
    document.adoptedStyleSheets = [sheet];
    document.body.append(Object.assign(document.createElement('header'), { className: 'sticky' }));
  });
  await fillRugs(form, twoRugs);
  await expectComparisonHittable(page, form);
  await press(form.getByRole('button', { name: 'Choose Midrange' }));
  await press(form.getByRole('button', { name: 'Remove Rug #1' }));
  await expectHittable(page, toastButtons(form));
  const card = form.getByRole('region', { name: 'Rug #1', exact: true });
  expect(await topInWindow(page, card)).toBeGreaterThanOrEqual(79);
  await press(form.getByRole('button', { name: 'Dismiss' }));
  await press(form.getByRole('button', { name: 'Continue to cart' }));
  await frameRests(page);
  expect(await topInWindow(page, form.locator('#order-step'))).toBeGreaterThanOrEqual(79);
});

for (const [way, variant] of Object.entries(waysOfEmbedding)) {
  test(`nothing covers a button of a dialog or a toast with ${way}`, async ({ page, shop }) => {
    await keepToasts(page);
    const form = await openDemo(page, shop, variant);
    await fillRugs(form, twoRugs);
    await expectComparisonHittable(page, form);
    await press(form.getByRole('button', { name: 'Choose Midrange' }));
    await expectHittable(page, toastButtons(form));
    for (const past of [0, 300, 900]) {
      await scrollTo(page, past);
      await expectHittable(page, toastButtons(form));
    }
    await press(form.getByRole('button', { name: 'Remove Rug #2' }));
    await expectHittable(page, toastButtons(form));
    await press(form.getByRole('button', { name: 'Undo' }));
    await expect(form.getByRole('heading', { name: 'Rug #2' })).toBeFocused();
    const restored = form.getByRole('region', { name: 'Rug #2', exact: true });
    await restored.getByRole('textbox', { name: 'Length (feet)' }).fill('');
    await press(form.getByRole('button', { name: 'Continue to cart' }));
    await expectHittable(page, toastButtons(form));
    await page.setViewportSize({ width: 844, height: 390 });
    await expectComparisonHittable(page, form);
    await press(form.getByRole('button', { name: 'Choose Premium' }));
    await expectHittable(page, toastButtons(form));
  });
}
