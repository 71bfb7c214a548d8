import { ada, type Browser, makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { cloneDatabase, testDatabase } from '@kilim/lab/testing/postgres';
import { openShop } from '@kilim/lab/testing/shop';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ensureFirstAdministrator } from '../sign-in/accounts.ts';
import { resetPassword } from '../use-case/change-password.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const [original] = await ownerSql<{ hash: string }[]>`select password_hash as hash from admin.account`;

beforeEach(async () => {
  await ownerSql`delete from admin.session`;
  await ownerSql`delete from kilim.throttle`;
  await ownerSql`update admin.account set password_hash = ${original?.hash ?? ''}`;
});

const fresh = 'a violet teapot on mars';

type NewPassword = { readonly token: string | undefined; readonly password?: string; readonly username?: string };

const setPassword = (browser: Browser, { token, password = fresh, username = 'ada' }: NewPassword) =>
  browser.post(
    '/api/admin/set-password',
    { username, password },
    token === undefined ? {} : { authorization: `Bearer ${token}` },
  );

const changes = () => ownerSql<{ actor: string; payload: string }[]>`
  select actor, payload::text as payload from ledger.event where stream_id = 'admin-ada' order by version`;

describe('changing the password', () => {
  test('with the token of a sign-in sets it, and ends every other session', async () => {
    const [here, elsewhere] = [openBrowser(shop), openBrowser(shop)];
    await elsewhere.signIn();
    const token = await here.signIn();
    const before = (await changes()).length;
    const answer = await setPassword(here, { token });
    expect([answer.status, await answer.json()]).toEqual([200, { success: true, endedSessions: 1 }]);
    expect((await here.get('/api/admin/session')).status).toBe(200);
    expect((await elsewhere.get('/api/admin/session')).status).toBe(401);
    expect((await openBrowser(shop).post('/api/admin/login', ada)).status).toBe(401);
    expect(await openBrowser(shop).signIn(fresh)).toHaveLength(43);
    const recorded = await changes();
    expect(recorded).toHaveLength(before + 1);
    expect(recorded.at(-1)?.actor).toBe('admin:ada');
    expect(JSON.parse(recorded.at(-1)?.payload ?? '')).toEqual({ username: 'ada', how: 'changed', endedSessions: 1 });
    expect(shop.logged.join('')).not.toContain(fresh);
  });

  test.each([
    ['without a token', () => undefined],
    ['with a made-up token', () => 'A'.repeat(43)],
  ])('%s changes nothing', async (_, token) => {
    const browser = openBrowser(shop);
    await browser.signIn();
    const answer = await setPassword(browser, { token: token() });
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'ReauthenticationRequired' }]);
    expect(await openBrowser(shop).signIn()).toHaveLength(43);
  });

  test('needs the session that the token was given to', async () => {
    const [here, elsewhere] = [openBrowser(shop), openBrowser(shop)];
    const token = await here.signIn();
    await elsewhere.signIn();
    expect((await setPassword(elsewhere, { token })).status).toBe(403);
    expect((await setPassword(openBrowser(shop), { token })).status).toBe(401);
  });

  test('works once with one token, and not after ten minutes', async () => {
    const browser = openBrowser(shop);
    const token = await browser.signIn();
    await browser.age(ownerSql, 601);
    expect((await setPassword(browser, { token })).status).toBe(403);
    const again = await browser.signIn();
    expect((await setPassword(browser, { token: again })).status).toBe(200);
    expect((await setPassword(browser, { token: again, password: `${fresh} again` })).status).toBe(403);
  });

  test.each([
    ['abc', 'Password must be at least 4 characters long'],
    ['abcd', 'Password is too easy to guess'],
    ['RugCleaning2026', 'Password is too easy to guess'],
    ['x'.repeat(129), 'Password must be at most 128 characters long'],
  ])('to %j is refused in words', async (password, message) => {
    const browser = openBrowser(shop);
    const token = await browser.signIn();
    const answer = await setPassword(browser, { token, password });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      message,
      fields: { password: message },
      suggestions: expect.any(Array),
    });
    expect(await openBrowser(shop).signIn()).toHaveLength(43);
  });

  test("is for one's own account", async () => {
    const browser = openBrowser(shop);
    const token = await browser.signIn();
    expect((await setPassword(browser, { token, username: 'eve' })).status).toBe(422);
  });
});

test('the strength of a password can be queried while typing, without any effect', async () => {
  const browser = openBrowser(shop);
  await browser.signIn();
  const strengthOf = async (password: string) =>
    (await (await browser.post('/api/admin/password-strength', { password })).json()) as unknown;
  expect(await strengthOf('rugcleaning')).toEqual({
    score: expect.toSatisfy((score: number) => score < 3),
    message: 'Password is too easy to guess',
    suggestions: expect.arrayContaining([expect.any(String)]),
  });
  expect(await strengthOf('gravel umbrella telegraph 41')).toEqual({ score: 4, message: null, suggestions: [] });
  expect(await openBrowser(shop).signIn()).toHaveLength(43);
});

test('the operator resets a forgotten password, which ends every session', async () => {
  // A temporary password would hold for the other tests too.
  const database = await cloneDatabase();
  onTestFinished(database.drop);
  const other = await openShop(database.appSql);
  onTestFinished(other.close);
  await makeAdministrator(database.appSql);
  const browser = openBrowser(other);
  await browser.signIn();
  const world = { sql: database.appSql, now: () => new Date() };
  expect(await resetPassword(world, { username: 'eve', password: fresh })).toBeUndefined();
  expect(await resetPassword(world, { username: 'ada', password: fresh })).toMatchObject({
    how: 'reset',
    endedSessions: 1,
  });
  expect((await browser.get('/api/admin/session')).status).toBe(401);
  expect(await openBrowser(other).signIn(fresh)).toHaveLength(43);
  const [person] = await database.ownerSql`select must_change_password as temporary from admin.account`;
  expect(person).toEqual({ temporary: true });
});

describe('the first start', () => {
  test('creates one administrator, also when several processes start together, and shows a generated password once', async () => {
    const database = await cloneDatabase();
    const first = { username: 'Admin', password: undefined, production: false };
    const drawn = await Promise.all([1, 2, 3].map(() => ensureFirstAdministrator(database.appSql, first)));
    expect(drawn.filter((password) => password !== undefined)).toEqual([
      expect.stringMatching(/^([a-km-z2-9]{4}-){6}[a-km-z2-9]{4}$/),
    ]);
    expect(await ensureFirstAdministrator(database.appSql, first)).toBeUndefined();
    expect(await database.ownerSql`select username from admin.account`).toEqual([{ username: 'admin' }]);
    await database.drop();
  });

  test('in production refuses a password that is easy to guess, and later starts do not read it', async () => {
    const database = await cloneDatabase();
    const start = (password: string) =>
      ensureFirstAdministrator(database.appSql, { username: 'Grace', password, production: true });
    await expect(start('kilim2026')).rejects.toThrow(/^ADMIN_PASSWORD: Password is too easy to guess/);
    expect(await start(fresh)).toBeUndefined();
    expect(await start('kilim2026')).toBeUndefined();
    await database.drop();
  });

  test('in production refuses a name that attackers try first, and later starts do not read it', async () => {
    const database = await cloneDatabase();
    const start = (username: string) =>
      ensureFirstAdministrator(database.appSql, { username, password: fresh, production: true });
    for (const name of ['admin', 'Administrator', 'root', 'sa']) {
      await expect(start(name)).rejects.toThrow(/^ADMIN_USERNAME must be/);
    }
    expect(await database.ownerSql`select from admin.account`).toHaveLength(0);
    await start('grace');
    expect(await start('admin')).toBeUndefined();
    expect(await database.ownerSql`select username from admin.account`).toEqual([{ username: 'grace' }]);
    await database.drop();
  });

  test.each([
    ['generated', { password: undefined, production: false }, true],
    ['configured in development', { password: fresh, production: false }, false],
    ['configured in production', { password: fresh, production: true }, true],
  ])('a first password that is %s is temporary: %o', async (_, first, isTemporary) => {
    const database = await cloneDatabase();
    await ensureFirstAdministrator(database.appSql, { username: 'grace', ...first });
    const people = await database.ownerSql`select role, state, must_change_password as temporary from admin.account`;
    expect(people).toEqual([{ role: 'owner', state: 'active', temporary: isTemporary }]);
    await database.drop();
  });
});
