import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../../bff/src/core/database/database.ts';
import { poolerOf } from '../../../bff/src/core/database/database-address.ts';
import { findPooler, refusePooler } from '../../../bff/src/core/database/find-pooler.ts';
import { migrate } from '../../../bff/src/core/database/migrate.ts';
import { prepareLogin } from '../../../bff/src/core/database/prepare-login.ts';
import { verifyLedger } from '../../../bff/src/proof/verify.ts';
import { spawnServer } from '../../testing/child-server.ts';
import { patience } from '../../testing/patience.ts';
import { documentedSettings, findPgBouncers, type PgBouncer, startPgBouncer } from '../../testing/pgbouncer.ts';
import { cloneDatabase, type TestDatabase } from '../../testing/postgres.ts';
import { type Administrator, refundOf, requestRefundPatiently, signIn } from './administrator.ts';
import type { ChaosServer } from './chaos-server.ts';
import { paidOrder } from './customer.ts';
import { openStage, type Stage } from './stage.ts';

// Each transaction gets any session of a PgBouncer, configured as documented.

const poolers = await findPgBouncers();
const { withPrepared, withoutPrepared } = await documentedSettings();

const at = (url: string) => ({ variable: 'DATABASE_URL', url }) as const;

/** When a server refuses to start at this address. */
async function refusalAt(databaseUrl: string): Promise<string> {
  const server = spawnServer({ DATABASE_URL: databaseUrl, DEMO_PARENT_PORT: '0', LOG_LEVEL: 'silent' });
  expect(await server.ended).toBe(1);
  return server.output();
}

if (poolers.length === 0) {
  test('PgBouncer is not installed', (context) =>
    context.skip('PgBouncer is not installed: apt-get install pgbouncer'));
}

describe.each(poolers)('PgBouncer $version', ({ program, isPreparing }) => {
  const login = `kilim_${randomBytes(6).toString('hex')}`;
  let database: TestDatabase;
  let pooler: PgBouncer;
  const start = (settings: string) => {
    const databaseUrl = Object.assign(new URL(database.url), { username: login, password: 'secret' }).href;
    return startPgBouncer({ databaseUrl, program, settings });
  };

  beforeAll(async () => {
    database = await cloneDatabase();
    const { ownerSql } = database;
    await ownerSql`create role ${ownerSql(login)} login password 'secret'`;
    await ownerSql`grant kilim_server to ${ownerSql(login)}`;
    pooler = await start(isPreparing ? withPrepared : withoutPrepared);
  });
  afterAll(async () => {
    const { ownerSql, drop } = database;
    await pooler.stop();
    await ownerSql`drop role ${ownerSql(login)}`;
    await drop();
  });

  test('a login without settings stops the start with the remedy', async () => {
    const refusal = await refusalAt(pooler.url);
    expect(refusal).toContain('DATABASE_URL: sessions through the connection pooler have the role');
    expect(refusal).toContain('statement_timeout 0 instead of 4000');
    expect(refusal).toContain(`npm run migrate -- --login ${login}`);
  });

  test('a parameter that the pooler refuses is named', async () => {
    expect(await refusalAt(`${pooler.url}?options=-c%20work_mem%3D64MB`)).toMatch(
      /refuses the parameter (work_mem|options)\. PostgreSQL says: unsupported startup parameter.* Remove it from the query/,
    );
  });

  test('a pooler is found, and whether it knows prepared statements', async () => {
    const found = async (settings: string) => {
      const other = await start(settings);
      const address = await findPooler(at(other.url));
      await other.stop();
      return poolerOf(address.url);
    };
    const prepared = isPreparing ? 'prepared' : 'unprepared';
    expect(poolerOf((await findPooler(at(pooler.url))).url)).toBe(prepared);
    // With one session the same one answers each time.
    expect(await found(`${isPreparing ? withPrepared : withoutPrepared}\ndefault_pool_size = 1`)).toBe(prepared);
    expect(await found(withoutPrepared.replace('transaction', 'session'))).toBe('unprepared');
    if (isPreparing) expect(await found(`${withoutPrepared}\nmax_prepared_statements = 0`)).toBe('unprepared');
  });

  test('after a refused login at PostgreSQL the pooler tries again soon', async () => {
    const { ownerSql } = database;
    const fresh = await start(isPreparing ? withPrepared : withoutPrepared);
    await ownerSql`alter role ${ownerSql(login)} nologin`;
    await expect(findPooler(at(fresh.url))).rejects.toThrow('refuses the session');
    await ownerSql`alter role ${ownerSql(login)} login`;
    const isFound = () => findPooler(at(fresh.url)).then(({ url }) => poolerOf(url) !== undefined);
    await expect.poll(() => isFound().catch(() => false), patience).toBe(true);
    await fresh.stop();
  });

  test('in session mode with all sessions taken, the sentence names the pooler', async () => {
    const small = await start(`${withoutPrepared.replace('transaction', 'session')}\ndefault_pool_size = 1`);
    const sql = connect({ url: `${small.url}?pooler=unprepared`, max: 1, applicationName: 'pooler spec' });
    await sql`select 1`;
    await expect(findPooler(at(small.url))).rejects.toThrow(
      /DATABASE_URL: \S+ accepted the connection, and then did not answer in time\. If a connection pooler runs there, it has no session left/,
    );
    await sql.end();
    await small.stop();
  });

  test('an empty database is migrated through the pooler', async () => {
    const name = `${login}_empty`;
    await database.ownerSql`create database ${database.ownerSql(name)}`;
    const databaseUrl = Object.assign(new URL(database.url), { pathname: `/${name}` }).href;
    const ownersPooler = await startPgBouncer({ databaseUrl, program, settings: withoutPrepared });
    const address = await findPooler(at(ownersPooler.url));
    expect(await migrate(address)).toContain('0001.do.ledger.sql');
    expect(await migrate(address)).toEqual([]);
    await ownersPooler.stop();
    await database.ownerSql`drop database ${database.ownerSql(name)} with (force)`;
  });

  test('a command that needs its own session names the direct address', async () => {
    await expect(refusePooler(at(pooler.url))).rejects.toThrow('Set MIGRATION_DATABASE_URL');
  });

  describe('with a prepared login', () => {
    let stage: Stage;
    let servers: readonly [ChaosServer, ChaosServer];
    let admin: Administrator;

    beforeAll(async () => {
      await prepareLogin(database.url, login);
      // Sessions that began earlier do not have the settings.
      await pooler.stop();
      pooler = await start(isPreparing ? withPrepared : withoutPrepared);
      stage = await openStage({ databaseUrl: pooler.url, ownerSql: database.ownerSql });
      servers = await Promise.all([stage.start(), stage.start()]);
      admin = await signIn(servers[0]);
    });
    afterEach(async () => {
      expect(await stage.settled()).toEqual([]);
    });
    afterAll(() => stage.close());

    test('statements without and with parameters that share a connection are all answered', async () => {
      const sql = connect({ ...(await findPooler(at(pooler.url))), max: 2, applicationName: 'pooler spec' });
      const answers = await Promise.all(
        Array.from({ length: 200 }, async (_, number) => {
          const [[plain], [given]] = await Promise.all([sql`select 1 as n`, sql`select ${number}::int as n`]);
          return [plain?.['n'] === 1, given?.['n'] === number];
        }),
      );
      await sql.end();
      expect(answers.flat().filter((isRight) => !isRight)).toEqual([]);
    });

    test('200 orders, 12 at a time, are each charged once; refunds and exports work beside them', async () => {
      const orders = Array.from({ length: 200 }, (_, number) => number);
      const paid = await inParallel(12, orders, (number) => paidOrder(stage, serverOf(number)));
      expect(new Set(paid.map(({ orderId }) => orderId)).size).toBe(200);
      const refunds = await inParallel(6, paid.slice(0, 24), async (order) => {
        const request = refundOf(order, 1000);
        return (await requestRefundPatiently(stage, serverOf(order.cents), { admin, request }))?.status;
      });
      expect(new Set(refunds)).toEqual(new Set([201]));
      for (const format of ['csv', 'jsonl', 'general-ledger-csv'] as const) {
        const exported = await exportOf(format);
        expect(exported.split('\n').length).toBeGreaterThan(200);
      }
      await stage.decided();
      expect(await stage.settled()).toEqual([]);
      const hints = await database.ownerSql`select from ledger.square_hint`;
      expect(hints.length).toBeGreaterThan(200);
      const verified = await verifyLedger({ url: database.url, verifiers: [], onProgress: () => undefined });
      expect(verified.faults).toEqual([]);
      expect(stage.output()).not.toMatch(/values\.map|prepared statement|has no version/);
    });

    const serverOf = (number: number) => servers[number % 2 === 0 ? 0 : 1];
    const exportOf = async (format: string) => {
      const day = new Date().toISOString().slice(0, 10);
      const before = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
      const answer = await fetch(
        `${servers[1].officeUrl}/api/admin/ledger/export?format=${format}&from=${before}&to=${day}`,
        { headers: { cookie: admin.cookie } },
      );
      expect(answer.status).toBe(200);
      return await answer.text();
    };
  });
});

async function inParallel<Item, Done>(
  workers: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Done>,
): Promise<readonly Done[]> {
  const left = items.entries();
  const done: Done[] = [];
  const takeTurns = async () => {
    for (const [at, item] of left) done[at] = await work(item);
  };
  await Promise.all(Array.from({ length: workers }, takeTurns));
  return done;
}
