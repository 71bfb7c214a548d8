import { ada, type Browser, makeAdministrator, makePerson, openBrowser } from '@kilim/lab/testing/administrator';
import { createAuthenticator } from '@kilim/lab/testing/authenticator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { addApp, addPasskeyOf, challengeFor, codeOf } from '@kilim/lab/testing/second-factor';
import { openShop, paid, paymentFor, quoted } from '@kilim/lab/testing/shop';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { SecurityLogEntry } from '../../../contract/security-log.ts';
import { createLogger } from '../../core/runtime/logger.ts';
import { forgetOldSecurityEntries, openSecurityLog } from '../sign-in/security-log.ts';
import { resetPassword } from '../use-case/change-password.ts';
import { byOperator } from '../use-case/record-admin-events.ts';
import { resetSecondFactor } from '../use-case/second-factor.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql, { throttling: { trustedProxies: 1 } });
afterAll(shop.close);
await makeAdministrator(appSql);
const ben = { username: 'ben', password: 'copper lantern orchard 12' };
await makePerson(appSql, ben, 'clerk');
const world = { sql: appSql, now: () => new Date() };

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';
const place = { 'x-forwarded-for': '203.0.113.77', 'user-agent': firefox };

beforeEach(async () => {
  await resetSecondFactor(world, 'ada', byOperator);
  await ownerSql`delete from kilim.throttle`;
  await ownerSql`delete from admin.security_entry`;
  // The entries tell how many sessions ended.
  await ownerSql`delete from admin.session`;
  shop.logged.length = 0;
});

const list = async (browser: Browser, query = '') => {
  const answer = await browser.get(`/api/admin/security-log?pageSize=100${query}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as SecurityLogEntry[];
};

/** Oldest first: kind, account, actor and sentence. */
async function told(): Promise<readonly (readonly [string, string | null, string | null, string])[]> {
  const reader = openBrowser(shop);
  const [last] = await ownerSql<{ id: number }[]>`select max(id) as id from admin.security_entry`;
  await ownerSql`delete from admin.passkey`;
  await ownerSql`delete from admin.one_time_code`;
  await ownerSql`delete from kilim.throttle`;
  await reader.signIn();
  const entries = (await list(reader)).filter(({ id }) => id <= (last?.id ?? 0));
  return entries
    .toReversed()
    .map(({ kind, person, actor, sentence }) => [kind, person?.username ?? null, actor?.username ?? null, sentence]);
}

const signIn = (browser: Browser, credentials: { username: string; password: string }) =>
  browser.post('/api/admin/login', credentials, place);
const remove = (browser: Browser, path: string) =>
  browser.send(path, { method: 'DELETE', headers: { 'content-type': 'application/json' } });

describe('the security log names', () => {
  test('signing in, failing to, proving again, signing out, and ending sessions', async () => {
    const browser = openBrowser(shop);
    await signIn(browser, { ...ada, password: 'wrong' });
    await signIn(browser, ada);
    await browser.post('/api/admin/reauthenticate', { password: 'wrong' });
    await browser.post('/api/admin/reauthenticate', { password: ada.password });
    const other = openBrowser(shop);
    await signIn(other, ada);
    const sessions = (await (await browser.get('/api/admin/sessions')).json()) as { id: string; current: boolean }[];
    await remove(browser, `/api/admin/sessions/${sessions.find(({ current }) => !current)?.id ?? ''}`);
    await browser.post('/api/admin/logout', {});
    await signIn(browser, ada);
    await remove(browser, '/api/admin/sessions');
    expect(await told()).toEqual([
      ['sign-in-failed', 'ada', null, 'Failed to sign in: wrong name or password'],
      ['signed-in', 'ada', null, 'Signed in with the password in a new browser'],
      ['proof-failed', 'ada', null, 'Failed to confirm: wrong password'],
      ['proof-given', 'ada', null, 'Confirmed with the password'],
      ['signed-in', 'ada', null, 'Signed in with the password in a new browser'],
      ['session-ended', 'ada', null, 'Ended another session of the account'],
      ['signed-out', 'ada', null, 'Signed out'],
      ['signed-in', 'ada', null, 'Signed in with the password'],
      ['session-ended', 'ada', null, 'Ended all sessions of the account'],
    ]);
  });

  test('second factors: added, wrong, used, removed and reset', async () => {
    const browser = openBrowser(shop);
    await signIn(browser, ada);
    const { secret, recoveryCodes } = await addApp(browser);
    const path = '/api/admin/login/passkey';
    const authenticator = createAuthenticator('http://office.kilim.test');
    await addPasskeyOf(browser, authenticator, { userVerified: false });
    await addPasskeyOf(browser, authenticator);
    const next = openBrowser(shop);
    await signIn(next, ada);
    await next.post('/api/admin/login/code', { code: '000000' });
    await next.post('/api/admin/login/code', { code: codeOf(secret) });
    await signIn(next, ada);
    await next.post('/api/admin/login/code', { code: recoveryCodes[0] });
    await next.post(path, authenticator.get(await challengeFor(next, path), { userVerified: false }));
    await next.post(path, authenticator.get(await challengeFor(next, path)));
    await next.post('/api/admin/second-factor/recovery-codes', {});
    const { factors } = (await (await next.get('/api/admin/second-factor')).json()) as { factors: { id: string }[] };
    await remove(next, `/api/admin/second-factor/${factors[0]?.id ?? ''}`);
    await resetSecondFactor(world, 'ada', byOperator);
    expect(await told()).toEqual([
      ['signed-in', 'ada', null, 'Signed in with the password in a new browser'],
      ['second-factor-added', 'ada', null, 'Added an authenticator app'],
      ['recovery-codes-made', 'ada', null, 'Got 10 new recovery codes'],
      ['second-factor-failed', 'ada', null, 'Gave a wrong passkey while adding it'],
      ['second-factor-added', 'ada', null, 'Added a passkey'],
      ['second-factor-failed', 'ada', null, 'Gave a wrong code at sign-in'],
      ['signed-in', 'ada', null, 'Signed in with password and code in a new browser'],
      ['recovery-code-used', 'ada', null, 'Used a recovery code'],
      ['signed-in', 'ada', null, 'Signed in with password and code'],
      ['second-factor-failed', null, null, 'Gave a wrong passkey at sign-in'],
      ['signed-in', 'ada', null, 'Signed in with a passkey'],
      ['recovery-codes-made', 'ada', null, 'Got 10 new recovery codes'],
      ['second-factor-removed', 'ada', null, 'Removed an authenticator app'],
      ['second-factor-reset', 'ada', 'operator', 'All second factors removed; 2 sessions ended'],
    ]);
  });

  test('changes of accounts with the person who made them, and passwords', async () => {
    const browser = openBrowser(shop);
    const proof = await browser.signIn();
    const invited = await browser.post('/api/admin/people', { username: 'cleo', displayName: 'Cleo', role: 'clerk' });
    const { token } = (await invited.json()) as { token: string };
    const use = (password: string) => browser.post('/api/admin/password-link/use', { token, password });
    await use('Tr0ub4dor&3');
    await use('marble thicket violin 35');
    await browser.post('/api/admin/people/cleo/link', {});
    await browser.post('/api/admin/people/cleo/role', { role: 'accountant' });
    await browser.post('/api/admin/people/cleo/disable', {});
    await browser.post('/api/admin/people/cleo/enable', {});
    await browser.post('/api/admin/set-password', ada, { authorization: `Bearer ${proof}` });
    await resetPassword(world, { username: 'ben', password: ben.password });
    expect((await told()).slice(1)).toEqual([
      ['invitation-made', 'cleo', 'ada', 'Invited as clerk'],
      ['password-stolen', 'cleo', null, 'Tried to choose a password that is in a list of stolen passwords'],
      ['invitation-used', 'cleo', null, 'Used the invitation and chose a password'],
      ['link-made', 'cleo', 'ada', 'Got a link for a new password'],
      ['role-changed', 'cleo', 'ada', 'Role changed from clerk to accountant'],
      ['account-disabled', 'cleo', 'ada', 'Account disabled'],
      ['account-enabled', 'cleo', 'ada', 'Account enabled'],
      ['password-changed', 'ada', null, 'Changed the password'],
      ['password-reset', 'ben', 'operator', 'Password reset'],
    ]);
  });

  test('export tokens, also a use after the end, exports and erasure', async () => {
    const payment = paymentFor(await quoted(shop));
    const { orderId } = payment.orderDetails;
    await paid(shop, payment);
    const browser = openBrowser(shop);
    await browser.signIn();
    const made = await browser.post('/api/admin/export-tokens', { name: 'Nightly' });
    const { id, token } = (await made.json()) as { id: string; token: string };
    const path = '/api/admin/ledger/export?format=takings-csv&from=2026-10-01&to=2026-10-31';
    const script = async () => await (await shop.get(path, { authorization: `Bearer ${token}` })).text();
    await script();
    await (await browser.get(path)).text();
    await remove(browser, `/api/admin/export-tokens/${id}`);
    await script();
    await browser.post(`/api/admin/orders/${orderId}/erase-contact`, {});
    const exported = 'Downloaded the export takings-csv from 2026-10-01 to 2026-10-31';
    expect((await told()).slice(1)).toEqual([
      ['token-created', 'ada', null, 'Created the export token “Nightly”'],
      ['export-downloaded', 'ada', null, `${exported} with the export token “Nightly”`],
      ['export-downloaded', 'ada', null, exported],
      ['token-revoked', 'ada', null, 'Revoked the export token “Nightly”'],
      ['token-refused', 'ada', null, 'The export token “Nightly” was used after it was revoked'],
      ['contact-erased', 'ada', null, `Erased the contact of the customer of order ${orderId}`],
    ]);
  });
});

describe('an entry', () => {
  test('has the prefix of the address and the family of the browser, and no more of them', async () => {
    const browser = openBrowser(shop);
    await signIn(browser, ada);
    const ipv6 = { ...place, 'x-forwarded-for': '2001:db8:1:2:3::4' };
    await openBrowser(shop).post('/api/admin/login', ada, ipv6);
    const [second, first] = await list(browser);
    expect(first).toMatchObject({ network: '203.0.113.0/24', browser: 'Firefox on Linux' });
    expect(second).toMatchObject({ network: '2001:db8:1::/48' });
    const [dump] = await ownerSql<{ text: string }[]>`
      select string_agg(entry::text, ' ') as text from admin.security_entry entry`;
    for (const more of ['203.0.113.77', '2001:db8:1:2', 'Gecko']) expect(dump?.text).not.toContain(more);
  });

  test('does not keep a name that has no account, because it may be a password', async () => {
    await signIn(openBrowser(shop), { username: ada.password, password: 'ada' });
    expect(await told()).toEqual([['sign-in-failed', null, null, 'Failed to sign in: wrong name or password']]);
    const [dump] = await ownerSql<{ text: string }[]>`
      select string_agg(entry::text, ' ') as text from admin.security_entry entry`;
    expect(`${dump?.text} ${shop.logged.join('')}`).not.toContain(ada.password);
  });

  test('is one line of the request log, at warn if it deserves a look, without names and addresses', async () => {
    await signIn(openBrowser(shop), { ...ada, password: 'wrong' });
    await signIn(openBrowser(shop), ada);
    const [failed, succeeded] = await ownerSql<{ id: number }[]>`select id from admin.security_entry order by id`;
    const lines = shop.logged.filter((line) => line.includes('security log'));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      {
        level: 'warn',
        security: 'sign-in-failed',
        entry: failed?.id,
        network: '203.0.113.0/24',
        msg: 'security log: sign-in failed',
      },
      { level: 'info', security: 'signed-in', entry: succeeded?.id, account: expect.stringMatching(/^[\w-]{16}$/) },
    ]);
    for (const personal of ['"ada"', '203.0.113.77', 'Gecko']) expect(lines.join('')).not.toContain(personal);
  });

  test('is repeated for delayed attempts once a minute', async () => {
    const answers: number[] = [];
    for (let time = 0; time < 12; time += 1) {
      answers.push((await signIn(openBrowser(shop), { ...ada, password: 'wrong' })).status);
    }
    expect(answers.filter((status) => status === 429).length).toBeGreaterThan(1);
    expect((await told()).filter(([kind]) => kind === 'sign-in-throttled')).toHaveLength(1);
  });
});

describe('a failure of the log', () => {
  test('does not fail the sign-in and is logged as an error; a change of an account fails with its entry', async () => {
    const browser = openBrowser(shop);
    await browser.signIn();
    await ownerSql`alter table admin.security_entry add constraint broken check (kind = 'none') not valid`;
    const invitation = { username: 'dora', displayName: 'Dora', role: 'clerk' };
    try {
      expect((await signIn(openBrowser(shop), ada)).status).toBe(200);
      expect((await browser.post('/api/admin/people', invitation)).status).toBe(500);
    } finally {
      await ownerSql`alter table admin.security_entry drop constraint broken`;
    }
    expect(shop.logged.filter((line) => line.includes('an entry of the security log may be lost'))).toHaveLength(1);
    const people = (await (await browser.get('/api/admin/people')).json()) as { username: string }[];
    expect(people.map(({ username }) => username)).not.toContain('dora');
  });

  test('delays a sign-in only for a moment, while the log is locked, and no entry is lost', async () => {
    const browser = openBrowser(shop);
    const errors = () => shop.logged.filter((line) => line.includes('an entry of the security log may be lost'));
    const before = errors().length;
    await ownerSql.begin(async (transaction) => {
      await transaction`lock table admin.security_entry in access exclusive mode`;
      expect((await signIn(browser, ada)).status).toBe(200);
    });
    await expect.poll(async () => await ownerSql`select kind from admin.security_entry`).toHaveLength(1);
    expect(errors()).toHaveLength(before);
  });
});

test('strangers cause at most 2,000 entries an hour, and the request log says so; people are noted all the same', async () => {
  const logged: string[] = [];
  const log = createLogger({ level: 'trace', destination: { write: (line) => void logged.push(line) } });
  const client = { address: '203.0.113.77', network: '203.0.113.0/24' };
  const notes = openSecurityLog({ sql: appSql, log, secret: 'flood' }).of({ client, userAgent: '', requestId: '' });
  const failed = { kind: 'sign-in-failed', username: undefined } as const;
  for (let batch = 0; batch < 84; batch += 1) await Promise.all(Array.from({ length: 25 }, () => notes.note(failed)));
  await notes.note({ kind: 'signed-out', username: 'ada' });
  const rows = await ownerSql`
    select kind, count(*)::int as entries from admin.security_entry group by kind order by kind`;
  expect([...rows]).toEqual([
    { kind: 'sign-in-failed', entries: 2000 },
    { kind: 'signed-out', entries: 1 },
  ]);
  expect(logged.filter((line) => line.includes('the security log is full'))).toHaveLength(1);
  expect(logged.filter((line) => line.includes('security log: sign-in failed'))).toHaveLength(2100);
});

test('the list is filtered by kind and by person, and has pages', async () => {
  const browser = openBrowser(shop);
  await signIn(browser, ada);
  await signIn(openBrowser(shop), ben);
  await signIn(openBrowser(shop), { ...ben, password: 'wrong' });
  await browser.post('/api/admin/people/ben/link', {});
  const kinds = async (query: string) => (await list(browser, query)).map(({ kind }) => kind);
  expect(await kinds('&kind=signed-in')).toEqual(['signed-in', 'signed-in']);
  expect(await kinds('&person=ben')).toEqual(['link-made', 'sign-in-failed', 'signed-in']);
  expect(await kinds('&person=ada')).toEqual(['link-made', 'signed-in']);
  expect(await kinds('&person=ada&kind=signed-in')).toEqual(['signed-in']);
  const second = await browser.get('/api/admin/security-log?pageSize=1&page=2');
  expect(await second.json()).toMatchObject([{ kind: 'sign-in-failed', person: { displayName: 'ben clerk' } }]);
  expect(second.headers.get('x-total-count')).toBe('4');
  expect((await browser.get('/api/admin/security-log?kind=nothing')).status).toBe(422);
});

test('entries are forgotten after 400 days, and no sooner', async () => {
  await ownerSql`
    insert into admin.security_entry (kind, at)
    select 'signed-out', clock_timestamp() - make_interval(days => days) from unnest(array[399, 401]) days`;
  expect(await forgetOldSecurityEntries(appSql)).toBe(1);
  expect(await told()).toHaveLength(1);
});
