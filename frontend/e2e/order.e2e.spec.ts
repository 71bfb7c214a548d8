import { brotliCompressSync } from 'node:zlib';
import {
  choosePickup,
  draftMatches,
  eventsOfPayment,
  expect,
  expectNoAxeViolations,
  fillCard,
  fillContact,
  fillRugs,
  orderUpToCheckout,
  payButton,
  type Shop,
  smallRug,
  summaryOf,
  test,
  twoRugs,
} from './shop.ts';

async function paymentsAtSquare(shop: Shop, orderId: string) {
  const payments = (await shop.square.payments()).map(({ payment }) => payment);
  return payments.filter((payment) => payment.reference_id === orderId);
}

async function orderOf(shop: Shop, paymentId: string) {
  const [order] = await shop.sql<{ order_id: string; total_cents: number; captured_cents: number }[]>`
    select order_id, total_cents, captured_cents from ledger.order_summary where payment_id = ${paymentId}`;
  if (order === undefined) throw new Error(`No order was paid by ${paymentId}`);
  return order;
}

function paymentIdOf(url: string): string {
  return new URL(url).searchParams.get('payment_id') ?? '';
}

test('two rugs with pickup cost the same in form, checkout, charge, ledger and receipt', { tag: '@core' }, async ({
  page,
  shop,
}) => {
  await page.goto('/');
  await fillRugs(page, twoRugs);
  await expect(page.getByText('8 × 10 ft, Premium')).toBeVisible();
  await expect(page.getByText('Area: 38.50 sq ft')).toBeVisible();
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  await fillContact(page);
  await choosePickup(page);
  await expect
    .poll(() => summaryOf(page))
    .toEqual({
      Subtotal: '$551.08',
      'White Glove Pickup & Delivery': '$59.25',
      'Green Pad': '$134.75',
      'CA Sales Tax': '$13.14',
      Total: '$758.22',
    });
  await page.getByRole('button', { name: 'Continue to payment' }).click();

  await expect(page.getByRole('heading', { name: 'Complete Your Payment' })).toBeVisible();
  await expect(page.getByText('$758.22').first()).toBeVisible();
  await fillCard(page);
  await page.getByRole('button', { name: 'Pay $758.22' }).click();

  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  await expect(page.getByText('$758.22').first()).toBeVisible();
  const paymentId = paymentIdOf(page.url());
  await expect(
    page.getByText(`${paymentId.slice(0, 8)}…`).or(page.getByText(`${paymentId.slice(0, 8)}...`)),
  ).toBeVisible();
  const order = await orderOf(shop, paymentId);
  expect(order).toMatchObject({ total_cents: 75_822, captured_cents: 75_822 });
  expect(await paymentsAtSquare(shop, order.order_id)).toMatchObject([
    { status: 'COMPLETED', amount_money: { amount: 75_822 } },
  ]);
  expect(await eventsOfPayment(shop, paymentId)).toEqual([
    'OrderPlaced',
    'PaymentStarted',
    'PaymentAuthorized',
    'PaymentCaptured',
  ]);
});

test('one small rug with pickup is topped up to the delivery minimum', async ({ page }) => {
  await page.goto('/');
  await fillRugs(page, smallRug);
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  await choosePickup(page);
  await expect
    .poll(() => summaryOf(page))
    .toEqual({
      Subtotal: '$75.00',
      'White Glove Pickup & Delivery': '$3.00',
      'Delivery Minimum': '$322.00',
      Total: '$400.00',
    });
  await expect(page.getByText('$400 minimum order requirement')).toBeVisible();
});

test('after a decline, the same order is paid with another card', { tag: ['@phone', '@core'] }, async ({
  page,
  shop,
}) => {
  await orderUpToCheckout(page, smallRug);
  await fillCard(page, '4000 0000 0000 0002');
  await payButton(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'declined' }).first()).toBeVisible();
  await fillCard(page);
  await payButton(page).click();
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  await expect(page.getByText('Payment Failed')).toHaveCount(0);
  const types = await eventsOfPayment(shop, paymentIdOf(page.url()));
  expect(types.filter((type) => type === 'OrderPlaced')).toHaveLength(1);
  expect(types.filter((type) => type === 'PaymentDeclined')).toHaveLength(1);
  expect(types.filter((type) => type === 'PaymentCaptured')).toHaveLength(1);
});

test('a double click on Pay charges once', { tag: ['@phone', '@core'] }, async ({ page, shop }) => {
  await orderUpToCheckout(page, smallRug);
  await fillCard(page);
  await payButton(page).dblclick();
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  const order = await orderOf(shop, paymentIdOf(page.url()));
  expect(await paymentsAtSquare(shop, order.order_id)).toHaveLength(1);
});

test('after a lost answer, the page confirms the payment and then finds it', {
  tag: '@phone',
}, async ({ page, shop }) => {
  await orderUpToCheckout(page, smallRug);
  await fillCard(page);
  await page.route('**/api/process-payment', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  // So that the test can see the confirming state.
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/payment-attempts/*', async (route) => {
    await held;
    await route.continue();
  });
  await payButton(page).click();
  await expect(page.getByText('We are confirming your payment').first()).toBeVisible();
  await expect(payButton(page)).toBeDisabled();
  await expectNoAxeViolations(page);
  release();
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  const order = await orderOf(shop, paymentIdOf(page.url()));
  expect(await paymentsAtSquare(shop, order.order_id)).toHaveLength(1);
});

test('a reload during an unknown outcome finds the payment', { tag: ['@phone', '@core'] }, async ({ page }) => {
  await orderUpToCheckout(page, smallRug);
  await fillCard(page);
  let lost = true;
  await page.route('**/api/process-payment', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.route('**/api/payment-attempts/*', (route) =>
    lost ? route.abort('internetdisconnected') : route.continue(),
  );
  await payButton(page).click();
  await expect(page.getByText('We are confirming your payment').first()).toBeVisible();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByText('We are confirming your payment').first()).toBeVisible();
  lost = false;
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
});

test('the form’s input survives a reload and the way back from the checkout', async ({ page }) => {
  await page.goto('/');
  await fillRugs(page, twoRugs);
  await draftMatches(page, /"mothProtection":true/);
  await page.reload();
  const second = page.getByRole('region', { name: 'Rug #2', exact: true });
  await expect(second.getByRole('textbox', { name: 'Width (inches)' })).toHaveValue('6');
  await expect(second.getByRole('checkbox', { name: 'Green Pad' })).toBeChecked();
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  await fillContact(page);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByRole('heading', { name: 'Complete Your Payment' })).toBeVisible();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Ada Lovelace');
});

test('an incomplete order shows which input is missing', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  await expect(
    page.getByText('Please provide complete dimensions for all rugs before proceeding to cart.').first(),
  ).toBeVisible();
  await expectNoAxeViolations(page);
  await fillRugs(page, smallRug);
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill('nobody');
  await page.getByRole('textbox', { name: 'Phone' }).focus();
  await expect(page.getByText('Please enter a valid email address').first()).toBeVisible();
  await expect(page.getByText('Please complete all required contact information to continue')).toBeVisible();
  await expectNoAxeViolations(page);
});

test('no page from the form to the receipt has accessibility violations', async ({ page }) => {
  await page.goto('/');
  await expectNoAxeViolations(page);
  await fillRugs(page, twoRugs);
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  await expectNoAxeViolations(page);
  await fillContact(page);
  await choosePickup(page);
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByRole('textbox', { name: 'Card number' })).toBeVisible();
  await expectNoAxeViolations(page);
  await fillCard(page);
  await payButton(page).click();
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  await expectNoAxeViolations(page);
});

test('the first load of the order form fetches at most 120 kB of JavaScript and 8 kB of CSS', {
  tag: '@phone',
}, async ({ page }) => {
  const fetched = { script: new Set<string>(), stylesheet: new Set<string>() };
  page.on('requestfinished', (request) => {
    const kind = request.resourceType();
    if (kind === 'script' || kind === 'stylesheet') fetched[kind].add(request.url());
  });
  // Playwright may wait without end for the body of a page's response.
  const weigh = async (urls: ReadonlySet<string>) => {
    const bodies = await Promise.all([...urls].map(async (url) => (await page.request.get(url)).body()));
    return bodies.reduce((sum, body) => sum + brotliCompressSync(body).byteLength, 0);
  };
  await page.goto('/', { waitUntil: 'networkidle' });
  // The scripts load after the first paint, which a busy machine may delay.
  await expect.poll(() => weigh(fetched.script)).toBeGreaterThan(50_000);
  await page.waitForLoadState('networkidle');
  expect(await weigh(fetched.script)).toBeLessThanOrEqual(120_000);
  expect(await weigh(fetched.stylesheet)).toBeLessThanOrEqual(8_000);
});

test('an unknown URL shows the 404 page', { tag: '@phone' }, async ({ page }) => {
  const answer = await page.goto('/rugs-of-the-moon');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
  await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible();
  await expectNoAxeViolations(page);
});

test('a receipt without a payment and a checkout without an order redirect to the home page', async ({ page }) => {
  await page.goto('/checkout');
  await expect(page.getByText('No active order was found. Please create a new order.')).toBeVisible();
  await expect(page).toHaveURL('/');
  await page.goto('/payment-success');
  await expect(page.getByRole('heading', { name: 'Payment Failed' })).toBeVisible();
  await expect(page).toHaveURL('/');
});
