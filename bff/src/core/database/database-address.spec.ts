import { expect, test } from 'vitest';
import { judgeAddress, parseDatabaseAddress, throughPooler } from './database-address.ts';

// The addresses are written as each host shows them, with the names of their documentation.

const neon = 'ep-cool-darkness-a1b2c3d4.us-east-2.aws.neon.tech';
const supabase = 'aws-0-eu-central-1.pooler.supabase.com';
const azure = 'kilim.postgres.database.azure.com';
const rds = 'kilim.c6c8mwvfdgv0.eu-west-1.rds.amazonaws.com';

test.each([
  [
    'Neon',
    `postgresql://alex:AbC123dEf@${neon}/dbname?sslmode=require&channel_binding=require`,
    { login: 'alex', addresses: [{ host: neon, port: 5432 }], database: 'dbname', encryption: { mode: 'verify-full' } },
  ],
  [
    'Neon, for a client that does not send the host name',
    'postgresql://alex:AbC123dEf@us-east-2.aws.neon.tech/dbname?sslmode=require&options=endpoint%3Dep-cool-darkness-a1b2c3d4',
    { options: 'endpoint=ep-cool-darkness-a1b2c3d4', encryption: { mode: 'require' } },
  ],
  [
    'Supabase, direct',
    'postgresql://postgres:secret@db.abcdefghijklmnopqrst.supabase.co:5432/postgres',
    { addresses: [{ host: 'db.abcdefghijklmnopqrst.supabase.co', port: 5432 }], encryption: undefined },
  ],
  [
    'Supabase, pooler in transaction mode, as Vercel shows it',
    `postgres://postgres.abcdefghijklmnopqrst:secret@${supabase}:6543/postgres?sslmode=require&supa=base-pooler.x`,
    { login: 'postgres.abcdefghijklmnopqrst', addresses: [{ host: supabase, port: 6543 }] },
  ],
  [
    'Supabase, pooler for Prisma',
    `postgres://postgres.abcdefghijklmnopqrst:secret@${supabase}:6543/postgres?pgbouncer=true&connection_limit=1`,
    { pooler: undefined, database: 'postgres' },
  ],
  [
    'Amazon RDS, with the bundle of its authorities',
    `postgres://kilim_owner:p%40ss%2Fword@${rds}:5432/kilim?sslmode=verify-full&sslrootcert=/etc/ssl/global-bundle.pem`,
    { password: 'p@ss/word', encryption: { mode: 'verify-full', authorities: '/etc/ssl/global-bundle.pem' } },
  ],
  [
    'Cloud SQL, through the socket of its proxy',
    'postgresql://kilim:secret@/kilim?host=/cloudsql/my-project:europe-west1:kilim',
    { addresses: [{ path: '/cloudsql/my-project:europe-west1:kilim/.s.PGSQL.5432' }], database: 'kilim' },
  ],
  [
    'Cloud SQL, the same with an encoded host',
    'postgresql://kilim:secret@%2Fcloudsql%2Fmy-project%3Aeurope-west1%3Akilim/kilim',
    { addresses: [{ path: '/cloudsql/my-project:europe-west1:kilim/.s.PGSQL.5432' }] },
  ],
  [
    'Cloud SQL, with its own certificates',
    'postgres://kilim:secret@203.0.113.7/kilim?sslmode=verify-ca&sslrootcert=server-ca.pem&sslcert=client-cert.pem&sslkey=client-key.pem',
    {
      encryption: {
        mode: 'verify-ca',
        authorities: 'server-ca.pem',
        certificate: 'client-cert.pem',
        key: 'client-key.pem',
      },
    },
  ],
  [
    'Azure Database for PostgreSQL',
    `postgres://kilim%40example:secret@${azure}:5432/postgres?sslmode=require`,
    { login: 'kilim@example', addresses: [{ host: azure, port: 5432 }], encryption: { mode: 'require' } },
  ],
  [
    'two hosts, an IPv6 address among them',
    'postgres://kilim:x@[2001:db8::1]:5433,db2/kilim?target_session_attrs=any&connect_timeout=10&application_name=shop',
    {
      addresses: [
        { host: '2001:db8::1', port: 5433 },
        { host: 'db2', port: 5433 },
      ],
      targetSession: undefined,
      connectTimeoutSeconds: 10,
      applicationName: 'shop',
    },
  ],
])('the address of %s is understood', (_, url, parts) => {
  expect(parseDatabaseAddress(url)).toMatchObject(parts);
});

test.each([
  ['sslmode=require&sslrootcert=a.pem', 'verify-ca'],
  ['sslmode=verify-ca', 'verify-full'],
  ['sslrootcert=system', 'verify-full'],
  ['channel_binding=require', 'verify-full'],
  ['sslmode=verify-ca&sslrootcert=a.pem&channel_binding=require', 'verify-ca'],
  ['sslmode=prefer&channel_binding=prefer', 'prefer'],
  ['ssl=true', 'verify-full'],
  ['sslmode=disable', undefined],
])('%s: the certificate is checked as %s', (query, mode) => {
  expect(parseDatabaseAddress(`postgres://a@db/b?${query}`).encryption?.mode).toBe(mode);
});

test.each([
  ['channel_binding=require', 'the driver cannot bind, so the certificate'],
  ['keepalives_idle=30', 'a dead connection is noticed'],
  ['tcp_user_timeout=10', 'a dead connection is noticed'],
  ['load_balance_hosts=random', 'all connections use one server'],
  ['pgbouncer=true', 'a connection pooler is recognised'],
  ['client_encoding=LATIN1', 'every connection uses UTF-8'],
])('%s is ignored with a reason', (query, because) => {
  const { refused, ignored } = judgeAddress(`postgres://a@db/b?${query}`);
  expect(refused).toEqual([]);
  expect(ignored).toEqual([expect.stringContaining(`${query.split('=')[0]} is ignored: ${because}`)]);
});

test.each([
  ['sslpassword=x', 'must not have the parameter sslpassword: a key with a passphrase cannot be read'],
  ['sslcrl=x', 'must not have the parameter sslcrl: lists of revoked certificates'],
  ['gssencmode=require', 'must not have the parameter gssencmode: Kerberos is not supported'],
  ['hostaddr=10.0.0.1', 'must not have the parameter hostaddr: '],
  ['service=x', 'must not have the parameter service: '],
  ['require_auth=password', 'must not have the parameter require_auth: '],
  ['ssl_min_protocol_version=TLSv1.3', 'must not have the parameter ssl_min_protocol_version: '],
  ['sslmode=verify', 'must not have an unknown value of the parameter sslmode'],
  ['connect_timeout=soon', 'must not have an unknown value of the parameter connect_timeout'],
  ['pooler=pgbouncer', 'must not have an unknown value of the parameter pooler'],
  [
    'work_mem=64MB',
    'must not have the unknown parameter work_mem: remove it, or write a setting of PostgreSQL as options=-c',
  ],
])('%s is refused by its name, without its value', (query, sentence) => {
  const url = `postgres://a:secret@db/b?${query}`;
  expect(judgeAddress(url).refused).toEqual([expect.stringContaining(sentence)]);
  expect(() => parseDatabaseAddress(url)).toThrow(sentence);
});

test.each(['gssencmode=disable', 'gssencmode=prefer', 'channel_binding=prefer', 'sslsni=1', 'client_encoding=utf8'])(
  '%s asks for nothing else',
  (query) => {
    expect(judgeAddress(`postgres://a@db/b?${query}`)).toEqual({ refused: [], ignored: [] });
  },
);

test.each([
  'postgres://db',
  'postgres:///b',
  'mysql://a@db/b',
  'postgres://a@db:99999/b',
  'postgres://a@d b/c',
  'postgres://a:b?secret=c@db/d',
])('%s is no address of a database', (url) => {
  expect(judgeAddress(url).refused).toEqual([expect.stringContaining('must look like postgres://')]);
});

test('an address keeps its parameters when a pooler is found', () => {
  const found = throughPooler('postgres://a:b@db/c?options=-c%20jit%3Doff&password=x+y', 'unprepared');
  expect(parseDatabaseAddress(found)).toMatchObject({ options: '-c jit=off', password: 'x+y', pooler: 'unprepared' });
});

test('an address is shown without its password, also when it is malformed', () => {
  expect(parseDatabaseAddress('postgres://a%zz:b@host/rugs')).toMatchObject({ login: 'a%zz', hosts: 'host' });
  expect(parseDatabaseAddress('postgres://a:p@ss#1@host/rugs')).toMatchObject({ password: 'p@ss#1', hosts: 'host' });
});
