import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testDatabase } from '../../testing/postgres.ts';
import { migrationsDirectory } from '../database/migrate.ts';
import { dumpSchema } from './schema.ts';

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
  ['a check', 'alter table ledger.event add constraint small check (version < 9)', /add constraint small CHECK/],
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
  ['a right', 'grant insert on ledger.event to kilim_app', /^grant insert on table ledger\.event to kilim_app;/m],
  [
    'a right for everybody',
    'grant select on ledger.event to public',
    /^grant select on table ledger\.event to public;/m,
  ],
  [
    'a right to one column',
    'grant update (type) on ledger.event to kilim_app',
    /^grant update \(type\) on table ledger\.event to kilim_app;/m,
  ],
  [
    'a right to a schema',
    'grant create on schema ledger to kilim_app',
    /^grant create on schema ledger to kilim_app;/m,
  ],
  [
    'a function that everybody may call',
    'create function ledger.f() returns int return 1',
    /^grant execute on function ledger\.f\(\) to public;/m,
  ],
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
