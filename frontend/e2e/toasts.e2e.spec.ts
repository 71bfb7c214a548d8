import type { Locator, Page } from '@playwright/test';
import {
  eventsOfPayment,
  expect,
  expectNoAxeViolations,
  fillCard,
  fillContact,
  fillRugs,
  orderUpToCheckout,
  payButton,
  smallRug,
  test,
} from './shop.ts';

function region(page: Page): Locator {
  return page.getByRole('region', { name: 'Notifications' });
}

/** A destructive message: it interrupts, so it is an alert. */
function alertToast(page: Page, title: string, description: string): Locator {
  return region(page)
    .getByRole('alert')
    .filter({ hasText: `${title}${description}` });
}

const incomplete = {
  title: 'Incomplete rug dimensions',
  description: 'Please provide complete dimensions for all rugs before proceeding to cart.',
};

/** The quickest way to a message: an empty form that is continued. */
async function showIncomplete(page: Page): Promise<Locator> {
  await page.goto('/');
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  const toast = alertToast(page, incomplete.title, incomplete.description);
  await expect(toast).toBeVisible();
  return toast;
}

function words(page: Page): Locator {
  return region(page).getByText(incomplete.title);
}

test('the form refuses in the words of the specification, one message at a time', async ({ page }) => {
  await showIncomplete(page);
  await expectNoAxeViolations(page);
  await fillRugs(page, [{ width: [0, 1], length: [0, 1], tier: 'Economy' }]);
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  await expect(alertToast(page, 'Invalid dimensions', 'Please ensure all rugs have valid dimensions.')).toBeVisible();
  await expect(words(page)).toHaveCount(0);
  await fillRugs(page, smallRug);
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  // It looks disabled and still answers: a person may press it.
  await page.getByRole('button', { name: 'Continue to payment' }).click({ force: true });
  await expect(alertToast(page, 'Missing information', 'Please fill in all required fields.')).toBeVisible();
  await fillContact(page);
  await page.route('**/api/quote', (route) => route.abort());
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(alertToast(page, 'Error', 'There was a problem submitting your order. Please try again.')).toBeVisible();
  await expect(region(page).getByRole('button', { name: 'Dismiss' })).toHaveCount(1);
});

test('the checkout and the receipt say in the words of the specification that there is nothing to show', async ({
  page,
}) => {
  await page.goto('/checkout');
  await expect(
    alertToast(page, 'No Order Found', 'No active order was found. Please create a new order.'),
  ).toBeVisible();
  await expect(page).toHaveURL('/');
  await page.evaluate(() => localStorage.setItem('currentOrder', '{"rugs":'));
  await page.goto('/checkout');
  await expect(alertToast(page, 'Error', 'Could not load your order details. Please try again.')).toBeVisible();
  await expect(page).toHaveURL('/');
  await page.goto('/payment-success');
  await expect(alertToast(page, 'No Payment Found', "We couldn't find your payment details.")).toBeVisible();
});

test('a payment that fails is told with the server’s message', async ({ page }) => {
  await orderUpToCheckout(page, smallRug);
  await fillCard(page, '4000 0000 0000 0002');
  await payButton(page).click();
  const toast = region(page).getByRole('alert').filter({ hasText: 'Payment Failed' });
  await expect(toast).toBeVisible();
  await expect(toast).toContainText('declined');
});

test('a message goes after five seconds', async ({ page }) => {
  await page.clock.install();
  await showIncomplete(page);
  await page.clock.runFor(4_000);
  await expect(words(page)).toBeVisible();
  await page.clock.runFor(1_500);
  await expect(words(page)).toHaveCount(0);
});

test('a message stays while it is pointed at, then for the rest of its time', async ({ page }) => {
  await page.clock.install();
  await showIncomplete(page);
  await page.clock.runFor(3_000);
  await words(page).hover();
  await page.clock.runFor(20_000);
  await expect(words(page)).toBeVisible();
  await page.mouse.move(5, 5);
  await page.clock.runFor(1_000);
  await expect(words(page)).toBeVisible();
  await page.clock.runFor(1_500);
  await expect(words(page)).toHaveCount(0);
});

test('a message waits while the page is hidden', async ({ page }) => {
  await page.clock.install();
  await showIncomplete(page);
  const hide = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  await hide(true);
  await page.clock.runFor(20_000);
  await expect(words(page)).toBeVisible();
  await hide(false);
  await page.clock.runFor(5_500);
  await expect(words(page)).toHaveCount(0);
});

test('F8 leads to the messages and holds them, Escape takes them away and leads back', async ({ page }) => {
  await page.clock.install();
  await showIncomplete(page);
  const box = page.getByRole('textbox', { name: 'Width (feet)' });
  await box.focus();
  await page.keyboard.press('F8');
  await expect(region(page)).toBeFocused();
  await page.clock.runFor(20_000);
  await expect(words(page)).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(region(page).getByRole('button', { name: 'Dismiss' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(words(page)).toHaveCount(0);
  await expect(box).toBeFocused();
});

test('a message dismissed by the keyboard gives the focus back', async ({ page }) => {
  await showIncomplete(page);
  const box = page.getByRole('textbox', { name: 'Width (feet)' });
  await box.focus();
  await page.keyboard.press('F8');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(words(page)).toHaveCount(0);
  await expect(box).toBeFocused();
});

async function pull(page: Page, pixels: number): Promise<void> {
  const box = await words(page).boundingBox();
  const x = (box?.x ?? 0) + 20;
  const y = (box?.y ?? 0) + 5;
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + pixels, y, { steps: 5 });
}

test('a message follows the finger, springs back from less than 50 pixels, and goes from 50', async ({ page }) => {
  await showIncomplete(page);
  await page.waitForTimeout(400);
  const resting = (await words(page).boundingBox())?.x ?? 0;
  await pull(page, 40);
  expect((await words(page).boundingBox())?.x).toBeCloseTo(resting + 40, 0);
  await page.mouse.up();
  await expect.poll(async () => (await words(page).boundingBox())?.x).toBeCloseTo(resting, 0);
  await pull(page, 55);
  await page.mouse.up();
  await expect(words(page)).toHaveCount(0);
});

test('what is pressed on a message is large enough, and pressing it leaves the focus in the form', async ({ page }) => {
  await showIncomplete(page);
  const box = page.getByRole('textbox', { name: 'Width (feet)' });
  await box.focus();
  const dismiss = region(page).getByRole('button', { name: 'Dismiss' });
  const size = await dismiss.boundingBox();
  expect(Math.min(size?.width ?? 0, size?.height ?? 0)).toBeGreaterThanOrEqual(44);
  await dismiss.click();
  await expect(words(page)).toHaveCount(0);
  await expect(box).toBeFocused();
});

for (const [stored, kept] of [
  [null, 'B'],
  ['A', 'A'],
  ['<script>', 'B'],
] as const) {
  test(`the A/B variant ${stored ?? 'that nobody stored'} is kept with the order as ${kept}`, async ({
    page,
    shop,
  }) => {
    if (stored !== null) {
      await page.addInitScript((variant) => localStorage.setItem('ab_checkout_variant', variant), stored);
    }
    await orderUpToCheckout(page, smallRug);
    await fillCard(page);
    await payButton(page).click();
    await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
    const paymentId = new URL(page.url()).searchParams.get('payment_id') ?? '';
    expect((await eventsOfPayment(shop, paymentId))[0]).toBe('OrderPlaced');
    const [placed] = await shop.sql<{ source: unknown }[]>`
      select e.payload -> 'source' as source from ledger.order_summary s
      join ledger.event e on e.stream_id = 'order-' || s.order_id and e.type = 'OrderPlaced'
      where s.payment_id = ${paymentId}`;
    expect(placed?.source).toEqual({ embedded: false, variant: kept });
  });
}
