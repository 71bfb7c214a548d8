import type { Locator, Page } from '@playwright/test';
import { press } from './press.ts';
import { expect, fillRugs, smallRug, test } from './shop.ts';

/** Expects it in the viewport and not covered by the bar. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  const isReached = () => target.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if (!(await isReached())) continue;
    await expect(target).toBeInViewport();
    expect(await isCoveredByBar(target)).toBe(false);
    return;
  }
  throw new Error(`${target.toString()} is not reached by Tab`);
}

function isCoveredByBar(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const bar = document.querySelector('nav[aria-label="Order steps"]');
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return bar?.contains(hit) === true && !bar.contains(element);
  });
}

async function typeInto(page: Page, at: Page | Locator, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    await tabTo(page, at.getByRole('textbox', { name, exact: true }));
    await page.keyboard.type(text);
  }
}

test('the key of a phone’s keyboard goes to the next field, and at the last one on', async ({ page }) => {
  await page.goto('/');
  await fillRugs(page, smallRug);
  await press(page.getByRole('button', { name: 'Continue to cart' }));
  const [name, email, phone] = ['Name', 'Email', 'Phone'].map((each) =>
    page.getByRole('textbox', { name: each, exact: true }),
  ) as [Locator, Locator, Locator];
  await name.fill('Ada Lovelace');
  await name.press('Enter');
  await expect(email).toBeFocused();
  await email.press('Enter');
  await expect(phone).toBeFocused();
  await expect(page.getByText('There is a problem')).toHaveCount(0);
  await phone.press('Enter');
  await expect(page.getByText('There is a problem')).toBeVisible();
});

test('an order is made and paid with the keyboard only', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');

  const rug = page.getByRole('region', { name: 'Rug #1', exact: true });
  await typeInto(page, rug, {
    'Width (feet)': '8',
    'Width (inches)': '0',
    'Length (feet)': '10',
    'Length (inches)': '0',
  });
  await tabTo(page, rug.getByRole('radio', { name: 'Premium' }));
  await page.keyboard.press('ArrowRight');
  await expect(rug.getByRole('radio', { name: 'Midrange' })).toBeChecked();
  await tabTo(page, rug.getByRole('checkbox', { name: 'Green Pad' }));
  await page.keyboard.press('Space');
  await expect(rug.getByRole('checkbox', { name: 'Green Pad' })).toBeChecked();
  await tabTo(page, page.getByRole('button', { name: 'Continue to cart' }));
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'Cart & Checkout' })).toBeFocused();
  await tabTo(page, page.getByRole('radio', { name: 'Drop-off' }));
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'White Glove Pickup & Delivery' })).toBeChecked();
  await typeInto(page, page, {
    Name: 'Ada Lovelace',
    Email: 'ada@example.com',
    Phone: '3105550142',
    'Street address': '12 Analytical Way',
    City: 'Los Angeles',
    State: 'CA',
    'ZIP Code': '90025',
  });
  await tabTo(page, page.getByRole('button', { name: 'Continue to payment' }));
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'Complete Your Payment' })).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Card number' })).toBeVisible();
  await typeInto(page, page, {
    'Card number': '4111 1111 1111 1111',
    'Expiration date': '1230',
    CVV: '111',
    'Postal code': '90025',
  });
  await tabTo(page, page.getByRole('button', { name: /^Pay \$/ }));
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeFocused();
  await tabTo(page, page.getByRole('link', { name: 'Return to Home' }));
  await tabTo(page, page.getByRole('button', { name: 'Print receipt' }));
});

test('a rug is compared, removed and restored with the keyboard only', async ({ page }) => {
  await page.goto('/');
  const rug = (number: number) => page.getByRole('region', { name: `Rug #${number}`, exact: true });
  await tabTo(page, rug(1).getByRole('button', { name: '8 × 10 ft' }));
  await page.keyboard.press('Enter');
  await tabTo(page, rug(1).getByRole('button', { name: 'Compare Tiers' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Choose Midrange' }));
  await page.keyboard.press('Enter');
  await expect(rug(1).getByRole('radio', { name: 'Midrange' })).toBeChecked();
  await tabTo(page, page.getByRole('button', { name: 'Add another rug' }));
  await page.keyboard.press('Enter');
  await expect(rug(2).getByRole('textbox', { name: 'Width (feet)' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await tabTo(page, page.getByRole('button', { name: 'Remove Rug #2' }));
  await page.keyboard.press('Enter');
  await expect(rug(2)).toHaveCount(0);
  await page.keyboard.press('F8');
  await tabTo(page, page.getByRole('button', { name: 'Undo' }));
  await page.keyboard.press('Enter');
  await expect(rug(2)).toBeVisible();
});
