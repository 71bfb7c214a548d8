import type { Page } from '@playwright/test';
import { watchLayoutShifts } from './layout-shifts.ts';
import { drawn, hold } from './press.ts';
import { expect, expectNoAxeViolations, fillRugs, smallRug, test } from './shop.ts';

// The page is visible before any script runs, and then hydrated.

const slowDown = 6;

const scripts = '**/assets/*.js';
const fonts = '**/*.woff2';

async function slowDownCpu(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
}

function firstField(page: Page) {
  return page.getByRole('textbox', { name: 'Width (feet)' }).first();
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a common size shows its prices, and the page says how to order by phone', async ({ page }) => {
    await page.goto('/');
    await expect(page.locator('.noscript')).toBeInViewport();
    await expect(page.locator('.noscript')).toHaveText(/needs JavaScript .* by phone: \(415\) 555-0132\.\s*$/s);
    await page.getByRole('button', { name: '8 × 10 ft' }).click();
    await expect(page).toHaveURL(/\?size=8x10#order$/);
    await expect(page.getByRole('button', { name: '8 × 10 ft', pressed: true })).toBeVisible();
    await expect(firstField(page)).toHaveValue('8');
    await expect(page.getByText('Area: 80.00 sq ft')).toBeVisible();
    await expect(page.getByText('$476.00').first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Continue to cart' })).toBeHidden();
  });
});

test('hydration causes no layout shift, and keeps the focus and the scroll position', { tag: '@core' }, async ({
  page,
}) => {
  const shifts = await watchLayoutShifts(page);
  await slowDownCpu(page);
  const release = await hold(page, scripts);
  await page.goto('/', { waitUntil: 'commit' });
  const call = page.getByRole('link', { name: /^Call / }).first();
  await call.focus();
  await page.evaluate(() => {
    window.scrollTo(0, 120);
    Object.assign(window, { drawn: document.querySelector('h1') });
  });
  release();
  await expect(firstField(page)).toBeAttached();
  await expect(call).toBeFocused();
  expect(await page.evaluate(() => window.scrollY)).toBe(120);
  // Hydrated, not rendered again.
  expect(await page.evaluate(() => document.querySelector('h1') === Reflect.get(window, 'drawn'))).toBe(true);
  expect(await shifts()).toBeLessThan(0.02);
});

test('a font that loads late causes no layout shift', async ({ page }) => {
  const shifts = await watchLayoutShifts(page);
  const release = await hold(page, fonts);
  const late = page.waitForResponse(fonts);
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await drawn(page);
  release();
  await (await late).finished();
  await page.evaluate(() => document.fonts.ready);
  await drawn(page);
  expect(await shifts()).toBeLessThan(0.02);
});

test('early input is kept, and nothing moves', async ({ page }) => {
  const shifts = await watchLayoutShifts(page);
  await slowDownCpu(page);
  const release = await hold(page, scripts);
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await firstField(page).pressSequentially('8');
  release();
  await page.getByRole('textbox', { name: 'Length (feet)' }).fill('10');
  await expect(page.getByText('Area: 80.00 sq ft')).toBeVisible();
  await expect(firstField(page)).toHaveValue('8');
  expect(await shifts()).toBeLessThan(0.02);
});

test('before the scripts run, a size and other choices can be made; a pressed button works afterwards', async ({
  page,
}) => {
  const release = await hold(page, scripts);
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByRole('button', { name: '8 × 10 ft' }).click();
  await expect(firstField(page)).toHaveValue('8');
  await page.getByRole('radio', { name: 'Premium' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('checkbox', { name: 'Green Pad' }).check();
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  expect(page.url()).not.toContain('size=');
  release();
  await expect(page.getByRole('heading', { name: 'Cart & Checkout' })).toBeVisible();
  await expect(page.getByText('8 × 10 ft, Midrange, Green Pad')).toBeVisible();
});

/** In the moment when React listens, and knows nothing of the form yet. */
async function pressWhileHydrating(page: Page, ...names: readonly string[]): Promise<void> {
  await page.addInitScript((labels) => {
    const { addEventListener } = EventTarget.prototype;
    // Inside of `click()`, the page's own `click()` of the same control would do nothing.
    const click = () => new MouseEvent('click', { bubbles: true, cancelable: true });
    const press = () => {
      for (const control of document.querySelectorAll<HTMLElement>('#order :is(button, input)')) {
        const name = control instanceof HTMLInputElement ? control.labels?.[0]?.textContent : control.textContent;
        if (labels.some((label) => name?.startsWith(label))) control.dispatchEvent(click());
      }
    };
    EventTarget.prototype.addEventListener = function (this: EventTarget, ...listener) {
      if (this instanceof Element && this.id === 'root' && listener[0] === 'click') {
        EventTarget.prototype.addEventListener = addEventListener;
        queueMicrotask(press);
      }
      addEventListener.apply(this, listener);
    };
  }, names);
}

test('choices and a button that are pressed during the hydration count, after what was typed before', async ({
  page,
}) => {
  await pressWhileHydrating(page, 'Economy', 'Green Pad', 'Continue to cart');
  const release = await hold(page, scripts);
  await page.goto('/', { waitUntil: 'commit' });
  await firstField(page).fill('8');
  await page.getByRole('textbox', { name: 'Length (feet)' }).fill('10');
  release();
  await expect(page.getByRole('heading', { name: 'Cart & Checkout' })).toBeVisible();
  await expect(page.getByText('8 × 10 ft, Economy, Green Pad')).toBeVisible();
  await expect(page.getByText('Incomplete rug dimensions')).toHaveCount(0);
});

test('a button that is pressed during the hydration acts once', async ({ page }) => {
  await pressWhileHydrating(page, 'Add another rug');
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Rug #2', exact: true })).toBeVisible();
  await drawn(page);
  await expect(page.getByRole('region', { name: 'Rug #3', exact: true })).toHaveCount(0);
});

test('a link to the cart without an order opens the first step, without errors', async ({ page }) => {
  await page.goto('/#cart');
  await expect(page).toHaveURL(/\/$/);
  await page.getByRole('button', { name: '5 × 8 ft' }).click();
  await expect(page.getByText('Area: 40.00 sq ft')).toBeVisible();
  await expect(page.getByText('Incomplete rug dimensions')).toHaveCount(0);
});

test('if the scripts fail to load, an error replaces the form, and the server-rendered part stays', async ({
  page,
}) => {
  await page.route('**/assets/index-*.js', (route) => route.abort('connectionfailed'));
  await page.goto('/');
  await expect(page.getByRole('alert')).toContainText('This page could not be loaded');
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expect(page.getByText('$5.95 per sq ft')).toBeVisible();
  await expectNoAxeViolations(page);
});

test('if only the form’s chunk fails to load, the page shows an error and a retry button', async ({
  browser,
  shop,
}) => {
  // Without the check for script errors, because this test causes one.
  const page = await browser.newPage();
  await page.route('**/assets/rugs-*.js', (route) => route.abort('connectionfailed'));
  await page.goto(shop.url);
  await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
  await page.unroute('**/assets/rugs-*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(firstField(page)).toBeVisible();
  await page.close();
});

test('a saved draft is restored without rendering an empty form first', async ({ page }) => {
  await page.goto('/');
  await fillRugs(page, smallRug);
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  await expect(page).toHaveURL(/#cart$/);
  await page.addInitScript(() => {
    const seen = { emptyForm: false };
    Object.assign(window, { seen });
    const look = () => {
      seen.emptyForm ||=
        document.querySelector('input[id^="rug-"]')?.checkVisibility({ visibilityProperty: true }) === true;
      requestAnimationFrame(look);
    };
    look();
  });
  await page.reload();
  await expect(page.getByRole('radiogroup', { name: 'Delivery Options' })).toBeVisible();
  expect(await page.evaluate(() => (Reflect.get(window, 'seen') as { emptyForm: boolean }).emptyForm)).toBe(false);
});

test('in an iframe no introduction appears before the form, even if the browser does not announce the iframe', async ({
  page,
  shop,
}) => {
  const renderedFor = async (destination: string) =>
    (await fetch(shop.url, { headers: { 'sec-fetch-dest': destination } })).text();
  expect(await renderedFor('document')).toContain('How it works');
  expect(await renderedFor('iframe')).not.toContain('How it works');
  // An older browser does not send `sec-fetch-dest`.
  await page.route('**/*', async (route) => {
    if (new URL(route.request().url()).pathname !== '/') await route.continue();
    else await route.fulfill({ response: await route.fetch({ headers: { accept: 'text/html' } }) });
  });
  const release = await hold(page, scripts);
  await page.goto(shop.demoUrl, { waitUntil: 'commit' });
  const form = page.frameLocator('iframe').first();
  await expect(form.locator('#kilim')).toBeAttached();
  await expect(form.locator('#root')).toHaveAttribute('data-drawn', '');
  await expect(form.getByText('How it works')).toHaveCount(0);
  release();
  await expect(form.getByRole('textbox', { name: 'Width (feet)' }).first()).toBeVisible();
  await expect(form.getByText('How it works')).toHaveCount(0);
});
