import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Frame, type Page } from '@playwright/test';
import {
  expect,
  expectNoAxeViolations,
  fillCard,
  fillContact,
  fillRugs,
  payButton,
  type Shop,
  smallRug,
  test,
  twoRugs,
} from './shop.ts';

/** The form in the marketing page: the page is on localhost, the form on 127.0.0.1, which are two sites. */
async function openDemo(page: Page, shop: Shop, variant = ''): Promise<Frame> {
  await page.goto(`${shop.demoUrl}${variant}`);
  return formIn(page);
}

async function formIn(page: Page): Promise<Frame> {
  const handle = await page.locator('iframe').first().elementHandle();
  const frame = await handle?.contentFrame();
  if (!frame) throw new Error('The page shows no frame');
  await frame.getByRole('region', { name: 'Rug #1', exact: true }).waitFor();
  return frame;
}

async function scrollTo(page: Page, pastFrameTop: number): Promise<void> {
  await page.evaluate((pixels) => {
    const top = document.querySelector('rug-order, iframe')?.getBoundingClientRect().top ?? 0;
    window.scrollTo({ top: window.scrollY + top + pixels, behavior: 'instant' });
  }, pastFrameTop);
}

function barOf(at: Page | Frame) {
  return at.getByRole('navigation', { name: 'Order steps' });
}

test('two rugs are ordered and paid inside the frame, and the page around it learns of the order', async ({
  page,
  shop,
}) => {
  const form = await openDemo(page, shop);
  await fillRugs(form, twoRugs);
  await form.getByRole('button', { name: 'Continue to cart' }).click();
  await fillContact(form);
  await form.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(form.getByRole('heading', { name: 'Complete Your Payment' })).toBeVisible();
  await expect(barOf(page)).toBeHidden();
  await fillCard(form);
  await payButton(form).click();
  await expect(form.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  await expect(page.getByText(/^Thank you for your order/)).toBeVisible();
  await expect(barOf(page)).toBeHidden();
});

test('with the script the page draws the only bar, and both sides follow each other', async ({ page, shop }) => {
  const form = await openDemo(page, shop);
  await fillRugs(form, twoRugs);
  await scrollTo(page, 200);
  await expect(barOf(page)).toBeVisible();
  await expect(barOf(form)).toBeHidden();
  await expect(barOf(page).getByRole('button')).toHaveText(['Rug #1', 'Rug #2', 'Cart & Checkout']);
  await barOf(page).getByRole('button', { name: 'Rug #1' }).click();
  await expect(form.getByRole('region', { name: 'Rug #1', exact: true })).toBeInViewport();
  await expect(barOf(page).getByRole('button', { name: 'Rug #1' })).toHaveAttribute('aria-current', 'step');
  await barOf(page).getByRole('button', { name: 'Cart & Checkout' }).click();
  await expect(form.getByRole('radiogroup', { name: 'Delivery Options' })).toBeVisible();
  await expect(barOf(page).getByRole('button', { name: 'Cart & Checkout' })).toHaveAttribute('aria-current', 'step');
  await expect(barOf(page).getByRole('progressbar', { name: 'Order progress' })).toHaveAttribute('value', '100');
  await fillContact(form);
  await form.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(barOf(page)).toBeHidden();
  await form.getByRole('button', { name: 'Back' }).click();
  await expect(barOf(page)).toBeVisible();
});

test('the frame is as high as the form, and follows it', async ({ page, shop }) => {
  const form = await openDemo(page, shop);
  const heights = async () => {
    const frame = await page.locator('iframe').evaluate((element) => element.getBoundingClientRect().height);
    return {
      frame,
      content: await form.evaluate(() => Math.ceil(document.documentElement.getBoundingClientRect().height)),
    };
  };
  const fits = async () => Math.abs((await heights()).frame - (await heights()).content);
  await expect.poll(fits).toBeLessThan(2);
  const before = (await heights()).frame;
  await form.getByRole('button', { name: 'Add another rug' }).click();
  await expect.poll(async () => (await heights()).frame).toBeGreaterThan(before + 100);
  await expect.poll(fits).toBeLessThan(2);
});

test("a page that knows only the specification's messages draws its bar, and the form hides its own", async ({
  page,
  shop,
}) => {
  const form = await openDemo(page, shop, '?script=none');
  const bar = page.getByRole('navigation', { name: 'Your order' });
  await fillRugs(form, twoRugs);
  await scrollTo(page, 200);
  await expect(bar.getByRole('button')).toHaveText(['Rug #1', 'Rug #2', 'Cart & Checkout']);
  await expect(barOf(form)).toBeHidden();
  await bar.getByRole('button', { name: 'Cart & Checkout' }).click();
  await expect(form.getByRole('radiogroup', { name: 'Delivery Options' })).toBeVisible();
  await bar.getByRole('button', { name: 'Rug #2' }).click();
  await expect(form.getByRole('region', { name: 'Rug #2', exact: true })).toBeInViewport();
  await expect(barOf(form)).toBeHidden();
});

test('in a page that says nothing the form keeps its bar at the bottom of what is in sight', async ({ page, shop }) => {
  const form = await openDemo(page, shop, '?script=silent');
  const windowHeight = page.viewportSize()?.height ?? 0;
  for (const past of [0, 333, 700]) {
    await scrollTo(page, past);
    await expect
      .poll(async () => {
        const frameTop = await page.locator('iframe').evaluate((element) => element.getBoundingClientRect().top);
        const bottom = await barOf(form).evaluate((element) => element.getBoundingClientRect().bottom);
        return Math.abs(frameTop + bottom - windowHeight);
      })
      .toBeLessThan(2);
    await expect(barOf(form).getByRole('button', { name: 'Cart & Checkout' })).toBeInViewport({ ratio: 1 });
  }
});

for (const variant of ['', '?script=silent']) {
  test(`a message appears where it is seen${variant === '' ? '' : ', even when the page says nothing'}`, async ({
    page,
    shop,
  }) => {
    const form = await openDemo(page, shop, variant);
    await form.getByRole('button', { name: 'Continue to cart' }).click();
    const message = form.getByText('Please provide complete dimensions for all rugs before proceeding to cart.');
    await expect(message).toBeInViewport({ ratio: 1 });
    await scrollTo(page, 400);
    await expect(message).toBeInViewport({ ratio: 1 });
  });
}

test('forged messages change nothing', async ({ page, shop }) => {
  const form = await openDemo(page, shop);
  await fillRugs(form, twoRugs);
  await scrollTo(page, 100);
  const state = async () => ({
    style: await form.evaluate(() => document.documentElement.style.cssText),
    current: await barOf(page).locator('[aria-current]').textContent(),
    height: await page.locator('rug-order iframe').evaluate((element) => element.getBoundingClientRect().height),
  });
  await barOf(page).getByRole('button', { name: 'Rug #2' }).click();
  await expect.poll(async () => (await state()).current).toBe('Rug #2');
  await page.waitForTimeout(300);
  const before = await state();
  await page.evaluate(() => {
    const target = document.querySelector('rug-order')?.shadowRoot?.querySelector('iframe')?.contentWindow;
    const hostile: unknown[] = [
      { type: 'NAVIGATE_TO_RUG', rugIndex: 7 },
      { type: 'NAVIGATE_TO_RUG', rugIndex: -1 },
      { type: 'NAVIGATE_TO_RUG', rugIndex: '0' },
      { type: 'NAVIGATE_TO_RUG', rugIndex: 0.5 },
      { type: 'VIEWPORT', top: Number.NaN, bottom: Number.POSITIVE_INFINITY },
      { type: 'VIEWPORT', top: 10, bottom: 5 },
      { type: '__proto__' },
      'NAVIGATE_TO_CART',
      null,
      ['NAVIGATE_TO_CART'],
      { type: 'x'.repeat(1_000_000) },
    ];
    for (const message of hostile) target?.postMessage(message, '*');
    window.postMessage({ type: 'HIDE_NAVBAR_FOR_CHECKOUT' }, '*');
    document.body.append(document.createElement('iframe'));
  });
  // Another frame is neither the form to the page, nor the page to the form.
  await page
    .mainFrame()
    .childFrames()
    .at(-1)
    ?.evaluate(() => {
      const form = window.parent.document
        .querySelector('rug-order')
        ?.shadowRoot?.querySelector('iframe')?.contentWindow;
      form?.postMessage({ type: 'NAVIGATE_TO_CART' }, '*');
      form?.postMessage({ type: 'NAVIGATE_TO_RUG', rugIndex: 0 }, '*');
      window.parent.postMessage({ type: 'IFRAME_HEIGHT', height: 9 }, '*');
      window.parent.postMessage({ type: 'HIDE_NAVBAR_FOR_CHECKOUT' }, '*');
    });
  await page.waitForTimeout(300);
  expect(await state()).toEqual(before);
});

test('a page that is not on the list is not allowed to frame the form', async ({ browser, shop }) => {
  const stranger = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end(`<iframe src="${shop.url}"></iframe>`);
  });
  await new Promise<void>((listening) => stranger.listen(0, '127.0.0.1', listening));
  const page = await browser.newPage();
  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await page.goto(`http://localhost:${(stranger.address() as AddressInfo).port}/`);
  await refused;
  await expect(page.frameLocator('iframe').getByRole('heading', { name: 'Rug #1' })).toHaveCount(0);
  await page.close();
  stranger.close();
});

test('the demo page with its bar has no accessibility violations', async ({ page, shop }) => {
  await openDemo(page, shop);
  await scrollTo(page, 100);
  await expect(barOf(page)).toBeVisible();
  await expectNoAxeViolations(page);
});

// Playwright switches the partitioning of storage off in the browsers that it starts.
test('in a browser as people have it, with partitioned storage, the draft survives a reload', async ({ shop }) => {
  test.slow();
  const profile = await mkdtemp(join(tmpdir(), 'kilim-chromium-'));
  const plain = spawn('/usr/bin/chromium', [
    '--headless=new',
    '--no-sandbox',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
  ]);
  try {
    const browser = await chromium.connectOverCDP(await debuggingAddress(plain));
    const page = await browser.newPage();
    const form = await openDemo(page, shop);
    await fillRugs(form, smallRug);
    await form.getByRole('button', { name: 'Continue to cart' }).click();
    await fillContact(form);
    await form.getByRole('button', { name: 'Continue to payment' }).click();
    await expect(form.getByRole('heading', { name: 'Complete Your Payment' })).toBeVisible();
    await page.reload();
    const reloaded = page.frameLocator('rug-order iframe');
    await expect(reloaded.getByRole('region', { name: 'Order Summary' }).getByText('$75.00').first()).toBeVisible();
    // Seen from the form's own site there is no such draft: this is what partitioning means.
    const top = await browser.contexts()[0]?.newPage();
    await top?.goto(shop.url);
    expect(await top?.evaluate(() => localStorage.getItem('currentOrder'))).toBeNull();
    await browser.close();
  } finally {
    const ended = new Promise((resolve) => plain.once('exit', resolve));
    plain.kill('SIGKILL');
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
});

async function debuggingAddress(browser: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let output = '';
    browser.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const address = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
      if (address !== undefined) found(address);
    });
    browser.once('exit', () => failed(new Error(`Chromium did not start:\n${output}`)));
  });
}
