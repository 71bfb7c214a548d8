import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeAdministrator } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { expect, test } from 'vitest';
import { findAccount } from '../../people/sign-in/accounts.ts';
import { isPassword } from '../../people/sign-in/passwords.ts';
import { findLink } from '../../people/sign-in/people.ts';
import { factorKinds } from '../../people/sign-in/second-factor/factors.ts';

const { appSql, ownerSql, url } = await testDatabase();
await makeAdministrator(appSql);
const cli = fileURLToPath(new URL('./admin.ts', import.meta.url));

async function run(args: readonly string[], variables: Record<string, string> = {}) {
  const options = { env: { ...process.env, DATABASE_URL: url, ...variables } };
  return await promisify(execFile)(process.execPath, [cli, ...args], options).catch((error: unknown) => {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  });
}

const hasPassword = async (password: string) =>
  await isPassword(password, (await findAccount(appSql, 'ada'))?.passwordHash);

test('reset-password generates a password and prints it once', async () => {
  const { stdout } = await run(['reset-password', 'ada']);
  const [, drawn = ''] = /It is (\S+) \(shown only now\)/.exec(stdout) ?? [];
  expect(await hasPassword(drawn)).toBe(true);
});

test("reset-password accepts the operator's password and does not print it", async () => {
  const { stdout } = await run(['reset-password', 'ada'], { NEW_PASSWORD: 'a violet teapot on mars' });
  expect(stdout).not.toContain('violet');
  expect(await hasPassword('a violet teapot on mars')).toBe(true);
  expect(await run(['reset-password', 'ada'], { NEW_PASSWORD: 'password1' })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Password is too easy to guess/),
  });
});

test('reset-second-factor removes every factor and records that the operator did it', async () => {
  await ownerSql`
    insert into admin.one_time_code (username, secret, is_confirmed) values ('ada', '\\x00', true)`;
  expect((await run(['reset-second-factor', 'Ada'])).stdout).toBe(
    'ada has no second factor now, and 0 sessions ended.\n',
  );
  expect(await factorKinds(appSql, 'ada')).toEqual([]);
  const [fact] =
    await ownerSql`select type, actor from ledger.event where stream_id = 'admin-ada' order by version desc`;
  expect(fact).toEqual({ type: 'SecondFactorReset', actor: 'admin:operator' });
  expect(await run(['reset-second-factor', 'eve'])).toMatchObject({ stderr: 'There is no administrator eve.\n' });
});

test('reset-password creates no account', async () => {
  expect(await run(['reset-password', 'eve'])).toMatchObject({ code: 1, stderr: 'There is no active account eve.\n' });
  expect((await run([])).stdout).toMatch(/^npm run admin -- list\n/);
});

test('the operator invites a person, whose link works, and changes role and state', async () => {
  const { stdout } = await run(['invite', 'Ben', 'clerk', 'Ben', 'Doe'], { OFFICE_URL: 'https://office.test/' });
  const [, token = ''] = /https:\/\/office\.test\/admin\/invitation#(\S+)/.exec(stdout) ?? [];
  expect(await findLink(appSql, token)).toMatchObject({ username: 'ben', displayName: 'Ben Doe', role: 'clerk' });
  expect((await run(['set-role', 'ben', 'accountant'])).stdout).toBe('ben has the role accountant.\n');
  expect((await run(['disable', 'ben'])).stdout).toBe('ben is disabled.\n');
  expect((await run(['list'])).stdout).toContain('ben  Ben Doe  accountant, disabled\n');
  expect((await run(['enable', 'ben'])).stdout).toBe('ben is enabled.\n');
  const events = await appSql<{ type: string; actor: string }[]>`
    select type, actor from ledger.event where stream_id = 'admin-ben' order by version`;
  expect(events.map(({ type }) => type)).toEqual([
    'AccountInvited',
    'RoleChanged',
    'AccountDisabled',
    'AccountEnabled',
  ]);
  expect(new Set(events.map(({ actor }) => actor))).toEqual(new Set(['admin:operator']));
  const log = (await run(['security-log', 'ben'])).stdout.trim().split('\n');
  expect(log.map((line) => line.split('  ').slice(2).join('  '))).toEqual([
    'ben  Account enabled, by operator',
    'ben  Account disabled, by operator',
    'ben  Role changed from clerk to accountant, by operator',
    'ben  Invited as clerk, by operator',
  ]);
  expect((await run(['security-log', 'eve'])).stdout).toBe('There are no entries.\n');
});

test.each([
  [['disable', 'ada'], 'This is the last active owner. Make another person an owner first.\n'],
  [['disable', 'eve'], 'There is no such account.\n'],
  [['set-role', 'ada', 'boss'], 'boss is not a role: give owner, clerk, accountant.\n'],
  [['invite', 'operator', 'clerk'], 'operator is not a possible sign-in name.\n'],
])('%j is refused in words', async (args, stderr) => {
  expect(await run(args)).toMatchObject({ code: 1, stderr });
});
