import {
  choosePickup,
  expect,
  expectNoAxeViolations,
  fillCard,
  fillContact,
  fillRugs,
  orderUpToCheckout,
  payButton,
  smallRug,
  test,
  twoRugs,
} from './shop.ts';

// Outside the successful path, which `order.e2e.spec.ts` checks.

test('the form has no violations with an Undo toast and with an open comparison', async ({ page }) => {
  await page.goto('/');
  await fillRugs(page, twoRugs);
  await page.getByRole('button', { name: 'Remove Rug #2' }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Compare Tiers' }).click();
  await expect(page.getByRole('dialog', { name: 'Compare Tiers' })).toBeVisible();
  await expectNoAxeViolations(page);
});

test('the cart has no violations with errors and during the quote request', async ({ page }) => {
  await page.goto('/');
  await fillRugs(page, smallRug);
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  await page.getByRole('radio', { name: 'White Glove Pickup & Delivery' }).check();
  await page.getByRole('button', { name: 'Continue to payment' }).click({ force: true });
  await expect(page.getByText('ZIP Code is required').first()).toBeVisible();
  await expect(page.getByText('(Please review this section)')).toBeVisible();
  await expectNoAxeViolations(page);

  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/quote', async (route) => {
    await held;
    await route.continue();
  });
  await fillContact(page);
  await choosePickup(page);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByRole('button', { name: 'Preparing your service...' })).toBeVisible();
  await expectNoAxeViolations(page);
  release();
  await expect(page.getByRole('heading', { name: 'Complete Your Payment' })).toBeVisible();
});

test('the checkout has no violations after a decline, nor has a receipt whose order cannot be loaded', async ({
  page,
}) => {
  await orderUpToCheckout(page, smallRug);
  await fillCard(page, '4000 0000 0000 0002');
  await payButton(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'declined' }).first()).toBeVisible();
  await expectNoAxeViolations(page);
  await fillCard(page);
  await payButton(page).click();
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  await expect(page.getByText('ending in 1111')).toBeVisible();
  // The payment exists, but its order cannot be loaded, and the browser keeps no copy of an order that was.
  await page.route('**/api/orders/payment/*', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('button', { name: 'Try Again' })).toBeVisible();
  await expectNoAxeViolations(page);
});

test('a failed payment and a page that does not exist have no violations', async ({ page }) => {
  // The page redirects after three seconds, and axe may take longer.
  await page.addInitScript(() => {
    const { setTimeout: start } = window;
    const skipRedirect = (run: () => void, milliseconds: number) =>
      milliseconds === 3_000 ? 0 : start(run, milliseconds);
    Object.assign(window, { setTimeout: skipRedirect });
  });
  await page.goto('/payment-success');
  await expect(page.getByRole('heading', { name: 'Payment Failed' })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.goto('/rugs-of-the-moon');
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
  await expectNoAxeViolations(page);
});
