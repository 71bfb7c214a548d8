import { until } from '@kilim/lab/testing/patience';
import { postgresOfWorker } from '@kilim/lab/testing/postgres';
import { afterAll, describe, expect, test } from 'vitest';
import { withinMs } from '../runtime/deadline.ts';
import { connect } from './database.ts';
import { isDatabaseAway, isTemporary } from './failures.ts';
import { isReachable } from './repeat-while-away.ts';

const sql = connect({ url: postgresOfWorker(), max: 1, applicationName: 'database spec' });
const other = connect({ url: postgresOfWorker(), max: 1, applicationName: 'database spec' });
afterAll(() => Promise.all([sql.end(), other.end()]));

test('a bigint is a number', async () => {
  expect(await sql`select 9007199254740991::bigint as cents`).toEqual([{ cents: 9007199254740991 }]);
  expect(await sql`select ${9_007_199_254_740_991}::bigint + 0 as back`).toEqual([{ back: 9007199254740991 }]);
});

test('a list arrives unchanged with any text in it', async () => {
  const texts = ['plain', '', 'null', null, '{"a":"b\\n\\"c\\\\"}', 'a,b', '{}', "it's", 'two\nlines', ' ü 🧶 '];
  const rows =
    await sql`select text from unnest(${sql.typed.textArray(texts)}::text[]) with ordinality as list (text, at) order by at`;
  expect(rows.map((row) => row['text'])).toEqual(texts);
  const numbers =
    await sql`select number from unnest(${sql.typed.textArray([1, null, -2])}::bigint[]) as list (number)`;
  expect(numbers.map((row) => row['number'])).toEqual([1, null, -2]);
});

test('a bigint that a number cannot hold exactly is an error, and the connection still works', async () => {
  await expect(sql`select 9007199254740993::bigint as cents`).rejects.toThrow('9007199254740993');
  expect(await sql`select 1 as next`).toEqual([{ next: 1 }]);
});

test('every session has limits, UTC, one schema and a name', async () => {
  const [row] = await sql`
    select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle, current_setting('timezone') as zone, current_setting('search_path') as path,
      current_setting('application_name') as name`;
  expect(row).toEqual({
    statement: '15s',
    lock: '5s',
    idle: '10s',
    zone: 'UTC',
    path: 'public',
    name: 'database spec',
  });
});

test('a session has the rights of the role, not of the login', async () => {
  await sql.unsafe(`do $$ begin create role kilim_report; exception when duplicate_object then null; end $$`);
  const reader = connect({
    url: postgresOfWorker(),
    role: 'kilim_report',
    max: 1,
    applicationName: 'database spec',
  });
  try {
    expect(await reader`select current_user::text as name`).toEqual([{ name: 'kilim_report' }]);
    await expect(reader`create table public.mine (id int)`).rejects.toMatchObject({ code: '42501' });
  } finally {
    await reader.end();
  }
});

test('among several hosts a session uses a primary', async () => {
  const { username, password, host, pathname } = new URL(postgresOfWorker());
  const nobodyListens = '127.0.0.1:1';
  const url = `postgres://${username}:${password}@${nobodyListens},${host}${pathname}`;
  const several = connect({ url, max: 1, applicationName: 'database spec' });
  try {
    expect(several.options.target_session_attrs).toBe('primary');
    expect(await several`select pg_is_in_recovery() as standby`).toEqual([{ standby: false }]);
  } finally {
    await several.end();
  }
});

test('a query parameter of the url wins over the primary', async () => {
  const standbys = connect({
    url: 'postgres://reader@a,b/kilim?target_session_attrs=prefer-standby',
    max: 1,
    applicationName: 'x',
  });
  expect(standbys.options.target_session_attrs).toBe('prefer-standby');
  expect(
    connect({ url: 'postgres://reader@a/kilim', max: 1, applicationName: 'x' }).options.target_session_attrs,
  ).toBeFalsy();
});

test('an answering server is reachable, and an absent or slow one is not', async () => {
  expect(await isReachable(sql, 2000)).toBe(true);
  const away = connect({ url: 'postgres://nobody@127.0.0.1:1/kilim', max: 1, applicationName: 'database spec' });
  expect(await isReachable(away, 2000)).toBe(false);
  await away.end({ timeout: 0 });
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  // Expected before the cancel, which may end it while its own answer is awaited.
  const isEnded = expect(sql`select pg_sleep(60)`).rejects.toMatchObject({ code: '57014' });
  expect(await isReachable(sql, 100)).toBe(false);
  await other`select pg_cancel_backend(${row?.pid ?? 0})`;
  await isEnded;
});

describe('an error', () => {
  const raised = (sqlstate: string) =>
    sql
      .unsafe(`do $$ begin raise exception 'no' using errcode = '${sqlstate}'; end $$`)
      .catch((error: unknown) => error);

  test.each([
    ['a full disk', '53100'],
    ['no memory', '53200'],
    ['no connections', '53300'],
    ['a limit of the configuration', '53400'],
    ['a standby', '25006'],
    ['a database that takes no connections', '55000'],
    ['a deadlock', '40P01'],
    ['a serialization failure', '40001'],
    ['a crash of another session', '57P02'],
    ['a server that is starting', '57P03'],
    ['a lost connection', '08006'],
  ])('of %s (%s) means: repeat the work now', async (_, sqlstate) => {
    const error = await raised(sqlstate);
    expect([isDatabaseAway(error), isTemporary(error)]).toEqual([true, true]);
  });

  test.each([
    ['a cancelled statement', '57014'],
    ['a lock that was not given', '55P03'],
    ['a disk that cannot be read', '58030'],
  ])('of %s (%s) means: try later, without repeating the work', async (_, sqlstate) => {
    const error = await raised(sqlstate);
    expect([isDatabaseAway(error), isTemporary(error)]).toEqual([false, true]);
  });

  test.each([
    ['a wrong statement', '42601'],
    ['a missing right', '42501'],
    ['a broken constraint', '23505'],
    ['a check of the ledger', 'KLM03'],
  ])('of %s (%s) is a bug', async (_, sqlstate) => {
    const error = await raised(sqlstate);
    expect([isDatabaseAway(error), isTemporary(error)]).toEqual([false, false]);
  });

  test('that ends a session means that the database is away, with any code', async () => {
    const ends = connect({ url: postgresOfWorker(), max: 1, applicationName: 'database spec' });
    const ended = ends.begin(async (transaction) => {
      await transaction`set local idle_in_transaction_session_timeout = 1`;
      const [row] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`;
      const isOver = async () => (await other`select from pg_stat_activity where pid = ${row?.pid ?? 0}`).length === 0;
      await until('the session has ended', isOver);
      await transaction`select 1`;
    });
    await expect(ended).rejects.toSatisfy(isDatabaseAway);
    await ends.end({ timeout: 1 });
  });

  test.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'EHOSTDOWN',
    'ENETUNREACH',
    'ENETDOWN',
    'EADDRNOTAVAIL',
    'EMFILE',
    'ENFILE',
    'ENOBUFS',
    'ERR_STREAM_DESTROYED',
    'ERR_SOCKET_CLOSED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'CERT_HAS_EXPIRED',
    'CONNECTION_ENDED',
    'CONNECT_TIMEOUT',
  ])('of the network, %s, means that the database is away', (code) => {
    expect(isDatabaseAway(Object.assign(new Error('no'), { code }))).toBe(true);
  });

  test('of a late answer means: try later', async () => {
    const late = await withinMs(1, new Promise(() => undefined)).catch((error: unknown) => error);
    expect([isDatabaseAway(late), isTemporary(late)]).toEqual([false, true]);
    expect(isTemporary(new Error('a bug'))).toBe(false);
    expect(isTemporary(new TypeError('a bug'))).toBe(false);
  });
});
