import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Measured, print, quantile, withShop } from './browser.ts';

// Lighthouse's default mobile preset (simulated slow 4G and a CPU four times slower): the median of five runs. A busy
// machine lowers the score, so compare only figures of one run. Its own package.json brings 147 packages; `npm ci` does
// not install it.

const folder = fileURLToPath(new URL('./lighthouse', import.meta.url));
const program = `${folder}/node_modules/lighthouse/cli/index.js`;

const runs = 5;
/** A busy machine loses traces. */
const maxFailedRuns = 3;
const wanted = { performance: 99, accessibility: 100, layoutShift: 0.001, largestPaint: 1000 };

type Report = {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, { readonly numericValue?: number; readonly errorMessage?: string }>>;
  /** It ended without a report, for example because the trace has no start of the navigation (`NO_NAVSTART`). */
  readonly failure?: string;
};

if (existsSync(program)) await withShop(measure);
else print('npm install --prefix frontend/bench/lighthouse, to measure with Lighthouse.');

async function measure({ url, debuggingPort }: Measured): Promise<void> {
  const performance: number[] = [];
  const accessibility: number[] = [];
  const layoutShift: number[] = [];
  const firstPaint: number[] = [];
  const largestPaint: number[] = [];
  const blocking: number[] = [];
  let failedRuns = 0;
  while (performance.length < runs) {
    const { categories, audits, failure } = await runLighthouse(url, debuggingPort);
    const score = categories['performance']?.score ?? undefined;
    if (score === undefined) {
      const reason = failure ?? audits['first-contentful-paint']?.errorMessage ?? 'no performance score';
      failedRuns += 1;
      if (failedRuns > maxFailedRuns) throw new Error(`Lighthouse failed in ${failedRuns} runs: ${reason}`);
      print(`repeating a failed run: ${reason}`);
      continue;
    }
    performance.push(score * 100);
    accessibility.push((categories['accessibility']?.score ?? 0) * 100);
    layoutShift.push(audits['cumulative-layout-shift']?.numericValue ?? Number.NaN);
    firstPaint.push(audits['first-contentful-paint']?.numericValue ?? Number.NaN);
    largestPaint.push(audits['largest-contentful-paint']?.numericValue ?? Number.NaN);
    blocking.push(audits['total-blocking-time']?.numericValue ?? Number.NaN);
    print(
      `run ${performance.length}: performance ${performance.at(-1)?.toFixed(0)}, accessibility ${accessibility.at(-1)?.toFixed(0)}`,
    );
  }
  const median = (values: readonly number[]) => quantile(values, 0.5);
  print('Lighthouse, mobile        median   wanted');
  print(`performance               ${median(performance).toFixed(0).padStart(6)}   >= ${wanted.performance}`);
  print(`accessibility             ${median(accessibility).toFixed(0).padStart(6)}   >= ${wanted.accessibility}`);
  print(`cumulative layout shift   ${median(layoutShift).toFixed(3).padStart(6)}   <  ${wanted.layoutShift}`);
  print(`first contentful paint    ${median(firstPaint).toFixed(0).padStart(6)} ms`);
  print(`largest contentful paint  ${median(largestPaint).toFixed(0).padStart(6)}   <= ${wanted.largestPaint} ms`);
  print(`total blocking time       ${median(blocking).toFixed(0).padStart(6)} ms`);
}

async function runLighthouse(url: string, port: number): Promise<Report> {
  const categories = '--only-categories=performance,accessibility';
  const output = ['--output=json', '--output-path=stdout', '--quiet'];
  const run = [program, url, `--port=${port}`, categories, ...output];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, run, { maxBuffer: 100_000_000 });
    return JSON.parse(stdout) as Report;
  } catch (error) {
    return { categories: {}, audits: {}, failure: error instanceof Error ? error.message : String(error) };
  }
}
