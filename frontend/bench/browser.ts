import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChildServer } from '@kilim/lab/testing/child-server';
import { type Browser, chromium } from '@playwright/test';
import { findTestBrowser } from '../e2e/test-browser.ts';

export type Measured = { readonly url: string; readonly browser: Browser; readonly debuggingPort: number };

/** With the production build, the real server, an empty embedded database and Chromium. */
export async function withShop(measure: (measured: Measured) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kilim-bench-'));
  const server = await startChildServer({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  const debuggingPort = 20_000 + (process.pid % 10_000);
  const { executablePath, args, env } = await findTestBrowser();
  const browser = await chromium.launch({
    ...{ executablePath, env: { ...env } },
    args: [...args, `--remote-debugging-port=${debuggingPort}`],
  });
  try {
    await measure({ url: server.url, browser, debuggingPort });
  } finally {
    await browser.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((first, second) => first - second);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
