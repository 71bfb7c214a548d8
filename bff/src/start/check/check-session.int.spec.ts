import { randomBytes } from 'node:crypto';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, servingLimits } from '../../core/database/database.ts';
import { throughPooler } from '../../core/database/database-address.ts';
import { findPooler, refusePooler } from '../../core/database/find-pooler.ts';
import { prepareLogin } from '../../core/database/prepare-login.ts';
import { checkSession, refuseWrongSession, type SessionExpectation } from './check-session.ts';

const { url, ownerSql } = await testDatabase();
const login = `kilim_${randomBytes(6).toString('hex')}`;
const loginUrl = Object.assign(new URL(url), { username: login, password: 'secret' }).href;
const serving = { variable: 'DATABASE_URL', role: 'kilim_server', ...servingLimits } as const;
const at = (address: string) => ({ variable: 'DATABASE_URL', url: address }) as const;

beforeAll(async () => {
  await ownerSql`create role ${ownerSql(login)} login password 'secret'`;
});
afterAll(async () => {
  await ownerSql`drop role ${ownerSql(login)}`;
});

async function findingsAt(address: string, expected: SessionExpectation = serving) {
  const sql = connect({ url: address, max: 1, applicationName: 'session spec', ...expected });
  try {
    return await checkSession(sql, expected);
  } finally {
    await sql.end();
  }
}

test('a session of the own pool has what it needs without any setup', async () => {
  expect(await findingsAt(url)).toEqual([]);
  expect(await findingsAt(url, { ...serving, statementTimeoutSeconds: 90 })).toEqual([]);
});

test('a session without the settings that were sent is behind a pooler that was not recognised', async () => {
  const sql = connect({ url, max: 1, applicationName: 'session spec', ...serving, statementTimeoutSeconds: 9 });
  expect(await checkSession(sql, serving)).toEqual([
    {
      level: 'error',
      variable: 'DATABASE_URL',
      problem: 'sessions have statement_timeout 9000 instead of 4000.',
      remedy:
        'A connection pooler drops what the server sends: add pooler=unprepared to the query of the address, and see docs/larger/poolers.md.',
    },
  ]);
  await sql.end();
});

test('the settings of a session win over the options of the address', async () => {
  expect(await findingsAt(`${url}?options=-c%20statement_timeout%3D9000`)).toEqual([]);
});

test('a database that takes no writes is refused', async () => {
  const readOnly = `${url}?options=-c%20default_transaction_read_only%3Don`;
  expect((await findingsAt(readOnly)).map(({ problem }) => problem)).toEqual([
    'the database takes no writes: it is a standby, or default_transaction_read_only is on.',
  ]);
});

test('a session without the settings of the login is refused with the variable and each difference', async () => {
  // As through a pooler, these sessions get no parameters.
  const sql = connect({ url: throughPooler(url, 'unprepared'), max: 1, applicationName: 'session spec' });
  const refused = refuseWrongSession(sql, serving);
  await expect(refused).rejects.toThrow(
    /^DATABASE_URL: sessions through the connection pooler have the role \w+ instead of kilim_server, statement_timeout 0 instead of 4000, lock_timeout 0 instead of 3000, idle_in_transaction_session_timeout 0 instead of 10000, search_path "\$user", public instead of public\./,
  );
  await sql.end();
});

test('a prepared login has the rights and the settings of a server without any parameter', async () => {
  await prepareLogin(url, login);
  await prepareLogin(url, login);
  expect(await findingsAt(throughPooler(loginUrl, 'unprepared'))).toEqual([]);
});

test('the owner, and a login that does not exist, are not prepared', async () => {
  const owner = new URL(url).username;
  await expect(prepareLogin(url, owner)).rejects.toThrow(`${owner} is the login of the owner.`);
  await expect(prepareLogin(url, 'nobody_here')).rejects.toThrow('There is no login nobody_here.');
});

test("the database's own address is not a pooler's", async () => {
  expect(await findPooler(at(url))).toEqual(at(url));
  await expect(refusePooler(at(url))).resolves.toBeUndefined();
});

test('an address that names a pooler is believed', async () => {
  const declared = `${url}?pooler=unprepared`;
  expect(await findPooler(at(declared))).toEqual(at(declared));
  await expect(refusePooler(at(declared))).rejects.toThrow('Set MIGRATION_DATABASE_URL');
});
