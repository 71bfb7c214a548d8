import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { defineConfig, devices } from '@playwright/test';
import { withoutAddressBarPages } from './frontend/e2e/browser-features.ts';

// Debian's Chromium where there is one, else the browser that Playwright installed.
const debianChromium = '/usr/bin/chromium';
const isRoot = userInfo().uid === 0;

const isContinuousIntegration = process.env['CI'] === 'true';

export default defineConfig({
  testDir: 'frontend/e2e',
  testMatch: '**/*.e2e.spec.ts',
  globalSetup: './frontend/e2e/database-server.ts',
  fullyParallel: true,
  // With three on two cores everything takes a sixth less time, and now and then a press comes too late for what it was meant for.
  workers: 2,
  forbidOnly: isContinuousIntegration,
  // A machine that others slow down is no defect of ours. What needed a second try is told apart at the end, as flaky.
  retries: isContinuousIntegration ? 1 : 0,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  outputDir: 'test-results',
  use: {
    // Recording makes every test slower by a third: TRACE=1 npx playwright test <file> records what fails.
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
  // What does not depend on the size of the window is tried on one of them, by its tag; files whose tests all carry it are named here.
  projects: [
    {
      name: 'phone',
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 } },
      grepInvert: /@desktop/,
    },
    {
      name: 'desktop',
      use: { viewport: { width: 1280, height: 900 } },
      grepInvert: /@phone/,
      testIgnore: '**/{checkout,receipt,toasts,failed-scripts}.e2e.spec.ts',
    },
  ],
});
