import { generateKeyPairSync } from 'node:crypto';
import { type OrderId, parsePaymentId } from '@kilim/domain/order/ids';
import { seedOrders } from '@kilim/lab/seed/seed-orders';
import { patience } from '@kilim/lab/testing/patience';
import { cloneDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { openShop, paid, paymentFor, quoted } from '@kilim/lab/testing/shop';
import { storedEvents } from '@kilim/lab/testing/stored-events';
import { afterAll, expect, test, vi } from 'vitest';
import { countDays } from '../core/background/count-days.ts';
import { startJob } from '../core/background/job.ts';
import { connect, type Sql, servingLimits } from '../core/database/database.ts';
import { appendToStream } from '../core/ledger/append.ts';
import { sha256 } from '../core/ledger/hash.ts';
import { compareProjections } from '../core/ledger/rebuild/compare.ts';
import { rebuildProjections } from '../core/ledger/rebuild/rebuild.ts';
import { findOrderByPayment } from '../core/queries/find-order.ts';
import { createLogger } from '../core/runtime/logger.ts';
import { sealing } from './background/seal-ledger.ts';
import { seal, waitToBeSealed } from './checkpoint.ts';
import { readSigner, signNote, verifierOf } from './signed-note.ts';
import { ledgerSigner } from './signing-key.ts';
import { type LedgerFault, verifyLedger } from './verify.ts';

const signer = ledgerSigner(
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  'Test',
);

/** Sealed after the second of three orders: streams of five events each. */
async function sealedShop() {
  const database = await cloneDatabase();
  afterAll(database.drop);
  const shop = await openShop(database.appSql);
  afterAll(shop.close);
  const pay = async (): Promise<OrderId> => {
    const body = await paid(shop, paymentFor(await quoted(shop)));
    const paymentId = parsePaymentId(body.paymentId);
    const found = paymentId === undefined ? undefined : await findOrderByPayment(database.appSql, paymentId);
    if (found === undefined) throw new Error('not paid');
    return found.stream.orderId;
  };
  const orders = [await pay(), await pay()];
  await settled(database.appSql);
  const first = await seal(database.appSql, signer);
  orders.push(await pay());
  await settled(database.appSql);
  const second = await seal(database.appSql, signer);
  const streams = orders.map((orderId) => `order-${orderId}`);
  /** With all triggers off: no right can prevent this. */
  const tamper = (statement: string) =>
    database.ownerSql.begin(async (sql) => {
      await sql`set local session_replication_role = replica`;
      await sql.unsafe('alter table ledger.event disable trigger all');
      await sql.unsafe('alter table ledger.checkpoint disable trigger all');
      await sql.unsafe(statement);
    });
  const verify = async (): Promise<readonly LedgerFault[]> => {
    const verified = await verifyLedger({
      url: database.url,
      verifiers: [verifierOf(signer)],
      onProgress: () => undefined,
    });
    return verified.faults;
  };
  return { ...database, streams, first, second, tamper, verify };
}

const codesAt = (faults: readonly LedgerFault[]) =>
  faults.map((fault) =>
    'sequence' in fault
      ? `${fault.code} ${fault.sequence}`
      : `${fault.code} ${fault.streamId.slice(-4)} ${'version' in fault ? fault.version : `${fault.from}-${fault.to}`}`,
  );

const shop = await sealedShop();
const [one = '', two = '', three = ''] = shop.streams;
const short = (stream: string) => stream.slice(-4);

test('an unchanged ledger verifies, and all committed events are sealed', async () => {
  const verified = await verifyLedger({
    url: shop.url,
    verifiers: [verifierOf(signer)],
    onProgress: () => undefined,
  });
  expect(verified).toEqual({
    events: 12,
    horizon: { epoch: 1, xid: expect.any(String) },
    streams: 3,
    checkpoints: 2,
    unsealed: 0,
    faults: [],
    instants: { faults: [], warnings: [] },
  });
  expect(shop.first).toMatchObject({ sequence: 1, events: 8 });
  expect(shop.second).toMatchObject({ sequence: 2, events: 4 });
});

test('sealing without new events does nothing', async () => {
  expect(await seal(shop.appSql, signer)).toBeUndefined();
});

test('the number of unsealed events is known without a full count', async () => {
  const database = await cloneDatabase();
  afterAll(database.drop);
  await appendEverything(database.appSql);
  expect(await waitToBeSealed(database.appSql, 5)).toBe(true);
  expect(await waitToBeSealed(database.appSql, 1000)).toBe(false);
  await settled(database.appSql);
  await seal(database.appSql, signer);
  expect(await waitToBeSealed(database.appSql, 1)).toBe(false);
});

test('servers seal new events in the background, once', async () => {
  const database = await cloneDatabase();
  afterAll(database.drop);
  await appendEverything(database.appSql);
  await settled(database.appSql);
  const logged: string[] = [];
  const log = createLogger({ level: 'info', destination: { write: (line) => void logged.push(line) } });
  const servers = [1, 2].map(() =>
    startJob({ sql: database.appSql, log }, sealing({ sql: database.appSql, log }, signer)),
  );
  await vi.waitFor(() => expect(logged).toHaveLength(1), patience);
  await Promise.all(servers.map((server) => server.stop()));
  expect(await database.ownerSql`select from ledger.checkpoint`).toHaveLength(1);
  expect(JSON.parse(logged[0] ?? '')).toMatchObject({ sequence: 1, msg: 'events were sealed' });
});

test('a backlog is sealed within the time that a server gives a statement', async () => {
  const database = await cloneDatabase();
  afterAll(database.drop);
  await seedOrders(database.ownerSql, { orders: 2500, days: 30, until: new Date(), seed: 1 }, () => undefined);
  await database.ownerSql`analyze`;
  const sql = connect({
    ...servingLimits,
    url: database.url,
    role: 'kilim_server',
    max: 1,
    applicationName: 'backlog',
  });
  afterAll(() => sql.end());
  await settled(sql);
  const [counted] = await database.ownerSql<{ events: number }[]>`select count(*)::int as events from ledger.event`;
  expect(counted?.events).toBeGreaterThan(10_000);
  const first = await seal(sql, signer, { most: 5000 });
  const rest = await seal(sql, signer);
  expect(first?.events).toBeGreaterThanOrEqual(5000);
  expect((first?.events ?? 0) + (rest?.events ?? 0)).toBe(counted?.events);
});

test('a backlog is sealed in steps, and each of them stays', async () => {
  const database = await cloneDatabase();
  afterAll(database.drop);
  const events = await appendEverything(database.appSql);
  await settled(database.appSql);
  const steps: number[] = [];
  for (;;) {
    const sealed = await seal(database.appSql, signer, { most: 7 });
    if (sealed === undefined) break;
    steps.push(sealed.events);
  }
  expect(steps).toEqual([...Array.from({ length: Math.floor(events / 7) }, () => 7), events % 7].filter(Boolean));
  const { faults, unsealed } = await verifyLedger({
    url: database.url,
    verifiers: [verifierOf(signer)],
    onProgress: () => undefined,
  });
  expect({ faults, unsealed }).toEqual({ faults: [], unsealed: 0 });
});

/** In streams of their own, with texts that are hard to separate. */
async function appendEverything(sql: Sql): Promise<number> {
  for (const { type, schemaVersion, payload } of storedEvents) {
    const name = `${type}.${schemaVersion}`;
    const { total, amount } = JSON.parse(payload) as { total?: number; amount?: number };
    const stated = (type === 'OrderPlaced' ? total : amount) ?? null;
    const amountCents = type === 'PayoutEntriesRecorded' ? -500 : stated;
    await appendToStream(sql, {
      streamId: `orphan-${name}\t\\n`,
      expectedVersion: 0,
      commandId: `test:\t\\ ${name}`,
      requestHash: sha256(name),
      actor: 'admin:zoë\\',
      requestId: undefined,
      occurredAt: new Date(),
      events: [{ type, schemaVersion, payload, amountCents, refundId: null }],
    });
  }
  await appendToStream(sql, {
    streamId: 'settings',
    expectedVersion: 0,
    commandId: 'test:text',
    requestHash: sha256('text'),
    // Its microseconds exceed the safe integers.
    actor: 'admin:ada',
    requestId: '',
    occurredAt: new Date('2300-01-01T00:00:00.001Z'),
    events: [
      { type: 'Note', schemaVersion: 7, payload: '{"text":"\\\\ \\n \\" ü 毯"}', amountCents: null, refundId: null },
    ],
  });
  return storedEvents.length + 1;
}

test('full scans read every type and version of event, and all kinds of texts', async () => {
  const database = await cloneDatabase();
  afterAll(database.drop);
  const events = await appendEverything(database.appSql);
  await database.ownerSql`
    select ledger.list_payout_entries(stream_id) from ledger.event where type = 'PayoutEntriesRecorded'`;
  await settled(database.appSql);
  await seal(database.appSql, signer);
  const options = { url: database.url, verifiers: [verifierOf(signer)], onProgress: () => undefined };
  const verified = await verifyLedger(options);
  expect(verified).toMatchObject({ events, streams: events, checkpoints: 1, unsealed: 0, faults: [] });
  // In the year 2300.
  expect(verified.instants).toEqual({
    faults: [],
    warnings: [{ code: 'InstantImplausible', streamId: 'settings', version: 1 }],
  });
  await settled(database.appSql);
  expect(await countDays(database.appSql, 'America/Los_Angeles')).toBe(events);
  expect(await compareProjections(database.ownerSql, () => undefined)).toEqual({ orders: 0, differences: [] });
  expect(await rebuildProjections(options)).toMatchObject({ orders: 0, corrected: 0 });
});

test('one of several processes that seal together succeeds', async () => {
  const busy = await sealedShop();
  await busy.tamper('delete from ledger.checkpoint');
  await settled(busy.appSql);
  const sealed = await Promise.all(Array.from({ length: 4 }, () => seal(busy.appSql, signer)));
  expect(sealed.filter((checkpoint) => checkpoint !== undefined)).toHaveLength(1);
  expect(await busy.verify()).toEqual([]);
});

test('events that an older transaction appends after a younger one are in their place', async () => {
  const busy = await sealedShop();
  await busy.tamper(`delete from ledger.checkpoint; update ledger.event set xid = '3' where version = 4`);
  expect(await busy.verify()).toEqual([]);
});

test.each<[string, () => string, () => readonly string[]]>([
  [
    'an amount that was changed',
    () => `update ledger.event set amount_cents = 1 where stream_id = '${one}' and type = 'PaymentCaptured'`,
    () => [`EventChanged ${short(one)} 4`],
  ],
  [
    'an amount that was changed together with its hash',
    () => `update ledger.event e set payload = replace(payload::text, '75822', '75823')::json, amount_cents = 75823
      where stream_id = '${one}' and type = 'PaymentCaptured';
      update ledger.event e set hash = ledger.event_hash(e) where stream_id = '${one}' and type = 'PaymentCaptured'`,
    () => ['RangeDiffers 1'],
  ],
  [
    'a typed column that says something else, with a hash to match',
    () => `update ledger.event set amount_cents = 1 where stream_id = '${three}' and type = 'PaymentCaptured';
      update ledger.event e set hash = ledger.event_hash(e) where stream_id = '${three}' and type = 'PaymentCaptured'`,
    () => [`ColumnDiffers ${short(three)} 4`, 'RangeDiffers 2'],
  ],
  [
    'an event that was deleted',
    () => `delete from ledger.event where stream_id = '${two}' and version = 2`,
    () => [`EventMissing ${short(two)} 2`, `EventsOfCommandMissing ${short(two)} 1-2`, 'RangeDiffers 1'],
  ],
  [
    'the end of a stream that was deleted',
    () => `delete from ledger.event where stream_id = '${two}' and version = 4`,
    () => [`EventsOfCommandMissing ${short(two)} 4-4`, `StreamEndMissing ${short(two)} 4`, 'RangeDiffers 1'],
  ],
  [
    'a stream that was deleted with all that points to it',
    () => `delete from ledger.event where stream_id = '${three}';
      alter table ledger.command disable trigger all;
      delete from ledger.command where stream_id = '${three}';
      delete from ledger.order_summary where 'order-' || order_id = '${three}'`,
    () => ['RangeDiffers 2'],
  ],
  [
    'a stream whose events were put in another order',
    () => `update ledger.event set version = version + 100 where stream_id = '${two}' and version in (3, 4);
      update ledger.event set version = 107 - version where stream_id = '${two}' and version > 100`,
    () => expect.arrayContaining([`EventChanged ${short(two)} 3`, `EventChanged ${short(two)} 4`]),
  ],
  [
    'a checkpoint that was forged',
    () => `update ledger.checkpoint set note = replace(note, 'events 4', 'events 3'), events = 3 where sequence = 2`,
    () => ['CheckpointForged 2', 'RangeDiffers 2'],
  ],
  [
    'a checkpoint that was signed with another key',
    () => {
      const other = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      const text = shop.second?.note.split('\n\n')[0] ?? '';
      const forged = signNote(`${text}\n`, readSigner('kilim/ledger', other));
      return `update ledger.checkpoint set note = '${forged}' where sequence = 2`;
    },
    () => ['CheckpointForged 2'],
  ],
  [
    'a checkpoint that seals once more what another one sealed',
    () => `update ledger.checkpoint set from_epoch = 0, from_xid = '0' where sequence = 2`,
    () => ['CheckpointDoesNotFollow 2', 'CheckpointForged 2', 'RangeDiffers 2'],
  ],
  [
    'a checkpoint that was deleted',
    () => 'delete from ledger.checkpoint where sequence = 1',
    () => ['CheckpointMissing 1', 'CheckpointDoesNotFollow 2', 'CheckpointForged 2'],
  ],
])('%s is found and named', async (_what, statement, faults) => {
  // Each forgery starts from the same books.
  const before = await shop.ownerSql.begin(async (sql) => ({
    events: await sql`select row_to_json(e)::text as row from ledger.event e`,
  }));
  expect(before.events).toHaveLength(12);
  await shop.ownerSql`create schema if not exists kept`;
  for (const table of ['event', 'checkpoint', 'command', 'order_summary']) {
    await shop.ownerSql.unsafe(`create table kept.${table} as table ledger.${table}`);
  }
  try {
    await shop.tamper(statement());
    expect(codesAt(await shop.verify())).toEqual(faults());
  } finally {
    await restore();
  }
});

async function restore(): Promise<void> {
  await shop.tamper(`
    alter table ledger.command disable trigger all;
    delete from ledger.event; delete from ledger.checkpoint; delete from ledger.command; delete from ledger.order_summary;
    insert into ledger.event overriding system value select * from kept.event;
    insert into ledger.checkpoint select * from kept.checkpoint;
    insert into ledger.command select * from kept.command;
    insert into ledger.order_summary select * from kept.order_summary`);
  await shop.ownerSql`drop schema kept cascade`;
}
