import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Changes the rules of orders one by one, and counts the changes that the specs of the domain notice. Fails below 95
// per cent, on a survivor that survivors.json does not explain, and on an explained one that is gone. Usage:
// npm install --prefix lab/mutation && node lab/mutation/main.ts [file...]

const wantedScore = 95;
const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');
const say = (line: string) => void process.stdout.write(`${line}\n`);

/** A change of the code that no spec notices. */
type Survivor = { readonly file: string; readonly line: string; readonly mutant: string };
type Position = { readonly line: number; readonly column: number };
type Mutant = {
  readonly status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'CompileError' | 'RuntimeError' | 'Ignored';
  readonly replacement: string;
  readonly location: { readonly start: Position; readonly end: Position };
};
type Report = {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
};

const counted = (mutants: readonly Mutant[], ...statuses: readonly Mutant['status'][]) =>
  mutants.filter(({ status }) => statuses.includes(status));

/** Without line numbers, which change too often. */
function survivorOf(file: string, source: string, { location: { start, end }, replacement }: Mutant): Survivor {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const line = (lines[0] ?? '').trim();
  const until = lines.slice(0, -1).join('\n').length + (lines.length === 1 ? 0 : 1) + end.column - 1;
  const before = lines.join('\n').slice(start.column - 1, until);
  return { file, line, mutant: `${oneLine(before)} -> ${oneLine(replacement)}` };
}

function oneLine(code: string): string {
  const text = code.replace(/\s+/g, ' ');
  return text.length > 100 ? `${text.slice(0, 100)}...` : text;
}

const files = process.argv.slice(2);
const stryker = spawnSync(
  process.execPath,
  [
    'lab/mutation/node_modules/@stryker-mutator/core/bin/stryker.js',
    ...['run', 'lab/mutation/stryker.config.json'],
    ...(files.length === 0 ? [] : ['--mutate', files.join()]),
  ],
  { cwd: root, stdio: 'inherit' },
);
if (stryker.status !== 0) throw new Error('Stryker failed; npm install --prefix lab/mutation installs it');

const report = JSON.parse(read('build/mutation.json')) as Report;
const survivors: Survivor[] = [];
let [killed, tried] = [0, 0];
for (const [file, { source, mutants }] of Object.entries(report.files)) {
  const alive = counted(mutants, 'Survived', 'NoCoverage');
  const dead = counted(mutants, 'Killed', 'Timeout').length;
  survivors.push(...alive.map((mutant) => survivorOf(file, source, mutant)));
  killed += dead;
  tried += dead + alive.length;
  say(`${file}: ${dead} of ${dead + alive.length}`);
}

const explained = JSON.parse(read('lab/mutation/survivors.json')) as readonly (Survivor & {
  readonly reason: string;
})[];
const keyOf = ({ file, line, mutant }: Survivor) => JSON.stringify([file, line, mutant]);
const isIn = (list: readonly Survivor[]) => {
  const keys = new Set(list.map(keyOf));
  return (survivor: Survivor) => keys.has(keyOf(survivor));
};
const unexplained = survivors.filter((survivor) => !isIn(explained)(survivor));
const gone = explained.filter(({ file }) => file in report.files).filter((survivor) => !isIn(survivors)(survivor));
const score = (100 * killed) / tried;
for (const survivor of unexplained) say(`survives without a reason: ${keyOf(survivor)}`);
for (const survivor of gone) say(`survives no longer: ${keyOf(survivor)}`);
say(`${killed} of ${tried} mutants killed: ${score.toFixed(1)} %`);
process.exitCode = score < wantedScore || unexplained.length + gone.length > 0 ? 1 : 0;
