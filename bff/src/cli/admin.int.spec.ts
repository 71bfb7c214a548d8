import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeAdministrator } from '../../testing/administrator.ts';
import { testDatabase } from '../../testing/postgres.ts';
import { findAccount } from '../sign-in/accounts.ts';
import { isPassword } from '../sign-in/passwords.ts';

const { appSql, url } = await testDatabase();
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

test('reset-password creates no account', async () => {
  expect(await run(['reset-password', 'eve'])).toMatchObject({ code: 1, stderr: 'There is no administrator eve.\n' });
  expect((await run([])).stdout).toMatch(/^npm run admin -- reset-password/);
});
