import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkOut, findPreviousRelease } from './previous-release.ts';

let folder: string;
let repository: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kilim-release-'));
  repository = join(folder, 'repository');
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', repository]);
});
afterEach(() => rmSync(folder, { recursive: true }));

function git(...args: readonly string[]): string {
  const author = ['-c', 'user.name=Spec', '-c', 'user.email=spec@example.com'];
  return execFileSync('git', [...author, '-C', repository, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** @returns the commit. */
function commit(files: Readonly<Record<string, string>> = {}): string {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(repository, name), text);
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message', 'A change');
  return git('rev-parse', 'HEAD');
}

const packageOf = (version: string) => JSON.stringify({ name: 'kilim', version });

/** As CONTRIBUTING.md describes it. */
function release(version: string): string {
  const headings = git('rev-list', '--count', '--all') === '0' ? '' : git('show', 'HEAD:CHANGELOG.md');
  const changelog = `## [Unreleased]\n\n## [${version}] - 2026-11-22\n${headings.replace('## [Unreleased]\n', '')}`;
  return commit({ 'package.json': packageOf(version), 'CHANGELOG.md': changelog });
}

test('the previous release is the newest tag of an earlier commit', async () => {
  release('0.9.0');
  git('tag', 'v0.9.0');
  const tenth = release('0.10.0');
  git('tag', '--annotate', '--message', 'Release', 'v0.10.0');
  commit();
  git('tag', 'v0.11.0-rc.1');
  git('tag', 'vintage');
  expect(await findPreviousRelease(repository)).toEqual({ commit: tenth, version: '0.10.0' });
});

test('a tag of the commit itself, or of another branch, is not the previous release', async () => {
  const first = release('0.1.0');
  git('tag', 'v0.1.0');
  git('checkout', '--quiet', '-b', 'other');
  release('0.3.0');
  git('tag', 'v0.3.0');
  git('checkout', '--quiet', 'main');
  release('0.2.0');
  git('tag', 'v0.2.0');
  expect(await findPreviousRelease(repository)).toEqual({ commit: first, version: '0.1.0' });
});

test('without tags it is the last earlier commit that added a version to the changelog', async () => {
  const first = release('0.1.0');
  commit({ 'CHANGELOG.md': '## [Unreleased]\n\n- New\n\n## [0.1.0] - 2026-11-22\n' });
  const second = release('0.2.0');
  expect(await findPreviousRelease(repository)).toEqual({ commit: first, version: '0.1.0' });
  commit();
  expect(await findPreviousRelease(repository)).toEqual({ commit: second, version: '0.2.0' });
});

test('before the first release there is none, whatever commits of the past say', async () => {
  release('0.1.0');
  commit({ 'CHANGELOG.md': '## [Unreleased]\n', 'package.json': packageOf('1.0.0') });
  commit();
  expect(await findPreviousRelease(repository)).toBeUndefined();
});

test('the first release has none before it, and neither has a folder outside of a clone', async () => {
  release('0.1.0');
  git('tag', 'v0.1.0');
  expect(await findPreviousRelease(repository)).toBeUndefined();
  expect(await findPreviousRelease(folder)).toBeUndefined();
});

test('a clone that is too shallow says so', async () => {
  release('0.1.0');
  commit();
  commit();
  const shallow = join(folder, 'shallow');
  execFileSync('git', ['clone', '--quiet', '--depth=2', `file://${repository}`, shallow]);
  await expect(findPreviousRelease(shallow)).rejects.toThrow('run git fetch --unshallow --tags');
});

test('every package and the lock file have the version of the newest release in the changelog, or of the first one', () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const version = /^## \[(\d+\.\d+\.\d+)\]/m.exec(read('CHANGELOG.md'))?.[1] ?? '1.0.0';
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Versioned> };
  for (const folder of ['', 'bff', 'domain', 'frontend', 'lab']) {
    const found = JSON.parse(read(join(folder, 'package.json'))) as Versioned;
    const locked = lock.packages[folder]?.version;
    expect({ folder, own: found.version, locked }).toEqual({ folder, own: version, locked: version });
  }
  const [newest = ''] = execFileSync('git', ['tag', '--list', 'v*', '--sort=-version:refname'], {
    encoding: 'utf8',
  }).split('\n');
  if (newest !== '') expect(newest).toBe(`v${version}`);
});

type Versioned = { readonly version: string };

test('files of a release are written as that release had them', async () => {
  const into = join(folder, 'checkout');
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  await checkOut({ commit: head, version: '' }, { into, paths: ['package.json'] });
  expect(readdirSync(into)).toEqual(['package.json']);
  expect(JSON.parse(readFileSync(join(into, 'package.json'), 'utf8'))).toMatchObject({ name: 'kilim' });
});
