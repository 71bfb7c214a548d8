import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { identity, startTestSimulator } from '@kilim/lab/square/simulator-under-test';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { appendFacts, workedMonth } from '@kilim/lab/testing/worked-month';
import { afterAll, expect, test } from 'vitest';
import { sentenceOf } from '../../core/runtime/diagnosis.ts';
import { seal } from '../../proof/checkpoint.ts';
import { ledgerSigner } from '../../proof/signing-key.ts';
import { diagnose } from '../doctor/diagnose.ts';
import { parseEnvironment } from '../env.ts';
import { listen } from '../listen.ts';

// As an operator runs it: real PostgreSQL, the local Square, one wrong value at a time.

const { url, appSql } = await testDatabase();
const { url: otherDatabase } = await testDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'kilim-doctor-'));
const simulator = await startTestSimulator();
const busy = await listen({ host: '127.0.0.1', port: 0, handler: () => ({ fetch: () => new Response('a web page') }) });
afterAll(async () => {
  await Promise.all([simulator.close(), busy.close(0)]);
  await rm(dataDir, { recursive: true });
});

const makeKey = () =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
const [key, otherKey] = [makeKey(), makeKey()];
await appendFacts(appSql, workedMonth.slice(0, 3));
await settled(appSql);
await seal(appSql, ledgerSigner(key, 'Test'));

const right = {
  DATABASE_URL: url,
  MIGRATION_DATABASE_URL: url,
  DATA_DIR: dataDir,
  LEDGER_SIGNING_KEY: key,
  SQUARE_ACCESS_TOKEN: identity.accessToken,
  SQUARE_LOCATION_ID: identity.locationId,
  SQUARE_BASE_URL: simulator.url,
  PORT: '0',
};

type Variables = Readonly<Record<string, string>>;

/** With these variables only. */
async function run(variables: Variables, ...args: readonly string[]) {
  const program = fileURLToPath(new URL('./doctor.ts', import.meta.url));
  const env = { PATH: process.env['PATH'], ...variables };
  return await promisify(execFile)(process.execPath, [program, ...args], { env, cwd: dataDir }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  );
}

/** Without a process: loading Square's SDK takes a second. */
async function problemsOf(variables: Variables): Promise<readonly string[]> {
  const parsed = parseEnvironment(variables);
  if (!parsed.ok) return parsed.rejection;
  const problems: string[] = [];
  await diagnose(parsed.value, ({ found }) => {
    if (found === 'skipped') return;
    problems.push(...found.map((diagnosis) => `${diagnosis.level} ${sentenceOf(diagnosis)}`));
  });
  return problems;
}

test('with the right variables every check is ok, and the exit code is 0', async () => {
  const { code, stdout, stderr } = await run(right);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.at(-1)).toBe('Errors: 0. Warnings: 0.');
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.slice(0, -1).filter((line) => !line.startsWith('ok       '))).toEqual([]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
}, 60_000);

const stranger = Object.assign(new URL(url), { username: 'stranger' }).href;
const wrongPassword = Object.assign(new URL(url), { password: 'a-wrong-secret' }).href;
const unreachable = 'postgres://kilim:a-secret@127.0.0.1:1/kilim';

test.each<[string, Variables, string]>([
  ['an unreachable database', { DATABASE_URL: unreachable }, 'error DATABASE_URL: nothing accepts connections'],
  ['a wrong password', { DATABASE_URL: wrongPassword }, 'error DATABASE_URL: '],
  ['an unknown login', { MIGRATION_DATABASE_URL: stranger }, 'error MIGRATION_DATABASE_URL: '],
  ['another database', { MIGRATION_DATABASE_URL: otherDatabase }, 'error MIGRATION_DATABASE_URL: it names another'],
  ['another key', { LEDGER_SIGNING_KEY: otherKey }, 'error LEDGER_SIGNING_KEY: the newest checkpoint (number 1)'],
  ['no key', { LEDGER_SIGNING_KEY: '' }, 'error LEDGER_SIGNING_KEY: the newest checkpoint (number 1)'],
  ['a wrong token', { SQUARE_ACCESS_TOKEN: 'a-wrong-secret' }, 'error SQUARE_ACCESS_TOKEN: Square refuses'],
  ['an unknown location', { SQUARE_LOCATION_ID: 'LNOWHERE' }, 'error SQUARE_LOCATION_ID: the account of'],
  ['no Square', { SQUARE_BASE_URL: 'http://127.0.0.1:1' }, 'error SQUARE_ENVIRONMENT: Square gave no usable answer'],
  ['a busy port', { PORT: String(busy.port) }, 'error PORT: another program listens'],
  ['a foreign host', { HOST: '192.0.2.1' }, 'error HOST: 192.0.2.1 is no address of this machine.'],
  ['a file as directory', { DATA_DIR: '/dev/null', LEDGER_SIGNING_KEY: '' }, 'error DATA_DIR: /dev/null is a file.'],
  ['a short token', { METRICS_TOKEN: 'x' }, 'warning METRICS_TOKEN: it has 1 characters'],
  ['a weak password', { ADMIN_PASSWORD: 'x' }, 'warning ADMIN_PASSWORD: it has fewer than'],
])(
  '%s is named, with its variable',
  async (_, wrong, problem) => {
    const problems = await problemsOf({ ...right, ...wrong });
    expect(problems[0]).toContain(problem);
    expect(problems.join()).not.toContain('secret');
  },
  60_000,
);

test('an error makes the exit code 1, and what it makes impossible is skipped', async () => {
  const { code, stdout, stderr } = await run({ ...right, DATABASE_URL: unreachable });
  expect(stdout).toMatch(/^error {4}DATABASE_URL: nothing accepts connections at 127\.0\.0\.1:1\./m);
  expect(stdout).toMatch(/^skipped {2}The privileges/m);
  expect(stdout).toMatch(/\nErrors: 1\. Warnings: 0\.\n$/);
  expect(stdout).not.toContain('secret');
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
}, 60_000);

test('a malformed value is an error, and no later check runs', async () => {
  const { code, stdout } = await run({ ...right, PORT: 'a-secret' });
  expect(stdout).toContain('error    PORT must be a whole number from 0 to 65535.\nskipped ');
  expect(code).toBe(1);
}, 60_000);

test('a new installation has no errors, and nothing is created', async () => {
  const empty = join(dataDir, 'not-yet');
  expect(await problemsOf({ DATA_DIR: empty, PORT: '0' })).toEqual([]);
  await expect(stat(empty)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('--help explains the command, and an unknown argument too', async () => {
  expect(await run({}, '--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('Exit codes: 0') });
  expect(await run({}, '--verbose')).toMatchObject({ code: 1, stdout: expect.stringContaining('npm run doctor') });
}, 60_000);
