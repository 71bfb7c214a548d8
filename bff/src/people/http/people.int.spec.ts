import { peopleTexts } from '@kilim/domain/people/people';
import { makeAdministrator, makePerson, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop } from '@kilim/lab/testing/shop';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PasswordLink, Person } from '../../../contract/people.ts';
import { createExportToken, proveExportToken } from '../../accounting/export/export-tokens.ts';
import { changeRole, disablePerson } from '../use-case/manage-people.ts';
import { byOperator } from '../use-case/record-admin-events.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const world = { sql: appSql, now: () => new Date() };
const owner = openBrowser(shop);
beforeAll(async () => void (await owner.signIn()));
beforeEach(() => ownerSql`delete from kilim.throttle`);

const password = 'copper lantern orchard 12';
const nightly = { name: 'Nightly', validDays: 90 } as const;
const nextPassword = 'marble thicket violin 35';

async function invite(username: string, role = 'clerk'): Promise<PasswordLink> {
  const answer = await owner.post('/api/admin/people', { username, displayName: `${username} Doe`, role });
  expect(answer.status).toBe(201);
  return (await answer.json()) as PasswordLink;
}

const choose = (token: string, more: object = {}) =>
  openBrowser(shop).post('/api/admin/password-link/use', { token, password, ...more });

const change = (username: string, what: string, body: object = {}) =>
  owner.post(`/api/admin/people/${encodeURIComponent(username)}/${what}`, body);

async function personOf(username: string): Promise<Person | undefined> {
  const people = (await (await owner.get('/api/admin/people')).json()) as Person[];
  return people.find((person) => person.username === username);
}

const eventsOf = (username: string) => ownerSql<{ type: string; actor: string; payload: Record<string, unknown> }[]>`
  select type, actor, payload from ledger.event where stream_id = ${`admin-${username}`} order by version`;

const status = async (answer: Promise<Response>) => (await answer).status;

describe('an invitation', () => {
  test('lets a person choose name and password, and sign in with the role', async () => {
    const { token, purpose } = await invite('ben@example.com');
    expect(purpose).toBe('invitation');
    const look = await openBrowser(shop).post('/api/admin/password-link', { token });
    expect(await look.json()).toMatchObject({ username: 'ben@example.com', role: 'clerk', purpose: 'invitation' });
    expect(await personOf('ben@example.com')).toMatchObject({ state: 'invited', link: { purpose: 'invitation' } });
    expect(await (await choose(token, { displayName: 'Ben Roe' })).json()).toEqual({ username: 'ben@example.com' });
    const ben = openBrowser(shop, { username: 'ben@example.com', password });
    await ben.signIn();
    expect(await (await ben.get('/api/admin/session')).json()).toMatchObject({
      displayName: 'Ben Roe',
      role: 'clerk',
      mustChangePassword: false,
    });
    expect(await personOf('ben@example.com')).toMatchObject({ state: 'active', displayName: 'Ben Roe', link: null });
    expect(await eventsOf('ben@example.com')).toMatchObject([
      { type: 'AccountInvited', actor: 'admin:ada', payload: { username: 'ben@example.com', role: 'clerk' } },
      { type: 'AccountActivated', actor: 'admin:ben@example.com', payload: { username: 'ben@example.com' } },
    ]);
  });

  test('works once, for 24 hours, and not after another link of the account', async () => {
    const [used, expired, replaced] = [await invite('used'), await invite('late'), await invite('twice')];
    expect([await status(choose(used.token)), await status(choose(used.token))]).toEqual([200, 404]);
    await ownerSql`update admin.password_link set expires_at = expires_at - interval '24 hours' where username = 'late'`;
    expect(await (await choose(expired.token)).json()).toEqual({
      code: 'LinkInvalid',
      message: peopleTexts.linkInvalid,
    });
    const again = (await (await change('twice', 'link')).json()) as PasswordLink;
    expect([await status(choose(replaced.token)), await status(choose(again.token))]).toEqual([404, 200]);
    expect(await status(choose('A'.repeat(43)))).toBe(404);
  });

  test('two holders of one link: only one of them sets the password', async () => {
    const { token } = await invite('race');
    const answers = await Promise.all([choose(token), choose(token, { password: nextPassword })]);
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 404]);
  });

  test('leaves no trace of its token or of the display name in logs and ledger', async () => {
    const { token } = await invite('quiet');
    await choose(token, { displayName: 'Quentin Quiet' });
    const [row] = await ownerSql<{ text: string }[]>`
      select string_agg(event::text, ' ') || (select string_agg(link::text, ' ') from admin.password_link link) as text
      from ledger.event`;
    await invite('other');
    for (const secret of [token, password]) expect(`${shop.logged.join('')}${row?.text}`).not.toContain(secret);
    expect(`${shop.logged.join('')}${row?.text}`).not.toContain('Quentin');
  });

  test.each([
    ['a taken name', { username: 'Ada ' }, [409, peopleTexts.nameTaken]],
    ['the name of the operator', { username: 'operator' }, [422, 'reserved']],
    ['a name with blanks', { username: 'a b' }, [422, 'letters, digits']],
    ['an unknown role', { role: 'admin' }, [422, 'owner, clerk or accountant']],
    ['no display name', { displayName: ' ' }, [422, 'Please enter a name']],
  ] as const)('with %s is refused in words', async (_, more, [expected, words]) => {
    const answer = await owner.post('/api/admin/people', { username: 'zoe', displayName: 'Z', role: 'clerk', ...more });
    expect(answer.status).toBe(expected);
    expect(await answer.text()).toContain(words);
  });

  test('refuses an easy password and stays usable', async () => {
    const { token } = await invite('easy');
    const answer = await choose(token, { password: 'password1' });
    expect([answer.status, await answer.json()]).toMatchObject([422, { code: 'WeakPassword' }]);
    expect(await status(choose(token))).toBe(200);
  });
});

describe('a reset link', () => {
  test('replaces the password when it is used, and then ends all sessions', async () => {
    await makePerson(appSql, { username: 'cleo', password }, 'accountant');
    const cleo = openBrowser(shop, { username: 'cleo', password });
    await cleo.signIn();
    const { token, purpose } = (await (await change('cleo', 'link')).json()) as PasswordLink;
    expect([purpose, await status(cleo.get('/api/admin/session'))]).toEqual(['reset', 200]);
    expect(await status(choose(token, { password: nextPassword }))).toBe(200);
    expect(await status(cleo.get('/api/admin/session'))).toBe(401);
    await cleo.signIn(nextPassword);
    expect((await eventsOf('cleo')).slice(-2)).toMatchObject([
      { type: 'PasswordLinkIssued', actor: 'admin:ada', payload: { purpose: 'reset' } },
      { type: 'PasswordChanged', actor: 'admin:cleo', payload: { how: 'reset', endedSessions: 1 } },
    ]);
  });
});

describe('disabling an account', () => {
  test('ends its sessions, tokens and links immediately, and enabling restores only the sign-in', async () => {
    const dan = { username: 'dan', password };
    await makePerson(appSql, dan, 'accountant');
    const browser = openBrowser(shop, dan);
    await browser.signIn();
    const token = await createExportToken(appSql, { ...nightly, createdBy: 'dan' });
    const link = (await (await change('dan', 'link')).json()) as PasswordLink;
    expect(await proveExportToken(appSql, token?.token ?? '')).toMatchObject({ createdBy: 'dan', role: 'accountant' });

    expect(await status(change('dan', 'disable'))).toBe(204);
    expect(await status(browser.get('/api/admin/session'))).toBe(401);
    expect(await proveExportToken(appSql, token?.token ?? '')).toMatchObject({ ended: 'revoked' });
    expect(await status(choose(link.token))).toBe(404);
    expect(await status(change('dan', 'link'))).toBe(409);
    await expect(browser.signIn()).rejects.toThrow('401');
    // A repetition changes nothing.
    expect(await status(change('dan', 'disable'))).toBe(204);

    expect(await status(change('dan', 'enable'))).toBe(204);
    expect(await browser.signIn()).toHaveLength(43);
    expect(await proveExportToken(appSql, token?.token ?? '')).toMatchObject({ ended: 'revoked' });
    expect((await eventsOf('dan')).slice(-2)).toMatchObject([
      { type: 'AccountDisabled', payload: { username: 'dan', endedSessions: 1, revokedTokens: 1 } },
      { type: 'AccountEnabled', payload: { username: 'dan' } },
    ]);
  });

  test('a session in the database opens nothing while its account is disabled', async () => {
    const eli = { username: 'eli', password };
    await makePerson(appSql, eli, 'owner');
    const browser = openBrowser(shop, eli);
    await browser.signIn();
    await ownerSql`update admin.account set state = 'disabled' where username = 'eli'`;
    expect(await status(browser.get('/api/admin/session'))).toBe(401);
  });

  test('an unknown account is answered 404', async () => {
    expect(await Promise.all(['disable', 'enable', 'link'].map((what) => status(change('none', what))))).toEqual([
      404, 404, 404,
    ]);
  });
});

describe('another role', () => {
  test('ends the sessions, applies to the next sign-in and to export tokens', async () => {
    const fay = { username: 'fay', password };
    await makePerson(appSql, fay, 'accountant');
    const browser = openBrowser(shop, fay);
    await browser.signIn();
    const token = await createExportToken(appSql, { ...nightly, createdBy: 'fay' });
    const download = (path: string) => shop.get(path, { authorization: `Bearer ${token?.token}` });
    const csv = '/api/admin/ledger/export?format=csv&from=2026-11-01&to=2026-11-02';
    expect(await status(download(csv))).toBe(200);
    expect(await status(change('fay', 'role', { role: 'clerk' }))).toBe(204);
    expect(await status(browser.get('/api/admin/session'))).toBe(401);
    expect(await status(download(csv))).toBe(403);
    await browser.signIn();
    expect([await status(browser.get('/api/admin/books')), await status(browser.get('/api/admin/orders'))]).toEqual([
      403, 200,
    ]);
    expect((await eventsOf('fay')).at(-1)).toMatchObject({
      type: 'RoleChanged',
      actor: 'admin:ada',
      payload: { username: 'fay', from: 'accountant', to: 'clerk', endedSessions: 1 },
    });
  });
});

describe('the last active owner', () => {
  beforeEach(() => ownerSql`update admin.account set state = 'disabled' where username <> 'ada' and role = 'owner'`);

  test('can neither be disabled nor get another role', async () => {
    for (const answer of [await change('ada', 'disable'), await change('ada', 'role', { role: 'clerk' })]) {
      expect([answer.status, await answer.json()]).toEqual([
        409,
        { code: 'LastOwner', message: peopleTexts.lastOwner },
      ]);
    }
  });

  test.each(Array.from({ length: 5 }, (_, index) => `gil${index}`))(
    'remains when two owners are disabled or demoted at the same time: %s',
    async (username) => {
      await makePerson(appSql, { username, password }, 'owner');
      const outcomes = await Promise.all([
        changeRole(world, { username: 'ada', role: 'clerk' }, byOperator),
        disablePerson(world, username, byOperator),
      ]);
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
      const left = await ownerSql`select from admin.account where role = 'owner' and state = 'active'`;
      expect(left).toHaveLength(1);
      await ownerSql`update admin.account set role = 'owner' where username = 'ada'`;
      await owner.signIn();
    },
  );
});

describe('the role kilim_server', () => {
  const asServer = <Row>(statement: string) =>
    ownerSql.begin(async (transaction) => {
      await transaction`set local role kilim_server`;
      return await transaction.unsafe<Row[] & object[]>(statement);
    });

  test.each(['account', 'session', 'known_browser', 'export_token', 'password_link', 'live_session'])(
    'has no privilege on admin.%s',
    async (table) => {
      const [row] = await ownerSql<{ any: boolean }[]>`
        select bool_or(has_table_privilege('kilim_server', ${`admin.${table}`}, privilege)
          or has_any_column_privilege('kilim_server', ${`admin.${table}`}, privilege)) as any
        from unnest(array['select', 'insert', 'update', 'references']) privilege`;
      expect(row?.any).toBe(false);
      await expect(asServer(`select * from admin.${table}`)).rejects.toMatchObject({ code: '42501' });
    },
  );

  test('executes the functions of sessions and people, and none of the internal ones', async () => {
    const rows = await ownerSql<{ name: string; server: boolean; everyone: boolean; path: string | null }[]>`
      select proname as name, has_function_privilege('kilim_server', oid, 'execute') as server,
        has_function_privilege('kilim_report', oid, 'execute') as everyone,
        (select setting from unnest(proconfig) setting where setting like 'search_path=%') as path
      from pg_proc where pronamespace = 'admin'::regnamespace order by proname`;
    expect(rows.filter(({ server }) => !server).map(({ name }) => name)).toEqual([
      'digest_of',
      'end_all_access',
      'end_of_export_token',
      'has_another_owner',
      'note_added_factor',
    ]);
    expect(rows.filter(({ everyone }) => everyone)).toEqual([]);
    expect(new Set(rows.map(({ path }) => path))).toEqual(new Set(['search_path=pg_catalog, pg_temp']));
    expect(await asServer<{ hash: string }>(`select admin.password_of('ada') as hash`)).toMatchObject([
      { hash: expect.stringMatching(/^\$argon2id\$/) },
    ]);
  });
});

test('people see each other by display name and change their own', async () => {
  await makePerson(appSql, { username: 'kim', password }, 'clerk');
  const kim = openBrowser(shop, { username: 'kim', password });
  await kim.signIn();
  expect(await status(kim.post('/api/admin/account/name', { displayName: 'Kim Poe' }))).toBe(204);
  expect(await (await owner.get('/api/admin/people/names')).json()).toContainEqual({
    username: 'kim',
    displayName: 'Kim Poe',
  });
});
