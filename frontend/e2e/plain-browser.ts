import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';

/**
 * A page in a browser as people have it. Playwright switches the partitioning of storage off in the
 * browsers that it starts: there a form in another site's frame has no storage at all.
 */
export async function inPlainBrowser(use: (page: Page) => Promise<void>): Promise<void> {
  const { browser, end } = await startPlainBrowser();
  try {
    const context = browser.contexts()[0] ?? (await browser.newContext());
    await use(await context.newPage());
    await browser.close();
  } finally {
    await end();
  }
}

type PlainBrowser = { readonly browser: Browser; readonly end: () => Promise<void> };

/**
 * Now and then a browser that has just begun takes a connection and never says a word. Another one
 * does.
 */
async function startPlainBrowser(triesLeft = 3): Promise<PlainBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'kilim-chromium-'));
  const debian = '/usr/bin/chromium';
  const plain = spawn(existsSync(debian) ? debian : chromium.executablePath(), [
    '--headless=new',
    '--no-sandbox',
    '--remote-debugging-port=0',
    // Nothing is opened, asked or fetched while Playwright connects.
    ...['--no-first-run', '--no-default-browser-check', '--disable-background-networking'],
    // Playwright loses sight of the frames in a page that the browser shows again as it was left.
    '--disable-features=BackForwardCache',
    `--user-data-dir=${profile}`,
    'about:blank',
  ]);
  const ended = new Promise((resolve) => plain.once('exit', resolve));
  const end = async () => {
    plain.kill('SIGKILL');
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    const browser = await chromium.connectOverCDP(await debuggingAddress(plain), { timeout: 10_000 });
    return { browser, end };
  } catch (error) {
    await end();
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
