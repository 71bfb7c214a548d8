import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { findTestBrowser } from './test-browser.ts';

/**
 * Playwright disables storage partitioning in the browsers that it starts. With default settings, a form in a
 * cross-site iframe has no storage at all.
 */
export async function inPlainBrowser(use: (page: Page) => Promise<void>): Promise<void> {
  const { browser, stop } = await startPlainBrowser();
  try {
    const context = browser.contexts()[0] ?? (await browser.newContext());
    await use(await context.newPage());
    await browser.close();
  } finally {
    await stop();
  }
}

type PlainBrowser = { readonly browser: Browser; readonly stop: () => Promise<void> };

/** A new browser sometimes accepts the connection but never answers. */
async function startPlainBrowser(triesLeft = 3): Promise<PlainBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'kilim-chromium-'));
  const { executablePath, env } = await findTestBrowser();
  const switches = [
    '--headless=new',
    '--no-sandbox',
    '--remote-debugging-port=0',
    // No dialogs, pages or requests of the browser itself while Playwright connects.
    ...['--no-first-run', '--no-default-browser-check', '--disable-background-networking'],
    // Playwright does not find the frames of a page from the back/forward cache.
    '--disable-features=BackForwardCache',
    `--user-data-dir=${profile}`,
    'about:blank',
  ];
  const plain = spawn(executablePath, switches, { env });
  const exited = new Promise((resolve) => plain.once('exit', resolve));
  const stop = async () => {
    plain.kill('SIGKILL');
    await exited;
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    const browser = await chromium.connectOverCDP(await debuggingAddress(plain), { timeout: 10_000 });
    return { browser, stop };
  } catch (error) {
    await stop();
    if (triesLeft === 1) throw error;
    return startPlainBrowser(triesLeft - 1);
  }
}

async function debuggingAddress(browser: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let output = '';
    browser.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const address = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
      if (address !== undefined) found(address);
    });
    browser.once('exit', () => failed(new Error(`Chromium did not start:\n${output}`)));
  });
}
