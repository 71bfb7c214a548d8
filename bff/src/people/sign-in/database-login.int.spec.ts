import { createHash, generateKeyPairSync } from 'node:crypto';
import {
  type Browser,
  type Credentials,
  makeAdministrator,
  makePerson,
  openBrowser,
} from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { addApp } from '@kilim/lab/testing/second-factor';
import { openShop } from '@kilim/lab/testing/shop';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../core/database/database.ts';
import { authenticateAppends } from '../../proof/authentic-event.ts';
import { macKeyOf } from '../../proof/event-mac.ts';
import { resetPassword } from '../use-case/change-password.ts';
import { adoptAccounts } from './adopt-accounts.ts';
import { hashPassword } from './passwords.ts';
import { requireRecordedAccess } from './recorded-access.ts';
import { newToken } from './tokens.ts';

// The attacker sends SQL with a server's rights, has no key of the server, and also uses the calls of the office.

const { appSql, ownerSql, url } = await testDatabase();
const signer = { name: 'kilim/ledger', privateKey: generateKeyPairSync('ed25519').privateKey };
authenticateAppends(appSql, macKeyOf(signer));
const shop = await openShop(appSql);
const attacker = connect({ url, role: 'kilim_server', max: 1, applicationName: 'kilim attacker' });
afterAll(async () => {
  await shop.close();
  await attacker.end({ timeout: 1 });
});

const mine = 'quartz meadow lantern 41';
const eve = { username: 'eve', password: 'copper willow anchor 52' };
beforeAll(async () => {
  await makeAdministrator(appSql);
  await makePerson(appSql, eve, 'clerk');
});

let owners = 0;

/** For each attack. */
async function newOwner(): Promise<Credentials> {
  owners += 1;
  const owner = { username: `owner-${owners}`, password: 'walnut terrace compass 17' };
  await makePerson(appSql, owner, 'owner');
  return owner;
}

const sha256 = (token: string) => createHash('sha256').update(token).digest();
const plain = (token: string | undefined) => (token ?? '').split('.')[0] ?? '';

async function opens(token: string): Promise<number> {
  const cookie = { cookie: `kilim_admin=${token}` };
  return (await shop.get('/api/admin/session', cookie)).status;
}

async function signIn(person: Credentials): Promise<{ readonly status: number; readonly code: string | undefined }> {
  const { username, password } = person;
  const answer = await openBrowser(shop).post('/api/admin/login', { username, password });
  return { status: answer.status, code: ((await answer.json()) as { readonly code?: string }).code };
}

const altered = { status: 403, code: 'AccountAltered' };

describe('a row of a session', () => {
  test('that only the database knows opens nothing', async () => {
    const [token, proof] = [newToken(), newToken()];
    await attacker`select admin.start_session('ada', ${sha256(token)}, ${sha256(proof)}, '', '', null)`;
    await attacker`select admin.mark_second_factor(${sha256(proof)}, true)`;
    expect([await opens(token), await opens(`${token}.${newToken()}`)]).toEqual([401, 401]);
  });

  test('of another person is not opened by the token of the attacker', async () => {
    const own = openBrowser(shop, eve);
    await own.signIn();
    const token = own.cookies.get('kilim_admin') ?? '';
    expect(await opens(token)).toBe(200);
    const [session] = await attacker<{ id: string }[]>`select id from admin.look_at_session(${sha256(plain(token))})`;
    await attacker`select admin.end_session('eve', ${session?.id ?? ''}::uuid)`;
    await attacker`select admin.start_session('ada', ${sha256(plain(token))}, ${sha256(newToken())}, '', '', null)`;
    expect(await opens(token)).toBe(401);
  });

  test('cannot be proven again, nor be renewed under a token of choice', async () => {
    const own = openBrowser(shop, eve);
    await own.signIn();
    const token = own.cookies.get('kilim_admin') ?? '';
    const [session] = await attacker<{ id: string }[]>`select id from admin.look_at_session(${sha256(plain(token))})`;
    const [next, proof] = [newToken(), newToken()];
    await attacker`select admin.renew_session(${session?.id ?? ''}::uuid, ${sha256(plain(token))}, ${sha256(proof)})`;
    expect(await opens(token)).toBe(401);
    await attacker`select admin.renew_session(${session?.id ?? ''}::uuid, ${sha256(next)}, ${sha256(proof)})`;
    expect(await opens(next)).toBe(401);
  });

  test('of a clerk stays that of a clerk', async () => {
    const own = openBrowser(shop, eve);
    await own.signIn();
    await attacker`select admin.set_role('eve', 'owner')`;
    expect(await opens(own.cookies.get('kilim_admin') ?? '')).toBe(401);
    expect(await signIn(eve)).toEqual(altered);
  });
});

test('a sign-in that waits for the second factor begins with the password only', async () => {
  const victim = await newOwner();
  const browser = openBrowser(shop, victim);
  await browser.signIn();
  const { recoveryCodes } = await addApp(browser);
  const token = newToken();
  await attacker`select admin.keep_sign_in(${sha256(token)}, ${victim.username})`;
  const giveCode = (pending: string | undefined) =>
    shop.request('/api/admin/login/code', {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `kilim_sign_in=${pending}` },
      body: JSON.stringify({ code: recoveryCodes[0] }),
    });
  for (const forged of [token, `${token}.${newToken()}`]) {
    const answer = await giveCode(forged);
    expect([answer.status, await answer.json()]).toMatchObject([401, { code: 'SignInExpired' }]);
  }
  const own = openBrowser(shop, victim);
  expect((await own.post('/api/admin/login', victim)).status).toBe(202);
  expect((await giveCode(own.cookies.get('kilim_sign_in'))).status).toBe(200);
});

describe('SQL gives nobody a way to sign in:', () => {
  test('a password', async () => {
    const victim = await newOwner();
    await attacker`select admin.set_password(${victim.username}, ${await hashPassword(mine)}, false, null)`;
    expect(await signIn({ ...victim, password: mine })).toEqual(altered);
  });

  test('a hash that a server seemed to renew', async () => {
    const victim = await newOwner();
    const [known] = await attacker<{ hash: string }[]>`select admin.password_of(${victim.username}) as hash`;
    await attacker`
      select admin.renew_password_hash(${victim.username}, ${known?.hash ?? ''}, ${await hashPassword(mine)})`;
    expect(await signIn({ ...victim, password: mine })).toEqual(altered);
  });

  test('a link', async () => {
    const victim = await newOwner();
    const token = newToken();
    await attacker`select admin.make_link(${victim.username}, ${sha256(token)}, 'admin:ada')`;
    const asked = { token, password: mine, displayName: 'Mallory' };
    const used = await openBrowser(shop).post('/api/admin/password-link/use', asked);
    expect([used.status, await used.json()]).toMatchObject([403, { code: 'AccountAltered' }]);
  });

  test('an invitation', async () => {
    const token = newToken();
    await attacker`select admin.invite('mallory', 'Mallory', 'owner')`;
    await attacker`select admin.make_link('mallory', ${sha256(token)}, 'admin:ada')`;
    const asked = { token, password: mine, displayName: 'Mallory' };
    const used = await openBrowser(shop).post('/api/admin/password-link/use', asked);
    expect([used.status, await used.json()]).toMatchObject([403, { code: 'AccountAltered' }]);
    await attacker`select admin.use_link(${sha256(token)}, ${await hashPassword(mine)}, 'Mallory')`;
    expect(await signIn({ username: 'mallory', password: mine })).toEqual(altered);
  });

  test('recovery codes, a passkey, or an account without its second factor', async () => {
    const victim = await newOwner();
    const browser = openBrowser(shop, victim);
    await browser.signIn();
    await addApp(browser);
    expect((await signIn(victim)).status).toBe(202);
    await attacker`select admin.reset_second_factor(${victim.username})`;
    expect(await signIn(victim)).toEqual(altered);
    await attacker`select admin.replace_recovery_codes(${victim.username}, array[${sha256(mine)}])`;
    await attacker`select admin.add_passkey(${victim.username}, null, ${sha256(mine)}, 'Mine', 'key', 0, array[]::text[], 10)`;
    expect((await signIn(victim)).status).not.toBe(200);
  });

  test('an event of the attacker that records the altered account', async () => {
    const victim = await newOwner();
    await attacker`select admin.set_password(${victim.username}, ${await hashPassword(mine)}, false, null)`;
    const rival = connect({ url, role: 'kilim_server', max: 1, applicationName: 'kilim attacker' });
    authenticateAppends(rival, macKeyOf({ ...signer, privateKey: generateKeyPairSync('ed25519').privateKey }));
    await adoptAccounts({ sql: rival, now: () => new Date() });
    await rival.end({ timeout: 1 });
    expect(await signIn({ ...victim, password: mine })).toEqual(altered);
  });
});

test('a new signing key adopts all accounts, also when the first start with it died in the middle', async () => {
  const renewed = connect({ url, role: 'kilim_server', max: 1, applicationName: 'kilim renewed' });
  authenticateAppends(renewed, macKeyOf({ ...signer, privateKey: generateKeyPairSync('ed25519').privateKey }));
  const victims = [await newOwner(), await newOwner()];
  let calls = 0;
  const now = () => {
    calls += 1;
    if (calls === 2) throw new Error('the process dies');
    return new Date();
  };
  await expect(adoptAccounts({ sql: renewed, now })).rejects.toThrow('the process dies');
  await adoptAccounts({ sql: renewed, now });
  for (const { username } of victims) await requireRecordedAccess(renewed, username);
  await renewed.end({ timeout: 1 });
});

test('a command of a person does not accept an altered account, and a command of the operator does', async () => {
  const owner: Browser = openBrowser(shop);
  await owner.signIn();
  const victim = await newOwner();
  await attacker`select admin.set_role(${victim.username}, 'clerk')`;
  const disabled = await owner.post(`/api/admin/people/${victim.username}/disable`, {});
  expect([disabled.status, await disabled.json()]).toMatchObject([403, { code: 'AccountAltered' }]);
  expect(shop.logged.some((line) => line.includes('an account was changed in the database'))).toBe(true);
  await resetPassword({ sql: appSql, now: () => new Date() }, { ...victim, password: mine });
  expect((await signIn({ ...victim, password: mine })).status).toBe(200);
});

/** What a member of `kilim_server` may call, and why it gives nobody a session. */
const judged = {
  add_passkey: 'the account differs from its last event',
  change_display_name: 'a name',
  confirm_one_time_code: 'the account differs from its last event',
  count_security_entries: 'reads',
  create_export_token: 'opens exports, see docs/audit/security.md',
  create_first_owner: 'only where there is no account',
  disable: 'ends',
  emails_of: 'reads the address of one person',
  enable: 'the account differs from its last event',
  end_all_sessions: 'ends',
  end_pending_sign_in: 'ends',
  end_session: 'ends',
  export_token_named: 'reads',
  find_link: 'reads',
  find_passkey: 'reads',
  forget_old_security_entries: 'forgets what is older than its limit',
  has_accounts: 'reads',
  has_proven_within: 'reads',
  has_second_factor: 'reads',
  holds_proof: 'reads',
  invite: 'the account has no event',
  is_known_browser: 'reads',
  keep_challenge: 'needs a passkey of the account',
  keep_sign_in: 'the token has no seal',
  list_access: 'reads digests',
  list_export_tokens: 'reads',
  list_names: 'reads',
  list_people: 'reads',
  list_second_factors: 'reads',
  list_security_entries: 'reads',
  list_sessions: 'reads',
  look_at_session: 'reads',
  make_link: 'the account differs from its last event',
  mark_second_factor: 'the seal holds another instant',
  note_security_entry: 'an entry',
  one_time_code_of: 'reads an encrypted secret',
  passkey_handle: 'reads',
  passkeys_to_exclude: 'reads',
  password_of: 'reads one hash',
  pending_sign_in_of: 'reads',
  propose_one_time_code: 'counts when it is confirmed',
  prove_export_token: 'reads',
  prove_session: 'reads',
  recovery_codes_left: 'reads',
  remember_browser: 'a count of attempts of its own',
  remove_second_factor: 'the account differs from its last event',
  rename_second_factor: 'a name',
  renew_password_hash: 'the account differs from its last event',
  renew_session: 'the seal holds another instant',
  replace_recovery_codes: 'the account differs from its last event',
  reset_second_factor: 'the account differs from its last event',
  revoke_export_token: 'ends',
  security_entry_with: 'reads',
  session_factor: 'reads',
  session_times: 'reads',
  set_email: 'silences mails to a person after seven days',
  set_password: 'the account differs from its last event',
  set_role: 'the account differs from its last event, and the seal holds the role',
  spend_challenge: 'ends',
  start_session: 'the token has no seal',
  use_challenge: 'needs a passkey of the account',
  use_link: 'the account differs from its last event',
  use_one_time_code: 'uses up a code',
  use_passkey: 'a count of signatures',
  use_recovery_code: 'uses up a code',
} as const satisfies Record<string, string>;

test('each function of schema admin that a server may call is judged', async () => {
  const callable = await ownerSql<{ name: string }[]>`
    select distinct proname as name from pg_proc
    where pronamespace = 'admin'::regnamespace and has_function_privilege('kilim_server', oid, 'execute')
    order by 1`;
  expect(callable.map(({ name }) => name)).toEqual(Object.keys(judged).toSorted());
});
