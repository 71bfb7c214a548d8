import { defineConfig, devices } from '@playwright/test';
import { findTestBrowser } from './frontend/e2e/test-browser.ts';

const { executablePath, args, env } = await findTestBrowser();

const isContinuousIntegration = process.env['CI'] === 'true';

const phone = { ...devices['Pixel 7'], viewport: { width: 390, height: 844 } };
const desktop = { viewport: { width: 1280, height: 900 } };

// `npm test` runs the projects phone and desktop: the tests with the tag @core, each at the size that shows most.
// `npm run test:all` runs the projects phone-all and desktop-all: all other tests. A test of the files in `atBothSizes`,
// whose subject is the layout, runs at both sizes, every other one at one: the back office on a desktop, the shop on a
// phone. The tags @phone and @desktop name the size of a single test. A pattern is matched with a test's project, file,
// title and tags.
const back = /\badmin-[\w-]+\.e2e/.source;
const atBothSizes = /\b(accessibility|small-screens|server-rendered-home|admin-(every-page|looks|orders|refunds))\.e2e/
  .source;
const coreOnDesktop = new RegExp(`^(?!.*@phone)(?=.*(@desktop|${back}))(?=.*@core)`);
const coreOnPhone = new RegExp(`^(?!.*(@desktop|${back}))(?=.*@core)`);
const restOnDesktop = new RegExp(`^(?!.*@phone)(?=.*(@desktop|${back}|${atBothSizes}))`);
const restOnPhone = new RegExp(`^(?!.*@desktop)((?=.*(@phone|${atBothSizes}))|(?!.*${back}))`);

export default defineConfig({
  testDir: 'frontend/e2e',
  testMatch: '**/*.e2e.spec.ts',
  globalSetup: './frontend/e2e/database-server.ts',
  fullyParallel: true,
  // Three workers on two cores take a sixth less time, but now and then a press comes too late.
  workers: 2,
  forbidOnly: isContinuousIntegration,
  // Generous: a slow machine is no defect. Tests wait for conditions, and set no limits of their own.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['./frontend/e2e/failures-at-once.ts']],
  outputDir: 'test-results',
  use: {
    // Recording makes every test slower by a third: TRACE=1 npx playwright test <file> records failed tests.
    trace: process.env['TRACE'] === undefined ? 'off' : 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath, args: [...args], env: { ...env } },
  },
  projects: [
    { name: 'phone', use: phone, grep: coreOnPhone },
    { name: 'desktop', use: desktop, grep: coreOnDesktop },
    { name: 'phone-all', use: phone, grep: restOnPhone, grepInvert: coreOnPhone },
    { name: 'desktop-all', use: desktop, grep: restOnDesktop, grepInvert: coreOnDesktop },
  ],
});
