import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { expect, test } from 'vitest';
import { migrationsDirectory } from '../core/database/migrate.ts';
import { dumpSchema } from './dump-schema.ts';

const { ownerSql } = await testDatabase();

test('the committed schema is what the migrations add up to', async () => {
  const committed = await readFile(join(migrationsDirectory, 'schema.sql'), 'utf8').catch(() => '');
  const advice =
    'The migrations changed: run `npm run schema`, look at the difference, and commit migrations/schema.sql.';
  expect(await ownerSql.begin(dumpSchema), advice).toBe(committed);
});

test.each([
  ['a column', 'alter table ledger.event add remark text', /^ {2}remark text/m],
  [
    'a default',
    "alter table ledger.event alter refund_id set default 'r'",
    /refund_id text collate "C" default 'r'::text/,
  ],
  [
    'a check',
    'alter table ledger.event add constraint small check (version < 9)',
    /^ {2}constraint small CHECK \(version < 9\)/m,
  ],
  ['an index', 'create index extra on ledger.event (type)', /^CREATE INDEX extra/m],
  [
    'a trigger that is not always on',
    'alter table ledger.event enable trigger event_is_append_only',
    /^(?!.*enable always trigger event_is_append_only)/s,
  ],
  [
    'a disabled trigger',
    'alter table ledger.event disable trigger event_is_append_only',
    /disable trigger event_is_append_only/,
  ],
  [
    'a right',
    'grant insert on ledger.event to kilim_server',
    /^grant insert, select on table ledger\.event to kilim_server;/m,
  ],
  [
    'a right for everybody',
    'grant select on ledger.event to public',
    /^grant select on table ledger\.event to public;/m,
  ],
  [
    'a right to one column',
    'grant update (type) on ledger.event to kilim_server',
    /^grant update \(type\) on table ledger\.event to kilim_server;/m,
  ],
  [
    'a right that may be handed on',
    'grant select on ledger.event to kilim_server with grant option',
    /^grant select on table ledger\.event to kilim_server with grant option;/m,
  ],
  [
    'the way a column is stored',
    'alter table ledger.event alter payload set storage external',
    /^ {2}payload json storage external not null/m,
  ],
  [
    'a right to a schema',
    'grant create on schema ledger to kilim_server',
    /^grant create, usage on schema ledger to kilim_server;/m,
  ],
  [
    'a function that everybody may call',
    'create function ledger.f() returns int return 1',
    /^grant execute on function ledger\.f to public;/m,
  ],
  [
    'one of two functions of a name',
    'create function ledger.refund_status() returns int return 1',
    /^grant execute on function ledger\.refund_status\(\) to public;/m,
  ],
  ['the comment of a table', "comment on table ledger.event is 'Facts'", /^-- Facts\ncreate table ledger\.event \(/m],
  ['the comment of a column', "comment on column ledger.event.type is 'Which'", /^ {2}-- Which\n {2}type text/m],
  ['the comment of a function', "comment on function ledger.refund_status is 'S'", /^-- S\nCREATE .*refund_status\(/m],
  ['a view', 'create view ledger.v as select 1 as one', /^create view ledger\.v as$/m],
  ['a type', "create type ledger.t as enum ('a', 'b')", /^create type ledger\.t as enum \('a', 'b'\);/m],
  ['a role', 'create role kilim_spec login createdb', /^create role kilim_spec login createdb;/m],
])('%s shows in the dump', async (_, statement, expected) => {
  const before = await ownerSql.begin(dumpSchema);
  expect(before).not.toMatch(expected);
  const undone = new Error('undo');
  const changed = ownerSql.begin(async (transaction) => {
    await transaction.unsafe(statement);
    expect(await dumpSchema(transaction)).toMatch(expected);
    throw undone;
  });
  await expect(changed).rejects.toBe(undone);
});

test('every table and every function says what it is for', async () => {
  const silent = await ownerSql`
    select object::text from (
      select oid::regclass::text, obj_description(oid, 'pg_class'), relnamespace from pg_class where relkind = 'r'
      union all select oid::regproc::text, obj_description(oid, 'pg_proc'), pronamespace from pg_proc
    ) as objects (object, description, namespace)
    where namespace::regnamespace::text in ('admin', 'image', 'kilim', 'ledger') and description is null
      and object <> 'kilim.migration'`;
  expect(silent).toEqual([]);
});

test('no line of the dump or of a migration is longer than a screen is wide', async () => {
  const names = (await readdir(migrationsDirectory)).filter((name) => name.endsWith('.sql'));
  for (const name of names) {
    const lines = (await readFile(join(migrationsDirectory, name), 'utf8')).split('\n');
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  }
});
