import type { Page } from '@playwright/test';
import { press } from './press.ts';
import { choosePickup, expect, fillCard, fillContact, fillRugs, payButton, test, twoRugs } from './shop.ts';

/** Wider than the window, or still covered when scrolled to the center. */
function unreachable(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const dialog = document.querySelector('dialog[open]');
    // The skip link is visible only while it has the focus.
    const all = 'a[href]:not([href="#content"]), button, input, select, summary';
    for (const element of (dialog ?? document).querySelectorAll<HTMLElement>(all)) {
      // The label may be the visible part.
      const drawn = element instanceof HTMLInputElement ? (element.labels?.[0] ?? element) : element;
      if (element.closest('[inert]') !== null || !drawn.checkVisibility() || drawn.getBoundingClientRect().width <= 1)
        continue;
      drawn.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const { left, right, top, height, width } = drawn.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      const isCovered = hit === null || !(drawn.contains(hit) || hit.contains(drawn));
      const name = element.ariaLabel ?? element.textContent ?? '';
      if (left < -1 || right > innerWidth + 1)
        found.push(`outside: ${name} (${Math.round(left)} to ${Math.round(right)})`);
      else if (isCovered) found.push(`covered: ${name || element.outerHTML} by ${hit?.outerHTML.slice(0, 120)}`);
    }
    return found;
  });
}

/** Out of the window or their container. Scroll containers may overflow. */
function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>();
    const root = document.querySelector('dialog[open]') ?? document.body;
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const parent = text.parentElement;
      if (parent === null || text.nodeValue?.trim() === '' || !parent.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const words = range.getBoundingClientRect();
      // Visually hidden texts are for screen readers.
      if (words.width === 0 || parent.getBoundingClientRect().width <= 1) continue;
      for (let box: Element | null = parent; box !== null; box = box === root ? null : box.parentElement) {
        const { display, position, overflowX } = getComputedStyle(box);
        if (overflowX === 'auto' || overflowX === 'scroll') break;
        const { left, right } = box.getBoundingClientRect();
        const isOut = display !== 'inline' && (words.left < left - 1 || words.right > right + 1);
        if (isOut) found.add(`"${text.nodeValue?.trim()}" out of ${box.localName}.${box.className}`);
        if (position === 'fixed') break;
      }
    }
    return [...found];
  });
}

async function expectToFit(page: Page): Promise<void> {
  const { inner, scroll } = await page.evaluate(() => ({
    inner: document.documentElement.clientWidth,
    scroll: document.documentElement.scrollWidth,
  }));
  expect(scroll).toBeLessThanOrEqual(inner);
  expect(await cutTexts(page)).toEqual([]);
  expect(await unreachable(page)).toEqual([]);
}

/** A root font size works like the browser's text size setting. */
async function addStyles(page: Page, styles: string): Promise<void> {
  await page.addInitScript((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }, styles);
}

const sizes = [
  { what: 'on a screen of 320 pixels', text: 100, viewport: { width: 320, height: 568 } },
  { what: 'at 200 % zoom', text: 100, viewport: { width: 640, height: 450 } },
  { what: 'at 400 % zoom', text: 100, viewport: { width: 320, height: 225 } },
  { what: 'on a phone with 200 % text size', text: 200, viewport: { width: 390, height: 844 } },
  { what: 'on a desktop with 200 % text size', text: 200, viewport: { width: 1280, height: 900 } },
  { what: 'on a phone with wide text spacing', text: 100, viewport: { width: 390, height: 844 }, isSpaced: true },
];

/** WCAG 2.2, success criterion 1.4.12. */
const spacing = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }`;

/** A browser does not wrap these. */
const longWord = 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft';
const longLink = 'https://www.google.com/maps/place/1234+N+Hollywood+Blvd,+Los+Angeles,+CA+90025';
const longEmail = 'ada.king.countess.of.lovelace@analytical-engine.example.com';

for (const { what, text, viewport, isSpaced = false } of sizes) {
  test.describe(what, () => {
    test.use({ viewport, deviceScaleFactor: 2, isMobile: false });

    test('no page from the form to the receipt scrolls sideways or has unreachable controls', {
      tag: '@desktop',
    }, async ({ page }) => {
      await addStyles(page, `html { font-size: ${text}% } ${isSpaced ? spacing : ''}`);
      await page.goto('/');
      await expectToFit(page);
      // Fitting scrolls the tiers, which chooses one, so the button may move.
      await press(page.getByRole('button', { name: 'Continue to cart' }));
      await expect(page.getByText('Incomplete rug dimensions')).toBeVisible();
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await expectToFit(page);
      await fillRugs(page, twoRugs);
      await expectToFit(page);
      await page.getByRole('button', { name: 'Compare Tiers' }).first().click();
      await expect(page.getByRole('dialog', { name: 'Compare Tiers' })).toBeVisible();
      await expectToFit(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Continue to cart' }).click();
      await choosePickup(page);
      await page.getByRole('textbox', { name: 'Email' }).fill('nobody');
      await page.getByRole('textbox', { name: 'Phone' }).focus();
      await expectToFit(page);
      await fillContact(page);
      await page.getByRole('textbox', { name: 'Email' }).fill(longEmail);
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(longWord);
      await page.getByRole('textbox', { name: 'Street address' }).fill(`12 ${longWord}`);
      await page.getByRole('textbox', { name: 'Note for the driver' }).fill(longLink);
      await page.getByRole('button', { name: 'Continue to payment' }).click();
      await expect(page.getByRole('textbox', { name: 'Card number' })).toBeVisible();
      await expectToFit(page);
      await fillCard(page);
      await payButton(page).click();
      await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Return to Home' })).toBeVisible();
      await expectToFit(page);
    });
  });
}
