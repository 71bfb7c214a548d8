import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ada, type Browser, makeAdministrator, openBrowser } from '../../../testing/administrator.ts';
import { startChildServer } from '../../../testing/child-server.ts';
import { patience } from '../../../testing/patience.ts';
import { openShop, paid, paymentFor, quoted, type Shop, twoRugs } from '../../../testing/shop.ts';
import { type PrimaryAndStandby, startPrimaryAndStandby, untilReplayed } from '../../../testing/standby.ts';
import { appendFacts, workedMonth } from '../../../testing/worked-month.ts';
import { createLogger } from '../../server/logger.ts';
import { createMetrics } from '../../server/metrics.ts';
import { connect, type Sql, servingLimits } from '../database.ts';
import { migrate } from '../migrate.ts';
import { replicaReader } from './reader.ts';
import { type ReplicaWatch, watchReplica } from './watch-replica.ts';

// A real standby that streams, is paused, frozen, stopped and promoted.

let servers: PrimaryAndStandby;
let sql: Sql;
/** Superuser sessions of the two servers. */
let primary: Sql;
let standby: Sql;
let watch: ReplicaWatch;
let shop: Shop;
let browser: Browser;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  servers = await startPrimaryAndStandby();
  const open = (url: string, app: boolean) => {
    const pool = connect({
      url,
      max: 4,
      applicationName: 'kilim test',
      ...(app ? { role: 'kilim_server' as const } : {}),
      ...servingLimits,
    });
    closers.unshift(() => pool.end({ timeout: 1 }));
    return pool;
  };
  primary = open(servers.primaryUrl, false);
  standby = open(servers.standby.url, false);
  await migrate({ url: servers.primaryUrl });
  sql = open(servers.primaryUrl, true);
  const replica = open(servers.standby.url, true);
  const metrics = createMetrics().replica;
  const log = createLogger({ level: 'silent' });
  watch = watchReplica({ primary: sql, replica, log, metrics });
  const reader = replicaReader({ primary: sql, replica, watch, metrics });
  shop = await openShop(sql, { reading: { lists: reader, exports: reader, replica: watch.state } });
  await makeAdministrator(sql);
  await appendFacts(sql, workedMonth);
  await untilReplayed(primary, standby);
  closers.unshift(shop.close, watch.stop);
}, 120_000);

afterAll(async () => {
  for (const close of closers) await close();
  await servers.stop();
});

beforeEach(async () => {
  await untilReady('used');
  browser = openBrowser(shop);
  await browser.signIn(ada.password);
});

/** Waits for what `/readyz` says of the replica. */
async function untilReady(wanted: string): Promise<void> {
  await expect
    .poll(async () => (await (await shop.get('/readyz')).json()) as object, patience)
    .toEqual({ status: 'ready', replica: wanted });
}

async function age(path: string): Promise<string | null> {
  const answer = await browser.get(path);
  expect(answer.status).toBe(200);
  // A download that nobody reads keeps its place among the few that may run.
  await answer.arrayBuffer();
  return answer.headers.get('x-data-age');
}

async function orders(): Promise<string | null> {
  return (await browser.get('/api/admin/orders')).headers.get('x-total-count');
}

const readings = [
  '/api/admin/orders',
  '/api/admin/orders?search=lovelace',
  '/api/admin/orders?refunds=full&sort=createdAt&page=1',
  '/api/admin/refunds',
  '/api/admin/refunds?search=refund-of-cleo',
  '/api/admin/statistics',
  '/api/admin/ledger/contents?from=2026-10-01&to=2026-10-31',
  ...['csv', 'jsonl', 'journal-csv', 'quickbooks-csv', 'sales-tax-csv'].map(
    (format) => `/api/admin/ledger/export?format=${format}&from=2026-10-01&to=2026-10-31`,
  ),
];

/** How often the replica has executed a statement that reads rows. */
async function scans(pool: Sql): Promise<number> {
  // A backend reports its figures at most once a second.
  await setTimeout(1100);
  const [row] = await pool<{ scans: number }[]>`
    select sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::bigint as scans from pg_stat_all_tables
    where schemaname = 'ledger'`;
  return row?.scans ?? 0;
}

test.each(readings)('the replica answers %s as the primary does, and the answer tells its age', async (path) => {
  const answer = await browser.get(path);
  expect(answer.status).toBe(200);
  // An idle primary does not make the replica look old.
  expect(Number(answer.headers.get('x-data-age'))).toBeGreaterThanOrEqual(1);
  // When it is older than ten seconds, the primary answers.
  expect(Number(answer.headers.get('x-data-age'))).toBeLessThanOrEqual(10);
  const ofPrimary = openBrowser(shop);
  await ofPrimary.signIn();
  // A change makes the primary answer this browser.
  await ofPrimary.post('/api/admin/refund', {});
  const current = await ofPrimary.get(path);
  expect(current.headers.get('x-data-age')).toBe('0');
  expect(await answer.text()).toBe(await current.text());
});

test('lists are read on the replica itself', async () => {
  const before = await scans(standby);
  await age('/api/admin/orders');
  await expect.poll(() => scans(standby), patience).toBeGreaterThan(before);
});

test('a lagging replica serves for a few seconds and tells so, then the primary answers', async () => {
  await standby`select pg_wal_replay_pause()`;
  const before = Number(await orders());
  await paid(shop, paymentFor(await quoted(shop, twoRugs)));
  expect(Number(await orders())).toBe(before);
  await expect.poll(async () => Number(await age('/api/admin/orders')), patience).toBeGreaterThanOrEqual(3);
  await untilReady('behind');
  expect(Number(await orders())).toBe(before + 1);
  expect(await age('/api/admin/orders')).toBe('0');
  await standby`select pg_wal_replay_resume()`;
  await untilReady('used');
  expect(Number(await orders())).toBe(before + 1);
});

test('after a change of their own, administrators read from the primary', async () => {
  await standby`select pg_wal_replay_pause()`;
  await paid(shop, paymentFor(await quoted(shop, twoRugs)));
  const [row] = (await (await browser.get('/api/admin/orders?refunds=none')).json()) as { _id: string }[];
  expect(await age('/api/admin/orders')).not.toBe('0');
  // Even a refused change counts: only its answer would tell the difference.
  await browser.post(`/api/admin/orders/${row?._id ?? ''}/erase-contact`, {});
  expect(await age('/api/admin/orders')).toBe('0');
  expect(await age('/api/admin/statistics')).toBe('0');
  await standby`select pg_wal_replay_resume()`;
});

test('the export of a period that was closed a moment ago comes from the primary', async () => {
  const path = '/api/admin/ledger/export?format=csv&from=2026-10-01&to=2026-10-31';
  await standby`select pg_wal_replay_pause()`;
  const other = openBrowser(shop);
  await other.signIn();
  expect((await other.post('/api/admin/books/close', { through: '2026-10-31' })).status).toBe(200);
  const lagging = await browser.get(path);
  expect(lagging.headers.get('x-data-age')).toBe('0');
  const first = await lagging.text();
  await standby`select pg_wal_replay_resume()`;
  await untilReplayed(primary, standby);
  const later = await browser.get(path);
  expect(later.headers.get('x-data-age')).not.toBe('0');
  expect(later.headers.get('etag')).toBe(lagging.headers.get('etag'));
  expect(await later.text()).toBe(first);
});

test('a frozen replica delays a list by two seconds at most, then no list waits for it', async () => {
  await servers.standby.signal('SIGSTOP');
  try {
    // The frozen replica itself would never answer.
    expect(await age('/api/admin/orders')).toBe('0');
    await untilReady('away');
    const again = performance.now();
    expect(await age('/api/admin/orders')).toBe('0');
    expect(performance.now() - again).toBeLessThan(2000);
  } finally {
    await servers.standby.signal('SIGCONT');
  }
});

test('a replica that stops is replaced by the primary, and used again after it started', async () => {
  await servers.standby.stop();
  expect(await age('/api/admin/orders')).toBe('0');
  for (const path of readings) expect(await age(path)).toBe('0');
  await untilReady('away');
  await servers.standby.start();
  await untilReady('used');
  expect(await age('/api/admin/orders')).not.toBe('0');
});

test('export tokens, which remember their last use, work beside a replica', async () => {
  const made = await browser.post('/api/admin/export-tokens', { name: 'Bookkeeper' });
  const { token } = (await made.json()) as { token: string };
  const path = '/api/admin/ledger/export?format=takings-csv&from=2026-10-01&to=2026-10-31';
  const answer = await shop.get(path, { authorization: `Bearer ${token}` });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-data-age')).not.toBe('0');
});

test.each([
  ['a replica', () => servers.standby.url, 'used'],
  ['a replica that is away', () => servers.standby.url.replace(/:\d+\//, ':1/'), 'away'],
  ['the primary itself', () => servers.primaryUrl, 'not-a-replica'],
])('a server whose DATABASE_READ_URL names %s is ready, and says so', async (_, url, replica) => {
  const server = await startChildServer({
    DATABASE_URL: servers.primaryUrl,
    DATABASE_READ_URL: url(),
    ADMIN_PASSWORD: ada.password,
  });
  try {
    const ready = async () => (await (await fetch(`${server.url}/readyz`)).json()) as object;
    await expect.poll(ready, patience).toEqual({ status: 'ready', replica });
  } finally {
    expect(await server.stop()).toBe(0);
  }
});

// The last test: nothing demotes a server.
test('a replica that was promoted is not used', async () => {
  await standby`select pg_promote()`;
  await untilReady('not-a-replica');
  expect(await age('/api/admin/orders')).toBe('0');
});
