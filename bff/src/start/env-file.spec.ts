import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { envFileWarnings } from './env-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'kilim-env-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['SQUARE_ACESS_TOKEN', 'SQUARE_ACCESS_TOKEN'],
  ['SQUARE_TOKEN', 'SQUARE_ACCESS_TOKEN'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['PROT', 'PORT'],
  ['log_level', 'LOG_LEVEL'],
  ['KILIM_DATA_DIR', 'DATA_DIR'],
])('a misspelt %s is reported with the name %s', (written, meant) => {
  expect(envFileWarnings(`${written}=1`)).toEqual([
    `.env sets ${written}, which nothing reads. Did you mean ${meant}?`,
  ]);
});

test('a name that resembles no variable is reported without a suggestion', () => {
  expect(envFileWarnings('MAILCHIMP_AUDIENCE=1')).toEqual(['.env sets MAILCHIMP_AUDIENCE, which nothing reads.']);
});

test('known names and comments are not reported, and a warning repeats no value', () => {
  expect(envFileWarnings('# PROT=1\nPORT=1\nOWNER_PASSWORD=a\nAPP_PASSWORD=b\nNODE_ENV=test\n')).toEqual([]);
  expect(envFileWarnings('SQUARE_TOKEN="a secret"').join()).not.toContain('a secret');
});

test('every npm script that reads variables reads .env, and the environment overrides the file', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const flag = '--import ./bff/src/start/load-env-file.ts';
  for (const name of ['start', 'dev', 'migrate', 'doctor', 'reconcile', 'ledger', 'admin', 'seed']) {
    expect(scripts[name], name).toContain(flag);
    // It must come first: an old Node.js cannot load the TypeScript of the others.
    expect(scripts[name]?.indexOf('require-node.mjs'), name).toBeLessThan(scripts[name]?.indexOf(flag) ?? -1);
    expect(scripts[name], name).toContain('require-node.mjs');
  }
  writeFileSync(join(folder, '.env'), 'PORT=1\nPROT=2\n');
  const { stdout, stderr } = runWithEnvFile({ PORT: '3' });
  expect(stdout).toBe('3 2\n');
  expect(stderr).toBe('Warning: .env sets PROT, which nothing reads. Did you mean PORT?\n');
});

test('without a .env file nothing is read and no warning is printed', () => {
  rmSync(join(folder, '.env'), { force: true });
  expect(runWithEnvFile({})).toMatchObject({ stdout: 'undefined undefined\n', stderr: '' });
});

function runWithEnvFile(variables: Readonly<Record<string, string>>) {
  const loader = fileURLToPath(new URL('./load-env-file.ts', import.meta.url));
  const script = 'console.log(process.env.PORT, process.env.PROT)';
  const env = { PATH: process.env['PATH'], ...variables };
  return spawnSync(process.execPath, ['--import', loader, '--eval', script], { cwd: folder, env, encoding: 'utf8' });
}
