import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { OrderId } from '@kilim/domain/order/ids';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { postgresOfWorker } from '../../testing/postgres.ts';
import { openShop, paid, paymentFor, quoted } from '../../testing/shop.ts';
import { verifyLedger } from '../ledger/proof/verify.ts';
import { compareProjections } from '../ledger/rebuild/compare.ts';
import { rebuildProjections } from '../ledger/rebuild/rebuild.ts';
import { eraseContact } from '../use-case/erase-contact.ts';
import { connect, type Sql } from './database.ts';
import { dumpSchema } from './dump-schema.ts';
import { migrate, migrationsDirectory } from './migrate.ts';

const admin = connect({ url: postgresOfWorker(), max: 1, applicationName: 'adopt spec' });
let databases = 0;
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Earlier = { readonly name: string; readonly url: string; readonly sql: Sql };

const urlOf = (name: string, login: object = {}) =>
  Object.assign(new URL(postgresOfWorker()), { pathname: `/${name}`, ...login }).href;

/** A database as that version made it, with three orders and two refunds: see fixtures/README.md. */
async function load(version: 28 | 30, url: string): Promise<void> {
  const fixture = await readFile(new URL(`fixtures/version-${version}.sql.gz`, import.meta.url));
  const sql = connect({ url, max: 1, applicationName: 'adopt spec' });
  await sql.begin((transaction) => transaction.unsafe(gunzipSync(fixture).toString()));
  await sql.end();
}

const loaded = `adopt_${process.pid}`;
await admin`create database ${admin(loaded)}`;
await load(30, urlOf(loaded));
afterAll(async () => {
  await admin`drop database ${admin(loaded)} with (force)`;
  await admin.end();
});

/** A copy of the database with migration 30, unless another dump is given. */
async function newDatabase(template = loaded): Promise<Earlier> {
  const name = `${loaded}_${++databases}`;
  await admin`create database ${admin(name)} template ${admin(template)} strategy file_copy`;
  closers.push(() => admin`drop database ${admin(name)} with (force)`);
  const sql = connect({ url: urlOf(name), max: 1, applicationName: 'adopt spec' });
  closers.push(() => sql.end());
  return { name, url: urlOf(name), sql };
}

/** Everything that is stored, apart from the history of migrations and of clusters. */
async function storedRows(sql: Sql, columns?: Columns): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const rows = new Map<string, readonly unknown[]>();
  for (const [name, list] of columns ?? (await storedColumns(sql))) {
    rows.set(name, await sql.unsafe(`select row(${list})::text from ${name} order by 1`));
  }
  return rows;
}

/** The columns of each table, as a list. */
type Columns = ReadonlyMap<string, string>;

async function storedColumns(sql: Sql): Promise<Columns> {
  const tables = await sql<{ name: string; columns: string }[]>`
    select pg_class.oid::regclass::text as name, string_agg(attname, ', ' order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relkind = 'r' and relname <> 'cluster' and relnamespace in (select oid from pg_namespace where nspname in ('admin', 'image', 'ledger'))
    group by pg_class.oid`;
  return new Map(tables.map(({ name, columns }) => [name, columns]));
}

const history = (sql: Sql) => sql`select version, name, md5, run_at::text from kilim.migration order by version`;
const everything = async (sql: Sql) => [await storedRows(sql), await sql.begin(dumpSchema), await history(sql)];
/** The migrations after the four that replace the earlier ones. They are applied after the takeover. */
const later = (await readdir(migrationsDirectory)).filter((file) => /^\d{4}/.test(file) && file > '0005').toSorted();
const committedSchema = () => readFile(join(migrationsDirectory, 'schema.sql'), 'utf8');

async function expectSound({ url, sql }: Pick<Earlier, 'url' | 'sql'>, events: number): Promise<void> {
  const verified = await verifyLedger({ url, verifiers: [], onProgress: () => undefined });
  expect(verified).toMatchObject({ events, faults: [] });
  expect((await compareProjections(sql, () => undefined)).differences).toEqual([]);
}

async function eventsIn(sql: Sql): Promise<number> {
  const [row] = await sql<{ events: number }[]>`select count(*)::int as events from ledger.event`;
  return row?.events ?? 0;
}

describe('a database with all earlier migrations', () => {
  test('is taken over: it has the schema of a new one, its history, and everything that was in it', async () => {
    const { url, sql } = await newDatabase();
    const columns = await storedColumns(sql);
    const before = await storedRows(sql, columns);
    expect(['order_summary', 'refund_history'].map((table) => before.get(`ledger.${table}`)?.length)).toEqual([3, 2]);
    const events = await eventsIn(sql);
    const said: string[] = [];

    expect(await migrate({ url, say: (line) => said.push(line) })).toEqual(later);

    expect(said).toEqual([
      expect.stringMatching(/^Took over a database of an earlier version: .* Its data did not change\.$/),
    ]);
    // Later migrations may add tables and columns.
    expect(await storedRows(sql, columns)).toEqual(before);
    expect(await sql.begin(dumpSchema)).toBe(await committedSchema());
    const template = connect({ url: urlOf('kilim_template'), max: 1, applicationName: 'adopt spec' });
    const fresh = await template`select version, name, md5 from kilim.migration order by version`;
    await template.end();
    expect(await sql`select version, name, md5 from kilim.migration order by version`).toEqual(fresh);
    await expectSound({ url, sql }, events);
  });

  test('goes on like a new one', async () => {
    const { url, sql } = await newDatabase();
    await migrate({ url, say: () => undefined });
    const events = await eventsIn(sql);
    const appSql = connect({ url, role: 'kilim_app', max: 4, applicationName: 'adopt spec app' });
    closers.push(() => appSql.end());
    const shop = await openShop(appSql);
    closers.push(shop.close);
    await paid(shop, paymentFor(await quoted(shop)));
    const [order] = await sql<{ id: OrderId }[]>`select order_id as id from ledger.refund_history limit 1`;
    if (order === undefined) throw new Error('No refund');
    const world = { sql: appSql, now: () => new Date() };
    const erased = await eraseContact(world, { orderId: order.id, erasedBy: 'ada', requestId: undefined });
    expect(erased).toMatchObject({ erasedBy: 'ada' });

    expect(await eventsIn(sql)).toBeGreaterThan(events + 1);
    await expectSound({ url, sql }, await eventsIn(sql));
    await expect(sql`delete from ledger.event`).rejects.toMatchObject({ code: 'KLM02' });
  });

  test('is taken over once, by one of several processes that start at the same time', async () => {
    const { url } = await newDatabase();
    const said: string[] = [];
    const start = () => migrate({ url, say: (line) => said.push(line) });
    expect((await Promise.all([start(), start()])).flat()).toEqual(later);
    expect(await start()).toEqual([]);
    expect(said).toHaveLength(1);
  });

  test('is taken over after a rebuild of its lists, and with what others keep beside them', async () => {
    const { url, sql } = await newDatabase();
    // Earlier versions rebuilt without this function and these columns.
    await sql.unsafe('create function ledger.current_epoch() returns smallint language sql return 1::smallint');
    await sql.unsafe('alter table ledger.refund_history add paid_by text, add paid_on text, add reference text');
    await rebuildProjections({ url, onProgress: () => undefined });
    await sql.unsafe('drop function ledger.current_epoch()');
    await sql.unsafe('alter table ledger.refund_history drop paid_by, drop paid_on, drop reference');
    await sql.unsafe(`
      create schema reports;
      create view reports.takings as select day, takings_cents from ledger.money_days_now('UTC', '-infinity', 'infinity')`);
    await migrate({ url, say: () => undefined });
    expect(await sql`select * from reports.takings`).toHaveLength(1);
    await sql.unsafe('drop schema reports cascade');
    expect(await sql.begin(dumpSchema)).toBe(await committedSchema());
  });

  test.each([
    ['a function', 'function ledger.refund_status', refundStatusThatLies()],
    ['a comparison in a function', 'function ledger.forget_contact', forgetContactOf('PaymentCaptured')],
    [
      'a check',
      'table ledger.order_summary',
      'alter table ledger.order_summary drop constraint order_summary_never_more_out_than_in',
    ],
    ['an index', 'table ledger.event', 'drop index ledger.event_reading_order'],
    ['a trigger', 'table ledger.event', 'alter table ledger.event disable trigger event_is_append_only'],
    ['a column', 'table ledger.command', 'alter table ledger.command add remark text'],
    ['a right', 'table ledger.event', 'grant insert on ledger.event to kilim_app'],
    ['a right to a schema', 'schema ledger', 'grant create on schema ledger to kilim_report'],
    ['a table of its own', 'table ledger.mine', 'create table ledger.mine (id int)'],
    ['the way a column is stored', 'table image.kept', 'alter table image.kept alter bytes set storage extended'],
  ])('is refused and left unchanged when %s was altered', async (_, named, statement) => {
    const { url, sql } = await newDatabase();
    await sql.unsafe(statement);
    const before = await everything(sql);
    const refused = expect(migrate({ url })).rejects;
    await refused.toThrow(`Nothing was changed. Undo the changes of ${named}, and start again.`);
    expect(await everything(sql)).toEqual(before);
  });

  test('is taken over only by a login that may migrate; others are told so', async () => {
    const { name, sql } = await newDatabase();
    const before = await everything(sql);
    await sql.unsafe("create role adopt_spec login password 'x'; grant kilim_app to adopt_spec");
    const refused = expect(migrate({ url: urlOf(name, { username: 'adopt_spec', password: 'x' }) })).rejects;
    await refused.toThrow(/^Taking over the database failed: .*Set MIGRATION_DATABASE_URL to the login of the owner/);
    await sql.unsafe('drop role adopt_spec');
    expect(await everything(sql)).toEqual(before);
  });

  test('is taken over by an owner who may make neither databases nor roles', async () => {
    const { name, sql } = await newDatabase('template0');
    const owner = `${name}_owner`;
    // As on a managed server: this login has the first two roles because its first migration made them. A superuser
    // gives it the others.
    await sql.unsafe(`
      create role ${owner} login password 'x';
      grant kilim_app, kilim_report, kilim_server, kilim_verifier to ${owner} with admin option;
      alter database ${name} owner to ${owner}`);
    closers.unshift(() => admin.unsafe(`drop role ${owner}`));
    const url = urlOf(name, { username: owner, password: 'x' });
    await load(30, url);
    const said: string[] = [];
    expect(await migrate({ url, say: (line) => said.push(line) })).toEqual(later);
    expect(said).toHaveLength(1);
    expect(await migrate({ url })).toEqual([]);
  });
});

test('a database with fewer of the earlier migrations is refused with what to do, and left as it was', async () => {
  const { url, sql } = await newDatabase('template0');
  await load(28, url);
  const before = await everything(sql);
  const refused = expect(migrate({ url })).rejects;
  await refused.toThrow(
    /newest migration is number 28.* Nothing was changed\. .*heck out commit 6879a90, .*npm run migrate.*npm start with the same DATA_DIR/s,
  );
  expect(await everything(sql)).toEqual(before);
});

function refundStatusThatLies(): string {
  return `create or replace function ledger.refund_status(p_pending_cents bigint, p_refunded_cents bigint, p_captured_cents bigint)
    returns text language sql immutable return 'none'`;
}

function forgetContactOf(type: string): string {
  return `do $do$ begin execute replace(
    pg_get_functiondef('ledger.forget_contact'::regproc), '''ContactErased''', '''${type}'''); end $do$`;
}
