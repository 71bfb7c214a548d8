import { ada, type Credentials, makeAdministrator, makePerson, openBrowser } from '@kilim/lab/testing/administrator';
import { createAuthenticator } from '@kilim/lab/testing/authenticator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { addPasskeyOf } from '@kilim/lab/testing/second-factor';
import { openShop } from '@kilim/lab/testing/shop';
import { hash } from '@node-rs/argon2';
import { afterAll, describe, expect, test } from 'vitest';
import { hashPassword } from '../people/sign-in/passwords.ts';
import { changeRole, disablePerson, issueLink } from '../people/use-case/manage-people.ts';
import { byOperator } from '../people/use-case/record-admin-events.ts';
import { checkAccess } from './check-access.ts';
import { tellFault } from './cli/tell-fault.ts';
import { prove } from './prove.ts';

// An attacker with all rights in the database changes an account, and `verify` must name it. Each test keeps its
// account's changes.

const { appSql, ownerSql, url } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const world = { sql: appSql, now: () => new Date() };

const password = 'plover sandstone harbour 88';
const chosenByEve = await hashPassword('eve knows this password 12');
let people = 0;

async function makeClerk(): Promise<Credentials> {
  people += 1;
  const person = { username: `clerk${people}`, password };
  await makePerson(appSql, person, 'clerk');
  return person;
}

async function makeClerkWithFactors(): Promise<Credentials> {
  const person = await makeClerk();
  const browser = openBrowser(shop, person);
  await browser.signIn();
  expect((await addPasskeyOf(browser, createAuthenticator('http://office.kilim.test'))).status).toBe(200);
  await ownerSql`
    insert into admin.one_time_code (username, secret, is_confirmed) values (${person.username}, '\\xaa', false)`;
  return person;
}

async function told(username: string): Promise<readonly string[]> {
  const checked = await checkAccess(ownerSql);
  if (checked === undefined) throw new Error('not checked');
  return checked.faults.map(tellFault).filter((line) => new RegExp(`\\b${username}[:,]`).test(line));
}

const changedSince = (username: string, parts: string) =>
  `The account ${username}: without a command, ${parts} changed since its last event.`;
const foundBefore = (username: string, version: number, parts: string) =>
  `access-${username}, version ${version}: without a command, ${parts} changed before this event.`;

test('nothing in accounts that only the application changed', async () => {
  const { username } = await makeClerkWithFactors();
  const by = { ...byOperator };
  await issueLink(world, username, by);
  await changeRole(world, { username, role: 'accountant' }, by);
  await disablePerson(world, username, by);
  const { faults, access } = await prove({
    sql: ownerSql,
    url,
    verifiers: [],
    against: undefined,
    onProgress: () => undefined,
  });
  expect(faults.map(tellFault)).toEqual([]);
  expect(access).toEqual({ faults: [] });
});

describe('verify names', () => {
  test.each<[string, (username: string) => string, string]>([
    [
      'M: the hash of a password',
      (username) => `update admin.account set password_hash = '${chosenByEve}' where username = '${username}'`,
      'the hash of the password',
    ],
    ['a role', (username) => `update admin.account set role = 'owner' where username = '${username}'`, 'the role'],
    [
      'the state of an account',
      (username) => `update admin.account set state = 'disabled' where username = '${username}'`,
      'the state',
    ],
    [
      'a passkey that was added',
      (username) => `
        insert into admin.passkey (credential_id, username, name, public_key, sign_count, transports)
        values (sha256('${username}'), '${username}', 'Eve', '\\x01', 0, '{}')`,
      'the passkeys',
    ],
    [
      'the public key of a passkey',
      (username) => `update admin.passkey set public_key = '\\x01' where username = '${username}'`,
      'the passkeys',
    ],
    [
      'the second factors that were removed',
      (username) => `
        delete from admin.passkey where username = '${username}';
        delete from admin.recovery_code where username = '${username}'`,
      'the passkeys and the recovery codes',
    ],
    [
      'an authenticator app that was added',
      (username) =>
        `update admin.one_time_code set secret = '\\xbb', is_confirmed = true where username = '${username}'`,
      'the authenticator app',
    ],
    [
      'a recovery code',
      (username) => `insert into admin.recovery_code (username, code_hash) values ('${username}', sha256('eve'))`,
      'the recovery codes',
    ],
    [
      'a link for a new password',
      (username) => `
        insert into admin.password_link (username, token_hash, purpose, created_by)
        values ('${username}', sha256('${username}'), 'reset', 'admin:ada')`,
      'the link for a new password',
    ],
  ])('%s', async (_what, statements, parts) => {
    const { username } = await makeClerkWithFactors();
    expect(await told(username)).toEqual([]);
    await ownerSql.unsafe(statements(username));
    expect(await told(username)).toEqual([changedSince(username, parts)]);
  });

  test('M3: a replaced hash also after the attacker signed in, which renews a hash of low costs', async () => {
    const { username } = await makeClerk();
    const known = 'eve knows this password 12';
    const cheap = await hash(known, { algorithm: 2, memoryCost: 4096, timeCost: 3, parallelism: 1 });
    await ownerSql`update admin.account set password_hash = ${cheap} where username = ${username}`;
    await openBrowser(shop, { username, password: known }).signIn();
    expect(await told(username)).toEqual([foundBefore(username, 3, 'the hash of the password')]);
  });

  test('a replaced hash also after an owner gave the account another role', async () => {
    const { username } = await makeClerk();
    await ownerSql`update admin.account set password_hash = ${chosenByEve} where username = ${username}`;
    await changeRole(world, { username, role: 'accountant' }, byOperator);
    expect(await told(username)).toEqual([foundBefore(username, 3, 'the hash of the password')]);
  });

  test('an account that was inserted', async () => {
    await ownerSql`insert into admin.account (username, display_name, role, state, activated_at, password_hash)
      values ('eve', 'Eve', 'owner', 'active', now(), ${chosenByEve})`;
    expect(await told('eve')).toEqual(['The account eve: no command created it.']);
  });

  test('an account that was deleted', async () => {
    const { username } = await makeClerk();
    await ownerSql`delete from admin.account where username = ${username}`;
    expect(await told(username)).toEqual([`The account ${username}: it is missing.`]);
  });
});

describe('verify does not name', () => {
  test('the first owner, whose account the first start creates', async () => {
    expect(await told(ada.username)).toEqual([]);
  });
});
