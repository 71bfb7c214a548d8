import type { Page } from '@playwright/test';
import { failUntilPressed } from './press.ts';
import {
  expect,
  expectNoAxeViolations,
  fillCard,
  fillContact,
  orderUpToCheckout,
  payButton,
  smallRug,
  test,
  twoRugs,
} from './shop.ts';

const adminPassword = 'a Tabriz on the loom, 1911';
test.use({ variables: { ADMIN_PASSWORD: adminPassword } });

const success = { name: 'Payment Successful!' };

/** In the shop. */
function today(): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'America/Los_Angeles' }).format(new Date());
}

function paymentIdOf(page: Page): string {
  return new URL(page.url()).searchParams.get('payment_id') ?? '';
}

async function payByCard(page: Page): Promise<void> {
  await fillCard(page);
  await payButton(page).click();
  await expect(page.getByRole('heading', success)).toBeVisible();
  await expect(page.getByText('ending in 1111')).toBeVisible();
}

async function payDropOff(page: Page): Promise<void> {
  await orderUpToCheckout(page, smallRug, 'dropoff');
  await payByCard(page);
}

test('a pickup’s receipt shows the amount, the card and that the team will call', { tag: '@core' }, async ({
  page,
}) => {
  await orderUpToCheckout(page, twoRugs);
  await payByCard(page);
  await expect(page.getByText(/^Thank you, Ada\. Order [0-9A-Z]{4}-[0-9A-Z]{4} is paid\.$/)).toBeVisible();
  await expect(page.getByText(/(?:is on its way|We sent a confirmation) to ada@example\.com\./)).toBeVisible();
  const payment = page.getByRole('region', { name: 'Payment details' });
  await payment.getByRole('button', { name: 'Show' }).click();
  const paymentId = paymentIdOf(page);
  await expect(payment.getByText(`${paymentId.slice(0, 8)}…`)).toBeVisible();
  await expect(payment.getByText('$758.22')).toBeVisible();
  await expect(payment.getByText('Visa ending in 1111')).toBeVisible();
  await expect(payment.getByText(today())).toBeVisible();
  const squareReceipt = payment.getByRole('link', { name: 'View Square’s receipt' });
  expect((await page.request.get((await squareReceipt.getAttribute('href')) ?? '')).status()).toBe(200);
  await expect(page.getByText('Our team will reach out to schedule your pickup')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Refunds' })).toHaveCount(0);
  await expectNoAxeViolations(page);
  expect(
    await page.evaluate(() => [localStorage.getItem('currentOrder'), localStorage.getItem('rugFormState')]),
  ).toEqual([null, null]);
});

test('a drop-off’s receipt shows both locations, a booking link and the phone number', async ({ page }) => {
  await payDropOff(page);
  const next = page.getByRole('region', { name: 'What happens next' });
  await expect(next.getByRole('listitem')).toHaveText([/West LA.*by appointment only/, /Valley.*walk-ins welcome/]);
  await expect(next.getByRole('link', { name: 'Book your drop-off' })).toHaveAttribute('href', /^https?:/);
  await expect(next.getByRole('link', { name: /^Call / })).toHaveAttribute('href', /^tel:/);
});

test('Back stays on the receipt, and home opens an empty form', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: '8 × 10 ft' }).click();
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  await fillContact(page);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await payByCard(page);
  const { href } = new URL(page.url());
  for (let times = 0; times < 2; times += 1) {
    await page.goBack();
    await expect(page).toHaveURL(href);
    await expect(page.getByRole('heading', success)).toBeVisible();
  }
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page.getByRole('textbox', { name: 'Width (feet)' })).toHaveValue('');
  await expect(page.getByText('There is a problem')).toHaveCount(0);
});

test('another browser with the link sees the amounts, but no personal data', async ({ page, browser, shop }) => {
  await payDropOff(page);
  // Everywhere else it is another day than in the shop for most of the time.
  const stranger = await browser.newContext({ baseURL: shop.url, timezoneId: 'Pacific/Kiritimati' });
  const seen = await stranger.newPage();
  await seen.goto(page.url());
  await expect(seen.getByRole('heading', success)).toBeVisible();
  await expect(seen.getByText(today()).first()).toBeVisible();
  await expect(seen.getByText('$75.00').first()).toBeVisible();
  await expect(seen.getByText(/(?:is on its way|We sent a confirmation) to a•••@e•••\./)).toBeVisible();
  for (const personal of ['ada@example.com', 'Lovelace', '0142']) expect(await seen.content()).not.toContain(personal);
  await stranger.close();
});

test('the printed receipt shows business, amounts, rugs and card, but no buttons', async ({ page }, testInfo) => {
  await orderUpToCheckout(page, twoRugs);
  await payByCard(page);
  await page.emulateMedia({ media: 'print' });
  const paymentId = paymentIdOf(page);
  const visible = ['Receipt', paymentId, 'Visa ending in 1111', 'CA Sales Tax', '$13.14', 'Total', '$758.22', 'Rug #2'];
  for (const text of visible) await expect(page.getByText(text, { exact: true }).first()).toBeVisible();
  await expect(page.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/)).toBeVisible();
  await expect(page.getByRole('banner')).toHaveCount(0);
  for (const name of ['Print receipt', 'View Square’s receipt', 'Return to Home']) {
    await expect(page.getByText(name)).toBeHidden();
  }
  await page.screenshot({ path: testInfo.outputPath('printed.png'), fullPage: true });
  // One letter page.
  const pdf = (await page.pdf({ format: 'Letter' })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
});

test('without a payment id, the page shows an error and redirects after three seconds', async ({ page }) => {
  await page.clock.install();
  await page.goto('/payment-success');
  await expect(page.getByRole('heading', { name: 'Payment Failed' })).toBeVisible();
  await expect(page.getByText('No Payment Found')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Try Again' })).toHaveAttribute('href', '/checkout');
  await page.clock.fastForward(2_000);
  await expect(page).toHaveURL('/payment-success');
  await page.clock.fastForward(1_000);
  await expect(page).toHaveURL('/');
});

test('an unknown payment id shows no success, even with an amount in the URL', async ({ page }) => {
  await page.goto(`/payment-success?payment_id=${'0'.repeat(32)}&amount=9999.00`);
  await expect(page.getByRole('heading', { name: 'No Payment Found' })).toBeVisible();
  await expect(page.getByText('$9,999.00')).toHaveCount(0);
  await expectNoAxeViolations(page);
});

test.describe('while the server is unavailable', () => {
  test('the receipt shows the browser’s stored order, and a retry loads the server’s', async ({ page }) => {
    await orderUpToCheckout(page, twoRugs);
    await fillCard(page);
    const retry = await failUntilPressed(page, {
      patterns: ['**/api/orders/payment/*', '**/api/verify-payment/*'],
      fail: (route) => route.abort('connectionreset'),
    });
    await payButton(page).click();
    await expect(page.getByText('this is the order as your browser remembers it')).toBeVisible();
    await expect(page.getByText('$758.22').first()).toBeVisible();
    await expect(page.getByRole('region', { name: 'Your order' }).getByText('Rug #2')).toBeVisible();
    await retry(page.getByRole('button', { name: 'Check again' }));
    await expect(page.getByText('Visa ending in 1111')).toBeVisible();
    await expect(page.getByText('this is the order as your browser remembers it')).toHaveCount(0);
  });

  test('a browser without a stored order shows the amount in the URL, but no success', async ({ page }) => {
    await page.route('**/api/orders/payment/*', (route) => route.abort('connectionreset'));
    await page.goto('/payment-success?payment_id=0123456789abcdef&amount=758.22');
    await expect(page.getByRole('heading', { name: 'Your receipt could not be loaded' })).toBeVisible();
    await expect(page.getByText('$758.22')).toBeVisible();
    await expect(page.getByText('01234567…')).toBeVisible();
    await expect(page.getByRole('heading', success)).toHaveCount(0);
    await expectNoAxeViolations(page);
  });
});

test('the conversion is reported to the marketing site once per page load, with the variant', async ({
  page,
  shop,
}) => {
  const reported: (string | null)[] = [];
  await page.route('**/ab-conversion', async (route) => {
    reported.push(route.request().postData());
    await route.fulfill({ status: 204 });
  });
  await page.route(
    (url) => url.pathname === '/payment-success',
    async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(
        '"abConversionUrl":null',
        `"abConversionUrl":"${shop.url}/ab-conversion"`,
      );
      await route.fulfill({ response, body });
    },
  );
  await page.addInitScript(() => localStorage.setItem('ab_checkout_variant', 'C'));
  await payDropOff(page);
  expect(reported).toEqual([]);
  await page.reload();
  await expect(page.getByText('ending in 1111')).toBeVisible();
  await expect.poll(() => reported).toEqual(['{"variant":"C"}']);
});

test('later refunds are shown with their dates and the remaining amount, but without the reason', async ({
  page,
  playwright,
  shop,
}) => {
  await orderUpToCheckout(page, twoRugs);
  await fillCard(page, '4000 0000 0000 1406'); // Its refunds stay pending until the test settles them.
  await payButton(page).click();
  await expect(page.getByRole('heading', success)).toBeVisible();
  const admin = await playwright.request.newContext({ baseURL: shop.officeUrl });
  await admin.post('/api/admin/login', { data: { username: 'admin', password: adminPassword } });
  const refundPartially = async (amount: string) => {
    const paymentId = paymentIdOf(page);
    const refund = { paymentId, amount, reason: 'A stain that stayed', refundType: 'partial' };
    const answer = await admin.post('/api/admin/refund', { data: { ...refund, idempotencyKey: crypto.randomUUID() } });
    expect(answer.status()).toBe(201);
  };
  await refundPartially('100.00');
  await page.reload();
  const refunds = page.getByRole('region', { name: 'Refunds' });
  await expect(refunds.getByRole('listitem')).toHaveText([/^Partial refundPending−\$100\.00/]);
  await expect(refunds.getByText('$658.22')).toBeVisible();
  await expect(refunds.getByText(today())).toBeVisible();
  expect(await page.content()).not.toContain('A stain that stayed');
  await expectNoAxeViolations(page);
  const [pending] = await shop.square.refunds();
  await shop.square.settleRefund(pending?.refund.id ?? '', 'COMPLETED');
  await expect(refunds.getByRole('listitem')).toHaveText([/^Partial refundCompleted−\$100\.00/]);
  await admin.dispose();
});
