import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blankDatabase, testDatabase } from '@kilim/lab/testing/postgres';
import { checkOut, findPreviousRelease, type Release } from '@kilim/lab/testing/previous-release';
import {
  contractionsBetween,
  invalidFunctions,
  readPromises,
  type SchemaPromise,
} from '@kilim/lab/testing/schema-promises';
import { afterAll, describe, expect, test } from 'vitest';
import type { Sql } from './database.ts';
import { migrate } from './migrate.ts';

// Servers of the previous release continue while a database is migrated, so a migration may add, and may remove only
// what that release no longer uses.

/**
 * By release, with the reason why no server of it misses the object. The key is the sentence that this spec reports.
 */
const intended: Readonly<Record<string, Readonly<Record<string, string>>>> = {};

const previous = await findPreviousRelease();

describe.skipIf(previous === undefined)(`since release ${previous?.version ?? '(no release yet)'}`, async () => {
  const { found, oldestRelease } = await upgraded(previous);

  test('the migrations remove and change nothing that its servers use', () => {
    const reasons = intended[previous?.version ?? ''] ?? {};
    const advice = 'This breaks servers of the previous release: see "Migrations" in CONTRIBUTING.md.';
    expect(
      found.filter((contraction) => !(contraction in reasons)),
      advice,
    ).toEqual([]);
  });

  test('the schema serves its servers, and no older ones after a contraction', () => {
    const version = previous?.version ?? '';
    if (found.length > 0) expect(oldestRelease).toBe(version);
    expect(numbersOf(oldestRelease) <= numbersOf(version)).toBe(true);
  });
});

/** `0.10.0` sorts after `0.9.0`. */
function numbersOf(version: string): string {
  return version.replace(/\d+/g, (number) => number.padStart(5, '0'));
}

/** What the release before would miss; the statements are rolled back. */
async function brokenBy(sql: Sql, before: readonly SchemaPromise[], statements: string): Promise<readonly string[]> {
  const undo = new Error('undo');
  let found: readonly string[] = [];
  const undone = sql.begin(async (transaction) => {
    await transaction.unsafe(statements);
    const changes = contractionsBetween(before, await readPromises(transaction));
    found = [...changes, ...(await invalidFunctions(transaction))];
    throw undo;
  });
  await expect(undone).rejects.toBe(undo);
  return found;
}

/** From a release's schema to the newest. */
async function upgraded(release: Release | undefined) {
  if (release === undefined) return { found: [], oldestRelease: '' };
  const files = await mkdtemp(join(tmpdir(), 'kilim-expand-'));
  const { url, sql, drop } = await blankDatabase();
  try {
    const into = join(files, 'release');
    await checkOut(release, { into, paths: ['migrations'] });
    await migrate({ url, directory: join(into, 'migrations') });
    const before = await readPromises(sql);
    await migrate({ url });
    const [row] = await sql<{ version: string }[]>`select kilim.oldest_release() as version`;
    return { found: await brokenBy(sql, before, ''), oldestRelease: row?.version ?? '' };
  } finally {
    await drop();
    await rm(files, { recursive: true, force: true });
  }
}

describe('the comparison', async () => {
  const { ownerSql } = await testDatabase();
  const before = await readPromises(ownerSql);
  afterAll(async () => expect(await readPromises(ownerSql)).toEqual(before));

  const contractionsOf = (statements: string) => brokenBy(ownerSql, before, statements);

  test.each([
    ['a table is removed', 'drop table kilim.throttle', 'table kilim.throttle: key text not null: is gone'],
    ['a table is renamed', 'alter table ledger.job rename to task', 'table ledger.job: due_at'],
    ['a column is removed', 'alter table ledger.finding drop report', 'table ledger.finding: report'],
    ['a column is renamed', 'alter table ledger.event rename actor to who', 'table ledger.event: actor text not null'],
    [
      'a column gets another type',
      'alter table ledger.refund_history alter reason type varchar(9)',
      'reason text not null: is gone or changed',
    ],
    ['a column must have a value', 'alter table ledger.effect alter refund_id set not null', 'refund_id text: is gone'],
    ['a column may lack a value', 'alter table ledger.event alter actor drop not null', 'actor text not null: is gone'],
    [
      'a column loses its default',
      'alter table ledger.effect alter beat drop default',
      'beat may be left out of an insert: is gone',
    ],
    [
      'an insert must name a new column',
      'alter table ledger.job add owner text not null',
      'table ledger.job: owner must be part of an insert: is new',
    ],
    ['rows are checked', 'alter table ledger.job add check (due_at > now())', 'CHECK ((due_at > now())): is new'],
    [
      'a check is removed',
      'alter table ledger.effect drop constraint effect_of_refund_names_it',
      'constraint effect_of_refund_names_it',
    ],
    ['a table gets an index', 'create index slow on ledger.event (event_id)', '(event_id): is new'],
    [
      'a unique index is removed',
      'alter table ledger.order_summary drop constraint order_summary_pkey cascade',
      'constraint order_summary_pkey PRIMARY KEY (order_id): is gone',
    ],
    [
      'a table gets a trigger',
      'create trigger t before insert on ledger.job for each row execute function ledger.refuse_change()',
      'ledger.refuse_change() (O): is new',
    ],
    ['a trigger is disabled', 'alter table ledger.event disable trigger event_is_append_only', '(A): is gone'],
    ['a table is rewritten', 'alter table ledger.event add drawn float default random()', 'keeps its rows in file'],
    ['a function is removed', 'drop function ledger.append_to_order', 'function ledger.append_to_order: (p_order_id'],
    [
      'a function gets other parameters',
      'drop function ledger.refund_status cascade; create function ledger.refund_status(a int) returns int return 1',
      'function ledger.refund_status: (a integer) returns integer: is new',
    ],
    [
      'a second function has the name',
      'create function ledger.append_to_order(a int) returns int return 1',
      'function ledger.append_to_order: (a integer) returns integer: is new',
    ],
    [
      'a function no longer runs with the rights of its owner',
      'alter function ledger.append_to_order security invoker',
      'function ledger.append_to_order: runs with the rights of its caller: is new',
    ],
    [
      'a privilege on a function is revoked',
      'revoke execute on function ledger.append_to_order from kilim_server',
      'function ledger.append_to_order: execute by kilim_server: is gone',
    ],
    [
      'a privilege on a table is revoked',
      'revoke select on ledger.event from kilim_server',
      'table ledger.event: select by kilim_server: is gone',
    ],
    [
      'a privilege on a column is revoked',
      'revoke select (kind) on ledger.effect from kilim_verifier',
      'table ledger.effect: kind: select by kilim_verifier: is gone',
    ],
    [
      'a privilege on a schema is revoked',
      'revoke usage on schema ledger from kilim_server',
      'schema ledger: usage by kilim_server: is gone',
    ],
    [
      'the table has a column that a function does not return',
      'alter table ledger.day_progress add note text',
      'return type mismatch in function declared to return ledger.day_progress',
    ],
    ['rows are hidden', 'alter table ledger.event enable row level security', 'row level security: is new'],
  ])('reports that %s', async (_, statements, expected) => {
    expect((await contractionsOf(statements)).join('\n')).toContain(expected);
  });

  test.each([
    ['a column that may be empty', 'alter table ledger.event add note text'],
    ['a column with a default', "alter table ledger.event add note text not null default ''"],
    ['a table', 'create table ledger.note (id int primary key, text text not null check (length(text) < 9))'],
    ['an index on a new table', 'create table ledger.note (id int); create index on ledger.note (id)'],
    ['the next version of a function', 'create function ledger.append_to_order_v3(a int) returns int return 1'],
    [
      'another body of a function',
      'create or replace function ledger.refuse_change() returns trigger language plpgsql as $$begin return null; end$$',
    ],
    ['a privilege', 'grant update on ledger.event to kilim_server'],
  ])('accepts %s', async (_, statements) => {
    expect(await contractionsOf(statements)).toEqual([]);
  });
});
