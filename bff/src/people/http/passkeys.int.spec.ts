import { ada, type Browser, makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { type Authenticator, createAuthenticator, type Wrong } from '@kilim/lab/testing/authenticator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { addPasskeyOf, challengeFor } from '@kilim/lab/testing/second-factor';
import { openShop } from '@kilim/lab/testing/shop';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { hashPassword } from '../sign-in/passwords.ts';
import { byOperator } from '../use-case/record-admin-events.ts';
import { resetSecondFactor } from '../use-case/second-factor.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const origin = 'http://office.kilim.test';
const signInPath = '/api/admin/login/passkey';
const confirmPath = '/api/admin/reauthenticate/passkey';

beforeEach(async () => {
  const world = { sql: appSql, now: () => new Date() };
  await resetSecondFactor(world, 'ada', byOperator);
  await ownerSql`delete from kilim.throttle`;
});
afterEach(() => {
  vi.useRealTimers();
});

const isSignedIn = async (browser: Browser) => (await browser.get('/api/admin/session')).status === 200;
const elevenMinutesLater = (browser: Browser) => browser.age(ownerSql, 660);

async function adaWithPasskey() {
  const browser = openBrowser(shop);
  await browser.signIn();
  const authenticator = createAuthenticator(origin);
  const answer = await addPasskeyOf(browser, authenticator);
  expect(answer.status).toBe(200);
  return { browser, authenticator };
}

async function signInWith(browser: Browser, authenticator: Authenticator, wrong: Wrong = {}): Promise<number> {
  const assertion = authenticator.get(await challengeFor(browser, signInPath), wrong);
  return (await browser.post(signInPath, assertion)).status;
}

describe('adding a passkey', () => {
  test('returns recovery codes with the first one only, and records the fact', async () => {
    const { browser } = await adaWithPasskey();
    const second = await addPasskeyOf(browser, createAuthenticator(origin));
    expect(await second.json()).toEqual({ recoveryCodes: null });
    const listed = (await (await browser.get('/api/admin/second-factor')).json()) as { factors: unknown[] };
    expect(listed.factors).toHaveLength(2);
    const [fact] = await ownerSql<{ type: string; payload: string }[]>`
      select type, payload::text as payload from ledger.event where stream_id = 'admin-ada' order by version desc limit 1`;
    expect(fact).toEqual({ type: 'SecondFactorAdded', payload: '{"kind":"passkey","username":"ada"}' });
  });

  test.each<[string, Wrong]>([
    ['of another origin', { origin: 'http://office.kilim.test.evil.test' }],
    ['of another host', { rpId: 'evil.test' }],
    ['without user verification', { userVerified: false }],
  ])('%s is refused', async (_, wrong) => {
    const browser = openBrowser(shop);
    await browser.signIn();
    expect((await addPasskeyOf(browser, createAuthenticator(origin), wrong)).status).toBe(422);
  });

  test('that is known already is refused', async () => {
    const { browser, authenticator } = await adaWithPasskey();
    expect((await addPasskeyOf(browser, authenticator)).status).toBe(409);
  });
});

describe('signing in with a passkey', () => {
  test('needs no password', async () => {
    const { authenticator } = await adaWithPasskey();
    const browser = openBrowser(shop);
    expect(await signInWith(browser, authenticator)).toBe(200);
    expect(await isSignedIn(browser)).toBe(true);
    expect((await browser.post('/api/admin/export-tokens', { name: 'Nightly' })).status).toBe(201);
  });

  test('is also the second step after the password', async () => {
    const { authenticator } = await adaWithPasskey();
    const browser = openBrowser(shop);
    const answer = await browser.post('/api/admin/login', ada);
    expect([answer.status, await answer.json()]).toEqual([202, { factors: ['passkey'] }]);
    expect(await isSignedIn(browser)).toBe(false);
    expect(await signInWith(browser, authenticator)).toBe(200);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test.each<[string, Wrong]>([
    ['on a page of another origin', { origin: 'http://office.kilim.test.evil.test' }],
    ['on a page of http instead of https', { origin: 'https://office.kilim.test' }],
    ['for another host', { rpId: 'evil.test' }],
    ['without user verification', { userVerified: false }],
    ['by a forged signature', { signature: 'AAAA' }],
  ])('%s is refused', async (_, wrong) => {
    const { authenticator } = await adaWithPasskey();
    const browser = openBrowser(shop);
    expect(await signInWith(browser, authenticator, wrong)).toBe(401);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('names its person, and is refused when it names another one', async () => {
    const { authenticator } = await adaWithPasskey();
    const [user] = await ownerSql<{ handle: Buffer }[]>`select handle from admin.passkey_user where username = 'ada'`;
    const userHandle = user?.handle.toString('base64url') ?? '';
    expect(await signInWith(openBrowser(shop), authenticator, { userHandle })).toBe(200);
    for (const foreign of ['', userHandle.slice(1), userHandle.toLowerCase()]) {
      expect(await signInWith(openBrowser(shop), authenticator, { userHandle: foreign })).toBe(401);
    }
  });

  test('that no person added is refused', async () => {
    expect(await signInWith(openBrowser(shop), createAuthenticator(origin))).toBe(401);
  });

  test('is refused when its counter does not grow, because it may be a copy', async () => {
    const { authenticator } = await adaWithPasskey();
    const browser = openBrowser(shop);
    expect(await signInWith(browser, authenticator, { signCount: 7 })).toBe(200);
    expect(await signInWith(openBrowser(shop), authenticator, { signCount: 7 })).toBe(401);
    expect(await signInWith(openBrowser(shop), authenticator, { signCount: 6 })).toBe(401);
    expect(await signInWith(openBrowser(shop), authenticator, { signCount: 0 })).toBe(401);
    expect(await signInWith(openBrowser(shop), authenticator, { signCount: 8 })).toBe(200);
    expect(shop.logged.join('')).toContain('Response counter value 6 was lower than expected 7');
  });

  test('of an account that was disabled is refused', async () => {
    const { authenticator } = await adaWithPasskey();
    await ownerSql`update admin.account set state = 'disabled' where username = 'ada'`;
    expect(await signInWith(openBrowser(shop), authenticator)).toBe(401);
    await ownerSql`update admin.account set state = 'active' where username = 'ada'`;
  });
});

describe('a challenge', () => {
  test('is valid once', async () => {
    const { authenticator } = await adaWithPasskey();
    const browser = openBrowser(shop);
    const assertion = authenticator.get(await challengeFor(browser, signInPath));
    const answers = await Promise.all([1, 2, 3].map(() => browser.post(signInPath, assertion)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  test('is valid for five minutes, in the browser that asked, and for its purpose', async () => {
    const { browser: signedIn, authenticator } = await adaWithPasskey();
    const browser = openBrowser(shop);
    const old = await challengeFor(browser, signInPath);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 60_000 });
    expect((await browser.post(signInPath, authenticator.get(old))).status).toBe(401);
    vi.useRealTimers();
    const other = openBrowser(shop);
    await challengeFor(other, signInPath);
    const stolen = authenticator.get(await challengeFor(browser, signInPath));
    expect((await other.post(signInPath, stolen)).status).toBe(401);
    const confirming = authenticator.get(await challengeFor(signedIn, confirmPath));
    expect((await browser.post(signInPath, confirming)).status).toBe(401);
    expect((await browser.post(signInPath, authenticator.get('made-up'))).status).toBe(401);
    expect((await openBrowser(shop).post(signInPath, stolen)).status).toBe(401);
  });
});

describe('ten minutes later', () => {
  test('the passkey alone proves the person, under a new session token', async () => {
    const { browser, authenticator } = await adaWithPasskey();
    const before = browser.cookies.get('kilim_admin');
    await elevenMinutesLater(browser);
    expect((await browser.post('/api/admin/export-tokens', { name: 'Nightly' })).status).toBe(403);
    const assertion = authenticator.get(await challengeFor(browser, confirmPath));
    expect((await browser.post(confirmPath, assertion)).status).toBe(200);
    expect(browser.cookies.get('kilim_admin')).not.toBe(before);
    expect((await browser.post('/api/admin/export-tokens', { name: 'Nightly' })).status).toBe(201);
  });

  test('a passkey does not permit a new password: that needs the current one', async () => {
    const { browser, authenticator } = await adaWithPasskey();
    const assertion = authenticator.get(await challengeFor(browser, confirmPath));
    expect((await browser.post(confirmPath, assertion)).status).toBe(200);
    const change = (token: string) =>
      browser.post('/api/admin/set-password', ada, { authorization: `Bearer ${token}` });
    expect((await change('A'.repeat(43))).status).toBe(403);
    const given = await browser.post('/api/admin/reauthenticate', { password: ada.password });
    const { token } = (await given.json()) as { token: string };
    expect((await change(token)).status).toBe(200);
  });

  test('the passkey of another person does not count', async () => {
    const { browser } = await adaWithPasskey();
    const hash = await hashPassword('eves long password 77');
    await ownerSql`
      insert into admin.account (username, display_name, role, state, activated_at, password_hash)
      values ('eve', 'Eve', 'owner', 'active', now(), ${hash}) on conflict do nothing`;
    const eve = openBrowser(shop);
    await eve.post('/api/admin/login', { username: 'eve', password: 'eves long password 77' });
    const hers = createAuthenticator(origin);
    expect((await addPasskeyOf(eve, hers)).status).toBe(200);
    await elevenMinutesLater(browser);
    const assertion = hers.get(await challengeFor(browser, confirmPath));
    expect((await browser.post(confirmPath, assertion)).status).toBe(403);
    expect((await browser.post('/api/admin/export-tokens', { name: 'Nightly' })).status).toBe(403);
  });
});

test('the application login reads neither passkeys nor secrets of codes in bulk', async () => {
  for (const table of [
    'passkey',
    'passkey_user',
    'one_time_code',
    'recovery_code',
    'pending_sign_in',
    'passkey_challenge',
  ])
    await expect(appSql`select * from admin.${appSql(table)}`, table).rejects.toMatchObject({ code: '42501' });
});
