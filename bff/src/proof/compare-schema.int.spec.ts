import { cloneDatabase, testDatabase } from '@kilim/lab/testing/postgres';
import { expect, onTestFinished, test } from 'vitest';
import { compareSchema } from './compare-schema.ts';

const { ownerSql, appSql } = await testDatabase();

const objectsOf = async () =>
  (await ownerSql.begin(compareSchema)).faults.map(({ object, line }) => `${object}: ${line}`);

test('a database that only migrations made has the schema of the release', async () => {
  expect(await ownerSql.begin(compareSchema)).toEqual({ isCompared: true, faults: [] });
  expect(await appSql.begin(compareSchema)).toEqual({ isCompared: true, faults: [] });
});

test('the default of the epoch rises with a restore, and is no fault', async () => {
  await ownerSql`alter table ledger.event alter epoch set default 2`;
  expect(await objectsOf()).toEqual([]);
  await ownerSql`alter table ledger.event alter epoch set default 1`;
});

test('logins, schemas and comments of the operator are no fault', async () => {
  await ownerSql`create schema reporting`;
  await ownerSql`create table reporting.target (month date)`;
  await ownerSql`comment on table ledger.event is 'Ours'`;
  expect(await objectsOf()).toEqual([]);
});

test.each([
  [
    'a rule that discards rows',
    'create rule r as on insert to ledger.event do instead nothing',
    /^table ledger\.event: \+ /,
  ],
  [
    'a view beside the tables',
    'create view ledger.v as select 1 as one',
    /^view ledger\.v: \+ create view ledger\.v as$/,
  ],
  [
    'an overloaded function',
    'create function ledger.refund_status() returns int return 1',
    /^function ledger\.refund_status: /,
  ],
  [
    'a function that is gone',
    'drop function ledger.event_hash cascade',
    /^function ledger\.event_hash: - CREATE OR REPLACE/,
  ],
  [
    'the power of a role',
    'alter role kilim_report bypassrls',
    /^role kilim_report: - create role kilim_report nologin;$/,
  ],
])('%s is a fault', async (_, statement, expected) => {
  const undone = new Error('undo');
  const changed = ownerSql.begin(async (transaction) => {
    await transaction.unsafe(statement);
    const { faults } = await compareSchema(transaction);
    expect(faults.map(({ object, line }) => `${object}: ${line}`)).toContainEqual(expect.stringMatching(expected));
    throw undone;
  });
  await expect(changed).rejects.toBe(undone);
});

test('functions that are created again from their own text, as by a restore, are no fault', async () => {
  const undone = new Error('undo');
  const restored = ownerSql.begin(async (transaction) => {
    const functions = await transaction<{ text: string }[]>`
      select pg_get_functiondef(oid) as text from pg_proc
      where pronamespace in ('admin'::regnamespace, 'image'::regnamespace, 'kilim'::regnamespace, 'ledger'::regnamespace)`;
    expect(functions.length).toBeGreaterThan(100);
    for (const { text } of functions) await transaction.unsafe(text);
    expect((await compareSchema(transaction)).faults).toEqual([]);
    throw undone;
  });
  await expect(restored).rejects.toBe(undone);
});

test('the schema of another release is not compared', async () => {
  const next = await cloneDatabase();
  onTestFinished(next.drop);
  await next.ownerSql`create function ledger.of_next_release() returns int return 1`;
  await next.ownerSql`insert into kilim.migration (version, name, md5) values (9999, 'of-next-release', '')`;
  expect(await next.ownerSql.begin(compareSchema)).toEqual({ isCompared: false, faults: [] });
});
