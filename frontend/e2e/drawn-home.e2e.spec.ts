import type { Page } from '@playwright/test';
import { watchLayoutShifts } from './layout-shifts.ts';
import { expect, expectNoAxeViolations, fillRugs, smallRug, test } from './shop.ts';

// The home page is drawn by the server, seen before any script has run, and taken over by the
// application.

const slowDown = 6;

/** Holds the page's scripts back until they are let go. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise: released, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await released;
    await route.continue();
  });
  return letGo;
}

async function slowDownCpu(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
}

function firstBox(page: Page) {
  return page.getByRole('textbox', { name: 'Width (feet)' }).first();
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the introduction stands there with its prices, and says what the form needs', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText('$5.95 per sq ft')).toBeVisible();
    await expect(page.getByRole('link', { name: /^Call / }).first()).toBeVisible();
    await expect(page.locator('.noscript')).toBeInViewport();
    await expect(page.locator('.noscript')).toHaveText(/^This page needs JavaScript/);
    // Nothing that leads to, or looks like, a form that will never come.
    await expect(page.getByRole('link', { name: 'Start your order' })).toBeHidden();
    await expect(page.locator('#order')).toBeHidden();
  });
});

test('taking the page over moves nothing, and leaves the focus and the scrolling to whoever was quicker', async ({
  page,
}) => {
  const shifts = await watchLayoutShifts(page);
  await slowDownCpu(page);
  const letGo = await holdScripts(page);
  await page.goto('/', { waitUntil: 'commit' });
  const start = page.getByRole('link', { name: 'Start your order' });
  await start.focus();
  await page.evaluate(() => {
    window.scrollTo(0, 120);
    Object.assign(window, { drawn: document.querySelector('h1') });
  });
  letGo();
  await expect(firstBox(page)).toBeAttached();
  await expect(start).toBeFocused();
  expect(await page.evaluate(() => window.scrollY)).toBe(120);
  // The very same heading: it was taken over, not drawn a second time.
  expect(
    await page.evaluate(() => document.querySelector('h1') === (window as unknown as { drawn: Element }).drawn),
  ).toBe(true);
  expect(await shifts()).toBeLessThan(0.02);
});

test('a font that comes after the page was seen moves nothing', async ({ page }) => {
  const shifts = await watchLayoutShifts(page);
  await page.route('**/*.woff2', async (route) => {
    await page.waitForTimeout(1500);
    await route.continue();
  });
  const late = page.waitForResponse('**/*.woff2');
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await (await late).finished();
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(300);
  expect(await shifts()).toBeLessThan(0.02);
});

test('who starts before the form has come arrives at it, and what is typed at once stays', async ({ page }) => {
  const shifts = await watchLayoutShifts(page);
  await slowDownCpu(page);
  const letGo = await holdScripts(page);
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByRole('link', { name: 'Start your order' }).click();
  await expect(page).toHaveURL(/#order$/);
  letGo();
  await firstBox(page).pressSequentially('8');
  await expect(page.locator('#order')).toBeInViewport();
  await page.waitForLoadState('networkidle');
  await expect(firstBox(page)).toHaveValue('8');
  expect(await shifts()).toBeLessThan(0.02);
});

test('when the scripts stay away, the place of the form says so, and what the server drew stays', async ({ page }) => {
  await page.route('**/assets/index-*.js', (route) => route.abort('connectionfailed'));
  await page.goto('/');
  await expect(page.getByRole('alert')).toContainText('This page could not be loaded');
  await page.getByRole('link', { name: 'Start your order' }).click();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeInViewport();
  await expect(page.getByText('$5.95 per sq ft')).toBeVisible();
  await expectNoAxeViolations(page);
});

test('when only the form’s own part stays away, the page says so and offers to try again', async ({
  browser,
  shop,
}) => {
  // A page of its own: what went wrong is reported, as it has to be.
  const page = await browser.newPage();
  await page.route('**/assets/rugs-*.js', (route) => route.abort('connectionfailed'));
  await page.goto(shop.url);
  await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
  await page.unroute('**/assets/rugs-*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(firstBox(page)).toBeVisible();
  await page.close();
});

test('a draft comes back without an empty form before it', async ({ page }) => {
  await page.goto('/');
  await fillRugs(page, smallRug);
  await page.getByRole('button', { name: 'Continue to cart' }).click();
  await expect(page).toHaveURL(/#cart$/);
  await page.addInitScript(() => {
    const seen = { emptyForm: false };
    Object.assign(window, { seen });
    new MutationObserver(() => {
      seen.emptyForm ||= document.querySelector('input[inputmode="numeric"]') !== null;
    }).observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  await expect(page.getByRole('radiogroup', { name: 'Delivery Options' })).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { seen: { emptyForm: boolean } }).seen.emptyForm)).toBe(false);
});

test('in a frame nothing is drawn before the form, whether or not the browser says that it is one', async ({
  page,
  shop,
}) => {
  const drawnFor = async (destination: string) =>
    (await fetch(shop.url, { headers: { 'sec-fetch-dest': destination } })).text();
  expect(await drawnFor('document')).toContain('Start your order');
  expect(await drawnFor('iframe')).not.toContain('Start your order');
  // An older browser says nothing, and is sent the drawing.
  await page.route('**/*', async (route) => {
    if (new URL(route.request().url()).pathname !== '/') await route.continue();
    else await route.fulfill({ response: await route.fetch({ headers: { accept: 'text/html' } }) });
  });
  const letGo = await holdScripts(page);
  await page.goto(shop.demoUrl, { waitUntil: 'commit' });
  const form = page.frameLocator('iframe').first();
  await expect(form.locator('#kilim')).toBeAttached();
  await expect(form.locator('#root')).toHaveAttribute('data-drawn', '');
  await expect(form.getByText('Start your order')).toHaveCount(0);
  letGo();
  await expect(form.getByRole('textbox', { name: 'Width (feet)' }).first()).toBeVisible();
  await expect(form.getByText('Start your order')).toHaveCount(0);
});
