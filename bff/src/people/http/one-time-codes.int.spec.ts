import {
  ada,
  type Browser,
  type Credentials,
  makeAdministrator,
  makePerson,
  openBrowser,
} from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { addApp, codeOf, givePassword } from '@kilim/lab/testing/second-factor';
import { openShop } from '@kilim/lab/testing/shop';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { hashPassword } from '../sign-in/passwords.ts';
import { byOperator } from '../use-case/record-admin-events.ts';
import { resetSecondFactor } from '../use-case/second-factor.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const world = { sql: appSql, now: () => new Date() };

beforeEach(async () => {
  await resetSecondFactor(world, 'ada', byOperator);
  await ownerSql`delete from admin.known_browser`;
  await ownerSql`delete from kilim.throttle`;
});

const isSignedIn = async (browser: Browser) => (await browser.get('/api/admin/session')).status === 200;
const giveCode = (browser: Browser, code: string) => browser.post('/api/admin/login/code', { code });
const makeToken = (browser: Browser) => browser.post('/api/admin/export-tokens', { name: 'Nightly' });

const elevenMinutesLater = (browser: Browser) => browser.age(ownerSql, 660);

async function adaWithApp() {
  const browser = openBrowser(shop);
  await browser.signIn();
  return { browser, ...(await addApp(browser)) };
}

describe('adding an authenticator app', () => {
  test('takes any number of tries: only the own session knows the secret', async () => {
    const browser = openBrowser(shop);
    await browser.signIn();
    const path = '/api/admin/second-factor/one-time-code';
    const { secret } = (await (await browser.post(`${path}/secret`, {})).json()) as { secret: string };
    for (let guess = 0; guess < 12; guess += 1) {
      expect((await browser.post(path, { name: 'Phone', code: '000000' })).status).toBe(422);
    }
    expect((await browser.post(path, { name: 'Phone', code: codeOf(secret) })).status).toBe(200);
  });

  test('returns ten recovery codes once, ends sessions without the factor, and records facts without secrets', async () => {
    const elsewhere = openBrowser(shop);
    await elsewhere.signIn();
    const { browser, secret, recoveryCodes } = await adaWithApp();
    expect(recoveryCodes).toHaveLength(10);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect([await isSignedIn(browser), await isSignedIn(elsewhere)]).toEqual([true, false]);
    const listed: unknown = await (await browser.get('/api/admin/second-factor')).json();
    expect(listed).toMatchObject({
      factors: [{ kind: 'one-time-code', name: 'Phone', usedAt: null }],
      recoveryCodesLeft: 10,
      required: false,
      passkeyOrigin: 'http://office.kilim.test',
      offersOneTimeCodes: true,
    });
    const facts = await ownerSql<{ type: string; actor: string; payload: string }[]>`
      select type, actor, payload::text as payload from ledger.event where stream_id = 'admin-ada'
      order by version desc limit 2`;
    expect(facts.map(({ type, actor }) => `${type} ${actor}`)).toEqual([
      'RecoveryCodesMade admin:ada',
      'SecondFactorAdded admin:ada',
    ]);
    const [dump] = await ownerSql<{ text: string }[]>`
      select (select string_agg(c::text, ' ') from admin.one_time_code c)
        || (select string_agg(c::text, ' ') from admin.recovery_code c)
        || (select string_agg(payload::text, ' ') from ledger.event) as text`;
    for (const hidden of [secret, ...recoveryCodes]) {
      expect(dump?.text).not.toContain(hidden);
      expect(shop.logged.join('')).not.toContain(hidden);
    }
  });

  test('needs the code of the proposed secret', async () => {
    const browser = openBrowser(shop);
    await browser.signIn();
    const path = '/api/admin/second-factor/one-time-code';
    const { secret } = (await (await browser.post(`${path}/secret`, {})).json()) as { secret: string };
    const { secret: later } = (await (await browser.post(`${path}/secret`, {})).json()) as { secret: string };
    expect((await browser.post(path, { name: 'Phone', code: codeOf(secret) })).status).toBe(422);
    expect(await givePassword(openBrowser(shop))).toBe(200);
    expect((await browser.post(path, { name: 'Phone', code: codeOf(later) })).status).toBe(200);
    expect((await browser.post(`${path}/secret`, {})).status).toBe(409);
  });

  test('needs a recent password', async () => {
    const browser = openBrowser(shop);
    await browser.signIn();
    await elevenMinutesLater(browser);
    const answer = await browser.post('/api/admin/second-factor/one-time-code/secret', {});
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'ReauthenticationRequired' }]);
  });
});

describe('signing in with a code', () => {
  test('the password starts no session; the code does', async () => {
    const { secret } = await adaWithApp();
    const browser = openBrowser(shop);
    const answer = await browser.post('/api/admin/login', ada);
    expect([answer.status, await answer.json()]).toEqual([202, { factors: ['one-time-code'] }]);
    expect(browser.cookies.has('kilim_admin')).toBe(false);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await giveCode(browser, ' ')).status).toBe(422);
    expect((await giveCode(browser, '000000')).status).toBe(401);
    expect((await giveCode(browser, codeOf(secret))).status).toBe(200);
    expect(await isSignedIn(browser)).toBe(true);
    expect((await makeToken(browser)).status).toBe(201);
  });

  test('a code works once for the account, also in another browser', async () => {
    const { secret } = await adaWithApp();
    const [one, other] = [openBrowser(shop), openBrowser(shop)];
    await Promise.all([givePassword(one), givePassword(other)]);
    const code = codeOf(secret);
    const answers = await Promise.all([giveCode(one, code), giveCode(other, code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const third = openBrowser(shop);
    await givePassword(third);
    expect((await giveCode(third, code)).status).toBe(401);
    expect((await giveCode(third, codeOf(secret, -1))).status).toBe(401);
    expect((await giveCode(third, codeOf(secret, 1))).status).toBe(200);
  });

  test('a code without the password, in another browser or after five minutes, opens nothing', async () => {
    const { secret } = await adaWithApp();
    const browser = openBrowser(shop);
    expect(await (await giveCode(browser, codeOf(secret))).json()).toMatchObject({ code: 'SignInExpired' });
    await givePassword(browser);
    expect((await giveCode(openBrowser(shop), codeOf(secret))).status).toBe(401);
    await ownerSql`update admin.pending_sign_in set expires_at = expires_at - interval '5 minutes'`;
    expect(await (await giveCode(browser, codeOf(secret))).json()).toMatchObject({ code: 'SignInExpired' });
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('ten codes in an hour may be wrong; then the right one waits, except in a browser that signed in before', async () => {
    const { secret } = await adaWithApp();
    const known = openBrowser(shop);
    await givePassword(known);
    expect((await giveCode(known, codeOf(secret))).status).toBe(200);
    const guessing = openBrowser(shop);
    await givePassword(guessing);
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => giveCode(guessing, `00000${index % 10}`)),
    );
    expect(guesses.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), 429, 429]);
    const refused = await giveCode(guessing, codeOf(secret, 1));
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([
      429,
      expect.toSatisfy((s) => s > 3500),
    ]);
    await givePassword(known);
    expect((await giveCode(known, codeOf(secret, 1))).status).toBe(200);
  });

  test('who guessed codes keeps the owner out neither after a new password nor with a recovery code', async () => {
    const tess = { username: 'tess', password: 'quartz meadow lantern 41' };
    await makePerson(appSql, tess, 'owner');
    const browser = openBrowser(shop, tess);
    await browser.signIn();
    const { secret, recoveryCodes } = await addApp(browser);
    const halfway = async (credentials: Credentials) => {
      const next = openBrowser(shop, credentials);
      expect((await next.post('/api/admin/login', credentials)).status).toBe(202);
      return next;
    };
    const thief = await halfway(tess);
    for (let guess = 0; guess < 11; guess += 1) await giveCode(thief, '000000');
    const elsewhere = await halfway(tess);
    expect((await giveCode(elsewhere, codeOf(secret))).status).toBe(429);
    expect((await giveCode(elsewhere, recoveryCodes[0] ?? '')).status).toBe(200);

    const given = { password: tess.password, code: codeOf(secret) };
    const proven = (await (await browser.post('/api/admin/reauthenticate', given)).json()) as { token: string };
    const renewed = { ...tess, password: 'copper willow anchor 52' };
    const proof = { authorization: `Bearer ${proven.token}` };
    expect((await browser.post('/api/admin/set-password', renewed, proof)).status).toBe(200);
    expect((await giveCode(await halfway(renewed), codeOf(secret, 1))).status).toBe(200);
  });

  test('a recovery code works once, in capitals and with blanks, and only after the password', async () => {
    const { browser, recoveryCodes } = await adaWithApp();
    const [first = '', second = ''] = recoveryCodes;
    const lost = openBrowser(shop);
    expect((await giveCode(lost, first)).status).toBe(401);
    await givePassword(lost);
    expect((await giveCode(lost, ` ${first.toUpperCase().replaceAll('-', ' ')}`)).status).toBe(200);
    await givePassword(lost);
    expect((await giveCode(lost, first)).status).toBe(401);
    expect((await giveCode(lost, second)).status).toBe(200);
    expect(await (await lost.get('/api/admin/second-factor')).json()).toMatchObject({ recoveryCodesLeft: 8 });
    const renewed = (await (await browser.post('/api/admin/second-factor/recovery-codes', {})).json()) as {
      recoveryCodes: string[];
    };
    await givePassword(lost);
    expect((await giveCode(lost, recoveryCodes[2] ?? '')).status).toBe(401);
    expect((await giveCode(lost, renewed.recoveryCodes[0] ?? '')).status).toBe(200);
  });

  test('a session without its factor opens nothing', async () => {
    const { secret } = await adaWithApp();
    const browser = openBrowser(shop);
    await givePassword(browser);
    await giveCode(browser, codeOf(secret));
    await ownerSql`update admin.session set second_factor_at = null`;
    expect(await isSignedIn(browser)).toBe(false);
  });
});

describe('ten minutes after the code', () => {
  test('the password alone is not enough; password and code are', async () => {
    const { browser, secret } = await adaWithApp();
    await elevenMinutesLater(browser);
    expect((await makeToken(browser)).status).toBe(403);
    const again = (code: string) => browser.post('/api/admin/reauthenticate', { password: ada.password, code });
    expect(await (await again('')).json()).toMatchObject({ code: 'SecondFactorNeeded' });
    expect(await (await again('123456')).json()).toMatchObject({ code: 'WrongCode' });
    expect((await makeToken(browser)).status).toBe(403);
    expect((await again(codeOf(secret))).status).toBe(200);
    expect((await makeToken(browser)).status).toBe(201);
    expect((await again('')).status).toBe(200);
  });

  test('the code without the password is not enough', async () => {
    const { browser, secret } = await adaWithApp();
    await elevenMinutesLater(browser);
    const answer = await browser.post('/api/admin/reauthenticate', { password: 'wrong', code: codeOf(secret) });
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'WrongPassword' }]);
    expect((await makeToken(browser)).status).toBe(403);
  });
});

test('a factor can be renamed and removed; the password then suffices, and old recovery codes end', async () => {
  const { browser, recoveryCodes } = await adaWithApp();
  const { factors } = (await (await browser.get('/api/admin/second-factor')).json()) as { factors: { id: string }[] };
  const path = `/api/admin/second-factor/${factors[0]?.id}`;
  const remove = () => browser.send(path, { method: 'DELETE', headers: { 'content-type': 'application/json' } });
  expect((await browser.post(`${path}/name`, { name: ' Old phone ' })).status).toBe(204);
  expect(await (await browser.get('/api/admin/second-factor')).json()).toMatchObject({
    factors: [{ name: 'Old phone' }],
  });
  expect([(await remove()).status, (await remove()).status]).toEqual([204, 404]);
  expect(await givePassword(openBrowser(shop))).toBe(200);
  expect(recoveryCodes).toHaveLength(10);
  expect(await (await browser.get('/api/admin/second-factor')).json()).toMatchObject({
    factors: [],
    recoveryCodesLeft: 0,
  });
});

test('an owner resets the factors of another person, whose sessions end', async () => {
  const { browser } = await adaWithApp();
  const eve = openBrowser(shop);
  const credentials = { username: 'eve', password: 'eves long password 77' };
  await ownerSql`
    insert into admin.account (username, display_name, role, state, activated_at, password_hash)
    values ('eve', 'Eve', 'owner', 'active', now(), ${await hashPassword(credentials.password)})`;
  await eve.post('/api/admin/login', credentials);
  await addApp(eve);
  expect((await browser.post('/api/admin/people/eve/reset-second-factor', {})).status).toBe(204);
  expect(await isSignedIn(eve)).toBe(false);
  expect((await eve.post('/api/admin/login', credentials)).status).toBe(200);
  const [fact] =
    await ownerSql`select type, actor from ledger.event where stream_id = 'admin-eve' order by version desc`;
  expect(fact).toEqual({ type: 'SecondFactorReset', actor: 'admin:ada' });
});

test('where a second factor is required, an account without one can only add one', async () => {
  const strict = await openShop(appSql, { secondFactor: { required: true, key: 'a key for tests' } });
  const browser = openBrowser(strict);
  await browser.signIn();
  for (const path of ['/api/admin/orders', '/api/admin/settings']) {
    const answer = await browser.get(path);
    expect([answer.status, await answer.json()], path).toMatchObject([403, { code: 'SecondFactorRequired' }]);
  }
  expect((await browser.post('/api/admin/refund', {})).status).toBe(403);
  expect(await (await browser.get('/api/admin/session')).json()).toMatchObject({ mustAddSecondFactor: true });
  await addApp(browser);
  expect((await browser.get('/api/admin/orders')).status).toBe(200);
  expect(await (await browser.get('/api/admin/session')).json()).toMatchObject({
    mustAddSecondFactor: false,
    secondFactors: ['one-time-code'],
  });
  await strict.close();
});

test('without a key the server offers no one-time codes', async () => {
  const keyless = await openShop(appSql, { secondFactor: { required: true, key: undefined } });
  const browser = openBrowser(keyless);
  await browser.signIn();
  expect((await browser.post('/api/admin/second-factor/one-time-code/secret', {})).status).toBe(409);
  expect(await (await browser.get('/api/admin/second-factor')).json()).toMatchObject({ offersOneTimeCodes: false });
  await keyless.close();
});
