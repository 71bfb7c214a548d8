import type { Locator, Page } from '@playwright/test';
import { atRest } from './press.ts';
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

function alertToast(page: Page, title: string, description: string): Locator {
  return region(page)
    .getByRole('alert')
    .filter({ hasText: `${title}${description}` });
}

const incomplete = {
  title: 'Incomplete rug dimensions',
  description: 'Please provide complete dimensions for all rugs before proceeding to cart.',
};

/** By continuing with an empty form. */
async function showIncomplete(page: Page): Promise<Locator> {
  await page.goto('/');
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  const toast = alertToast(page, incomplete.title, incomplete.description);
  await expect(toast).toBeVisible();
  return toast;
}

function toastTitle(page: Page): Locator {
  return region(page).getByText(incomplete.title);
}

test('the form shows the specification’s toasts, one at a time', async ({ page }) => {
  await showIncomplete(page);
  await expectNoAxeViolations(page);
  await fillRugs(page, [{ width: [0, 1], length: [0, 1], tier: 'Economy' }]);
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  await expect(alertToast(page, 'Invalid dimensions', 'Please ensure all rugs have valid dimensions.')).toBeVisible();
  await expect(toastTitle(page)).toHaveCount(0);
  await fillRugs(page, smallRug);
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  // Only `aria-disabled`, so it can be pressed.
  await page.getByRole('button', { name: 'Continue to payment' }).click({ force: true });
  await expect(alertToast(page, 'Missing information', 'Please fill in all required fields.')).toBeVisible();
  await fillContact(page);
  const logged: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && logged.push(message.text()));
  await page.route('**/api/quote', (route) => route.fulfill({ status: 500, body: 'for ada@example.com' }));
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect.poll(() => logged).toEqual(['The order was not submitted: 500, Http500']);
  await page.route('**/api/quote', (route) => route.abort());
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(region(page).getByText('There was a problem submitting your order. Please try again.')).toBeVisible();
  await expect(region(page).getByRole('button', { name: 'Dismiss' })).toHaveCount(1);
  await expect.poll(() => logged.slice(1)).toEqual(['The order was not submitted: no answer (network)']);
});

test('the checkout and the receipt show the specification’s toasts for a missing order or payment', async ({
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

test('the toast of a failed payment shows the server’s message', async ({ page }) => {
  await orderUpToCheckout(page, smallRug);
  await fillCard(page, '4000 0000 0000 0002');
  await payButton(page).click();
  await expect(region(page).getByText('Payment Failed')).toBeVisible();
  await expect(region(page)).toContainText('declined');
  // A screen reader hears it once, from the page.
  await expect(region(page).getByRole('alert')).toBeEmpty();
  await expect(page.getByRole('alert').filter({ hasText: 'declined' })).toHaveCount(1);
  // Neither what is told nor what is to be pressed is behind it.
  const isFree = (place: Locator) =>
    place.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
  await payButton(page).scrollIntoViewIfNeeded();
  await expect.poll(() => isFree(payButton(page))).toBe(true);
  expect(await isFree(page.getByRole('alert').filter({ hasText: 'declined' }))).toBe(true);
});

test('a toast disappears after five seconds', async ({ page }) => {
  await page.clock.install();
  await showIncomplete(page);
  await page.clock.runFor(4_000);
  await expect(toastTitle(page)).toBeVisible();
  await page.clock.runFor(1_500);
  await expect(toastTitle(page)).toHaveCount(0);
});

test('hovering a toast pauses its countdown', async ({ page }) => {
  await page.clock.install();
  await showIncomplete(page);
  await page.clock.runFor(3_000);
  await toastTitle(page).hover();
  await page.clock.runFor(20_000);
  await expect(toastTitle(page)).toBeVisible();
  await page.mouse.move(5, 5);
  await page.clock.runFor(1_000);
  await expect(toastTitle(page)).toBeVisible();
  await page.clock.runFor(1_500);
  await expect(toastTitle(page)).toHaveCount(0);
});

test('a hidden page pauses a toast’s countdown', async ({ page }) => {
  await page.clock.install();
  await showIncomplete(page);
  const hide = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  await hide(true);
  await page.clock.runFor(20_000);
  await expect(toastTitle(page)).toBeVisible();
  await hide(false);
  await page.clock.runFor(5_500);
  await expect(toastTitle(page)).toHaveCount(0);
});

test('F8 focuses the toast and pauses its countdown, Escape dismisses it and restores the focus', async ({ page }) => {
  await page.clock.install();
  await showIncomplete(page);
  const box = page.getByRole('textbox', { name: 'Width (feet)' });
  await box.focus();
  await page.keyboard.press('F8');
  await expect(region(page)).toBeFocused();
  await page.clock.runFor(20_000);
  await expect(toastTitle(page)).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(region(page).getByRole('button', { name: 'Dismiss' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(toastTitle(page)).toHaveCount(0);
  await expect(box).toBeFocused();
});

test('dismissing a toast with the keyboard restores the focus', async ({ page }) => {
  await showIncomplete(page);
  const box = page.getByRole('textbox', { name: 'Width (feet)' });
  await box.focus();
  await page.keyboard.press('F8');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(toastTitle(page)).toHaveCount(0);
  await expect(box).toBeFocused();
});

async function dragToast(page: Page, pixels: number): Promise<void> {
  const box = await toastTitle(page).boundingBox();
  const x = (box?.x ?? 0) + 20;
  const y = (box?.y ?? 0) + 5;
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + pixels, y, { steps: 5 });
}

test('a toast follows the finger, springs back below 50 pixels, and is dismissed from 50', async ({ page }) => {
  await showIncomplete(page);
  await atRest(toastTitle(page));
  const resting = (await toastTitle(page).boundingBox())?.x ?? 0;
  await dragToast(page, 40);
  expect((await toastTitle(page).boundingBox())?.x).toBeCloseTo(resting + 40, 0);
  await page.mouse.up();
  await expect.poll(async () => (await toastTitle(page).boundingBox())?.x).toBeCloseTo(resting, 0);
  await dragToast(page, 55);
  await page.mouse.up();
  await expect(toastTitle(page)).toHaveCount(0);
});

test('the Dismiss button is large enough, and pressing it keeps the focus in the form', async ({ page }) => {
  await showIncomplete(page);
  const box = page.getByRole('textbox', { name: 'Width (feet)' });
  await box.focus();
  const dismiss = region(page).getByRole('button', { name: 'Dismiss' });
  const size = await dismiss.boundingBox();
  // A toast at rest after a move may be a millionth of a pixel smaller.
  expect(Math.round(Math.min(size?.width ?? 0, size?.height ?? 0))).toBeGreaterThanOrEqual(44);
  await dismiss.click();
  await expect(toastTitle(page)).toHaveCount(0);
  await expect(box).toBeFocused();
});

for (const [stored, kept] of [
  [null, 'B'],
  ['A', 'A'],
  ['<script>', 'B'],
] as const) {
  test(`with the stored A/B variant ${stored ?? '(none)'}, the order has the variant ${kept}`, async ({
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
