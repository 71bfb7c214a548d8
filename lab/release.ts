import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// npm run release -- 1.2.0

const root = fileURLToPath(new URL('..', import.meta.url));

export type Released = { readonly changelog: string; readonly notes: string };

/**
 * Gives what is unreleased a heading.
 * @param version such as `1.2.0`, higher than that of every heading.
 * @param today `yyyy-mm-dd`.
 * @throws Error with a sentence for the person who releases.
 */
export function release(changelog: string, version: string, today: string): Released {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`A version looks like 1.2.0, not like ${version}.`);
  const newest = newestVersion(changelog);
  if (newest !== undefined && !isHigher(version, newest)) {
    throw new Error(`${newest} was released already: the next version is higher.`);
  }
  const [, before = '', notes = '', rest = ''] =
    /^([\s\S]*?^## \[Unreleased\]\n)([\s\S]*?)((?:^## \[\d[\s\S]*)?)$(?![\s\S])/m.exec(changelog) ?? [];
  if (before === '') throw new Error('CHANGELOG.md has no heading ## [Unreleased].');
  if (notes.trim() === '') throw new Error('CHANGELOG.md says nothing below ## [Unreleased].');
  const heading = `## [${version}] - ${today}`;
  return { changelog: `${before}\n${heading}\n\n${notes.trim()}\n${rest && `\n${rest}`}`, notes: notes.trim() };
}

/** Of the changelog's headings. Undefined: nothing was released. */
export function newestVersion(changelog: string): string | undefined {
  return /^## \[(\d+\.\d+\.\d+)\]/m.exec(changelog)?.[1];
}

function isHigher(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) > 0;
}

function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}

/** Version, heading, commit and tag in one go, or nothing of it. */
function main(version: string): string {
  if (run('git', 'status', '--porcelain') !== '') throw new Error('Commit or stash the changes first: git status.');
  if (run('git', 'tag', '--list', `v${version}`) !== '') throw new Error(`There is a tag v${version} already.`);
  const file = `${root}CHANGELOG.md`;
  const today = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
  const { changelog, notes } = release(readFileSync(file, 'utf8'), version, today);
  writeFileSync(file, changelog);
  const everywhere = ['--workspaces', '--include-workspace-root', '--no-git-tag-version', '--allow-same-version'];
  run('npm', 'version', version, ...everywhere, '--ignore-scripts', '--silent');
  run('git', 'commit', '--quiet', '--all', '--message', `Release ${version}`);
  run('git', 'tag', '--annotate', `v${version}`, '--message', `${version}\n\n${notes}`);
  return `Released ${version}. Publish it: git push --follow-tags\nTake it back: git tag -d v${version} && git reset --hard HEAD~1`;
}

if (import.meta.main) {
  try {
    process.stdout.write(`${main(process.argv[2] ?? '')}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
