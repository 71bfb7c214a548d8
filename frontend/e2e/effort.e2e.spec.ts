import type { Locator, Page } from '@playwright/test';
import { expect, test } from './shop.ts';

// From landing to paid: one rug, drop-off, on a phone. The card's own fields advance by themselves and count as one
// tap.

/** A phone's keyboard has a key for the next field, so that needs no tap. */
function person(page: Page) {
  const done = { taps: 0, fields: 0 };
  return {
    done,
    tap: async (target: Locator) => {
      done.taps += 1;
      await target.tap();
    },
    type: async (name: string, text: string) => {
      done.fields += 1;
      await expect(page.getByRole('textbox', { name, exact: true })).toBeFocused();
      await page.keyboard.type(text);
    },
    toNextField: () => page.keyboard.press('Tab'),
  };
}

const paid = { name: 'Payment Successful!' };

test('by card: at most six taps and three fields besides the card', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/');
  const { done, tap, type, toNextField } = person(page);
  await tap(page.getByRole('button', { name: '8 × 10 ft' }));
  await tap(page.getByRole('button', { name: 'Continue to cart' }));
  await tap(page.getByRole('textbox', { name: 'Name' }));
  await type('Name', 'Ada Lovelace');
  await toNextField();
  await type('Email', 'ada@example.com');
  await toNextField();
  await type('Phone', '3105550142');
  await tap(page.getByRole('button', { name: 'Continue to payment' }));
  await tap(page.getByRole('textbox', { name: 'Card number' }));
  for (const text of ['4111111111111111', '1230', '111', '90025']) await page.keyboard.type(text);
  await tap(page.getByRole('button', { name: 'Pay $476.00' }));
  await expect(page.getByRole('heading', paid)).toBeVisible();
  expect(done.taps).toBeLessThanOrEqual(6);
  expect(done.fields).toBeLessThanOrEqual(3);
});

test('by wallet: at most five taps and no field', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/?test-wallets=google');
  const { done, tap } = person(page);
  await tap(page.getByRole('button', { name: '8 × 10 ft' }));
  await tap(page.getByRole('button', { name: 'Continue to cart' }));
  await tap(page.getByRole('button', { name: 'Continue with Apple Pay or Google Pay' }));
  await tap(page.getByRole('button', { name: 'Google Pay (test)' }));
  await tap(page.getByRole('dialog').getByRole('button', { name: 'Pay', exact: true }));
  await expect(page.getByRole('heading', paid)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Your details' })).toContainText('Wanda Wallet');
  expect(done.taps).toBeLessThanOrEqual(5);
  expect(done.fields).toBe(0);
});

test('the size and the payment begin on the first screen, and the cart is short', { tag: '@phone' }, async ({
  page,
}) => {
  const bottomOf = async (target: Locator) => {
    const box = await target.boundingBox();
    if (box === null) throw new Error(`${target.toString()} is not drawn`);
    return box.y + box.height;
  };
  await page.goto('/');
  expect(await bottomOf(page.getByRole('textbox', { name: 'Width (feet)' }))).toBeLessThan(844);
  const topInPage = async (target: Locator) => {
    await expect(target).toBeVisible();
    return target.evaluate((element) => element.getBoundingClientRect().top + window.scrollY);
  };
  const onward = page.getByRole('button', { name: 'Continue to cart' });
  const onwardAt = await topInPage(onward);
  await page.getByRole('button', { name: '8 × 10 ft' }).tap();
  await expect(page.getByText('Area: 80.00 sq ft')).toBeVisible();
  // A tap that is on its way must not miss.
  expect(await topInPage(onward)).toBe(onwardAt);
  await onward.tap();
  expect(await topInPage(page.getByRole('textbox', { name: 'Name' }))).toBeLessThan(700);
  expect(await topInPage(page.getByRole('button', { name: 'Continue to payment' }))).toBeLessThan(1250);
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace');
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com');
  await page.getByRole('textbox', { name: 'Phone' }).fill('3105550142');
  await page.getByRole('button', { name: 'Continue to payment' }).tap();
  await expect(page.getByRole('textbox', { name: 'Card number' })).toBeVisible();
  expect(await bottomOf(page.getByRole('button', { name: 'Pay $476.00' }))).toBeLessThan(844);
});
