import { expect, type Frame, type Locator, type Page } from '@playwright/test';
import type { Shop } from './shop.ts';

/** The page is on localhost and the form on 127.0.0.1, so they are cross-site. */
export async function openDemo(page: Page, shop: Shop, variant = ''): Promise<Frame> {
  await page.goto(`${shop.demoUrl}${variant}`);
  return formIn(page);
}

export async function formIn(page: Page): Promise<Frame> {
  const handle = await page.locator('iframe').first().elementHandle();
  const frame = await handle?.contentFrame();
  if (!frame) throw new Error('The page shows no frame');
  await frame.getByRole('region', { name: 'Rug #1', exact: true }).waitFor();
  return frame;
}

export async function scrollTo(page: Page, pastFrameTop: number): Promise<void> {
  await page.evaluate((pixels) => {
    const top = document.querySelector('rug-order, iframe')?.getBoundingClientRect().top ?? 0;
    window.scrollTo({ top: window.scrollY + top + pixels, behavior: 'instant' });
  }, pastFrameTop);
  // A press while the page still scrolls could miss its target.
  await frameRests(page);
}

/** The iframe's height follows the form, and the page may still be scrolling. */
export async function frameRests(page: Page): Promise<void> {
  const place = () =>
    page
      .locator('iframe')
      .first()
      .evaluate((element) => {
        const { top, height } = element.getBoundingClientRect();
        return `${height} at ${top}`;
      });
  let last = await place();
  let sameAgain = 0;
  // On a slow machine, scrolling starts with a delay.
  const countUnchanged = async () => {
    const before = last;
    last = await place();
    sameAgain = before === last ? sameAgain + 1 : 0;
    return sameAgain;
  };
  await expect.poll(countUnchanged, { intervals: [250] }).toBeGreaterThanOrEqual(3);
}

export function barOf(at: Page | Frame) {
  return at.getByRole('navigation', { name: 'Order steps' });
}

/** `marketing-page.ts` explains each way. */
export const waysOfEmbedding = {
  'embed.js': '',
  'a parent with its own bar': '?script=none',
  'a plain frame': '?script=silent',
} as const;

/** In pixels, for an element in the frame. */
export async function topInWindow(page: Page, element: Locator): Promise<number> {
  const frameTop = await page.locator('iframe').evaluate((frame) => frame.getBoundingClientRect().top);
  return frameTop + (await element.evaluate((shown) => shown.getBoundingClientRect().top));
}

/** The page has scrolled the element to the beginning of the window. */
export async function expectAtTop(page: Page, element: Locator): Promise<void> {
  await element.waitFor();
  await frameRests(page);
  const top = await topInWindow(page, element);
  expect(top, 'not above the window').toBeGreaterThanOrEqual(-1);
  expect(top, 'near the top of the window').toBeLessThanOrEqual(200);
}

export async function recordMessages(page: Page): Promise<() => Promise<readonly { readonly type: string }[]>> {
  await page.addInitScript(() => {
    if (window.top !== window) return;
    const received: unknown[] = [];
    Object.assign(window, { received });
    window.addEventListener('message', ({ data }) => received.push(data));
  });
  return () => page.evaluate(() => Reflect.get(window, 'received') as { type: string }[]);
}

/** A pointer at a button's centre hits the frame in the parent page, and the button in the frame. */
export async function expectHittable(page: Page, buttons: Locator): Promise<void> {
  await expect(buttons.first()).toBeVisible();
  for (const button of await buttons.all()) {
    await expect.poll(() => hitAtCentre(page, button), `at the centre of ${button}`).toBe('the button');
  }
}

async function hitAtCentre(page: Page, button: Locator): Promise<string> {
  const inFrame = await button.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const centre = { x: x + width / 2, y: y + height / 2 };
    const hit = document.elementFromPoint(centre.x, centre.y);
    return { ...centre, hit: element.contains(hit) ? 'the button' : (hit?.outerHTML.slice(0, 80) ?? 'nothing') };
  });
  const inPage = await page.locator('iframe').evaluate((frame, { x, y }) => {
    const { left, top } = frame.getBoundingClientRect();
    const root = frame.getRootNode() as Document | ShadowRoot;
    const hit = root.elementFromPoint(left + x, top + y);
    return hit === frame ? 'the frame' : (hit?.outerHTML.slice(0, 80) ?? 'nothing');
  }, inFrame);
  return inPage === 'the frame' ? inFrame.hit : inPage;
}
