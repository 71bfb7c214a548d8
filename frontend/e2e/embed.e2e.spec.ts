import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator } from '@playwright/test';
import { barOf, expectAtTop, formIn, frameRests, openDemo, recordMessages, scrollTo } from './embedded-form.ts';
import { watchLayoutShifts } from './layout-shifts.ts';
import { inPlainBrowser } from './plain-browser.ts';
import { drawn, press } from './press.ts';
import {
  expect,
  expectNoAxeViolations,
  fillCard,
  fillContact,
  fillRugs,
  payButton,
  smallRug,
  test,
  twoRugs,
} from './shop.ts';

test('two rugs are ordered and paid in the iframe, and the parent page is told about the order', {
  tag: '@core',
}, async ({ page, shop }) => {
  const form = await openDemo(page, shop);
  await fillRugs(form, twoRugs);
  await press(form.getByRole('button', { name: 'Continue to cart' }));
  await fillContact(form);
  await press(form.getByRole('button', { name: 'Continue to payment' }));
  await expect(form.getByRole('heading', { name: 'Complete Your Payment' })).toBeVisible();
  await expect(barOf(page)).toBeHidden();
  await fillCard(form);
  await press(payButton(form));
  await expect(form.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  await expect(page.getByText(/^Thank you for your order/)).toBeVisible();
  // Browsers may keep the receipt's cookie from an iframe.
  await expect(form.getByText(/(?:is on its way|We sent a confirmation) to ada@example\.com/)).toBeVisible();
  await expect(barOf(page)).toBeHidden();
});

test('with the script only the parent shows a bar, and bar and form follow each other', async ({ page, shop }) => {
  const form = await openDemo(page, shop);
  await fillRugs(form, twoRugs);
  await scrollTo(page, 200);
  await expect(barOf(page)).toBeVisible();
  await expect(barOf(form)).toBeHidden();
  await expect(barOf(page).getByRole('button')).toHaveText(['Rug #1', 'Rug #2', /^Cart & Checkout/]);
  await expect(barOf(page).getByText('$698.97')).toBeVisible();
  await barOf(page).getByRole('button', { name: 'Rug #1' }).click();
  await expect(form.getByRole('region', { name: 'Rug #1', exact: true })).toBeInViewport();
  await expect(barOf(page).getByRole('button', { name: 'Rug #1' })).toHaveAttribute('aria-current', 'step');
  await barOf(page).getByRole('button', { name: 'Cart & Checkout' }).click();
  await expect(form.getByRole('radiogroup', { name: 'Delivery Options' })).toBeVisible();
  await expect(barOf(page).getByRole('button', { name: 'Cart & Checkout' })).toHaveAttribute('aria-current', 'step');
  await expect(barOf(page).getByRole('progressbar', { name: 'Order progress' })).toHaveAttribute('value', '100');
  await fillContact(form);
  await press(form.getByRole('button', { name: 'Continue to payment' }));
  await expect(barOf(page)).toBeHidden();
  await press(form.getByRole('button', { name: 'Back' }));
  await expect(barOf(page)).toBeVisible();
});

test('the parent’s bar stays when the last rug is removed and restored', { tag: '@phone' }, async ({ page, shop }) => {
  const form = await openDemo(page, shop);
  await fillRugs(form, smallRug);
  await scrollTo(page, 100);
  await expect(barOf(page).getByRole('button')).toHaveText(['Rug #1', /^Cart & Checkout/]);
  await press(form.getByRole('button', { name: 'Remove Rug #1' }));
  await expect(barOf(page).getByRole('button')).toHaveText(['Cart & Checkout']);
  await press(form.getByRole('button', { name: 'Undo' }));
  await expect(barOf(page).getByRole('button')).toHaveText(['Rug #1', /^Cart & Checkout/]);
});

test('a second form in the page shows its link only', { tag: '@phone' }, async ({ page, shop }) => {
  await openDemo(page, shop);
  await page.locator('rug-order').evaluate((first) => {
    const second = document.createElement('rug-order');
    second.setAttribute('src', first.getAttribute('src') ?? '');
    second.setAttribute('loading', 'eager');
    first.after(second);
  });
  await expect(page.locator('rug-order').nth(1).getByRole('link', { name: 'Order rug cleaning' })).toBeVisible();
  await expect(page.locator('iframe')).toHaveCount(1);
  await expect(page.getByRole('navigation', { name: 'Order steps', includeHidden: true })).toHaveCount(1);
});

test('the iframe’s height follows the form’s', async ({ page, shop }) => {
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
  await press(form.getByRole('button', { name: 'Add another rug' }));
  await expect.poll(async () => (await heights()).frame).toBeGreaterThan(before + 100);
  await expect.poll(fits).toBeLessThan(2);
});

test("a page that knows only the specification's messages shows its bar, and the form hides its own", {
  tag: '@phone',
}, async ({ page, shop }) => {
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

test('each message of the specification is sent at the right time with the right content', {
  tag: '@phone',
}, async ({ page, shop }) => {
  const messages = await recordMessages(page);
  const form = await openDemo(page, shop, '?script=none');
  const received = async (type: string) => (await messages()).filter((message) => message.type === type);
  await fillRugs(form, twoRugs);
  await expect
    .poll(async () => (await received('ACTIVE_RUG_UPDATE')).at(-1))
    .toEqual({ type: 'ACTIVE_RUG_UPDATE', activeRugIndex: 1, rugCount: 2, currentStep: 0 });
  expect((await received('NAVIGATE_TO_RUG')).at(-1)).toEqual({ type: 'NAVIGATE_TO_RUG', rugIndex: 1 });
  await scrollTo(page, 200);
  await expect
    .poll(async () => (await received('NAVBAR_UPDATE')).at(-1))
    .toMatchObject({ type: 'NAVBAR_UPDATE', rugCount: 2, currentStep: 0, isSticky: true });
  const tops = (await received('SCROLL_TO_IFRAME_TOP')).length;
  await press(form.getByRole('button', { name: 'Continue to cart' }));
  await expect.poll(async () => (await received('SCROLL_TO_IFRAME_TOP')).length).toBeGreaterThan(tops);
  await expect.poll(async () => (await received('NAVBAR_UPDATE')).at(-1)).toMatchObject({ currentStep: 1 });
  await fillContact(form);
  expect(await received('HIDE_NAVBAR_FOR_CHECKOUT')).toEqual([]);
  await press(form.getByRole('button', { name: 'Continue to payment' }));
  await expect.poll(() => received('HIDE_NAVBAR_FOR_CHECKOUT')).toEqual([{ type: 'HIDE_NAVBAR_FOR_CHECKOUT' }]);
  expect(await received('SHOW_NAVBAR_AFTER_CHECKOUT')).toEqual([]);
  await press(form.getByRole('button', { name: 'Back', exact: true }));
  await expect.poll(() => received('SHOW_NAVBAR_AFTER_CHECKOUT')).toEqual([{ type: 'SHOW_NAVBAR_AFTER_CHECKOUT' }]);
  await expect(page.getByRole('navigation', { name: 'Your order' })).toBeVisible();
});

test('in a page that sends no messages, the form’s bar is at the bottom of the visible part', {
  tag: '@phone',
}, async ({ page, shop }) => {
  const form = await openDemo(page, shop, '?script=silent');
  const windowHeight = page.viewportSize()?.height ?? 0;
  // Beyond 400 pixels the iframe no longer fills the window.
  for (const past of [0, 200, 400]) {
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
  test(`a toast appears in the visible part${variant === '' ? '' : ', even if the page sends no messages'}`, {
    tag: '@phone',
  }, async ({ page, shop }) => {
    // A toast stays while the document is hidden.
    await page.addInitScript(() => Object.defineProperty(document, 'hidden', { get: () => true }));
    const form = await openDemo(page, shop, variant);
    await press(form.getByRole('button', { name: 'Continue to cart' }));
    const message = form.getByText('Please provide complete dimensions for all rugs before proceeding to cart.');
    await expect(message).toBeInViewport({ ratio: 1 });
    await scrollTo(page, 400);
    await expect(message).toBeInViewport({ ratio: 1 });
  });
}

/** A visited rug is not folded. */
async function visitBothRugs(bar: Locator): Promise<void> {
  for (const name of ['Rug #1', 'Rug #2']) {
    await bar.getByRole('button', { name }).click();
    await expect(bar.locator('[aria-current]')).toHaveText(name);
  }
}

test('forged messages change nothing', { tag: '@phone' }, async ({ page, shop }) => {
  const form = await openDemo(page, shop);
  await fillRugs(form, twoRugs);
  await scrollTo(page, 100);
  const state = async () => ({
    style: await form.evaluate(() => document.documentElement.style.cssText),
    current: await barOf(page).locator('[aria-current]').textContent(),
    height: await page.locator('rug-order iframe').evaluate((element) => element.getBoundingClientRect().height),
  });
  await visitBothRugs(barOf(page));
  await frameRests(page);
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
  // The page and the form must ignore a third frame's messages.
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
  // Messages arrive in order, so the hostile ones have been handled.
  await barOf(page).getByRole('button', { name: 'Rug #1' }).click();
  await expect(barOf(page).locator('[aria-current]')).toHaveText('Rug #1');
  await barOf(page).getByRole('button', { name: 'Rug #2' }).click();
  await expect(barOf(page).locator('[aria-current]')).toHaveText('Rug #2');
  await frameRests(page);
  expect({ ...(await state()), style: '' }).toEqual({ ...before, style: '' });
});

/** Its origin is not allowed. */
async function openStranger(html: string) {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end(html);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

test('a page with an origin that is not allowed cannot frame the form', { tag: '@phone' }, async ({
  browser,
  shop,
}) => {
  const stranger = await openStranger(`<iframe src="${shop.url}"></iframe>`);
  const page = await browser.newPage();
  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await page.goto(stranger.url);
  await refused;
  await expect(page.frameLocator('iframe').getByRole('heading', { name: 'Rug #1' })).toHaveCount(0);
  await page.close();
  stranger.close();
});

for (const variant of ['', '?script=none']) {
  test(`messages from a page that opened ours in a new window are ignored${variant}`, { tag: '@phone' }, async ({
    context,
    shop,
  }) => {
    const stranger = await openStranger('<button>Open</button>');
    const attacker = await context.newPage();
    await attacker.goto(stranger.url);
    const [page] = await Promise.all([
      context.waitForEvent('page'),
      attacker.evaluate((url) => Object.assign(window, { opened: window.open(url) }), `${shop.demoUrl}${variant}`),
    ]);
    const form = await formIn(page);
    await fillRugs(form, twoRugs);
    await scrollTo(page, 200);
    const bar = variant === '' ? barOf(page) : page.getByRole('navigation', { name: 'Your order' });
    await visitBothRugs(bar);
    const state = async () => ({
      style: await form.evaluate(() => document.documentElement.style.cssText),
      shown: await form.getByRole('region', { name: /^Rug #/ }).count(),
      frame: await page.locator('iframe').evaluate((element) => element.getBoundingClientRect().height),
      bar: await bar.textContent(),
      current: await bar.locator('[aria-current]').textContent(),
    });
    await expect.poll(async () => (await state()).style).toContain('--visible-height');
    await frameRests(page);
    const before = await state();
    const reached = await attacker.evaluate(() => {
      const opened = Reflect.get(window, 'opened') as Window;
      const messages = [
        { type: 'SCROLL_TO_IFRAME_TOP' },
        { type: 'NAVIGATE_TO_RUG', rugIndex: 0 },
        { type: 'NAVIGATE_TO_CART' },
        { type: 'ACTIVE_RUG_UPDATE', activeRugIndex: 0, rugCount: 1, currentStep: 0 },
        { type: 'NAVBAR_UPDATE', rugCount: 9, currentStep: 1, activeRugIndex: 0, isSticky: true },
        { type: 'HIDE_NAVBAR_FOR_CHECKOUT' },
        { type: 'SHOW_NAVBAR_AFTER_CHECKOUT' },
        { type: 'VIEWPORT', top: 0, bottom: 10 },
        { type: 'IFRAME_HEIGHT', height: 10 },
        { type: 'ORDER_PLACED', orderId: 'mine' },
      ];
      // An opener can reach the plain iframe, but not one in a shadow root.
      const targets = [opened, ...Array.from({ length: opened.length }, (_, index) => opened[index])];
      for (const target of targets) for (const message of messages) target?.postMessage(message, '*');
      return targets.length;
    });
    expect(reached).toBe(variant === '' ? 1 : 2);
    await bar.getByRole('button', { name: 'Rug #1' }).click();
    await expect(bar.locator('[aria-current]')).toHaveText('Rug #1');
    await bar.getByRole('button', { name: 'Rug #2' }).click();
    // The page may still be scrolling to the first rug.
    await frameRests(page);
    await expect(bar.locator('[aria-current]')).toHaveText('Rug #2');
    const after = await state();
    expect({ ...after, style: '' }).toEqual({ ...before, style: '' });
    await expect(form.getByRole('radiogroup', { name: 'Delivery Options' })).toHaveCount(0);
    await expect(page.getByText(/^Thank you for your order/)).toHaveCount(0);
    await attacker.close();
    stranger.close();
  });
}

test('the reserved height equals the form’s height, and nothing around it moves', async ({ page, shop }) => {
  const shifts = await watchLayoutShifts(page);
  for (const width of [340, 390, 680, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('about:blank');
    await page.goto(`${shop.demoUrl}#order`);
    const frame = page.locator('rug-order iframe');
    const kept = await frame.evaluate((element) => element.getBoundingClientRect().height);
    const form = await formIn(page);
    await frameRests(page);
    const taken = await form.evaluate(() => document.documentElement.getBoundingClientRect().height);
    expect(Math.abs(kept - taken), `at ${width} pixels ${kept} are reserved and ${taken} used`).toBeLessThan(80);
    await expect.poll(() => frame.evaluate((element) => element.getBoundingClientRect().height)).toBeCloseTo(taken, -1);
    expect(await shifts()).toBeLessThan(0.02);
    await page.evaluate(() => sessionStorage.clear());
  }
});

for (const variant of ['', '?script=none', '?script=silent']) {
  test(`scrolling through the page causes no layout shift${variant}`, async ({ page, shop }) => {
    const shifts = await watchLayoutShifts(page);
    const form = await openDemo(page, shop, variant);
    for (const pixels of [500, 500, 500, 500, 500, 500, -600, -600, -600, -600, -600]) {
      await page.evaluate((by) => window.scrollBy({ top: by, behavior: 'instant' }), pixels);
      await drawn(page);
    }
    expect(await shifts()).toBeLessThan(0.02);
    expect(await shifts(form)).toBeLessThan(0.02);
  });
}

test('the demo page with its bar has no accessibility violations', async ({ page, shop }) => {
  await openDemo(page, shop);
  await scrollTo(page, 100);
  await expect(barOf(page)).toBeVisible();
  await expectNoAxeViolations(page);
});

test('in a browser with partitioned storage, the receipt shows the buyer her address', async ({ shop }) => {
  await inPlainBrowser(async (page) => {
    const form = await openDemo(page, shop, '?script=silent');
    await fillRugs(form, smallRug);
    await press(form.getByRole('button', { name: 'Continue to cart' }));
    await fillContact(form);
    await press(form.getByRole('button', { name: 'Continue to payment' }));
    await fillCard(form);
    await press(payButton(form));
    await expect(form.getByText(/(?:is on its way|We sent a confirmation) to ada@example\.com/)).toBeVisible();
    await expectAtTop(page, form.getByRole('heading', { name: 'Payment Successful!' }));
  });
});

test('in a browser with partitioned storage, the draft survives a reload', async ({ shop }) => {
  await inPlainBrowser(async (page) => {
    const form = await openDemo(page, shop);
    await fillRugs(form, smallRug);
    await press(form.getByRole('button', { name: 'Continue to cart' }));
    await fillContact(form);
    await press(form.getByRole('button', { name: 'Continue to payment' }));
    await expect(form.getByRole('heading', { name: 'Complete Your Payment' })).toBeVisible();
    await page.reload();
    const reloaded = page.frameLocator('rug-order iframe');
    await expect(reloaded.getByRole('region', { name: 'Order Summary' }).getByText('$75.00').first()).toBeVisible();
    // With partitioned storage, the form's own site does not have this draft.
    const top = await page.context().newPage();
    await top.goto(shop.url);
    expect(await top.evaluate(() => localStorage.getItem('currentOrder'))).toBeNull();
  });
});
