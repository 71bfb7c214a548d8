import type { Frame, Page } from '@playwright/test';

type Shifts = { readonly sum: number };

/** Of a page and its frames. Stops at the first key press, because typing may move content. */
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
  return (at = page) => at.evaluate(() => (Reflect.get(globalThis, 'shifts') as Shifts).sum);
}
