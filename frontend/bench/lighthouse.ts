import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Measured, quantile, say, withShop } from './browser.ts';

// Measures the order form with Lighthouse on its default mobile preset (slow 4G and a CPU four times slower, simulated): five
// runs, the median. A busy machine lowers the first figure; compare only within one run. Lighthouse brings 147 packages, so
// it has a package.json of its own and `npm ci` does not install it.

const folder = fileURLToPath(new URL('./lighthouse', import.meta.url));
const program = `${folder}/node_modules/lighthouse/cli/index.js`;

const runs = 5;
/** How often a run may come to nothing: a busy machine loses traces. */
const mostLost = 3;
const wanted = { performance: 97, accessibility: 100, layoutShift: 0.02 };

type Report = {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, { readonly numericValue?: number; readonly errorMessage?: string }>>;
};

if (existsSync(program)) await withShop(measure);
else say('npm ci --prefix frontend/bench/lighthouse, to measure with Lighthouse.');

async function measure({ url, debuggingPort }: Measured): Promise<void> {
  const performance: number[] = [];
  const accessibility: number[] = [];
  const layoutShift: number[] = [];
  const firstPaint: number[] = [];
  const largestPaint: number[] = [];
  const blocking: number[] = [];
  let lost = 0;
  while (performance.length < runs) {
    const { categories, audits } = await runLighthouse(url, debuggingPort);
    const score = categories['performance']?.score ?? undefined;
    if (score === undefined) {
      const why = audits['first-contentful-paint']?.errorMessage ?? 'nothing was measured';
      lost += 1;
      if (lost > mostLost) throw new Error(`Lighthouse measures nothing: ${why}`);
      say(`a run is repeated: ${why}`);
      continue;
    }
    performance.push(score * 100);
    accessibility.push((categories['accessibility']?.score ?? 0) * 100);
    layoutShift.push(audits['cumulative-layout-shift']?.numericValue ?? Number.NaN);
    firstPaint.push(audits['first-contentful-paint']?.numericValue ?? Number.NaN);
    largestPaint.push(audits['largest-contentful-paint']?.numericValue ?? Number.NaN);
    blocking.push(audits['total-blocking-time']?.numericValue ?? Number.NaN);
    say(
      `run ${performance.length}: performance ${performance.at(-1)?.toFixed(0)}, accessibility ${accessibility.at(-1)?.toFixed(0)}`,
    );
  }
  const median = (values: readonly number[]) => quantile(values, 0.5);
  say('Lighthouse, mobile        median   wanted');
  say(`performance               ${median(performance).toFixed(0).padStart(6)}   >= ${wanted.performance}`);
  say(`accessibility             ${median(accessibility).toFixed(0).padStart(6)}   >= ${wanted.accessibility}`);
  say(`cumulative layout shift   ${median(layoutShift).toFixed(3).padStart(6)}   <  ${wanted.layoutShift}`);
  say(`first contentful paint    ${median(firstPaint).toFixed(0).padStart(6)} ms`);
  say(`largest contentful paint  ${median(largestPaint).toFixed(0).padStart(6)} ms`);
  say(`total blocking time       ${median(blocking).toFixed(0).padStart(6)} ms`);
}

async function runLighthouse(url: string, port: number): Promise<Report> {
  const categories = '--only-categories=performance,accessibility';
  const output = ['--output=json', '--output-path=stdout', '--quiet'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, url, `--port=${port}`, categories, ...output],
    { maxBuffer: 100_000_000 },
  );
  return JSON.parse(stdout) as Report;
}
