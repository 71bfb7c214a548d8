import { randomUUID } from 'node:crypto';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Sql } from '../../core/database/database.ts';
import { migrate } from '../../core/database/migrate.ts';
import { checkDatabase, checkVersion, requireDatabase } from '../../core/database/require-database.ts';
import { listen } from '../listen.ts';
import { judgeClock, sampleClock } from './check-clock.ts';
import { checkSchema, judgeSchema } from './check-schema.ts';
import { checkPrivileges, checkSameDatabase, readFacts } from './database-facts.ts';

// Real servers refuse, are away or are the wrong ones. Only the version of an old PostgreSQL is a value here.

const { url, ownerSql, appSql } = await testDatabase();
const newer = await testDatabase();
const [database, other] = [url, (await testDatabase()).url];
const login = `clerk_${randomUUID().slice(0, 8)}`;
const pools: Sql[] = [];

function changed(
  parts: Partial<Record<'username' | 'password' | 'port' | 'hostname' | 'pathname' | 'search', string>>,
) {
  return Object.assign(new URL(database), parts).href;
}

function open(address: string, role?: 'kilim_server'): Sql {
  const sql = connect({ url: address, role, max: 1, applicationName: 'kilim doctor' });
  pools.push(sql);
  return sql;
}

let web: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  await ownerSql.unsafe(`create role ${login} login password 'rugs'`);
  web = await listen({ host: '127.0.0.1', port: 0, handler: () => ({ fetch: () => new Response('a web page') }) });
});
afterAll(async () => {
  await Promise.all(pools.map((sql) => sql.end({ timeout: 1 })));
  await ownerSql.unsafe(`drop role ${login}`);
  await web.close(0);
});

const { host, username } = new URL(database);
test.each([
  ['nothing listens there', { hostname: '127.0.0.1', port: '1' }, 'nothing accepts connections at 127.0.0.1:1.'],
  ['the host is unknown', { hostname: 'postgres.invalid' }, 'the host name of postgres.invalid'],
  ['the password is wrong', {}, `${host} refuses the password of the login ${username}.`],
  ['the login is unknown', { username: 'stranger' }, `${host} refuses the password of the login stranger.`],
])('when %s, the sentence names the variable and not the password', async (_, parts, problem) => {
  const url = changed({ password: 'top-secret', ...parts });
  for (const variable of ['DATABASE_URL', 'MIGRATION_DATABASE_URL'] as const) {
    const found = await checkDatabase(open(url), { variable, url });
    expect(found).toMatchObject([{ level: 'error', variable, problem: expect.stringContaining(problem) }]);
    expect(JSON.stringify(found)).not.toContain('secret');
  }
});

test.each([
  ['the database is unknown', { pathname: '/bazaar' }, `there is no database bazaar at ${host}.`],
  ['the server offers no TLS', { search: '?sslmode=require' }, `${host} offers no TLS`],
])('when %s, the sentence says so', async (_, parts, problem) => {
  const place = { variable: 'DATABASE_URL', url: changed(parts) } as const;
  await expect(requireDatabase(open(place.url), place)).rejects.toThrow(`DATABASE_URL: ${problem}`);
});

test('a port of another program does not answer as PostgreSQL', async () => {
  const place = { variable: 'DATABASE_URL', url: changed({ hostname: '127.0.0.1', port: String(web.port) }) } as const;
  await expect(requireDatabase(open(place.url), place)).rejects.toThrow(
    /^DATABASE_URL: 127\.0\.0\.1:\d+ (does not answer|closed the connection|cannot be used)/,
  );
});

test('several hosts without a primary are named together', async () => {
  const url = database.replace(host, '127.0.0.1:1,127.0.0.1:2');
  const [found] = await checkDatabase(open(url), { variable: 'DATABASE_URL', url });
  expect(found?.problem).toContain('no primary answers among 127.0.0.1:1,127.0.0.1:2');
});

test.each([
  [150_004, '15.4 (Debian 15.4-1)', 'error'],
  [170_009, '17.9', 'error'],
  [180_000, '18.0', undefined],
  [190_001, '19.1', undefined],
])('server_version_num %i: PostgreSQL %s is judged before any migration runs', (number, text, level) => {
  const [found] = checkVersion({ number, text }, { variable: 'DATABASE_URL' });
  expect(found?.level).toBe(level);
  if (found !== undefined)
    expect(found.problem).toBe(`this is PostgreSQL ${text}, and Kilim needs PostgreSQL 18 or newer.`);
});

test('migrating an unreachable database ends with the sentence', async () => {
  const unreachable = migrate({
    url: changed({ hostname: '127.0.0.1', port: '1' }),
    variable: 'MIGRATION_DATABASE_URL',
  });
  await expect(unreachable).rejects.toThrow('MIGRATION_DATABASE_URL: nothing accepts connections at 127.0.0.1:1.');
});

test('a login without kilim_server is an error, and a member of it is fine', async () => {
  const address = changed({ username: login, password: 'rugs' });
  const judged = { variable: 'DATABASE_URL', production: true } as const;
  expect(checkPrivileges(await readFacts(open(address)), judged)).toMatchObject([
    {
      level: 'error',
      variable: 'DATABASE_URL',
      problem: `the login ${login} is not a member of the role kilim_server.`,
    },
  ]);
  const asServer = { ...judged, url: address };
  await expect(requireDatabase(open(address, 'kilim_server'), asServer)).rejects.toThrow(
    `npm run migrate -- --login ${login}`,
  );
  await ownerSql.unsafe(`grant kilim_server to ${login}`);
  expect(checkPrivileges(await readFacts(open(address)), judged)).toEqual([]);
  await requireDatabase(open(address, 'kilim_server'), asServer);
});

test("in production, a superuser or the ledger's owner as the login of a server is an error", async () => {
  const facts = await readFacts(open(database));
  expect(checkPrivileges(facts, { variable: 'DATABASE_URL', production: false })).toEqual([]);
  expect(checkPrivileges(facts, { variable: 'DATABASE_URL', production: true })).toMatchObject([
    { level: 'error', variable: 'DATABASE_URL', problem: expect.stringContaining('is a superuser') },
  ]);
});

test('in production, each right that reaches too far is an error, and the remedy ends it', async () => {
  const wide = `wide_${randomUUID().slice(0, 8)}`;
  const judged = { variable: 'DATABASE_URL', production: true } as const;
  await ownerSql.unsafe(`
    create role ${wide} login password 'rugs' createrole bypassrls replication;
    grant kilim_server, pg_read_all_data, pg_execute_server_program to ${wide};
    alter schema image owner to ${wide}`);
  const found = async () => {
    const sql = connect({
      url: changed({ username: wide, password: 'rugs' }),
      max: 1,
      applicationName: 'kilim doctor',
    });
    const diagnoses = checkPrivileges(await readFacts(sql), judged);
    await sql.end();
    return diagnoses;
  };
  try {
    const errors = (await found()).filter(({ level }) => level === 'error');
    expect(errors.map(({ problem }) => problem)).toEqual([
      `the login ${wide} owns the schemas image, so a server could change recorded events.`,
      ...['createrole', 'bypassrls', 'replication'].map((name) => `the login ${wide} has the attribute ${name}.`),
      ...['pg_execute_server_program', 'pg_read_all_data'].map((name) => `the login ${wide} is a member of ${name}.`),
    ]);
    await ownerSql.unsafe(`alter schema image owner to current_user`);
    for (const { remedy } of errors.slice(1)) await ownerSql.unsafe(remedy.replace('Run as a superuser: ', ''));
    expect(await found()).toEqual([]);
  } finally {
    await ownerSql.unsafe(`alter schema image owner to current_user; drop owned by ${wide}; drop role ${wide}`);
  }
});

test('an address that leads to another database is named', async () => {
  const [main, found] = await Promise.all([readFacts(open(database)), readFacts(open(other))]);
  expect(checkSameDatabase(main, { main, variable: 'MIGRATION_DATABASE_URL' })).toEqual([]);
  expect(checkSameDatabase(found, { main, variable: 'MIGRATION_DATABASE_URL' })).toMatchObject([
    { level: 'error', variable: 'MIGRATION_DATABASE_URL' },
  ]);
});

test('pending and unknown migrations are warnings', async () => {
  expect(await checkSchema(appSql)).toEqual([]);
  expect(judgeSchema([1, 2, 3], new Set([1]))[0]?.problem).toContain('migrations 2, 3 are not applied');
  expect(judgeSchema([1, 2], new Set([1, 2, 9]))[0]?.problem).toContain('it has migration 9');
});

test('a schema that no longer serves this release is an error', async () => {
  await newer.ownerSql.unsafe(`
    create or replace function kilim.oldest_release() returns text language sql immutable return '99.0.0';
    grant execute on function kilim.oldest_release to kilim_server`);
  expect(await checkSchema(newer.appSql)).toMatchObject([
    { level: 'error', problem: expect.stringContaining('The schema serves release 99.0.0 and newer releases') },
  ]);
});

test.each([
  [0, undefined],
  [1900, undefined],
  [2100, 'warning'],
  [-2100, 'warning'],
  [31_000, 'error'],
  [-31_000, 'error'],
])('a clock of the database that is off by %i ms', (off, level) => {
  const [found] = judgeClock({ before: 1_000_000, after: 1_000_000, database: 1_000_000 + off });
  expect(found?.level).toBe(level);
});

test('the time that the answer took is no difference of the clocks', async () => {
  expect(judgeClock({ before: 0, after: 60_000, database: 59_000 })).toEqual([]);
  expect(judgeClock(await sampleClock(appSql))).toEqual([]);
});
