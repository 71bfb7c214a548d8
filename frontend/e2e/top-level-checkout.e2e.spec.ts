import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FrameLocator, Page } from '@playwright/test';
import { inPlainBrowser } from './plain-browser.ts';
import { press } from './press.ts';
import { expect, expectNoAxeViolations, fillCard, fillContact, fillRugs, payButton, test, twoRugs } from './shop.ts';

// With `CHECKOUT_TOP_LEVEL`, the checkout opens outside the iframe. The page is on localhost and the form on 127.0.0.1,
// so they are cross-site.
test.use({ variables: { CHECKOUT_TOP_LEVEL: 'true' } });

const paymentHeading = { name: 'Complete Your Payment' };

function formIn(page: Page): FrameLocator {
  return page.frameLocator('iframe').first();
}

async function fillForm(page: Page): Promise<void> {
  // The iframe loads when it comes near the viewport.
  await page.locator('iframe').first().scrollIntoViewIfNeeded();
  const frame = await (await page.locator('iframe').first().elementHandle())?.contentFrame();
  if (!frame) throw new Error('The page shows no frame');
  await frame.getByRole('region', { name: 'Rug #1', exact: true }).waitFor();
  await fillRugs(frame, twoRugs);
  await press(frame.getByRole('button', { name: 'Continue to cart' }));
  await fillContact(frame);
}

/** Up to the checkout in the top window. */
async function orderOutOfFrame(page: Page, demoUrl: string): Promise<void> {
  await page.goto(demoUrl);
  await fillForm(page);
  await press(formIn(page).getByRole('button', { name: 'Continue to payment' }));
  await expect(page.getByRole('heading', paymentHeading)).toBeVisible();
}

for (const variant of ['', '?script=none']) {
  test(`the checkout opens outside the iframe and is paid there${variant === '' ? '' : ', also without the script'}`, {
    tag: '@phone',
  }, async ({ page, shop }) => {
    await orderOutOfFrame(page, `${shop.demoUrl}${variant}`);
    // The URL contains no personal data, and the order is removed from the document.
    await expect(page).toHaveURL(`${shop.url}/checkout`);
    await expect(page.locator('#kilim-order')).toHaveCount(0);
    await expect(page.getByRole('banner')).toBeVisible();
    await fillCard(page);
    await page.getByRole('button', { name: 'Pay $698.97' }).click();
    await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
    const [placed] = await shop.sql<{ source: unknown }[]>`
      select payload->'source' as source from ledger.event where type = 'OrderPlaced' order by position desc limit 1`;
    expect(placed?.source).toEqual({ embedded: true, variant: 'B' });
  });
}

test('a reload of the checkout does not repeat the POST and keeps the order', { tag: '@phone' }, async ({
  page,
  shop,
}) => {
  await orderOutOfFrame(page, shop.demoUrl);
  const methods: string[] = [];
  page.on('request', (request) => request.isNavigationRequest() && methods.push(request.method()));
  await page.reload();
  await expect(page.getByRole('heading', paymentHeading)).toBeVisible();
  await expect(payButton(page)).toHaveText('Pay $698.97');
  expect(methods[0]).toBe('GET');
  await expectNoAxeViolations(page);
});

test('a total that differs from the frame’s is shown as a new one', async ({ page, shop }) => {
  await page.route('**/checkout', async (route) => {
    const form = new URLSearchParams(route.request().postData() ?? '');
    const order = JSON.parse(form.get('order') ?? '{}') as { readonly shownTotal?: number };
    expect(order.shownTotal).toBe(698.97);
    form.set('order', JSON.stringify({ ...order, shownTotal: 690 }));
    await route.continue({ postData: form.toString() });
  });
  await orderOutOfFrame(page, shop.demoUrl);
  const alert = page.getByRole('alert').filter({ hasText: 'The price of your order has changed' });
  await expect(alert.getByRole('row', { name: 'Total' })).toContainText('$690.00');
  await expect(alert.getByRole('row', { name: 'Total' })).toContainText('$698.97');
});

test('Back on the checkout leads to the complete cart', { tag: '@phone' }, async ({ page, shop }) => {
  await orderOutOfFrame(page, shop.demoUrl);
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('ada@example.com');
  await expect(page.getByRole('region', { name: 'Order Summary' }).getByText('$698.97').first()).toBeVisible();
});

test('a customer who comes back to the iframe finds the same order and cannot pay it twice', {
  tag: '@desktop',
}, async ({ shop }) => {
  await inPlainBrowser(async (page) => {
    await orderOutOfFrame(page, shop.demoUrl);
    const form = formIn(page);
    const comeBack = async () => {
      await page.goBack();
      await page.locator('iframe').scrollIntoViewIfNeeded();
      await expect(form.getByText('If you have already paid there, your order is complete')).toBeVisible();
    };
    await comeBack();
    await press(form.getByRole('button', { name: 'Back', exact: true }));
    await expect(form.getByRole('textbox', { name: 'Email' })).toHaveValue('ada@example.com');
    await press(form.getByRole('button', { name: 'Continue to payment' }));
    await fillCard(page);
    await payButton(page).click();
    await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();

    const paid = (await shop.square.payments()).length;
    await comeBack();
    await press(form.getByRole('button', { name: 'Continue to payment' }));
    await fillCard(page);
    await payButton(page).click();
    await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
    expect(await shop.square.payments()).toHaveLength(paid);

    await comeBack();
    await press(form.getByRole('button', { name: 'Start a new order' }));
    await expect(form.getByRole('region', { name: 'Rug #1', exact: true })).toBeVisible();
    await expect(form.getByRole('region', { name: 'Rug #2', exact: true })).toHaveCount(0);
  });
});

test('an iframe that may not navigate the top window shows a button', { tag: '@phone' }, async ({ page, shop }) => {
  await page.goto(shop.demoUrl);
  // A page may sandbox its iframe.
  await page.evaluate(() => {
    const frame = document.createElement('iframe');
    frame.sandbox.add('allow-scripts', 'allow-same-origin', 'allow-forms');
    frame.src = document.querySelector('rug-order')?.getAttribute('src') ?? '';
    document.body.replaceChildren(frame);
  });
  const form = formIn(page);
  await fillForm(page);
  await press(form.getByRole('button', { name: 'Continue to payment' }));
  await expect(form.getByText('If it does not, press the button.')).toBeVisible();
  await expect(form.getByRole('group', { name: 'Card details' })).toHaveCount(0);
  await expect(page).toHaveURL(shop.demoUrl);
  await press(form.getByRole('button', { name: 'Back', exact: true }));
  await expect(form.getByRole('textbox', { name: 'Email' })).toHaveValue('ada@example.com');
});

test('outside an iframe the order goes to the checkout without a POST', { tag: '@phone' }, async ({ page }) => {
  const posted: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && posted.push(new URL(request.url()).pathname));
  await page.goto('/');
  await fillRugs(page, twoRugs);
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  await fillContact(page);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByRole('textbox', { name: 'Card number' })).toBeVisible();
  expect(posted).toEqual(['/api/quote']);
});

test('an order posted by another site is refused', { tag: '@phone' }, async ({ page, shop }) => {
  const order = JSON.stringify({
    orderId: '0198c0de-0000-7000-8000-00000000000a',
    rugs: [{ widthFeet: 9, widthInches: 0, lengthFeet: 9, lengthInches: 0, serviceTier: 'premium' }],
    deliveryOption: 'dropoff',
    customerInfo: { name: 'Mallory', email: 'm@example.com', phone: '3105550199' },
  });
  const stranger = createServer((_, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end(
        `<form method="post" action="${shop.url}/checkout"><input name="order" value="${order.replaceAll('"', '&quot;')}"><button>Win</button></form>`,
      );
  });
  await new Promise<void>((listening) => stranger.listen(0, '127.0.0.1', listening));
  await page.goto(`http://localhost:${(stranger.address() as AddressInfo).port}/`);
  const answered = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: 'Win' }).click();
  expect((await answered).status()).toBe(403);
  await expect(page.getByText('No active order was found. Please create a new order.')).toBeVisible();
  await expect(page).toHaveURL(`${shop.url}/`);
  expect(await page.evaluate(() => localStorage.getItem('currentOrder'))).toBeNull();
  stranger.close();
});
