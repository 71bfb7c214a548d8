import { ada, type Browser, makeAdministrator, makePerson, openBrowser } from '@kilim/lab/testing/administrator';
import { createAuthenticator } from '@kilim/lab/testing/authenticator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { addApp, addPasskeyOf, challengeFor, codeOf } from '@kilim/lab/testing/second-factor';
import { openShop } from '@kilim/lab/testing/shop';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { byOperator } from '../use-case/record-admin-events.ts';
import { resetSecondFactor } from '../use-case/second-factor.ts';

// Strangers guess, and people with the right password, passkey, session or token are answered all the same.

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql, { throttling: { factor: 1, trustedProxies: 1, secret: 'lockout' } });
afterAll(shop.close);
await makeAdministrator(appSql);
const ben = { username: 'ben', password: 'copper lantern orchard 12' };
await makePerson(appSql, ben, 'clerk');

const office = '203.0.113.5';
const from = (address: string) => ({ 'x-forwarded-for': address });

beforeEach(async () => {
  await ownerSql`delete from kilim.throttle`;
  await resetSecondFactor({ sql: appSql, now: () => new Date() }, 'ada', byOperator);
  // The throttle's clock is moved only by the test.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});
afterEach(() => {
  vi.useRealTimers();
});

const signIn = (browser: Browser, address: string, { username, password }: typeof ben = ada) =>
  browser.post('/api/admin/login', { username, password }, from(address));

/** @returns the statuses of wrong passwords, each in a new browser. */
async function guess(
  times: number,
  addressOf: (time: number) => string,
  username: string = ada.username,
): Promise<number[]> {
  const answers: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const wrong = { username, password: `wrong ${time}` };
    answers.push((await signIn(openBrowser(shop), addressOf(time), wrong)).status);
  }
  return answers;
}

const last = (answers: readonly number[]) => answers.at(-1);

/** From the office's own address and from many others. */
async function siege(): Promise<void> {
  expect(last(await guess(20, () => office))).toBe(429);
  expect(last(await guess(20, (time) => `198.51.${time}.7`))).toBe(429);
}

describe('while strangers guess', () => {
  test('the right password in a known browser is accepted, also from their address', async () => {
    const known = openBrowser(shop);
    expect((await signIn(known, office)).status).toBe(200);
    for (let round = 0; round < 2; round += 1) {
      await siege();
      expect((await signIn(known, office)).status).toBe(200);
      expect((await signIn(openBrowser(shop), office)).status).toBe(429);
    }
  });

  test('a flood of their passwords does not keep the known browser waiting for its turn', async () => {
    const known = openBrowser(shop);
    await signIn(known, office);
    let isOver = false;
    let guesses = 0;
    const strangers: Promise<void>[] = [];
    const flood = new Promise<void>((isFull) => {
      const keepGuessing = async () => {
        while (!isOver) {
          guesses += 1;
          const [number, address] = [guesses, `10.9.${Math.floor(guesses / 200)}.${guesses % 200}`];
          const [status] = await guess(1, () => address, `name-${number}`);
          // More strangers than may wait are refused.
          if (status === 429) isFull();
        }
      };
      for (let stranger = 0; stranger < 60; stranger += 1) strangers.push(keepGuessing());
    });
    await flood;
    const answers: number[] = [];
    for (let time = 0; time < 3; time += 1) answers.push((await signIn(known, office)).status);
    isOver = true;
    expect(answers).toEqual([200, 200, 200]);
    // Their last guesses would keep the next test waiting.
    await Promise.all(strangers);
  });

  test('a passkey is accepted in a new browser, from their address and after hundreds of questions', async () => {
    const browser = openBrowser(shop);
    await signIn(browser, office);
    const authenticator = createAuthenticator('http://office.kilim.test');
    expect((await addPasskeyOf(browser, authenticator)).status).toBe(200);
    await siege();
    const path = '/api/admin/login/passkey';
    const questions = Array.from({ length: 300 }, () => openBrowser(shop).post(`${path}/options`, {}, from(office)));
    expect(new Set((await Promise.all(questions)).map(({ status }) => status))).toEqual(new Set([200]));
    const stranger = openBrowser(shop);
    const wrong = createAuthenticator('http://office.kilim.test');
    const refused: number[] = [];
    for (let time = 0; time < 61; time += 1) {
      const assertion = wrong.get(await challengeFor(stranger, path));
      refused.push((await stranger.post(path, assertion, from(office))).status);
    }
    expect([refused.at(0), refused.at(60)]).toEqual([401, 429]);
    const fresh = openBrowser(shop);
    const assertion = authenticator.get(await challengeFor(fresh, path));
    expect((await fresh.post(path, assertion, from(office))).status).toBe(200);
    const [stored] = await ownerSql<{ rows: number }[]>`select count(*)::int as rows from admin.passkey_challenge`;
    // One used challenge of the sign-in, and none of the questions.
    expect(stored?.rows).toBeLessThanOrEqual(1);
  });

  test('a person who is signed in can give the password again, also without the cookie of the browser', async () => {
    const browser = openBrowser(shop);
    await signIn(browser, office);
    await siege();
    const session = { cookie: `kilim_admin=${browser.cookies.get('kilim_admin')}`, ...from(office) };
    const given = await shop.post('/api/admin/reauthenticate', { password: ada.password }, session);
    expect(given.status).toBe(200);
  });

  test('a person who is signed in can add an authenticator app, and give its codes again', async () => {
    vi.useRealTimers();
    const browser = openBrowser(shop);
    await signIn(browser, office);
    const { secret } = await addApp(browser);
    const stranger = openBrowser(shop);
    await signIn(stranger, office);
    const codes: number[] = [];
    for (let time = 0; time < 12; time += 1) {
      codes.push((await stranger.post('/api/admin/login/code', { code: '000000' }, from(office))).status);
    }
    expect(last(codes)).toBe(429);
    const given = { password: ada.password, code: codeOf(secret) };
    expect((await browser.post('/api/admin/reauthenticate', given, from(office))).status).toBe(200);
  });
});

describe('guesses stay slow', () => {
  test('with a stolen cookie of a known browser: five, then the pause doubles', async () => {
    const owner = openBrowser(shop);
    await signIn(owner, office);
    const [cookie, another] = [owner.cookies.get('kilim_browser'), '198.51.100.9'];
    const steal = async () => {
      const wrong = { username: ada.username, password: 'wrong' };
      const headers = { cookie: `kilim_browser=${cookie}`, ...from(another) };
      return (await shop.post('/api/admin/login', wrong, headers)).status;
    };
    const answers: number[] = [];
    for (let time = 0; time < 8; time += 1) answers.push(await steal());
    expect(answers).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
    // Other browsers are not slowed down.
    expect((await signIn(openBrowser(shop), office)).status).toBe(200);
  });

  test('a cookie that was made up, or of another account, is a stranger', async () => {
    const bens = openBrowser(shop);
    await signIn(bens, office, ben);
    const answers: number[] = [];
    for (let time = 0; time < 12; time += 1) {
      const cookie = time % 2 === 0 ? bens.cookies.get('kilim_browser') : 'x'.repeat(43);
      const headers = { cookie: `kilim_browser=${cookie}`, ...from(`198.51.${time}.7`) };
      answers.push((await shop.post('/api/admin/login', { ...ada, password: 'wrong' }, headers)).status);
    }
    expect(last(answers)).toBe(429);
  });

  test('also with an account of their own, which resets neither their network nor the account that they guess', async () => {
    const answers: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      answers.push(...(await guess(4, () => '198.51.100.9')));
      await signIn(openBrowser(shop), '198.51.100.9', ben);
    }
    expect(last(answers)).toBe(429);
  });

  test('but a person who mistypes the password resets it with the right one, also for the network', async () => {
    for (let round = 0; round < 4; round += 1) {
      expect(await guess(5, () => office)).toEqual(Array(5).fill(401));
      expect((await signIn(openBrowser(shop), office)).status).toBe(200);
    }
  });

  test('from the addresses of one /64, which count as one network', async () => {
    const names = (time: number) => `name-${time}`;
    const answers: number[] = [];
    for (let time = 0; time < 14; time += 1) {
      answers.push(...(await guess(1, () => `2001:db8:1:2::${time.toString(16)}`, names(time))));
    }
    expect([answers.at(0), last(answers)]).toEqual([401, 429]);
    expect(await guess(1, () => '2001:db8:1:3::1', names(99))).toEqual([401]);
  });

  test('a pause lasts five minutes at most, and then the right password of a new browser is accepted', async () => {
    for (let attempt = 0; attempt < 15; attempt += 1) {
      expect(await guess(1, () => `198.51.${attempt}.7`)).toEqual([401]);
      vi.setSystemTime(Date.now() + Math.min(2 ** Math.max(0, attempt - 4), 300) * 1000);
    }
    expect(await guess(1, () => '198.51.77.7')).toEqual([401]);
    const refused = await signIn(openBrowser(shop), office);
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, 300]);
    vi.setSystemTime(Date.now() + 300_000);
    expect((await signIn(openBrowser(shop), office)).status).toBe(200);
  });
});

describe('tokens', () => {
  const ask = async (token: string, address: string) =>
    (await shop.get('/api/admin/session', { cookie: `kilim_admin=${token}`, ...from(address) })).status;

  test('sixty unknown session tokens a minute slow down their network, and never a session there', async () => {
    const guesser = '198.51.100.30';
    const browser = openBrowser(shop);
    await signIn(browser, office);
    const session = browser.cookies.get('kilim_admin') ?? '';
    const answers = await Promise.all(
      Array.from({ length: 70 }, (_, time) => ask(String(time).padStart(43, 'x'), guesser)),
    );
    expect(answers.filter((status) => status === 401)).toHaveLength(60);
    expect(answers.filter((status) => status === 429)).toHaveLength(10);
    expect(await ask(session, guesser)).toBe(200);
    expect(await ask('y'.repeat(43), '198.51.100.9')).toBe(401);
    // A client without a token guesses nothing.
    expect((await shop.get('/api/admin/session', from(guesser))).status).toBe(401);
    const [entry] = await ownerSql`select detail from admin.security_entry where kind = 'limit-reached'`;
    expect(entry).toMatchObject({ detail: { limit: 'of unknown tokens from one network' } });
  });

  test('unknown export tokens slow down their network, and never a valid export token there', async () => {
    const browser = openBrowser(shop);
    await signIn(browser, office);
    const made = await browser.post('/api/admin/export-tokens', { name: 'Nightly' }, from(office));
    const { token } = (await made.json()) as { token: string };
    const download = async (bearer: string) => {
      const path = '/api/admin/ledger/export?format=takings-csv&from=2026-10-01&to=2026-10-01';
      const answer = await shop.get(path, { authorization: `Bearer ${bearer}`, ...from('198.51.100.20') });
      await answer.text();
      return answer.status;
    };
    const guesses = await Promise.all(Array.from({ length: 65 }, (_, time) => download(`kilim_export_${time}`)));
    expect(guesses.filter((status) => status === 429)).toHaveLength(5);
    expect(await download(token)).toBe(200);
  });
});
