import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connect, type Sql } from '../../../bff/src/core/database/database.ts';
import { isDatabaseAway } from '../../../bff/src/core/database/failures.ts';
import { repeatWhileAway } from '../../../bff/src/core/database/repeat-while-away.ts';
import { patience } from '../../testing/patience.ts';
import { violations } from '../../testing/violations.ts';
import type { ChaosServer } from '../chaos/chaos-server.ts';
import { payment, post, quotedBy } from '../chaos/customer.ts';
import { openPair, type Pair } from './pair.ts';
import { openShop, type Shop } from './shop.ts';

// Around a failover. All tests share one pair.

let pair: Pair;
let shop: Shop;
let server: ChaosServer;

beforeAll(async () => {
  pair = await openPair();
  shop = await openShop({ databaseUrl: pair.url, servers: 1, customers: 0 });
  server = shop.servers[0] as ChaosServer;
  await pair.ownerSql`create table public.noted (word text)`;
}, 120_000);
afterEach(() => pair.rebuild(), 60_000);
afterAll(async () => {
  await shop.close();
  await pair.close();
});

const payTimeoutMs = 60_000;
/** The rule is 15 seconds. A slow machine may need more. */
const paidWithinSeconds = 45;

/**
 * Until it is answered 200.
 * @returns the seconds that it took.
 */
async function payPatiently(request: ReturnType<typeof payment>): Promise<number> {
  const began = Date.now();
  while (Date.now() < began + payTimeoutMs) {
    const answer = await post(server, '/api/process-payment', request);
    if (answer.status === 200) return (Date.now() - began) / 1000;
    await setTimeout(200);
  }
  throw new Error(`Not paid within ${payTimeoutMs / 1000} s\n${server.output().slice(-3000)}`);
}

/** After the background work, which changes a stream and its row while they are read. */
async function expectWhole(sql: Sql): Promise<void> {
  const openEffects = () => sql`select from ledger.effect where state = 'open'`;
  await expect.poll(openEffects, patience).toHaveLength(0);
  await expect.poll(() => violations(sql, shop.square), patience).toEqual([]);
}

/** As an operator might who sees that commits hang. */
async function whileCancellingWaits<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const operator = connect({ url: pair.primaryUrl(), max: 1, applicationName: 'operator' });
  let isOver = false;
  const cancelling = (async () => {
    while (!isOver) {
      await operator`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
      await setTimeout(20);
    }
  })();
  try {
    return await work();
  } finally {
    isOver = true;
    await cancelling;
    await operator.end({ timeout: 1 });
  }
}

/** The one that is not the primary first. */
function both(): string {
  const other = new URL(pair.standbyUrl());
  return other.href.replace(other.host, `${other.host},${new URL(pair.primaryUrl()).host}`);
}

async function notedOn(url: string): Promise<readonly string[]> {
  const sql = connect({ url, max: 1, applicationName: 'reader' });
  const rows = await sql<{ word: string }[]>`select word from public.noted order by word`;
  await sql.end({ timeout: 1 });
  return rows.map(({ word }) => word);
}

test('each kind of target_session_attrs finds its machine, whichever is named first', async () => {
  const isStandbyFor = { primary: false, 'read-write': false, 'read-only': true, standby: true };
  for (const [wanted, isStandby] of Object.entries(isStandbyFor)) {
    const sql = connect({ url: `${both()}?target_session_attrs=${wanted}`, max: 1, applicationName: 'danger spec' });
    expect([wanted, ...(await sql`select pg_is_in_recovery() as found`)]).toEqual([wanted, { found: isStandby }]);
    await sql.end({ timeout: 1 });
  }
});

test('a statement timeout does not turn a commit that waits for the standby into a success', async () => {
  const sql = connect({ url: pair.url, max: 1, applicationName: 'danger spec', statementTimeoutSeconds: 1 });
  await pair.killStandby();
  await expect(sql`insert into public.noted values ('waiting')`).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  expect(await sql`select from public.noted`).toHaveLength(0);
  await sql.end({ timeout: 0 });
});

test('a commit whose wait for the standby was cancelled fails, and the pool continues', async () => {
  const sql = connect({ url: pair.url, max: 2, applicationName: 'danger spec' });
  await sql`truncate public.noted`;
  await pair.killStandby();
  await whileCancellingWaits(async () => {
    const alone = sql`insert into public.noted values ('alone')`;
    await expect(alone).rejects.toMatchObject({ code: 'CONNECTION_UNCONFIRMED' });
    const inTransaction = sql.begin(async (begun) => await begun`insert into public.noted values ('transaction')`);
    await expect(inTransaction).rejects.toSatisfy(isDatabaseAway);
  });
  // Committed on the primary, and lost by a failover.
  expect(await notedOn(pair.primaryUrl())).toEqual(['alone', 'transaction']);
  await sql.end({ timeout: 1 });
});

test('nothing is charged or told on the strength of a commit that the standby does not have', {
  timeout: 120_000,
}, async () => {
  const request = payment(await quotedBy(server), 'ok');
  await pair.killStandby();
  const status = await whileCancellingWaits(async () => (await post(server, '/api/process-payment', request)).status);
  expect(status).toBe(503);
  const started = await pair.ownerSql`select from ledger.event where type = 'PaymentStarted'`;
  expect(started).toHaveLength(1);
  expect(await shop.square.payments()).toEqual([]);
  await pair.killPrimary('machine');
  await pair.startOther();
  await pair.promote();
  expect(await payPatiently(request)).toBeLessThan(paidWithinSeconds);
  await expectWhole(pair.ownerSql);
});

test('when the primary freezes and the standby is promoted, customers pay there, also after the old primary continues', {
  timeout: 120_000,
}, async () => {
  const thaw = await pair.freezePrimary();
  const requested = payPatiently(payment(await quotedBy(server), 'ok'));
  await setTimeout(1000);
  await pair.promote();
  expect(await requested).toBeLessThan(paidWithinSeconds);
  thaw();
  // Two machines take themselves for the primary. The old one has lost its standby.
  const misled = connect({ url: both(), max: 1, applicationName: 'danger spec', statementTimeoutSeconds: 1 });
  await expect(misled`insert into public.noted values ('misled')`).rejects.toSatisfy(isDatabaseAway);
  await repeatWhileAway(() => misled`insert into public.noted values ('found')`);
  expect(await notedOn(pair.primaryUrl())).toContain('found');
  await misled.end({ timeout: 0 });
  expect(await payPatiently(payment(await quotedBy(server), 'ok'))).toBeLessThan(paidWithinSeconds);
  const primary = connect({ url: pair.primaryUrl(), max: 1, applicationName: 'danger spec' });
  await expectWhole(primary);
  await primary.end({ timeout: 1 });
});
