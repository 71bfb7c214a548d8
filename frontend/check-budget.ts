import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import type { ModulesOfFiles } from './build-steps/list-modules.ts';

/** The first load of a customer page, in bytes after brotli compression. */
const maxBytes = { js: 120_500, css: 8_000 };
const singleScripts = {
  /** On other sites' pages. */
  'embed script': { key: undefined, file: 'embed.js', maxBytes: 3_000 },
  /** Loaded after the rest. */
  'measurement of visits': { key: 'src/measure-visit.ts', file: '', maxBytes: 1_000 },
  'sign-in of the office': { key: 'src/office/sign-in.ts', file: '', maxBytes: 60_000 },
} as const;
/** Loaded by the routes of a page (`src/shop-routes.ts`). */
const pages = {
  home: ['src/home/home-page.tsx'],
  checkout: ['src/embed/checkout-place.tsx'],
  receipt: ['src/receipt/receipt-page.tsx', 'src/receipt/receipt-loading.tsx'],
};

/** Only the back office may load these. */
const backOffice = /^frontend\/src\/office\/|node_modules\/(antd|@ant-design|@rc-component|rc-[^/]+)\//;

type Chunk = {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
};
type Manifest = Readonly<Record<string, Chunk>>;

const folder = process.argv[2] ?? join(import.meta.dirname, '../build/frontend');
const manifest = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest;

/** The entry and a page's modules, with their static imports. */
function filesOfPage(modules: readonly string[]): Set<string> {
  const files = new Set<string>();
  const add = (key: string): void => {
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`The build has no chunk for ${key}`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const sheet of chunk.css ?? []) files.add(sheet);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  for (const key of ['index.html', ...modules]) add(key);
  return files;
}

/** The server sends this file to browsers that take brotli (`build-steps/precompress.ts`). */
async function sentBytes(file: string): Promise<number> {
  return (await stat(join(folder, `${file}.br`))).size;
}

async function weigh(page: string, modules: readonly string[]): Promise<boolean> {
  const total = { js: 0, css: 0 };
  const lines: string[] = [];
  for (const file of filesOfPage(modules)) {
    const bytes = await sentBytes(file);
    total[file.endsWith('.css') ? 'css' : 'js'] += bytes;
    lines.push(`  ${String(bytes).padStart(8)}  ${file}`);
  }
  const fits = total.js <= maxBytes.js && total.css <= maxBytes.css;
  const sums = `JavaScript ${total.js} of ${maxBytes.js}, CSS ${total.css} of ${maxBytes.css} bytes of brotli`;
  process.stdout.write(`${page}: ${sums}${fits ? '' : ', OVER BUDGET'}\n${lines.join('\n')}\n`);
  return fits;
}

async function weighScript(name: keyof typeof singleScripts): Promise<boolean> {
  const { key, file, maxBytes: most } = singleScripts[name];
  const path = key === undefined ? file : (manifest[key]?.file ?? key);
  const bytes = await sentBytes(path);
  const fits = bytes <= most;
  process.stdout.write(`${name}: ${bytes} of ${most} bytes of brotli${fits ? '' : ', OVER BUDGET'}\n`);
  return fits;
}

/** Through static or dynamic imports. */
function filesOfCustomers(): Set<string> {
  const files = new Set<string>();
  const add = (key: string): void => {
    const chunk = manifest[key];
    if (chunk === undefined || files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]) add(imported);
  };
  add('index.html');
  return files;
}

async function keepsBackOfficeApart(): Promise<boolean> {
  const modules = JSON.parse(await readFile(join(folder, '.vite/modules.json'), 'utf8')) as ModulesOfFiles;
  const files = [...filesOfCustomers()].filter((file) => file.endsWith('.js'));
  const strays = files.flatMap((file) =>
    (modules[file] ?? [`${file} itself, which the module list does not contain`])
      .filter((id) => backOffice.test(id) || modules[file] === undefined)
      .map((id) => `  ${id} in ${file}`),
  );
  // If no chunk contains the back office, the pattern above is wrong and the check is void.
  const isPatternValid = Object.values(modules).some((ids) => ids.some((id) => backOffice.test(id)));
  const isApart = strays.length === 0 && isPatternValid;
  const verdict = isApart ? 'no part of the back office' : 'PARTS OF THE BACK OFFICE';
  process.stdout.write(`${files.length} files of customers' pages: ${verdict}\n${strays.join('\n')}\n`);
  return isApart;
}

let withinBudget = await keepsBackOfficeApart();
for (const name of Object.keys(singleScripts) as (keyof typeof singleScripts)[]) {
  withinBudget = (await weighScript(name)) && withinBudget;
}
for (const [page, modules] of Object.entries(pages)) withinBudget = (await weigh(page, modules)) && withinBudget;
if (!withinBudget) process.exitCode = 1;
