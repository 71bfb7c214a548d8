import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { identity, startTestSimulator } from '@kilim/lab/square/simulator-under-test';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { appendFacts, workedMonth } from '@kilim/lab/testing/worked-month';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sentenceOf } from '../../core/runtime/diagnosis.ts';
import { seal } from '../../proof/checkpoint.ts';
import { ledgerSigner } from '../../proof/signing-key.ts';
import { diagnose } from '../doctor/diagnose.ts';
import { parseEnvironment } from '../env.ts';
import { listen } from '../listen.ts';

// As an operator runs it: real PostgreSQL, the local Square, one wrong value at a time.

const { url, appSql, ownerSql } = await testDatabase();
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

/** Without a process, which takes a second to load. */
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

const at = (parts: Partial<Record<'username' | 'password' | 'hostname' | 'pathname' | 'search', string>>) =>
  Object.assign(new URL(url), parts).href;
const unreachable = 'postgres://kilim:a-secret@127.0.0.1:1/kilim';
const [few, nobody] = [`few_${randomUUID().slice(0, 8)}`, `nobody_${randomUUID().slice(0, 8)}`];
beforeAll(async () => {
  await ownerSql.unsafe(`
    create role ${few} login password 'a-secret' connection limit 20;
    grant kilim_server to ${few};
    create role ${nobody} login password 'a-secret'`);
});
afterAll(() => ownerSql.unsafe(`drop role ${few}; drop role ${nobody}`));

const sandbox = { SQUARE_ENVIRONMENT: 'sandbox', SQUARE_APPLICATION_ID: 'sandbox-sq0idb-shop' };
const production = {
  ...sandbox,
  NODE_ENV: 'production',
  ADMIN_PASSWORD: 'a long secret for nobody',
  PUBLIC_URL: 'https://shop.example.com',
  OFFICE_URL: 'https://office.example.net',
  TRUST_PROXY: '1',
  SQUARE_BASE_URL: '',
  DATABASE_NETWORK: 'private',
  SQUARE_ACCESS_TOKEN: 'EAAA-a-long-secret-1',
  SQUARE_WEBHOOK_SIGNATURE_KEY: 'signed-by-a-secret-2',
};

/** One wrong value each. Every sentence names its variable, says what is wrong, and what to do. */
const wrongConfigurations: readonly (readonly [what: string, wrong: Variables, sentence: RegExp])[] = [
  [
    'no PostgreSQL',
    { DATABASE_URL: unreachable },
    /^error DATABASE_URL: nothing accepts connections .* Start PostgreSQL/,
  ],
  [
    'a wrong password',
    { DATABASE_URL: at({ password: 'a-wrong-secret' }) },
    /^error DATABASE_URL: .* refuses the password .* percent-encoding/,
  ],
  [
    'an unknown login',
    { MIGRATION_DATABASE_URL: at({ username: 'stranger' }) },
    /^error MIGRATION_DATABASE_URL: .* Correct the user/,
  ],
  [
    'an unknown database',
    { DATABASE_URL: at({ pathname: '/bazaar' }) },
    /^error DATABASE_URL: there is no database bazaar .* createdb/,
  ],
  [
    'an unknown host',
    { DATABASE_URL: at({ hostname: 'postgres.invalid' }) },
    /^error DATABASE_URL: the host name .* Correct the host/,
  ],
  [
    'another database',
    { MIGRATION_DATABASE_URL: otherDatabase },
    /^error MIGRATION_DATABASE_URL: it names another .* Use the same host/,
  ],
  [
    'no TLS',
    { DATABASE_URL: at({ search: '?sslmode=require' }) },
    /^error DATABASE_URL: .* offers no TLS.* Enable TLS/,
  ],
  [
    'channel binding without TLS',
    { DATABASE_URL: at({ search: '?channel_binding=require' }) },
    /^warning DATABASE_URL: the parameter channel_binding is ignored/,
  ],
  [
    'a parameter without effect',
    { DATABASE_URL: at({ search: '?keepalives_idle=9' }) },
    /^warning DATABASE_URL: the parameter keepalives_idle is ignored: .* Remove it/,
  ],
  [
    'a refused parameter',
    { DATABASE_URL: at({ search: '?sslpassword=a-secret' }) },
    /^DATABASE_URL must not have the parameter sslpassword: .* store it without one/,
  ],
  [
    'an unknown parameter',
    { MIGRATION_DATABASE_URL: at({ search: '?work_mem=9' }) },
    /^MIGRATION_DATABASE_URL must not have the unknown parameter work_mem: remove it/,
  ],
  [
    'an unknown value',
    { DATABASE_URL: at({ search: '?sslmode=full' }) },
    /^DATABASE_URL must not have an unknown value of the parameter sslmode/,
  ],
  [
    'no writes',
    { DATABASE_URL: at({ search: '?options=-c%20default_transaction_read_only%3Don' }) },
    /^error DATABASE_URL: the database takes no writes.* address of the primary/,
  ],
  [
    'no rights',
    { DATABASE_URL: at({ username: nobody, password: 'a-secret' }) },
    /^error DATABASE_URL: the login .* not a member .* npm run migrate -- --login/,
  ],
  [
    'few connections',
    { DATABASE_URL: at({ username: few, password: 'a-secret' }) },
    /^warning DATABASE_URL: PostgreSQL gives this login at most 20 connections.* Raise max_connections/,
  ],
  ['no address of a database', { DATABASE_URL: 'db.example.com' }, /^DATABASE_URL must look like postgres:/],
  ['a migration elsewhere', { DATABASE_URL: '' }, /^DATABASE_URL must be set when MIGRATION_DATABASE_URL is/],
  ['a value twice', { DATABASE_URL_FILE: '/dev/null' }, /^DATABASE_URL and DATABASE_URL_FILE are both set: remove one/],
  ['a file that is missing', { SMTP_URL_FILE: '/nowhere/smtp' }, /^SMTP_URL_FILE .*a file that does not exist/],
  ['another key', { LEDGER_SIGNING_KEY: otherKey }, /^error LEDGER_SIGNING_KEY: the newest checkpoint \(number 1\)/],
  ['no key', { LEDGER_SIGNING_KEY: '' }, /^error LEDGER_SIGNING_KEY: the newest checkpoint \(number 1\)/],
  ['half a key', { LEDGER_SIGNING_KEY: key.slice(0, 20) }, /^LEDGER_SIGNING_KEY must be an Ed25519 private key/],
  [
    'a wrong token',
    { SQUARE_ACCESS_TOKEN: 'a-wrong-secret' },
    /^error SQUARE_ACCESS_TOKEN: Square refuses .* Copy the token/,
  ],
  [
    'an unknown location',
    { SQUARE_LOCATION_ID: 'LNOWHERE' },
    /^error SQUARE_LOCATION_ID: the account of .* Copy the location/,
  ],
  [
    'no Square',
    { SQUARE_BASE_URL: 'http://127.0.0.1:1' },
    /^error SQUARE_ENVIRONMENT: Square gave no usable answer .* Check SQUARE_BASE_URL/,
  ],
  [
    'no application',
    { SQUARE_ENVIRONMENT: 'sandbox' },
    /^SQUARE_APPLICATION_ID must be set when SQUARE_ENVIRONMENT is sandbox/,
  ],
  [
    'an unknown environment',
    { SQUARE_ENVIRONMENT: 'live' },
    /^SQUARE_ENVIRONMENT must be simulator, sandbox or production/,
  ],
  ['no signature key', sandbox, /^warning SQUARE_WEBHOOK_SIGNATURE_KEY: it is not set.* Copy it/],
  [
    'notifications to another host',
    { PUBLIC_URL: 'http://shop.example', SQUARE_WEBHOOK_URL: 'http://shop.exmaple/api' },
    /^warning SQUARE_WEBHOOK_URL: it names the host shop.exmaple.* registered at Square/,
  ],
  ['a busy port', { PORT: String(busy.port) }, /^error PORT: another program listens .* Stop that program/],
  ['one port for two', { PORT: '8080', OFFICE_PORT: '8080' }, /^OFFICE_PORT must name another port than PORT/],
  [
    'the port beside the shop',
    { PORT: '8080', SIMULATOR_PORT: '8081' },
    /^SIMULATOR_PORT must name another port than OFFICE_PORT/,
  ],
  ['no port', { PORT: 'a-secret' }, /^PORT must be a whole number from 0 to 65535/],
  ['a foreign host', { HOST: '192.0.2.1' }, /^error HOST: 192.0.2.1 is no address of this machine. Set HOST/],
  [
    'an address with a path',
    { PUBLIC_URL: 'https://shop.example.com/rugs' },
    /^PUBLIC_URL must be an address without a path/,
  ],
  [
    'a pattern of pages',
    { PARENT_ORIGINS: 'https://*.example.com' },
    /^PARENT_ORIGINS must be addresses without a path/,
  ],
  ['a file as directory', { DATA_DIR: '/dev/null', LEDGER_SIGNING_KEY: '' }, /^error DATA_DIR: \/dev\/null is a file/],
  ['a short token', { METRICS_TOKEN: 'x' }, /^warning METRICS_TOKEN: it has 1 characters.* openssl rand/],
  ['a weak password', { ADMIN_PASSWORD: 'x' }, /^warning ADMIN_PASSWORD: it has fewer than .* Choose a longer one/],
  ['a short factor key', { SECOND_FACTOR_KEY: 'x' }, /^SECOND_FACTOR_KEY must have at least 256 random bits: openssl/],
  ['an unknown level', { LOG_LEVEL: 'verbose' }, /^LOG_LEVEL must be /],
  ['an unknown time zone', { BUSINESS_TIME_ZONE: 'PST8' }, /^BUSINESS_TIME_ZONE must be a time zone like/],
  ['mails without a sender', { SMTP_URL: 'smtp://127.0.0.1:1' }, /^MAIL_FROM must be set too/],
  [
    'no mail server',
    { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'shop@example.com' },
    /^warning SMTP_URL: the mail server cannot be used .* Check host/,
  ],
  [
    'a mail server by http',
    { SMTP_URL: 'http://mail', MAIL_FROM: 'shop@example.com' },
    /^SMTP_URL must look like smtps:/,
  ],
  [
    'the simulator in production',
    { ...production, SQUARE_ENVIRONMENT: 'simulator' },
    /^SQUARE_ENVIRONMENT must be sandbox or production/,
  ],
  ['one host for both in production', { ...production, OFFICE_URL: 'https://shop.example.com' }, /^OFFICE_URL must /],
  [
    'no https in production',
    { ...production, PUBLIC_URL: 'http://shop.example.com' },
    /^PUBLIC_URL must be the https:/,
  ],
  [
    'an open network in production',
    { ...production, DATABASE_NETWORK: 'public', DATABASE_URL: 'postgres://a:secret@db.example.com/a' },
    /^DATABASE_URL must end with \?sslmode=verify-full/,
  ],
  [
    'a superuser in production',
    production,
    /^error DATABASE_URL: the login .* is a superuser.* Give the servers a login of their own/,
  ],
];

test.each(wrongConfigurations)(
  '%s is named, with its variable and the remedy',
  async (_, wrong, sentence) => {
    const problems = await problemsOf({ ...right, ...wrong });
    expect(problems.filter((problem) => sentence.test(problem))).toHaveLength(1);
    expect(problems.join()).not.toMatch(/secret/);
  },
  60_000,
);

test.each([
  ['PAYMENTS_WRITE', 'error', 'POST /v2/payments/cancel'],
  ['DISPUTES_READ', 'warning', 'GET /v2/disputes'],
])('a token without the right %s is named', async (name, level, call) => {
  const [method, path] = call.split(' ');
  simulator.setFault({ kind: 'status', method, path, status: 403, code: 'INSUFFICIENT_SCOPES' });
  expect(await problemsOf(right)).toEqual([
    expect.stringMatching(
      new RegExp(`^${level} SQUARE_ACCESS_TOKEN: the token lacks the right ${name}, so .* Give it`),
    ),
  ]);
});

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
