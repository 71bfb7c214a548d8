import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@kilim/lab/testing/patience';
import { cloneDatabase, postgresOfWorker } from '@kilim/lab/testing/postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect, type Sql } from './database.ts';
import { migrate } from './migrate.ts';

let directory: string;
let url: string;
let sql: Sql;

const admin = connect({ url: postgresOfWorker(), max: 1, applicationName: 'migrate spec' });
let databases = 0;

beforeEach(async () => {
  // The name holds what a pattern would take for something else.
  directory = join(await mkdtemp(join(tmpdir(), 'kilim-migrate-')), 'a [folder]');
  await mkdir(directory);
  const name = `migrate_${process.pid}_${++databases}`;
  await admin`create database ${admin(name)}`;
  url = Object.assign(new URL(postgresOfWorker()), { pathname: `/${name}` }).href;
  sql = connect({ url, max: 2, applicationName: 'migrate spec' });
});

afterEach(async () => {
  await sql.end();
  await admin`drop database ${admin(new URL(url).pathname.slice(1))} with (force)`;
  await rm(join(directory, '..'), { recursive: true });
});

const write = (file: string, text: string) => writeFile(join(directory, file), text);

async function tables(): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`;
  return rows.map((row) => row.name);
}

test('pending migrations are applied in the order of their numbers, each once', async () => {
  await write('0002.do.rugs.sql', 'alter table shelf add rug text; create table rug (id int)');
  await write('0001.do.shelf.sql', 'create table shelf (id int)');
  expect(await migrate({ url, directory })).toEqual(['0001.do.shelf.sql', '0002.do.rugs.sql']);
  expect(await migrate({ url, directory })).toEqual([]);
  await write('0003.do.more.sql', 'create table more (id int)');
  expect(await migrate({ url, directory })).toEqual(['0003.do.more.sql']);
  expect(await tables()).toEqual(['more', 'rug', 'shelf']);
});

test('of two processes that start together one migrates; the other waits and finds nothing to do', async () => {
  await write('0001.do.slow.sql', 'select pg_sleep(0.3); create table slow (id int)');
  const both = await Promise.all([migrate({ url, directory }), migrate({ url, directory })]);
  expect(both.flat()).toEqual(['0001.do.slow.sql']);
});

test('a migration that fails leaves nothing of itself and nothing of those before it', async () => {
  await write('0001.do.good.sql', 'create table good (id int)');
  await write('0002.do.bad.sql', 'create table bad (id int); select 1 / 0');
  await expect(migrate({ url, directory })).rejects.toThrow('Migration 0002.do.bad.sql failed: division by zero');
  expect(await tables()).toEqual([]);
  expect(await sql`select to_regclass('kilim.migration') as history`).toEqual([{ history: null }]);
});

test('a migration that was changed after it had been applied stops the start, naming the file', async () => {
  await write('0001.do.shelf.sql', 'create table shelf (id int)');
  await migrate({ url, directory });
  await write('0001.do.shelf.sql', 'create table shelf (id bigint)');
  await write('0002.do.rug.sql', 'create table rug (id int)');
  await expect(migrate({ url, directory })).rejects.toThrow(/0001\.do\.shelf\.sql was changed after/);
  expect(await tables()).toEqual(['shelf']);
});

test('a checkout with Windows line endings is the same migration', async () => {
  await write('0001.do.shelf.sql', 'create table shelf (\n  id int\n)');
  await migrate({ url, directory });
  await write('0001.do.shelf.sql', 'create table shelf (\r\n  id int\r\n)');
  expect(await migrate({ url, directory })).toEqual([]);
});

test('a migration whose number is below the newest applied one stops the start instead of being passed over', async () => {
  await write('0002.do.rug.sql', 'create table rug (id int)');
  await migrate({ url, directory });
  await write('0001.do.shelf.sql', 'create table shelf (id int)');
  await expect(migrate({ url, directory })).rejects.toThrow(/0001\.do\.shelf\.sql comes too late/);
});

test('a migration whose file is gone stops the start', async () => {
  await write('0001.do.shelf.sql', 'create table shelf (id int)');
  await write('0002.do.rug.sql', 'create table rug (id int)');
  await migrate({ url, directory });
  await rm(join(directory, '0001.do.shelf.sql'));
  await expect(migrate({ url, directory })).rejects.toThrow(/number 1 \(shelf\) was applied, but its file is gone/);
});

test('an older version starts on a database that a newer one has migrated', async () => {
  await write('0001.do.shelf.sql', 'create table shelf (id int)');
  await write('0002.do.rug.sql', 'create table rug (id int)');
  await migrate({ url, directory });
  await rm(join(directory, '0002.do.rug.sql'));
  expect(await migrate({ url, directory })).toEqual([]);
  expect(await tables()).toEqual(['rug', 'shelf']);
});

test('a table that is in use for long delays its migration, and other statements only for a moment', async () => {
  await write('0001.do.shelf.sql', 'create table shelf (id int)');
  await migrate({ url, directory });
  await write('0002.do.rug.sql', 'alter table shelf add rug text');
  const reader = connect({ url, max: 1, applicationName: 'migrate spec' });
  const migrationWaits = async () =>
    (
      await sql`
        select from pg_locks
        where relation = 'shelf'::regclass and mode = 'AccessExclusiveLock' and not granted`
    ).length > 0;
  const migrating = reader.begin(async (transaction) => {
    await transaction`select from shelf`;
    const applied = migrate({ url, directory });
    for (let tries = 0; tries < 2; tries += 1) {
      await until('the migration waits for the table', migrationWaits);
      // The migration gives way, although the table is still in use.
      await sql`insert into shelf values (1)`;
    }
    // In an object, because the transaction would wait for a promise.
    return { applied };
  });
  const { applied } = await migrating;
  expect(await applied).toEqual(['0002.do.rug.sql']);
  await reader.end();
});

test('a table that stays in use stops the migration with what to do, and nothing has changed', async () => {
  await write('0001.do.shelf.sql', 'create table shelf (id int)');
  await migrate({ url, directory });
  await write('0002.do.rug.sql', 'create table rug (id int); alter table shelf add rug text');
  const reader = connect({ url, max: 1, applicationName: 'migrate spec' });
  await reader.begin(async (transaction) => {
    await transaction`select from shelf`;
    await expect(migrate({ url, directory, patienceSeconds: 0.1 })).rejects.toThrow(
      /0002\.do\.rug\.sql failed: .*lock timeout.*In use: shelf by process \d+ \(migrate spec\)/,
    );
  });
  await reader.end();
  expect(await tables()).toEqual(['shelf']);
});

test('a schema that no longer serves this release stops the start', async () => {
  const refusing = "create function kilim.oldest_release() returns text language sql return '99.0.0'";
  await write('0001.do.shelf.sql', `create table shelf (id int); ${refusing}`);
  await migrate({ url, directory });
  await write('0002.do.rug.sql', 'create table rug (id int)');
  await expect(migrate({ url, directory })).rejects.toThrow(/serves release 99\.0\.0 and newer/);
  expect(await tables()).toEqual(['shelf']);
});

test.each(['0002.ledger.sql', '2.do.ledger.sql', '0002.do.Ledger.sql', '0002.undo.ledger.sql'])(
  'a file named %s stops the start: nothing would ever run it',
  async (file) => {
    await write('0001.do.shelf.sql', 'select 1');
    await write(file, 'select 1');
    await expect(migrate({ url, directory })).rejects.toThrow(`Migration ${file} is not named like`);
  },
);

test('the dumped schema is no migration', async () => {
  await write('0001.do.shelf.sql', 'create table shelf (id int)');
  await write('schema.sql', 'this is no SQL');
  expect(await migrate({ url, directory })).toEqual(['0001.do.shelf.sql']);
});

test('an empty folder stops the start: the application would run on no schema', async () => {
  await expect(migrate({ url, directory })).rejects.toThrow('There are no migrations in');
});

test('the time of a migration is correct in any time zone of the server', async () => {
  await sql.unsafe(`alter database "${new URL(url).pathname.slice(1)}" set timezone = 'Asia/Tokyo'`);
  await write('0001.do.shelf.sql', 'create table shelf (id int)');
  await migrate({ url, directory });
  const [row] =
    await sql`select abs(extract(epoch from now() - run_at)) < 60 as right from kilim.migration where version = 1`;
  expect(row).toEqual({ right: true });
});

test('a role without rights can neither read nor write the history', async () => {
  await write('0001.do.shelf.sql', 'create table shelf (id int)');
  await migrate({ url, directory });
  const asReader = sql.begin(async (transaction) => {
    await transaction.unsafe('set local role pg_monitor');
    return await transaction`insert into kilim.migration (version) values (2)`;
  });
  await expect(asReader).rejects.toMatchObject({ code: '42501' });
});

test('a login without rights of its own starts against a migrated database, and is told what to do otherwise', async () => {
  const database = await cloneDatabase();
  try {
    await database.ownerSql.unsafe("create role app_login login password 'x'; grant kilim_server to app_login");
    const url = Object.assign(new URL(database.url), { username: 'app_login', password: 'x' }).href;
    expect(await migrate({ url })).toEqual([]);
    const blank = Object.assign(new URL(url), { pathname: '/postgres' }).href;
    await expect(migrate({ url: blank })).rejects.toThrow(/Set MIGRATION_DATABASE_URL/);
  } finally {
    await database.ownerSql.unsafe('drop role app_login');
    await database.drop();
  }
});
