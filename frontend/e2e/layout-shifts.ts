import type { Frame, Page } from '@playwright/test';

type Watched = { readonly shifts: { readonly sum: number } };

/**
 * How far a page, and each frame in it, has moved by itself since it was opened. What somebody
 * types may make room for its price, so it is watched until the first key.
 */
export async function watchLayoutShifts(page: Page): Promise<(at?: Page | Frame) => Promise<number>> {
  await page.addInitScript(() => {
    const shifts = { sum: 0 };
    Object.assign(window, { shifts });
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) shifts.sum += entry.value;
    });
    observer.observe({ type: 'layout-shift', buffered: true });
    window.addEventListener('keydown', () => observer.disconnect(), { capture: true });
  });
  return (at = page) => at.evaluate(() => (globalThis as unknown as Watched).shifts.sum);
}
