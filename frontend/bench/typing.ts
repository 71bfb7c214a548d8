import type { Page } from '@playwright/test';
import { quantile, say, withShop } from './browser.ts';

// How long a key press takes in an order of twenty rugs on a phone whose CPU is four times slower than this machine's: from the event
// to the next paint, as the browser's own Event Timing measures it (in steps of 8 ms), the longer one of a key's going down and up.
// While it is measured nothing else runs in the page: Playwright's own search for a box takes longer than the key that follows it.

const rugs = 20;
const slowDown = 4;
const wantedMs = 100;
/** How long a finger stays on a key, and until it is on the next one. */
const heldMs = 60;
const betweenMs = 60;
/** Three boxes of a rug, from one to the next with Tab. */
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
    // A tap on the box, and the time until a person starts to type.
    await page.evaluate((id) => document.getElementById(id)?.focus(), `rug-${rug}-widthFeet`);
    await page.waitForTimeout(400);
    for (const [box, digits] of typed.entries()) {
      if (box > 0) await press('Tab');
      for (const digit of digits) await press(digit);
    }
  }
  await page.waitForTimeout(500);
  const slow = await page.evaluate(() => [...(globalThis as unknown as Measuring).slowestOfKey.values()]);
  // Keys under 16 ms are not reported: they count as such.
  const all = [...slow, ...Array<number>(Math.max(0, presses - slow.length)).fill(8)];
  say(
    `${rugs} rugs, ${presses} key presses at ${slowDown}x slow-down: median ${quantile(all, 0.5)} ms, 95th percentile ${quantile(all, 0.95)} ms (wanted: under ${wantedMs}), worst ${Math.max(...all)} ms`,
  );
});

type Measuring = { readonly slowestOfKey: ReadonlyMap<number, number> };

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
