import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseEnvironment } from '../../start/env.ts';
import { variableNames } from '../../start/env-variables.ts';
import { readSecretFiles, secretNames } from './secret-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'kilim-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(content: string): string {
  const file = join(folder, `secret-${content.length}`);
  writeFileSync(file, content);
  return file;
}

function problemsOf(variables: Record<string, string>): readonly string[] {
  const parsed = parseEnvironment(variables);
  return parsed.ok ? [] : parsed.rejection;
}

test.each(secretNames)('%s may be given as a file', (name) => {
  expect(variableNames).toContain(name);
  const read = readSecretFiles({ [`${name}_FILE`]: fileWith('a secret') });
  expect(read).toMatchObject({ ok: true, value: { [name]: 'a secret' } });
});

test('the line end of a file is no part of the secret', () => {
  const parsed = parseEnvironment({ DATABASE_URL_FILE: fileWith('postgres://kilim:secret@db/kilim\r\n') });
  expect(parsed).toMatchObject({ ok: true, value: { database: { url: 'postgres://kilim:secret@db/kilim' } } });
});

test('a variable and its file exclude each other', () => {
  const file = fileWith('one\n');
  expect(problemsOf({ ADMIN_PASSWORD: 'two', ADMIN_PASSWORD_FILE: file })).toEqual([
    'ADMIN_PASSWORD and ADMIN_PASSWORD_FILE are both set: remove one of them.',
  ]);
  // `docker compose` passes unset variables as empty values.
  expect(problemsOf({ ADMIN_PASSWORD: ' ', ADMIN_PASSWORD_FILE: file })).toEqual([]);
  expect(problemsOf({ ADMIN_PASSWORD: 'two', ADMIN_PASSWORD_FILE: '' })).toEqual([]);
});

test.each([
  ['is missing', () => join(folder, 'missing'), 'names a file that does not exist.'],
  ['is a folder', () => folder, 'names a file that cannot be read (EISDIR).'],
  ['is empty', () => fileWith('\n'), 'names an empty file.'],
])('a file that %s stops the start with a sentence that names the variable', (_, file, sentence) => {
  expect(problemsOf({ METRICS_TOKEN_FILE: file() })).toEqual([`METRICS_TOKEN_FILE ${sentence}`]);
});

test('no sentence repeats the content or the name of a file', () => {
  const text = problemsOf({ DATABASE_URL_FILE: fileWith('hunter2'), ADMIN_PASSWORD_FILE: '/hunter3' }).join('\n');
  expect(text).toContain('ADMIN_PASSWORD_FILE names');
  expect(text).not.toMatch(/hunter/);
});

test('a malformed secret in a file is refused as in a variable', () => {
  expect(problemsOf({ DATABASE_URL_FILE: fileWith('hunter2') })).toEqual([
    'DATABASE_URL must look like postgres://user:password@host/database.',
  ]);
});
