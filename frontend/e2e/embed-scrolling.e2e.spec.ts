import { barOf, expectAtTop, openDemo, recordMessages, waysOfEmbedding } from './embedded-form.ts';
import { press } from './press.ts';
import { expect, fillCard, fillContact, fillRugs, payButton, test, twoRugs } from './shop.ts';

for (const [way, variant] of Object.entries(waysOfEmbedding)) {
  // Only `embed.js` scrolls smoothly.
  for (const reducedMotion of variant === '' ? (['no-preference', 'reduce'] as const) : (['reduce'] as const)) {
    test(`an added, a duplicated and a restored rug come into view with ${way}, motion: ${reducedMotion}`, async ({
      page,
      shop,
    }) => {
      await page.emulateMedia({ reducedMotion });
      const form = await openDemo(page, shop, variant);
      const rug = (number: number) => form.getByRole('region', { name: `Rug #${number}`, exact: true });
      await press(form.getByRole('button', { name: 'Add another rug' }));
      await expectAtTop(page, rug(2));
      await expect(rug(2).getByRole('textbox', { name: 'Width (feet)' })).toBeFocused();
      await press(form.getByRole('button', { name: 'Add another rug' }));
      await expectAtTop(page, rug(3));
      await press(form.getByRole('button', { name: 'Duplicate Rug #1' }));
      await expectAtTop(page, rug(2));
      await press(form.getByRole('button', { name: 'Remove Rug #4' }));
      await expectAtTop(page, rug(3));
      await press(form.getByRole('button', { name: 'Undo' }));
      await expectAtTop(page, rug(4));
    });
  }

  test(`the checkout and the receipt open at their beginning with ${way}`, {}, async ({ page, shop }) => {
    const form = await openDemo(page, shop, variant);
    await fillRugs(form, twoRugs);
    await press(form.getByRole('button', { name: 'Continue to cart' }));
    await expectAtTop(page, form.locator('#order-step'));
    await fillContact(form);
    await press(form.getByRole('button', { name: 'Continue to payment' }));
    await expectAtTop(page, form.getByRole('heading', { name: 'Complete Your Payment' }));
    await fillCard(form);
    await press(payButton(form));
    await expectAtTop(page, form.getByRole('heading', { name: 'Payment Successful!' }));
  });
}

test('after a rug is added, the parent’s bar marks it and never an earlier one', async ({ page, shop }) => {
  const messages = await recordMessages(page);
  const form = await openDemo(page, shop);
  await press(form.getByRole('button', { name: 'Add another rug' }));
  await expectAtTop(page, form.getByRole('region', { name: 'Rug #2', exact: true }));
  await expect(barOf(page).locator('[aria-current]')).toHaveText('Rug #2');
  const active = (await messages()).filter(({ type }) => type === 'ACTIVE_RUG_UPDATE');
  expect(active).toMatchObject([
    { activeRugIndex: 0, rugCount: 1 },
    { activeRugIndex: 1, rugCount: 2 },
  ]);
});
