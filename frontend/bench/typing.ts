import type { Page } from '@playwright/test';
import { print, quantile, withShop } from './browser.ts';

// From a key event to the next paint in an order of twenty rugs, with the CPU throttled to a quarter, in Event Timing's
// steps of 8 ms. Each key counts with the longer one of keydown and keyup. No other code may run in the page, so fields
// are focused by id: a Playwright locator takes longer than a key press.

const rugs = 20;
const slowDown = 4;
const wantedMs = 100;
/** From keydown to keyup, and to the next keydown. */
const heldMs = 60;
const betweenMs = 60;
/** For three fields of a rug; Tab moves to the next. */
const typed = ['12', '6', '15'];

await withShop(async ({ url, browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  const page = await context.newPage();
  await page.goto(url);
  for (let rug = 1; rug < rugs; rug += 1) await page.getByRole('button', { name: 'Add another rug' }).click();
  await observeKeys(page);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
  let presses = 0;
  const press = async (key: string) => {
    await page.keyboard.press(key, { delay: heldMs });
    await page.waitForTimeout(betweenMs);
    presses += 1;
  };
  for (let rug = 0; rug < rugs; rug += 1) {
    // The time from the tap until a person starts to type.
    await page.evaluate((id) => document.getElementById(id)?.focus(), `rug-${rug}-widthFeet`);
    await page.waitForTimeout(400);
    for (const [box, digits] of typed.entries()) {
      if (box > 0) await press('Tab');
      for (const digit of digits) await press(digit);
    }
  }
  await page.waitForTimeout(500);
  const slow = await page.evaluate(() => [...(Reflect.get(globalThis, 'slowestOfKey') as SlowestOfKey).values()]);
  // Event Timing does not report keys under 16 ms. They count as 8 ms.
  const all = [...slow, ...Array<number>(Math.max(0, presses - slow.length)).fill(8)];
  print(
    `${rugs} rugs, ${presses} key presses at ${slowDown}x slow-down: median ${quantile(all, 0.5)} ms, 95th percentile ${quantile(all, 0.95)} ms (wanted: under ${wantedMs}), worst ${Math.max(...all)} ms`,
  );
});

type SlowestOfKey = ReadonlyMap<number, number>;

function observeKeys(page: Page): Promise<void> {
  return page.evaluate(() => {
    const slowestOfKey = new Map<number, number>();
    Object.assign(globalThis, { slowestOfKey });
    new PerformanceObserver((list) => {
      for (const { name, duration, interactionId } of list.getEntries() as PerformanceEventTiming[]) {
        if (!name.startsWith('key') || !interactionId) continue;
        slowestOfKey.set(interactionId, Math.max(duration, slowestOfKey.get(interactionId) ?? 0));
      }
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
}
