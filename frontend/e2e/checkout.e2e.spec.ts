import type { Page } from '@playwright/test';
import {
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
  test,
} from './shop.ts';

const success = { name: 'Payment Successful!' };
const confirming = 'We are confirming your payment';

function paymentIdOf(page: Page): string {
  return new URL(page.url()).searchParams.get('payment_id') ?? '';
}

async function paymentsAtSquare(shop: Shop, page: Page) {
  const [order] = await shop.sql<{ order_id: string }[]>`
    select order_id from ledger.order_summary where payment_id = ${paymentIdOf(page)}`;
  const payments = (await shop.square.payments()).map(({ payment }) => payment);
  return payments.filter((payment) => payment.reference_id === order?.order_id);
}

async function rewritePage(page: Page, path: string, rewrite: (html: string) => string): Promise<void> {
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: rewrite(await response.text()) });
    },
  );
}

/** The comparison with the ledger asks Square for other things, too. */
async function chargesAt({ square }: Shop): Promise<number> {
  return (await square.requests()).filter(({ method }) => method === 'POST').length;
}

/** The local Square simulates the device's wallets. */
async function withWallets(page: Page, names: string): Promise<void> {
  await page.goto(`/checkout?test-wallets=${names}`);
  await expect(page.getByRole('textbox', { name: 'Card number' })).toBeVisible();
}

/** By ten dollars, as if prices had been raised since. */
async function rememberOldPrice(page: Page): Promise<void> {
  await page.evaluate(() => {
    const order = JSON.parse(localStorage.getItem('currentOrder') ?? '') as {
      totalAmount: number;
      subtotal: number;
      deliveryCost: number;
      rugs: { baseCost: number }[];
    };
    for (const rug of order.rugs) rug.baseCost -= 10;
    localStorage.setItem(
      'currentOrder',
      JSON.stringify({ ...order, subtotal: order.subtotal - 10, totalAmount: order.totalAmount - 10 }),
    );
  });
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Card number' })).toBeVisible();
}

test('the summary lists every rug with its size, area, tier and prices', async ({ page }) => {
  await page.goto('/');
  await fillRugs(page, [
    { width: [8, 0], length: [10, 0], tier: 'Premium' },
    { width: [5, 6], length: [7, 0], tier: 'Midrange', greenPad: true },
  ]);
  const second = page.getByRole('region', { name: 'Rug #2', exact: true });
  await second.getByRole('checkbox', { name: 'Stain protection' }).check();
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  await fillContact(page);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByRole('heading', { name: 'Complete Your Payment' })).toBeVisible();
  const summary = page.getByRole('region', { name: 'Order Summary' });
  // On phones its lines are folded.
  const folded = summary.getByText('2 rugs');
  if (await folded.isVisible()) await folded.click();
  await expect(summary.getByRole('listitem')).toHaveCount(2);
  const texts = await summary.getByRole('listitem').allInnerTexts();
  expect(texts.map((text) => text.split(/\s*\n\s*/))).toEqual([
    [
      'Rug #1',
      'Premium',
      '8 × 10 ft · 80.00 sq ft',
      'Base cost',
      '$476.00',
      '80.00 sq ft at $5.95. Stain protection included',
    ],
    [
      'Rug #2',
      'Midrange',
      '5 ft 6 in × 7 ft · 38.50 sq ft',
      'Base cost',
      '$152.08',
      '38.50 sq ft at $3.95',
      'Stain protection',
      '$96.25',
      'Green Pad',
      '$134.75',
    ],
  ]);
  await expect(summary.getByText('White Glove Pickup & Delivery')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Pay $881.60' })).toBeVisible();
});

test('invalid card data are listed field by field, and no request is sent', async ({ page, shop }) => {
  await orderUpToCheckout(page, smallRug);
  await expect(page.getByRole('textbox', { name: 'Card number' })).toBeVisible();
  const before = await chargesAt(shop);
  await page.getByRole('textbox', { name: 'Card number' }).fill('4111 1111 1111 1111');
  await page.getByRole('textbox', { name: 'CVV' }).fill('12');
  await payButton(page).click();
  const alert = page.getByRole('alert').filter({ hasText: 'Please check your card details' });
  await expect(alert.getByRole('listitem')).toHaveText([/^Expiration date/, /^CVV/]);
  await expect(page.getByRole('textbox', { name: 'Postal code' })).toHaveValue('90025');
  await expect(page.getByRole('textbox', { name: 'Expiration date' })).toBeFocused();
  await expectNoAxeViolations(page);
  expect(await chargesAt(shop)).toBe(before);
});

test('a decline names the field in the page and in a toast, and keeps the typed data', async ({ page }) => {
  await orderUpToCheckout(page, smallRug);
  await fillCard(page);
  await page.getByRole('textbox', { name: 'CVV' }).fill('911');
  await payButton(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The security code (CVV)' }).first()).toBeVisible();
  await expect(page.getByText('Payment Failed')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Card number' })).toHaveValue('4111 1111 1111 1111');
  await page.getByRole('textbox', { name: 'CVV' }).fill('111');
  await page.getByRole('textbox', { name: 'Postal code' }).fill('99999');
  await payButton(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The postal code' }).first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Postal code' }).fill('90025');
  await payButton(page).click();
  await expect(page.getByRole('heading', success)).toBeVisible();
});

test('an email address that Square refuses leads back to its field in the cart', async ({ page, shop }) => {
  await orderUpToCheckout(page, smallRug);
  await fillCard(page);
  const error = { code: 'INVALID_EMAIL_ADDRESS', category: 'INVALID_REQUEST_ERROR', field: 'buyer_email_address' };
  await shop.square.setFault({ kind: 'status', status: 400, ...error });
  await payButton(page).click();
  await expect(page.getByText('Your email address was not accepted')).not.toHaveCount(0);
  await page.getByRole('button', { name: 'Back to your cart' }).click();
  const email = page.getByRole('textbox', { name: 'Email' });
  await expect(email).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('This address was not accepted. Please check it').first()).toBeVisible();
  await expectNoAxeViolations(page);
  await email.fill('ada.lovelace@example.com');
  await expect(email).not.toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await fillCard(page);
  await payButton(page).click();
  await expect(page.getByRole('heading', success)).toBeVisible();
});

test.describe('the card form', () => {
  const unavailable = 'The card form could not be loaded';

  test('shows an error if its script is blocked, and a retry loads it', async ({ page }) => {
    await page.route('**/v1/square.js', (route) => route.abort('blockedbyclient'));
    await orderUpToCheckout(page, smallRug);
    await expect(page.getByRole('alert').filter({ hasText: unavailable })).toBeVisible();
    await expect(payButton(page)).toBeDisabled();
    await expectNoAxeViolations(page);
    await page.unroute('**/v1/square.js');
    await page.getByRole('button', { name: 'Try again' }).click();
    await fillCard(page);
    await payButton(page).click();
    await expect(page.getByRole('heading', success)).toBeVisible();
  });

  test('shows an error if its script is replaced by another one', async ({ page }) => {
    await page.route('**/v1/square.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'window.somethingElse = true;' }),
    );
    await orderUpToCheckout(page, smallRug);
    await expect(page.getByRole('alert').filter({ hasText: unavailable })).toBeVisible();
  });

  test('shows a configuration error for an invalid application id', async ({ page }) => {
    await orderUpToCheckout(page, smallRug);
    await rewritePage(page, '/checkout', (html) => html.replace('sandbox-sq0idb-', 'somebody-elses-'));
    await page.reload();
    const alert = page.getByRole('alert').filter({ hasText: unavailable });
    await expect(alert).toContainText('not set up correctly on our side');
  });

  test('shows a loading message until it is ready', async ({ page }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/v1/square.js', async (route) => {
      await held;
      await route.continue();
    });
    await orderUpToCheckout(page, smallRug);
    await expect(page.getByText('Loading Checkout')).toBeVisible();
    release();
    await expect(page.getByRole('textbox', { name: 'Card number' })).toBeVisible();
    await expect(page.getByText('Loading Checkout')).toHaveCount(0);
  });
});

test('after a voided payment, a notice appears, and the same order can be paid once', async ({ page, shop }) => {
  await orderUpToCheckout(page, smallRug);
  // Square answers 500 to every request, so the outcome is unknown until the payment is cancelled by its key.
  await fillCard(page, '4000 0000 0000 0507');
  await payButton(page).click();
  // At the same time, because this state may end before a second check begins.
  await Promise.all([expect(page.getByText(confirming).first()).toBeVisible(), expect(payButton(page)).toBeDisabled()]);
  await expect(page.getByText('Nothing was charged').first()).toBeVisible();
  await expect(page.getByText('You can pay again now.')).toBeVisible();
  await fillCard(page);
  await payButton(page).click();
  await expect(page.getByRole('heading', success)).toBeVisible();
  const types = await eventsOfPayment(shop, paymentIdOf(page));
  expect(types).toEqual([
    'OrderPlaced',
    'PaymentStarted',
    'PaymentVoided',
    'PaymentStarted',
    'PaymentAuthorized',
    'PaymentCaptured',
  ]);
});

test('if card payments are unavailable, a message appears, and a later payment succeeds', async ({ page, shop }) => {
  await orderUpToCheckout(page, smallRug);
  await fillCard(page);
  await shop.square.setFault({ kind: 'status', status: 401 });
  await payButton(page).click();
  await expect(page.getByText('Card payment is not available right now').first()).toBeVisible();
  await expectNoAxeViolations(page);
  await fillCard(page);
  await payButton(page).click();
  await expect(page.getByRole('heading', success)).toBeVisible();
});

test('an order is paid although what the checkout shows later cannot be loaded', async ({ page }) => {
  await page.route(/\/(deferred-parts|toast-region)-[^/]*\.css$/, (route) => route.abort());
  await orderUpToCheckout(page, smallRug);
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('deferred-parts'));
  await page.goto('/checkout?test-wallets=google');
  await failed;
  await fillCard(page);
  await payButton(page).click();
  await expect(page.getByRole('heading', success)).toBeVisible();
});

test.describe('the receipt', () => {
  const receipt = '**/receipt-page-*.js';

  test('is loaded before the payment, so that a connection lost after it shows the receipt', async ({ page }) => {
    const loaded = page.waitForResponse(receipt);
    await orderUpToCheckout(page, smallRug);
    await fillCard(page);
    await (await loaded).finished();
    await page.route('**/assets/*', (route) => route.abort());
    await payButton(page).click();
    await expect(page.getByRole('heading', success)).toBeVisible();
  });

  test('that could not be loaded asks not to pay again, and a retry loads it', async ({ page }) => {
    await page.route(receipt, (route) => route.abort());
    await orderUpToCheckout(page, smallRug);
    await fillCard(page);
    await payButton(page).click();
    await expect(page.getByText('If you have paid, your payment is safe. Please do not pay again.')).toBeVisible();
    await expectNoAxeViolations(page);
    await page.unroute(receipt);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', success)).toBeVisible();
  });
});

test('after closing the tab during an unknown outcome, a new tab finds it', async ({ page, context, shop }) => {
  await orderUpToCheckout(page, smallRug);
  await fillCard(page);
  await page.route('**/api/process-payment', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.route('**/api/payment-attempts/*', (route) => route.abort('connectionreset'));
  await payButton(page).click();
  await expect(page.getByText(confirming).first()).toBeVisible();
  await page.close();
  const next = await context.newPage();
  await next.goto('/checkout');
  await expect(next.getByRole('heading', success)).toBeVisible();
  expect(await paymentsAtSquare(shop, next)).toHaveLength(1);
});

test('the page looks up the outcome again when the network is back', async ({ page, context }) => {
  await orderUpToCheckout(page, smallRug);
  await fillCard(page);
  await page.route('**/api/process-payment', async (route) => {
    await route.fetch();
    await context.setOffline(true);
    await route.abort('internetdisconnected');
  });
  await payButton(page).click();
  await expect(page.getByText('We will ask again as soon as you are connected.')).toBeVisible();
  await expect(payButton(page)).toBeDisabled();
  await context.setOffline(false);
  await expect(page.getByRole('heading', success)).toBeVisible();
});

test('a press on Pay while offline sends no request, not even after reconnecting', async ({ page, context, shop }) => {
  await orderUpToCheckout(page, smallRug);
  await fillCard(page);
  const before = await chargesAt(shop);
  await context.setOffline(true);
  await payButton(page).click();
  await expect(page.getByText('Nothing was sent and nothing was charged.')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('Nothing was sent and nothing was charged.')).toHaveCount(0);
  expect(await chargesAt(shop)).toBe(before);
});

test('while the server is unavailable, the page looks up the outcome until it knows that nothing was charged', async ({
  page,
}) => {
  await orderUpToCheckout(page, smallRug);
  await fillCard(page);
  let isAway = true;
  const answer = { status: 503, json: { code: 'Unavailable', message: 'We could not reach our records just now.' } };
  await page.route('**/api/process-payment', (route) => (isAway ? route.fulfill(answer) : route.continue()));
  await page.route('**/api/payment-attempts/*', (route) => (isAway ? route.fulfill(answer) : route.continue()));
  await payButton(page).click();
  await expect(page.getByText(confirming).first()).toBeVisible();
  isAway = false;
  await expect(page.getByText('Nothing was charged').first()).toBeVisible();
  await payButton(page).click();
  await expect(page.getByRole('heading', success)).toBeVisible();
});

test('while one tab pays, another tab waits for the outcome, and the order is paid once', async ({
  page,
  context,
  shop,
}) => {
  await orderUpToCheckout(page, smallRug);
  const other = await context.newPage();
  await other.goto('/checkout');
  await fillCard(other);
  await fillCard(page, '4000 0000 0000 0705'); // Square answers after six seconds.
  await payButton(page).click();
  await expect(other.getByText('This order is being paid already, in another tab or window.')).toBeVisible();
  await expect(payButton(other)).toBeDisabled();
  await expect(page.getByRole('heading', success)).toBeVisible();
  await expect(other.getByRole('heading', success)).toBeVisible();
  expect(paymentIdOf(other)).toBe(paymentIdOf(page));
  expect(await paymentsAtSquare(shop, page)).toHaveLength(1);
});

test('during the payment, leaving the page is blocked with a message', async ({ page }) => {
  await orderUpToCheckout(page, smallRug);
  await fillCard(page, '4000 0000 0000 0705');
  await payButton(page).click();
  await expect(page.getByText('Your payment is being made. Please stay on this page.')).toBeVisible();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page.getByText('Please stay on this page until it is finished.')).toBeVisible();
  await expect(page).toHaveURL('/checkout');
  await expect(page.getByRole('heading', success)).toBeVisible();
});

test('a tab that tries to pay an already paid order shows the first payment', async ({ page, context, shop }) => {
  await orderUpToCheckout(page, smallRug);
  const other = await context.newPage();
  // This tab does not notice the first tab's payment.
  await other.addInitScript(() => window.addEventListener('storage', (event) => event.stopImmediatePropagation()));
  await other.goto('/checkout');
  await fillCard(other);
  await fillCard(page);
  await payButton(page).click();
  await expect(page.getByRole('heading', success)).toBeVisible();
  await payButton(other).click();
  await expect(other.getByRole('heading', success)).toBeVisible();
  expect(paymentIdOf(other)).toBe(paymentIdOf(page));
  expect(await paymentsAtSquare(shop, page)).toHaveLength(1);
});

test('a changed price is shown line by line, and charged only after another press on Pay', { tag: '@core' }, async ({
  page,
  shop,
}) => {
  await orderUpToCheckout(page, [{ width: [10, 0], length: [10, 0], tier: 'Premium' }]);
  await rememberOldPrice(page);
  await fillCard(page);
  const before = (await shop.square.payments()).length;
  await page.getByRole('button', { name: 'Pay $635.00' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'The price of your order has changed' });
  await expect(alert.getByRole('row')).toHaveText([
    'What changedBeforeNow',
    'Rug #1: Base cost$585.00$595.00',
    'Total$635.00$645.00',
  ]);
  expect(await shop.square.payments()).toHaveLength(before);
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Pay $645.00' }).click();
  await expect(page.getByRole('heading', success)).toBeVisible();
  expect(await paymentsAtSquare(shop, page)).toMatchObject([{ amount_money: { amount: 64_500 } }]);
});

test.describe('wallets', () => {
  const googlePay = { name: 'Google Pay (test)' };
  const applePay = { name: 'Pay with Apple Pay' };

  test('are not offered on a device without wallets', async ({ page }) => {
    await orderUpToCheckout(page, smallRug);
    await expect(page.getByRole('textbox', { name: 'Card number' })).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expect(page.getByText('This browser has no Apple Pay and no Google Pay.')).toBeVisible();
    await expect(page.getByRole('button', applePay)).toHaveCount(0);
  });

  test('pay the order', { tag: '@core' }, async ({ page, shop }) => {
    await orderUpToCheckout(page, smallRug);
    await withWallets(page, 'google,apple');
    await expect(page.getByRole('button', applePay)).toBeVisible();
    await expectNoAxeViolations(page);
    await page.getByRole('button', googlePay).click();
    const sheet = page.getByRole('dialog', { name: 'Test Google Pay' });
    await expect(sheet.getByText('Total: $400.00')).toBeVisible();
    await sheet.getByRole('button', { name: 'Pay', exact: true }).click();
    await expect(page.getByRole('heading', success)).toBeVisible();
    expect(await paymentsAtSquare(shop, page)).toMatchObject([
      { status: 'COMPLETED', amount_money: { amount: 40_000 } },
    ]);
  });

  test('change nothing when closed, and after a decline the card form still works', async ({ page, shop }) => {
    await orderUpToCheckout(page, smallRug);
    await withWallets(page, 'apple');
    await expect(page.getByRole('button', googlePay)).toHaveCount(0);
    await page.getByRole('button', applePay).click();
    await expect(payButton(page)).toBeDisabled();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await expect(payButton(page)).toBeEnabled();
    await page.getByRole('button', applePay).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pay with a card that is declined' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'declined' }).first()).toBeVisible();
    await fillCard(page);
    await payButton(page).click();
    await expect(page.getByRole('heading', success)).toBeVisible();
    const types = await eventsOfPayment(shop, paymentIdOf(page));
    expect(types.filter((type) => type === 'PaymentStarted')).toHaveLength(2);
  });

  test('that never answer leave the card to pay with, and a late answer pays nothing', async ({ page, shop }) => {
    await page.clock.install();
    await orderUpToCheckout(page, smallRug);
    await withWallets(page, 'apple');
    await page.getByRole('button', applePay).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Never answer' }).click();
    await expect(page.getByText('Please confirm the payment in your wallet')).toBeVisible();
    await page.clock.runFor(20_000);
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Pay by card instead' }).click();
    await fillCard(page);
    await payButton(page).click();
    await expect(page.getByRole('heading', success)).toBeVisible();
    expect(await paymentsAtSquare(shop, page)).toHaveLength(1);
  });

  test('show the new total after a price has changed', async ({ page }) => {
    await orderUpToCheckout(page, [{ width: [10, 0], length: [10, 0], tier: 'Premium' }]);
    await rememberOldPrice(page);
    await withWallets(page, 'google');
    await page.getByRole('button', googlePay).click();
    await expect(page.getByRole('dialog').getByText('Total: $635.00')).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Pay', exact: true }).click();
    await expect(page.getByText('The price of your order has changed')).toBeVisible();
    await page.getByRole('button', googlePay).click();
    await expect(page.getByRole('dialog').getByText('Total: $645.00')).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Pay', exact: true }).click();
    await expect(page.getByRole('heading', success)).toBeVisible();
  });
});

test.describe('the terms', () => {
  test('are links that show the terms of service and the privacy policy on the checkout page', async ({ page }) => {
    await orderUpToCheckout(page, smallRug);
    await fillCard(page);
    await page.getByRole('link', { name: 'terms of service' }).click();
    await expect(page.getByRole('region', { name: 'Terms of service' })).toBeVisible();
    await page.getByRole('link', { name: 'privacy policy' }).click();
    await expect(page.getByRole('region', { name: 'Privacy policy' })).toBeVisible();
    await expectNoAxeViolations(page);
    await expect(page).toHaveURL('/checkout');
    await expect(page.getByRole('textbox', { name: 'Card number' })).toHaveValue('4111 1111 1111 1111');
  });

  test('of the business are shown with their markup, but their scripts do not run', async ({ page }) => {
    const terms =
      '<h2>House rules</h2><p>We <b>wash</b>. <a href="https://rugs.example/terms">All terms</a></p>' +
      '<svg><script>window.wasRun = true</script></svg>' +
      '<iframe srcdoc="<script>parent.wasRun = true</script>"></iframe>';
    await orderUpToCheckout(page, smallRug);
    const json = JSON.stringify(terms).replaceAll('<', String.raw`\u003c`);
    await rewritePage(page, '/checkout', (html) => html.replace('"terms":""', () => `"terms":${json}`));
    await page.reload();
    await expect(page.getByRole('heading', { name: 'House rules' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'All terms' })).toHaveAttribute('href', 'https://rugs.example/terms');
    await expect(page.getByText('terms of service')).toHaveCount(0);
    expect(await page.evaluate(() => 'wasRun' in window)).toBe(false);
    await expectNoAxeViolations(page);
  });
});
