import { ada, makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop } from '@kilim/lab/testing/shop';
import { hash } from '@node-rs/argon2';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ListedSession } from '../../../contract/session.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);

beforeEach(async () => {
  await ownerSql`delete from admin.session`;
  await ownerSql`delete from kilim.throttle`;
});

const signedInStatus = async (browser: ReturnType<typeof openBrowser>) =>
  (await browser.get('/api/admin/session')).status;

describe('signing in', () => {
  test('replaces a hash of lower costs by one of the present costs, and ends nothing else', async () => {
    const [original] = await ownerSql<{ hash: string }[]>`select password_hash as hash from admin.account`;
    const stored = async () => {
      const [row] = await ownerSql<{ hash: string }[]>`select password_hash as hash from admin.account`;
      return row?.hash ?? '';
    };
    const elsewhere = openBrowser(shop);
    await elsewhere.signIn();
    const cheap = await hash(ada.password, { algorithm: 2, memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await ownerSql`update admin.account set password_hash = ${cheap}`;
    expect((await openBrowser(shop).post('/api/admin/login', { ...ada, password: 'wrong' })).status).toBe(401);
    expect(await stored()).toBe(cheap);
    await openBrowser(shop).signIn();
    const renewed = await stored();
    expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await signedInStatus(elsewhere)).toBe(200);
    await openBrowser(shop).signIn();
    expect(await stored()).toBe(renewed);
    await ownerSql`update admin.account set password_hash = ${original?.hash ?? ''}`;
  });

  test('the right name and password open the back office and return a proof', async () => {
    const browser = openBrowser(shop);
    expect(await signedInStatus(browser)).toBe(401);
    expect(await browser.signIn()).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const answer = await browser.get('/api/admin/session');
    expect(await answer.json()).toEqual({
      username: 'ada',
      displayName: 'ada',
      role: 'owner',
      isRecent: true,
      mustChangePassword: false,
      secondFactors: [],
      mustAddSecondFactor: false,
    });
  });

  test('scripts cannot read the cookie, other sites cannot send it, and the server stores only its hash', async () => {
    const browser = openBrowser(shop);
    const answer = await browser.post('/api/admin/login', ada);
    const [cookie = ''] = answer.headers.getSetCookie().filter((line) => line.startsWith('kilim_admin='));
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
    const token = browser.cookies.get('kilim_admin') ?? '';
    const { token: proof } = (await answer.json()) as { token: string };
    const [dump] = await ownerSql<{ text: string }[]>`
      select string_agg(session::text, ' ') || (select string_agg(b::text, ' ') from admin.known_browser b) as text
      from admin.session`;
    expect(token).toMatch(/^[\w-]{43}\.[\w-]{43}$/);
    for (const secret of [...token.split('.'), proof, browser.cookies.get('kilim_browser') ?? 'none', ada.password]) {
      expect(dump?.text).not.toContain(secret);
      expect(shop.logged.join('')).not.toContain(secret);
    }
  });

  test('a name that the database cannot store is a wrong one, also from a known browser', async () => {
    const browser = openBrowser(shop);
    await browser.signIn();
    const answer = await browser.post('/api/admin/login', { ...ada, username: 'ada\ud800' });
    expect([answer.status, await answer.json()]).toMatchObject([401, { code: 'InvalidCredentials' }]);
  });

  test.each([
    ['a wrong password', { ...ada, password: 'wrong' }],
    ['a name that does not exist', { ...ada, username: 'eve' }],
    ['nothing', {}],
    ['an injection', { username: "' or 1=1 --", password: "' or 1=1 --" }],
    ['a password of a megabyte', { ...ada, password: 'x'.repeat(200_000) }],
    ['something else than text', { username: { $ne: null }, password: ['x'] }],
  ])('%s is answered with Invalid credentials', async (_, credentials) => {
    const browser = openBrowser(shop);
    const answer = await browser.post('/api/admin/login', credentials);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ code: 'InvalidCredentials', message: 'Invalid credentials' });
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('a name may be in capitals and have blanks around it', async () => {
    const answer = await openBrowser(shop).post('/api/admin/login', { ...ada, username: ' ADA ' });
    expect(answer.status).toBe(200);
  });

  test('each sign-in starts a new session and ends the earlier one of the browser', async () => {
    const browser = openBrowser(shop);
    await browser.signIn();
    const first = browser.cookies.get('kilim_admin') ?? '';
    await browser.signIn();
    const stale = await shop.get('/api/admin/session', { cookie: `kilim_admin=${first}` });
    expect(stale.status).toBe(401);
    expect(await signedInStatus(browser)).toBe(200);
    expect(await (await browser.get('/api/admin/sessions')).json()).toHaveLength(1);
  });
});

describe('a session ends', () => {
  test('by signing out', async () => {
    const browser = openBrowser(shop);
    await browser.signIn();
    const token = browser.cookies.get('kilim_admin') ?? '';
    const answer = await browser.post('/api/admin/logout', {});
    expect(answer.status).toBe(204);
    expect(browser.cookies.has('kilim_admin')).toBe(false);
    expect(answer.headers.get('clear-site-data')).toBe('"storage"');
    expect((await shop.get('/api/admin/session', { cookie: `kilim_admin=${token}` })).status).toBe(401);
  });

  test.each([
    ['30 minutes after it was used last', "seen_at = clock_timestamp() - interval '30 minutes 1 second'"],
    ['12 hours after it began, however busy', "created_at = clock_timestamp() - interval '12 hours 1 second'"],
  ])('%s', async (_, passed) => {
    const browser = openBrowser(shop);
    await browser.signIn();
    await ownerSql.unsafe(`update admin.session set ${passed}`);
    expect(await signedInStatus(browser)).toBe(401);
  });

  test('not while it is used within 30 minutes', async () => {
    const browser = openBrowser(shop);
    await browser.signIn();
    for (let use = 0; use < 3; use += 1) {
      await ownerSql`update admin.session set seen_at = seen_at - interval '29 minutes'`;
      expect(await signedInStatus(browser)).toBe(200);
    }
  });

  test('also while an unattended page loads its data again', async () => {
    const browser = openBrowser(shop);
    await browser.signIn();
    const unattended = () => browser.send('/api/admin/changes', { headers: { 'x-unattended': '1' } });
    await ownerSql`update admin.session set seen_at = seen_at - interval '29 minutes'`;
    expect((await unattended()).status).toBe(200);
    await ownerSql`update admin.session set seen_at = seen_at - interval '2 minutes'`;
    expect((await unattended()).status).toBe(401);
  });

  test('from another browser, one by one, and the list names each browser', async () => {
    const [phone, laptop] = [openBrowser(shop), openBrowser(shop)];
    await phone.signIn();
    await laptop.signIn();
    const listed = (await (await laptop.get('/api/admin/sessions')).json()) as ListedSession[];
    expect(listed.map(({ current }) => current).toSorted()).toEqual([false, true]);
    expect(listed[0]).toMatchObject({ address: '192.0.2.10', createdAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    const other = listed.find(({ current }) => !current)?.id ?? '';
    const end = (id: string) =>
      laptop.send(`/api/admin/sessions/${id}`, { method: 'DELETE', headers: { 'content-type': 'application/json' } });
    expect((await end(other)).status).toBe(204);
    expect((await end(other)).status).toBe(404);
    expect((await end('not-an-id')).status).toBe(404);
    expect(await signedInStatus(phone)).toBe(401);
    expect(await signedInStatus(laptop)).toBe(200);
  });

  test('everywhere, also in this browser', async () => {
    const [phone, laptop] = [openBrowser(shop), openBrowser(shop)];
    await phone.signIn();
    await laptop.signIn();
    await laptop.send('/api/admin/sessions', { method: 'DELETE', headers: { 'content-type': 'application/json' } });
    expect(await signedInStatus(phone)).toBe(401);
    expect(await signedInStatus(laptop)).toBe(401);
    expect(laptop.cookies.has('kilim_admin')).toBe(false);
  });
});

describe('giving the password again', () => {
  test('ten minutes after signing in, settings ask for it, and the same call then goes through', async () => {
    const browser = openBrowser(shop);
    await browser.signIn();
    await browser.age(ownerSql, 601);
    const save = () => browser.post('/api/admin/settings', { version: 0 });
    const refused = await save();
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: 'ReauthenticationRequired' });
    expect((await browser.get('/api/admin/settings')).status).toBe(200);

    const wrong = await browser.post('/api/admin/reauthenticate', { password: 'wrong' });
    expect([wrong.status, await wrong.json()]).toMatchObject([403, { message: 'Current password is incorrect' }]);
    expect((await save()).status).toBe(403);

    const before = browser.cookies.get('kilim_admin');
    expect((await browser.post('/api/admin/reauthenticate', { password: ada.password })).status).toBe(200);
    expect(browser.cookies.get('kilim_admin')).not.toBe(before);
    expect((await save()).status).toBe(200);
    expect((await shop.get('/api/admin/session', { cookie: `kilim_admin=${before}` })).status).toBe(401);
  });

  test('needs a session', async () => {
    const answer = await openBrowser(shop).post('/api/admin/reauthenticate', { password: ada.password });
    expect(answer.status).toBe(401);
  });
});

describe('guessing', () => {
  const guess = (browser: ReturnType<typeof openBrowser>) =>
    browser.post('/api/admin/login', { ...ada, password: 'wrong' });

  // The throttle's clock is moved only by the test.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('gets a longer pause with each attempt, also with the right password, up to a limit', async () => {
    const stranger = openBrowser(shop);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 40 && waits.length < 5; attempt += 1) {
      const answer = await guess(stranger);
      if (answer.status === 401) continue;
      expect(answer.status).toBe(429);
      expect(await answer.json()).toMatchObject({ code: 'TooManyAttempts', message: /Please wait/ });
      const wait = Number(answer.headers.get('retry-after'));
      waits.push(wait);
      expect((await stranger.post('/api/admin/login', ada)).status).toBe(429);
      vi.setSystemTime(Date.now() + wait * 1000);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16]);
    expect(await openBrowser(shop).signIn()).toHaveLength(43);
  });

  test('thirty concurrent attempts do not all count as the first one', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => guess(openBrowser(shop))));
    // Five have no pause, and one passes the gate.
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(6);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(24);
  });

  test('does not lock out the owner, whose browser is known', async () => {
    const owner = openBrowser(shop);
    await owner.signIn();
    await owner.post('/api/admin/logout', {});
    // Only the account counts.
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await guess(openBrowser(shop));
      await ownerSql`delete from kilim.throttle where points <= 12 and key not like 'sign-in%'`;
    }
    expect((await openBrowser(shop).post('/api/admin/login', ada)).status).toBe(429);
    await ownerSql`
      delete from kilim.throttle where key in (
        select key from kilim.throttle where key like 'sign-in:%' order by points desc limit 1
      )`;
    expect((await owner.post('/api/admin/login', ada)).status).toBe(200);
  });

  test('is forgotten after a successful sign-in', async () => {
    const browser = openBrowser(shop);
    for (let round = 0; round < 4; round += 1) {
      for (let attempt = 0; attempt < 4; attempt += 1) expect((await guess(browser)).status).toBe(401);
      await browser.signIn();
    }
  });
});
