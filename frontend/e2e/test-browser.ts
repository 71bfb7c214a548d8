import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';

/** Fits Playwright's launch options. */
export type TestBrowser = {
  readonly executablePath: string;
  readonly args: readonly string[];
  /** For the browser alone: its libraries and fonts would disturb other programs. */
  readonly env: Readonly<Record<string, string>>;
};

const debian = '/usr/bin/chromium';

/**
 * Headed Chromium's address bar suggestions load two extra pages for each window, which double the time of a short
 * test.
 */
const addressBarPages = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/**
 * Chromium uses only the last `--disable-features`, so this repeats Playwright's list (`chromiumSwitches.ts` of
 * Playwright 1.65), without what does not exist in headless mode on Linux.
 */
const switchedOffByPlaywright = [
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'AimEnabled',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

const withoutAddressBarPages = `--disable-features=${[...switchedOffByPlaywright, ...addressBarPages].join(',')}`;

/**
 * The one that `KILIM_TEST_BROWSER` names, else the lock file's (a headless shell for 64-bit Linux on Intel and AMD),
 * else Playwright's, else Debian's. Where the lock file has one, every browser uses its fonts, so that texts are
 * equally wide on all machines.
 * @throws when there is none, with a sentence that says what to type.
 */
export async function findTestBrowser(): Promise<TestBrowser> {
  const named = process.env['KILIM_TEST_BROWSER'];
  if (named && !existsSync(named)) throw new Error(`KILIM_TEST_BROWSER: there is no program ${named}.`);
  if (process.platform === 'linux' && process.arch === 'x64') {
    const folder = await unpackLockedBrowser();
    const fonts = { FONTCONFIG_FILE: join(folder, 'fonts.conf') };
    if (named) return startedFrom(named, fonts);
    return startedFrom(join(folder, 'chromium'), { ...fonts, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') });
  }
  const found = [named, chromium.executablePath(), debian].find((program) => program && existsSync(program));
  if (found) return startedFrom(found);
  throw new Error(
    'No browser for the tests was found: run npx playwright install chromium, or set KILIM_TEST_BROWSER to a Chromium.',
  );
}

function startedFrom(executablePath: string, more: Readonly<Record<string, string>> = {}): TestBrowser {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value;
  return {
    executablePath,
    args: [
      // Chromium's sandbox refuses to run as root, as containers do.
      ...(userInfo().uid === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      // Debian's Chromium would emulate a GPU, which takes a fifth more time.
      '--disable-gpu',
      '--disable-gpu-compositing',
      '--disable-gpu-rasterization',
      '--disable-software-rasterizer',
      withoutAddressBarPages,
    ],
    env: { ...env, ...more },
  };
}

/**
 * With its fonts and the libraries that a slim image lacks, once after each install.
 * @returns their folder.
 */
async function unpackLockedBrowser(): Promise<string> {
  // The package exports only its code, whose folder is a neighbour of its archives.
  const packed = fileURLToPath(new URL('..', import.meta.resolve('@sparticuz/chromium')));
  const { version } = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8')) as { version: string };
  const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));
  const folder = join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  // Another process may unpack at the same time: the complete folder appears in one step.
  const unfinished = await mkdtemp(`${folder}-`);
  await inflate(
    ['chromium.br', 'al2023.tar.br', 'fonts.tar.br'].map((name) => join(packed, 'bin', name)),
    unfinished,
  );
  await writeFile(join(unfinished, 'fonts.conf'), fontsIn(folder));
  await rename(unfinished, folder).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  });
  return folder;
}

/** The package unpacks into the folder for temporary files, so a process of its own is told another one. */
async function inflate(archives: readonly string[], into: string): Promise<void> {
  const script = `import { inflate } from '@sparticuz/chromium'; await Promise.all(process.argv.slice(1).map(inflate));`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script, ...archives], {
    cwd: dirname(fileURLToPath(import.meta.url)),
    env: { ...process.env, TMPDIR: into },
  });
}

function fontsIn(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'font-cache')}</cachedir>
</fontconfig>
`;
}

// `npm test` asks first, because the browser tests come last.
if (import.meta.main) {
  await findTestBrowser().catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}
