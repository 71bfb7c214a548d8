import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { OrderEvent } from '@kilim/domain/order/events';
import type { OrderId } from '@kilim/domain/order/ids';
import {
  authorizedA,
  capturedA,
  completedA,
  contactErasedA,
  declinedA,
  disputeOpenedA,
  disputeWonA,
  excessRefundA,
  externalRefundA,
  failedA,
  feeA,
  orderAPlaced,
  orphanA,
  orphanReturnedA,
  paymentB,
  refundA,
  refundOfFirstRug,
  startedA,
  submittedA,
  voidedA,
} from '@kilim/domain/testing/orders';
import { appendLife } from '@kilim/lab/testing/order-lives';
import { patience } from '@kilim/lab/testing/patience';
import { cloneDatabase, testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { v7 } from 'uuid';
import { expect, test, vi } from 'vitest';
import { dumpSchema } from '../../../proof/dump-schema.ts';
import { countDays } from '../../background/count-days.ts';
import { connect } from '../../database/database.ts';
import { limitConcurrency } from '../../runtime/limit-concurrency.ts';
import { compareProjections } from './compare.ts';
import { beginDays, countMoney, replaceDays } from './day-counts.ts';
import { renewSince, tables } from './fill.ts';
import { rebuildProjections } from './rebuild.ts';
import { completeShadow, createShadow } from './shadow-table.ts';

const { appSql, ownerSql, url } = await testDatabase();

const paidA = [orderAPlaced, startedA, authorizedA, capturedA];
/** `appendLife` makes the ids of the domain's fixtures unique. */
const lives: Readonly<Record<string, readonly OrderEvent[]>> = {
  started: [orderAPlaced, startedA],
  voided: [orderAPlaced, startedA, authorizedA, voidedA],
  // The second attempt does not keep the first one's hold.
  'paid with another card': [
    ...[orderAPlaced, startedA, authorizedA, declinedA, { ...startedA, paymentId: paymentB }],
    ...[{ ...capturedA, paymentId: paymentB }, feeA],
  ],
  'held twice': [
    ...[orderAPlaced, startedA, authorizedA, voidedA, { ...startedA, paymentId: paymentB }],
    { ...authorizedA, paymentId: paymentB, squarePaymentId: 'square-second' },
  ],
  'being refunded': [...paidA, feeA, refundOfFirstRug, submittedA],
  'refunded, here and in the dashboard': [...paidA, refundOfFirstRug, submittedA, completedA, externalRefundA, feeA],
  'refund failed at once': [
    ...paidA,
    refundOfFirstRug,
    { type: 'RefundFailed', refundId: refundA, amount: refundOfFirstRug.amount, code: 'X' },
  ],
  'refund failed at last': [...paidA, refundOfFirstRug, submittedA, failedA, contactErasedA],
  disputed: [...paidA, disputeOpenedA],
  'refunded above what was left': [...paidA, excessRefundA],
  'charged after it was given up, and returned': [orderAPlaced, startedA, voidedA, orphanA, orphanReturnedA],
  'dispute won': [...paidA, disputeOpenedA, disputeWonA, orphanA],
  'of a page that plays tricks': [
    {
      ...orderAPlaced,
      deliveryOption: 'dropoff',
      source: { embedded: true, variant: '"deliveryOption":"pickup","repairInspection":' },
    } as OrderEvent,
    startedA,
  ],
};

const live = (events: readonly OrderEvent[], sql = appSql) => appendLife(sql, events);
const rebuild = (databaseUrl = url) => rebuildProjections({ url: databaseUrl, onProgress: () => undefined });
const differences = async (sql = ownerSql) => (await compareProjections(sql, () => undefined)).differences;

async function storedRows() {
  const rows: Record<string, readonly unknown[]> = {};
  for (const table of ['order_summary', 'refund_history', 'order_day', 'refund_day', 'money_day']) {
    rows[table] = await ownerSql.unsafe(`select t::text from ledger.${table} t order by 1`);
  }
  return rows;
}

/** Of the tables of orders, and of their indexed expressions. */
const storedStatistics = () => ownerSql`
  select to_jsonb(known)::text from pg_stats known
  where schemaname = 'ledger' and (tablename like 'order_summary%' or tablename like 'refund_history%') order by 1`;

test('every kind of history is rebuilt to the rows that appends wrote, in equal tables', async () => {
  for (let times = 0; times < 3; times += 1) for (const events of Object.values(lives)) await live(events);
  await settled(appSql);
  while ((await countDays(appSql, 'America/Los_Angeles')) > 0);
  expect(await differences()).toEqual([]);
  const before = { rows: await storedRows(), schema: await ownerSql.begin(dumpSchema) };
  const orders = before.rows['order_summary']?.length;
  // With and without statistics of the old tables.
  expect(await rebuild()).toMatchObject({ orders, corrected: 0 });
  const statistics = await storedStatistics();
  expect(statistics.length).toBeGreaterThan(30);

  expect(await rebuild()).toMatchObject({ orders, corrected: 0 });

  expect({ rows: await storedRows(), schema: await ownerSql.begin(dumpSchema) }).toEqual(before);
  expect(await storedStatistics()).toEqual(statistics);
  expect(await differences()).toEqual([]);
  // Connections continue with the new tables, with the same rights.
  await live(lives['refunded, here and in the dashboard'] ?? []);
  await expect(appSql`update ledger.order_summary set captured_cents = 1`).rejects.toMatchObject({ code: '42501' });
  expect(await differences()).toEqual([]);
});

test('rows that are wrong, missing or without an event are named by their order, and repaired', async () => {
  const [wrong, missing, refunded] = [
    await live(lives['disputed'] ?? []),
    await live(lives['started'] ?? []),
    await live(lives['being refunded'] ?? []),
  ];
  const nobody = v7();
  await ownerSql`update ledger.order_summary set payment_status = 'voided', refund_status = 'full' where order_id = ${wrong}`;
  await ownerSql`delete from ledger.order_summary where order_id = ${missing}`;
  await ownerSql`update ledger.refund_history set status = 'failed' where order_id = ${refunded}`;
  await ownerSql`
    insert into ledger.order_summary (order_id, version, payment_status, delivery_option, rug_count, total_cents, captured_cents,
      refund_pending_cents, refunded_cents, refundable_cents, refund_status, placed_at, updated_at)
    values (${nobody}, 1, 'unpaid', 'pickup', 1, 1, 0, 0, 0, 0, 'none', now(), now())`;
  await ownerSql`analyze ledger.order_summary`;
  const statisticsOfWrongRows = await storedStatistics();
  const told = (await differences()).map(({ of, what }) => `${of} ${what}`);
  expect(told).toEqual(
    expect.arrayContaining([
      `${wrong} The row: payment_status is "voided", and the ledger says "paid"; refund_status is "full", and the ledger says "none"`,
      `${missing} The row is missing`,
      expect.stringMatching(`${refunded} Refund refund-.*: status is "failed", and the ledger says "pending"`),
      `${nobody} There are rows of it, and it has no events`,
    ]),
  );
  expect(await rebuild()).toMatchObject({ corrected: 4 });
  expect(await differences()).toEqual([]);
  // Statistics of a wrong table are not copied.
  expect(await storedStatistics()).not.toEqual(statisticsOfWrongRows);
  expect((await storedStatistics()).length).toBeGreaterThan(30);
});

test('appends and readers continue during a rebuild, and nothing is lost', async () => {
  let running = true;
  const appended: OrderId[] = [];
  const kinds = Object.values(lives);
  const customers = Array.from({ length: 6 }, async (_, customer) => {
    for (let turn = customer; running; turn += 1) appended.push(await live(kinds[turn % kinds.length] ?? []));
  });
  const least = await ownerSql<{ orders: number }[]>`select count(*) as orders from ledger.order_summary`;
  const seen: number[] = [];
  const reader = (async () => {
    while (running) {
      const [row] = await appSql<{ orders: number }[]>`select count(*) as orders from ledger.order_summary`;
      seen.push(row?.orders ?? 0);
    }
  })();
  const rebuilt = [await rebuild(), await rebuild()];
  running = false;
  await Promise.all([...customers, reader]);

  expect(rebuilt.map(({ corrected }) => corrected)).toEqual([0, 0]);
  expect(appended.length).toBeGreaterThan(6);
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(least[0]?.orders ?? 1);
  const rows = await ownerSql<{ order_id: OrderId }[]>`select order_id from ledger.order_summary`;
  expect(rows.map(({ order_id: id }) => id)).toEqual(expect.arrayContaining(appended));
  expect(await differences()).toEqual([]);
});

test('the first append of a connection, which opens the tables just before the swap, is recorded', async () => {
  const waiting = async (mode: string) => {
    await vi.waitFor(
      async () => {
        const locks = await appSql`
          select from pg_locks where relation = 'ledger.order_summary'::regclass and mode = ${mode} and not granted`;
        expect(locks).toHaveLength(1);
      },
      { ...patience, interval: 5 },
    );
  };
  const fresh = connect({ url, role: 'kilim_server', max: 1, applicationName: 'first append' });
  await fresh`select 1`;
  const begun: Promise<unknown>[] = [];
  await ownerSql.begin(async (transaction) => {
    await transaction`lock table ledger.order_summary in access share mode`;
    begun.push(rebuild());
    await waiting('AccessExclusiveLock');
    begun.push(live(lives['started'] ?? [], fresh));
    await waiting('RowExclusiveLock');
  });
  expect(await Promise.all(begun)).toMatchObject([{ corrected: 0 }, expect.any(String)]);
  await fresh.end();
  expect(await differences()).toEqual([]);
});

test('a rebuild that is killed before the swap changes nothing, and the next one cleans up', async () => {
  const before = { rows: await storedRows(), schema: await ownerSql.begin(dumpSchema) };
  const cli = fileURLToPath(new URL('../../../start/cli/ledger.ts', import.meta.url));
  const { NODE_ENV: _, ...inherited } = process.env;
  await ownerSql.begin(async (transaction) => {
    // Readers block the last step of the rebuild.
    await transaction`set local idle_in_transaction_session_timeout = 0`;
    await transaction`lock table ledger.order_summary in access share mode`;
    const child = spawn(process.execPath, [cli, 'rebuild'], {
      env: { ...inherited, DATABASE_URL: url },
      stdio: 'ignore',
    });
    const ended = new Promise((done) => child.once('exit', done));
    await vi.waitFor(async () => {
      const waiting = await appSql`
          select from pg_locks where relation = 'ledger.order_summary'::regclass and mode = 'AccessExclusiveLock' and not granted`;
      expect(waiting).toHaveLength(1);
    }, patience);
    child.kill('SIGKILL');
    await ended;
  });
  expect((await storedRows())['order_summary']).toEqual(before.rows['order_summary']);
  expect(await differences()).toEqual([]);
  expect(await ownerSql`select from pg_namespace where nspname = 'rebuild'`).toHaveLength(1);
  await vi.waitFor(async () => expect(await rebuild()).toMatchObject({ corrected: 0 }), { ...patience, interval: 500 });
  expect(await ownerSql.begin(dumpSchema)).toEqual(before.schema);
});

test.each([
  ['RefundRequested', 2, 'order'],
  ['OrderPlaced', 2, 'order'],
  ['PayoutEntriesRecorded', 2, 'payout'],
])(
  '%s in version %i, which is not known yet, stops it by name, and nothing has changed',
  async (...[type, version, kind]) => {
    const other = await cloneDatabase();
    try {
      const orderId = await live(lives['disputed'] ?? [], other.appSql);
      const before = await other.ownerSql`select * from ledger.order_summary`;
      await other.ownerSql`
      insert into ledger.event (stream_id, version, command_id, type, schema_version, actor, occurred_at, payload, previous_hash, hash)
      values (${`${kind}-${orderId}`}, 100, 'test:newer', ${type}, ${version}, 'customer', now(), '{"entries":[{"entryId":"a"}]}', '', '')`;
      await expect(rebuild(other.url)).rejects.toThrow(
        `The ledger holds ${type} in version ${version}, which this program does not know`,
      );
      expect(await other.ownerSql`select * from ledger.order_summary`).toEqual(before);
    } finally {
      await other.drop();
    }
  },
);

test('an order that would displace the row of another one stops it', async () => {
  const other = await cloneDatabase();
  try {
    await live(lives['started'] ?? [], other.appSql);
    for (const table of tables) {
      await createShadow(other.ownerSql, table);
      await completeShadow(other.ownerSql, table, limitConcurrency(1, Number.POSITIVE_INFINITY));
    }
    const renew = () => other.ownerSql.begin((transaction) => renewSince(transaction, { epoch: 0, xid: '0' }));
    expect(await renew()).toBe(1);
    await other.ownerSql`
      insert into ledger.event
        (stream_id, version, command_id, type, schema_version, actor, occurred_at, payload, previous_hash, hash)
      select ${`order-${v7()}`}, version, 'test:copy', type, schema_version, actor, occurred_at, payload, '', ''
      from ledger.event where stream_id like 'order-%'`;
    await expect(renew()).rejects.toMatchObject({ code: '23505' });
  } finally {
    await other.drop();
  }
});

test('after a change of the time zone during a rebuild, all days are counted again', async () => {
  const other = await cloneDatabase();
  try {
    await live(lives['refunded, here and in the dashboard'] ?? [], other.appSql);
    await settled(other.appSql);
    await countDays(other.appSql, 'America/Los_Angeles');
    await other.ownerSql`create schema rebuild`;
    const days = await beginDays(other.ownerSql);
    await countMoney(other.ownerSql, days);
    await countDays(other.appSql, 'Asia/Tokyo');
    expect(await other.ownerSql`select from ledger.money_day`).toHaveLength(1);
    await replaceDays(other.ownerSql, days);
    expect(await other.ownerSql`select from ledger.money_day`).toHaveLength(0);
    expect(await differences(other.ownerSql)).toEqual([]);
    await countDays(other.appSql, 'Asia/Tokyo');
    expect(await other.ownerSql`select from ledger.money_day`).toHaveLength(1);
    expect(await differences(other.ownerSql)).toEqual([]);
  } finally {
    await other.drop();
  }
});

test('a dependency that a rebuild cannot move stops it, and nothing has changed', async () => {
  const other = await cloneDatabase();
  try {
    await live(lives['disputed'] ?? [], other.appSql);
    await other.ownerSql`create materialized view ledger.sums as select sum(captured_cents) from ledger.order_summary`;
    const schema = await other.ownerSql.begin(dumpSchema);
    await expect(rebuild(other.url)).rejects.toThrow(
      /^Something else holds the old tables, .*materialized view ledger\.sums/,
    );
    await other.ownerSql`drop schema rebuild cascade`;
    expect(await other.ownerSql.begin(dumpSchema)).toBe(schema);
    expect(await differences(other.ownerSql)).toEqual([]);
  } finally {
    await other.drop();
  }
});
