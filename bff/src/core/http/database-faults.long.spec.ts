import { setTimeout } from 'node:timers/promises';
import { makeAdministrator } from '@kilim/lab/testing/administrator';
import { callsWithoutDatabase, type EveryCall, metricsToken, openEveryCall } from '@kilim/lab/testing/every-call';
import { until } from '@kilim/lab/testing/patience';
import { cloneDatabase, postgresOfWorker, type TestDatabase } from '@kilim/lab/testing/postgres';
import { openShop, type Shop } from '@kilim/lab/testing/shop';
import { openWire, type Wire } from '@kilim/lab/testing/wire';
import { afterAll, describe, expect, test } from 'vitest';
import { connect, type Sql } from '../database/database.ts';

/** With the rights of production, on a database in which the test causes faults. */
type Patient = {
  readonly shop: Shop;
  readonly calls: EveryCall;
  readonly pools: readonly Sql[];
  readonly database: TestDatabase;
  readonly login: string;
  readonly name: string;
  readonly wire: Wire;
};

type Fault = {
  readonly what: string;
  /** `unavailable`: each call that needs the database is answered 503. `some`: calls may succeed. */
  readonly answers: 'unavailable' | 'some';
  /** @returns a function that repairs the fault. */
  readonly inflict: (patient: Patient) => Promise<() => unknown>;
};

const admin = connect({ url: postgresOfWorker(), max: 2, applicationName: 'database faults' });
afterAll(() => admin.end());

const faults: readonly Fault[] = [
  { what: 'every session is ended once', answers: 'some', inflict: async (patient) => endSessions(patient) },
  {
    what: 'the role has no connections left',
    answers: 'unavailable',
    inflict: altered('role', 'connection limit 0', 'connection limit -1'),
  },
  {
    what: 'the database has no connections left',
    answers: 'unavailable',
    inflict: altered('database', 'connection limit 0', 'connection limit -1'),
  },
  {
    what: 'the database takes no connections',
    answers: 'unavailable',
    inflict: altered('database', 'allow_connections false', 'allow_connections true'),
  },
  { what: 'the login is locked', answers: 'unavailable', inflict: altered('role', 'nologin', 'login') },
  {
    what: 'the password is another',
    answers: 'unavailable',
    inflict: altered('role', "password 'other'", "password 'shop'"),
  },
  {
    what: 'the database is read-only',
    answers: 'some',
    inflict: altered('role', 'set default_transaction_read_only = on', 'reset default_transaction_read_only'),
  },
  {
    what: 'the role may not be assumed',
    answers: 'unavailable',
    inflict: async (patient) => {
      await admin.unsafe(`revoke kilim_server from ${patient.login}`);
      await endSessions(patient);
      return () => admin.unsafe(`grant kilim_server to ${patient.login}`);
    },
  },
  {
    what: 'the name of the host is not known',
    answers: 'unavailable',
    inflict: (patient) => moved(patient, { host: 'no-such-host.invalid' }),
  },
  {
    what: 'no way leads to the host',
    answers: 'unavailable',
    inflict: (patient) => moved(patient, { host: '240.0.0.1' }),
  },
  { what: 'no server listens', answers: 'unavailable', inflict: (patient) => moved(patient, { port: 1 }) },
  {
    what: 'connections are cut off',
    answers: 'unavailable',
    inflict: async ({ wire }) => {
      wire.cut();
      return wire.mend;
    },
  },
  {
    what: 'the server falls silent',
    answers: 'unavailable',
    inflict: async ({ wire }) => {
      wire.hold();
      return wire.mend;
    },
  },
  { what: 'the tables are locked', answers: 'some', inflict: (patient) => locked(patient) },
  {
    what: 'statements are cancelled',
    answers: 'some',
    inflict: async (patient) => {
      const unlock = await locked(patient);
      let over = false;
      const cancelling = (async () => {
        while (!over) {
          await setTimeout(50);
          await admin`select pg_cancel_backend(pid) from pg_stat_activity where usename = ${patient.login} and state = 'active'`;
        }
      })();
      return async () => {
        over = true;
        await cancelling;
        await unlock();
      };
    },
  },
];

describe.concurrent('while', () => {
  test.each(faults)(
    '$what, no call is answered 500, and a payment may be sent again',
    async ({ answers, inflict }) => {
      const patient = await openPatient();
      try {
        const mend = await inflict(patient);
        const wrong = await wrongAnswers(patient.calls, answers);
        await mend();
        expect(wrong).toEqual([]);
        await expectPaidOnce(patient);
      } finally {
        await closePatient(patient);
      }
    },
    60_000,
  );
});

test('the list of calls covers all routes', async () => {
  const patient = await openPatient();
  const routes = patient.shop.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path}`);
  expect(routes.filter((route) => patient.calls[route] === undefined)).toEqual([]);
  await closePatient(patient);
});

/**
 * Makes every call at the same time.
 * @returns the calls whose answer the fault does not allow.
 */
async function wrongAnswers(calls: EveryCall, answers: Fault['answers']): Promise<readonly string[]> {
  const answered = Object.entries(calls).map(async ([call, make]) => {
    const answer = await make();
    await answer.text().catch(() => undefined);
    return { call, status: answer.status, retryAfter: answer.headers.get('retry-after') };
  });
  const isRight = ({ call, status, retryAfter }: Awaited<(typeof answered)[number]>) => {
    if (status === 503) return retryAfter === '2';
    if (answers === 'unavailable') return status < 500 && callsWithoutDatabase.has(call);
    return status < 500;
  };
  return (await Promise.all(answered)).filter((answer) => !isRight(answer)).map((answer) => JSON.stringify(answer));
}

/**
 * Retries with the same key, as the page does after a 503. An intent recorded despite the 503 stays pending, because no
 * settle worker runs here.
 */
async function expectPaidOnce({ calls, shop }: Patient): Promise<void> {
  const pay = calls['POST /api/process-payment'];
  let status: number | undefined = 503;
  await until('a payment is not answered 503', async () => {
    status = (await pay?.())?.status;
    return status !== 503;
  });
  expect([200, 202]).toContain(status);
  const completed = (await shop.square.payments()).filter(({ payment }) => payment.status === 'COMPLETED');
  // The other order was paid before the fault.
  expect(completed).toHaveLength(status === 200 ? 2 : 1);
}

async function openPatient(): Promise<Patient> {
  const database = await cloneDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const login = name.replace('test_', 'shop_');
  await admin.unsafe(`create role ${login} login password 'shop'; grant kilim_server to ${login}`);
  const wire = await openWire(database.url);
  const url = new URL(wire.url);
  url.username = login;
  url.password = 'shop';
  const [sql, counting] = [5, 1].map((max) =>
    connect({ url: url.href, role: 'kilim_server', max, applicationName: 'kilim faults' }),
  ) as [Sql, Sql];
  await makeAdministrator(database.ownerSql);
  const shop = await openShop(sql, { throttling: { sql: counting }, metricsToken });
  return { shop, calls: await openEveryCall(shop), pools: [sql, counting], database, login, name, wire };
}

async function closePatient({ shop, pools, database, login, wire }: Patient): Promise<void> {
  await shop.close();
  await Promise.all(pools.map((sql) => sql.end({ timeout: 1 })));
  await wire.close();
  await database.drop();
  await admin.unsafe(`drop role ${login}`);
}

/** Again and again: a starting session is not listed under its login yet. */
async function endSessions({ login, wire }: Patient): Promise<() => void> {
  do {
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${login}`;
    await setTimeout(20);
  } while (wire.connections() > 0);
  return () => undefined;
}

function altered(kind: 'role' | 'database', fault: string, mended: string): Fault['inflict'] {
  return async (patient) => {
    const alter = `alter ${kind} ${kind === 'role' ? patient.login : patient.name}`;
    await admin.unsafe(`${alter} ${fault}`);
    await endSessions(patient);
    return async () => {
      await admin.unsafe(`${alter} ${mended}`);
      await endSessions(patient);
    };
  };
}

/** New connections reach another server. */
async function moved(patient: Patient, { host, port }: { readonly host?: string; readonly port?: number }) {
  const changed = patient.pools.map(({ options }) => ({ options, host: options.host[0], port: options.port[0] }));
  for (const { options } of changed) {
    if (host !== undefined) options.host[0] = host;
    if (port !== undefined) options.port[0] = port;
  }
  await endSessions(patient);
  return () => {
    for (const { options, host, port } of changed)
      Object.assign(options.host, [host]) && Object.assign(options.port, [port]);
  };
}

async function locked({ database }: Patient): Promise<() => Promise<void>> {
  const holding = Promise.withResolvers<void>();
  const unlocked = Promise.withResolvers<void>();
  const transaction = database.ownerSql.begin(async (owner) => {
    await owner`lock table ledger.event, ledger.command, ledger.order_summary, admin.session, kilim.throttle in access exclusive mode`;
    // Longer than the idle timeout of a transaction.
    await owner`set local idle_in_transaction_session_timeout = 0`;
    holding.resolve();
    await unlocked.promise;
  });
  await Promise.race([holding.promise, transaction]);
  return async () => {
    unlocked.resolve();
    await transaction;
  };
}
