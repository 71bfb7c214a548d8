import { setTimeout } from 'node:timers/promises';

/**
 * Options of `vi.waitFor` and `expect.poll`. Generous, because a slow machine is no defect; a passing spec never waits
 * that long.
 */
export const patience = { timeout: 60_000, interval: 20 } as const;

/** @throws Error naming the condition when patience ends. */
export async function until(condition: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + patience.timeout; !(await holds()); await setTimeout(patience.interval)) {
    if (performance.now() > deadline) throw new Error(`Not within ${patience.timeout / 1000} s: ${condition}`);
  }
}
