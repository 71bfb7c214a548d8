import { authorizedA, capturedA, orderAPlaced, startedA } from '@kilim/domain/testing/orders';
import { copyDatabase, startFreshCluster } from '@kilim/lab/testing/copy-database';
import { appendLife } from '@kilim/lab/testing/order-lives';
import { cloneDatabase, postgresOfWorker, type TestDatabase } from '@kilim/lab/testing/postgres';
import { afterAll, describe, expect, test } from 'vitest';
import { clusterWatch } from '../background/watch-cluster.ts';
import { createLogger } from '../runtime/logger.ts';
import { confirmCluster } from './cluster.ts';
import { connect, type Sql } from './database.ts';
import { migrate } from './migrate.ts';

const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

const adminUrl = postgresOfWorker();
const quietly = { say: () => undefined };
const live = (sql: Sql) => appendLife(sql, [orderAPlaced, startedA, authorizedA, capturedA]);

async function newDatabase(): Promise<TestDatabase> {
  const database = await cloneDatabase(adminUrl);
  closers.push(database.drop);
  return database;
}

const cluster = await startFreshCluster();
closers.push(cluster.stop);
const other = connect({ url: cluster.url, max: 1, applicationName: 'cluster spec' });
const admin = connect({ url: adminUrl, max: 1, applicationName: 'cluster spec' });
closers.push(() => Promise.all([other.end({ timeout: 1 }), admin.end({ timeout: 1 })]));
let databases = 0;

/** In another cluster than that of `newDatabase`. */
async function newForeignDatabase() {
  const name = `foreign_${++databases}`;
  await other`create database ${other(name)}`;
  const url = Object.assign(new URL(cluster.url), { pathname: `/${name}` }).href;
  const ownerSql = connect({ url, max: 1, applicationName: 'cluster spec' });
  closers.push(() => ownerSql.end({ timeout: 1 }));
  return { url, ownerSql };
}

/** As an operator who restores a dump into the same server. */
async function makeEmpty(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await admin`drop database ${admin(name)} with (force)`;
  await admin`create database ${admin(name)}`;
}

const clustersOf = async (sql: Sql) =>
  (await sql<{ epoch: number; reason: string }[]>`select epoch, reason from ledger.cluster order by sequence`).map(
    ({ epoch, reason }) => `${epoch} ${reason}`,
  );
const epochsOf = async (sql: Sql) =>
  (await sql<{ epoch: number }[]>`select epoch from ledger.event order by position`).map(({ epoch }) => epoch);

/** As if the ledger had lived in that cluster last. */
async function pretend(sql: Sql, changes: string): Promise<void> {
  await sql.unsafe(`
    insert into ledger.cluster
    select (jsonb_populate_record(last, to_jsonb(last) || jsonb_build_object('sequence', sequence + 1) || ${changes})).*
    from ledger.cluster last order by sequence desc limit 1`);
}

describe('a ledger in the cluster that it recorded', () => {
  test('is empty and has the first epoch, or continues in it', async () => {
    const { url, ownerSql, appSql } = await newDatabase();
    await live(appSql);
    expect(await migrate({ url })).toEqual([]);
    expect(await clustersOf(ownerSql)).toEqual(['1 first']);
    expect(await epochsOf(ownerSql)).toEqual([1, 1, 1, 1]);
    expect(await ownerSql`select from ledger.cluster where may_lack_events`).toHaveLength(0);
  });

  test('records a promotion without a word, and stays in its epoch', async () => {
    const { url, ownerSql, appSql } = await newDatabase();
    await pretend(ownerSql, `'{"timeline": 0}'`);
    await live(appSql);
    expect(await clustersOf(ownerSql)).toEqual(['1 first', '1 first', '1 promoted']);
    await Promise.all([confirmCluster(appSql), migrate({ url }), confirmCluster(appSql)]);
    expect(await clustersOf(ownerSql)).toHaveLength(3);
  });

  test.each([
    ['an earlier timeline', `'{"timeline": 7}'`, /already lived on a later timeline .* newest primary/],
    [
      'a transaction counter that went back',
      `'{"xid": "4000000000"}'`,
      /transaction counter .* is behind .* new cluster/,
    ],
  ])('is refused on %s, by servers and by migrate, and stays as it is', async (_, changes, sentence) => {
    const { url, ownerSql, appSql } = await newDatabase();
    await pretend(ownerSql, changes);
    await expect(confirmCluster(appSql)).rejects.toThrow(sentence);
    await expect(live(appSql)).rejects.toThrow(sentence);
    await expect(migrate({ url })).rejects.toThrow(sentence);
    expect(await epochsOf(ownerSql)).toEqual([]);
    expect(await clustersOf(ownerSql)).toHaveLength(2);
  });

  test('a row of the table of clusters cannot be changed', async () => {
    const { ownerSql, appSql } = await newDatabase();
    await expect(ownerSql`update ledger.cluster set epoch = 7`).rejects.toMatchObject({ code: 'KLM02' });
    await expect(ownerSql`delete from ledger.cluster`).rejects.toMatchObject({ code: 'KLM02' });
    await expect(appSql`insert into ledger.cluster select * from ledger.cluster`).rejects.toMatchObject({
      code: '42501',
    });
    await expect(appSql`select ledger.adopt_cluster()`).rejects.toMatchObject({ code: '42501' });
  });
});

describe('a ledger that is restored logically', () => {
  test('into the same cluster while a server runs: the server stops to append, until the owner adopts it', async () => {
    const { url, appSql } = await newDatabase();
    const backup = await newDatabase();
    await live(appSql);
    await copyDatabase({ from: url, to: backup.url });
    await makeEmpty(url);
    await copyDatabase({ from: backup.url, to: url });

    await expect(live(appSql)).rejects.toThrow('npm run migrate');
    await migrate({ url, ...quietly });
    await live(appSql);
    expect(await epochsOf(appSql)).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
  });

  test('several times, and at last back into its first cluster, gets a new epoch each time', async () => {
    const first = await newDatabase();
    const second = await newForeignDatabase();
    await live(first.appSql);
    await copyDatabase({ from: first.url, to: second.url });
    await migrate({ url: second.url, ...quietly });
    await live(second.ownerSql);
    await makeEmpty(first.url);
    await copyDatabase({ from: second.url, to: first.url });
    await expect(live(first.appSql)).rejects.toThrow('npm run migrate');
    await migrate({ url: first.url, ...quietly });
    await live(first.appSql);
    expect(await clustersOf(first.appSql)).toEqual(['1 first', '2 copied', '3 copied']);
    expect(await epochsOf(first.appSql)).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]);
  });

  test('without its sequences: positions continue after the last one', async () => {
    const { url, appSql } = await newDatabase();
    await live(appSql);
    const fresh = await newForeignDatabase();
    await copyDatabase({ from: url, to: fresh.url, withSequences: false });
    await migrate({ url: fresh.url, ...quietly });
    await live(fresh.ownerSql);
    const rows = await fresh.ownerSql<{ position: number }[]>`select position from ledger.event order by position`;
    expect(rows.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    // A sequence that was set back later is noticed and repaired.
    await fresh.ownerSql`select setval('ledger.event_position_seq', 3)`;
    await expect(confirmCluster(fresh.ownerSql)).rejects.toThrow('npm run migrate');
    const said: string[] = [];
    await migrate({ url: fresh.url, say: (line) => said.push(line) });
    expect(said).toEqual([expect.stringContaining('continues after the last one')]);
    await confirmCluster(fresh.ownerSql);
  });

  test('from a version without the table of clusters: the transaction counter tells that the epoch must rise', async () => {
    const fresh = await newForeignDatabase();
    await migrate({ url: fresh.url });
    await live(fresh.ownerSql);
    await fresh.ownerSql`alter table ledger.cluster disable trigger all`;
    await fresh.ownerSql`delete from ledger.cluster`;
    await fresh.ownerSql`alter table ledger.cluster enable always trigger cluster_is_append_only`;
    await fresh.ownerSql`alter table ledger.event disable trigger all`;
    await fresh.ownerSql`update ledger.event set xid = '4000000000'`;
    await migrate({ url: fresh.url, ...quietly });
    expect(await clustersOf(fresh.ownerSql)).toEqual(['2 copied']);
    await live(fresh.ownerSql);
    expect(await epochsOf(fresh.ownerSql)).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
  });

  test('gets the new epoch from the functions that servers call', async () => {
    const { url, appSql } = await newDatabase();
    const fresh = await newForeignDatabase();
    await copyDatabase({ from: url, to: fresh.url });
    await migrate({ url: fresh.url, ...quietly });
    await fresh.ownerSql`set role kilim_server`;
    await fresh.ownerSql`select ledger.append_to_stream('admin-ada', 0, 'made-up', sha256('x'), 'admin:ada', null, now(),
      'SomethingNew', array[1::smallint], array[null::bigint], '{}', null)`;
    expect(await epochsOf(fresh.ownerSql)).toEqual([2]);
    expect(await epochsOf(appSql)).toEqual([]);
  });
});

describe('the watch of a running server', () => {
  test('says once that nothing may be appended, and once that events are gone', async () => {
    const { ownerSql, appSql } = await newDatabase();
    const logged: string[] = [];
    const log = createLogger({ level: 'info', destination: { write: (line) => void logged.push(line) } });
    const watch = clusterWatch({ sql: appSql, log });
    await live(appSql);
    await watch();
    await watch();
    expect(logged).toEqual([]);
    // As after a failover to a standby that was behind.
    await ownerSql`alter table ledger.event disable trigger all`;
    await ownerSql`delete from ledger.event where version = 4`;
    await watch();
    await watch();
    expect(logged).toEqual([expect.stringContaining('the database has lost events')]);
    expect(await clustersOf(ownerSql)).toEqual(['1 first', '1 rewound']);
    await pretend(ownerSql, `'{"timeline": 7}'`);
    await watch();
    await watch();
    expect(logged.slice(1)).toEqual([expect.stringContaining('nothing is appended to this database')]);
  });
});
