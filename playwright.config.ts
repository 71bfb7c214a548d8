import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { defineConfig, devices } from '@playwright/test';
import { withoutAddressBarPages } from './frontend/e2e/browser-features.ts';

// Debian's Chromium where there is one, else the browser that Playwright installed.
const debianChromium = '/usr/bin/chromium';
const isRoot = userInfo().uid === 0;

const isContinuousIntegration = process.env['CI'] === 'true';

const phone = { ...devices['Pixel 7'], viewport: { width: 390, height: 844 } };
const desktop = { viewport: { width: 1280, height: 900 } };

// `npm test` runs the projects phone and desktop: each test once, at the size that shows most, without the tests that
// have the tag @long. `npm run test:all` runs the projects phone-long and desktop-long: these tests, and every test
// without the tag @phone or @desktop at its other size. A pattern is matched with a test's file, title and tags.
const backOffice = /\badmin-[\w-]+\.e2e\.spec\.ts/;
const firstOnDesktop = new RegExp(`@desktop|${backOffice.source}`);
const firstOnPhone = new RegExp(`^(?!.*(${firstOnDesktop.source}))`);
/** Files of which no test depends on the size. */
const phoneOnly = '**/{checkout,receipt,toasts,failed-scripts}.e2e.spec.ts';

export default defineConfig({
  testDir: 'frontend/e2e',
  testMatch: '**/*.e2e.spec.ts',
  globalSetup: './frontend/e2e/database-server.ts',
  fullyParallel: true,
  // Three workers on two cores take a sixth less time, but now and then a press comes too late.
  workers: 2,
  forbidOnly: isContinuousIntegration,
  // A machine that other work slows down is not a defect. The report lists a test that needed a second try as flaky.
  retries: isContinuousIntegration ? 1 : 0,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  outputDir: 'test-results',
  use: {
    // Recording makes every test slower by a third: TRACE=1 npx playwright test <file> records failed tests.
    trace: process.env['TRACE'] === undefined ? 'off' : 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(existsSync(debianChromium) ? { executablePath: debianChromium } : {}),
      // Chromium's sandbox refuses to run as root, as containers do.
      args: [
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-background-networking',
        '--disable-gpu',
        withoutAddressBarPages,
      ],
    },
  },
  projects: [
    { name: 'phone', use: phone, grepInvert: [firstOnDesktop, /@long/] },
    { name: 'desktop', use: desktop, grep: firstOnDesktop, grepInvert: /@long/ },
    // Besides the long tests: the back office on a phone, and the shop on a desktop.
    { name: 'phone-long', use: phone, grep: [/@long/, backOffice], grepInvert: /@desktop/ },
    { name: 'desktop-long', use: desktop, grep: [/@long/, firstOnPhone], grepInvert: /@phone/, testIgnore: phoneOnly },
  ],
});
