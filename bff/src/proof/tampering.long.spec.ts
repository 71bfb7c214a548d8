import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OrderId, parsePaymentId } from '@kilim/domain/order/ids';
import { cloneDatabase, postgresOfWorker } from '@kilim/lab/testing/postgres';
import { quietly } from '@kilim/lab/testing/quietly';
import { settled } from '@kilim/lab/testing/settled';
import { openShop, paid, paymentFor, quoted } from '@kilim/lab/testing/shop';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Sql } from '../core/database/database.ts';
import { appendToStream } from '../core/ledger/append.ts';
import { sha256 } from '../core/ledger/hash.ts';
import { compareProjections } from '../core/ledger/rebuild/compare.ts';
import { findOrderByPayment } from '../core/queries/find-order.ts';
import { authenticateAppends } from './authentic-event.ts';
import { readLastCheckpoint, seal } from './checkpoint.ts';
import { tellFault } from './cli/tell-fault.ts';
import { macKeyOf } from './event-mac.ts';
import { keepNote } from './kept-notes.ts';
import { prove } from './prove.ts';
import { readSigner, signNote, verifierOf } from './signed-note.ts';
import { ledgerSigner } from './signing-key.ts';

// An attacker with all rights changes a copy of a small ledger, whose notes were kept elsewhere. `verify` must name it,
// or `compare` when it is a projection.

const newKey = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const signer = ledgerSigner(newKey(), 'Test');
const notes = await mkdtemp(join(tmpdir(), 'kilim-notes-'));
afterAll(() => rm(notes, { recursive: true, force: true }));

const database = await cloneDatabase();
const macs = { keys: [macKeyOf(signer)], requiredFrom: new Date() };
authenticateAppends(database.appSql, macKeyOf(signer));
const shop = await openShop(database.appSql);

async function pay(): Promise<OrderId> {
  const body = await paid(shop, paymentFor(await quoted(shop)));
  const paymentId = parsePaymentId(body.paymentId);
  const found = paymentId === undefined ? undefined : await findOrderByPayment(database.appSql, paymentId);
  if (found === undefined) throw new Error('not paid');
  return found.stream.orderId;
}

async function sealAndKeep(): Promise<void> {
  await settled(database.appSql);
  await seal(database.appSql, signer);
  const last = await readLastCheckpoint(database.appSql);
  if (last !== undefined) await keepNote(notes, last, verifierOf(signer));
}

// Checkpoint 1 seals the first two orders, checkpoint 2 the third and a setting, checkpoint 3 the fourth. Nothing seals
// the fifth.
const one = await pay();
const two = await pay();
await sealAndKeep();
const three = await pay();
await appendToStream(database.appSql, {
  streamId: 'note',
  expectedVersion: 0,
  commandId: 'note:1',
  requestHash: sha256('note'),
  actor: 'admin:ada',
  requestId: undefined,
  occurredAt: new Date(),
  events: [{ type: 'Note', schemaVersion: 1, payload: '{"text":"a"}', amountCents: null, refundId: null }],
});
await sealAndKeep();
const four = await pay();
await sealAndKeep();
const five = await pay();
await shop.close();
const template = decodeURIComponent(new URL(database.url).pathname.slice(1));

const admin = connect({ url: postgresOfWorker(), max: 1, applicationName: 'tampering spec' });
beforeAll(async () => {
  // A database with connections cannot be copied.
  await Promise.all([database.ownerSql.end(), database.appSql.end()]);
});
afterAll(async () => {
  await admin`drop database ${admin(template)} with (force)`;
  await admin.end();
});

type Told = { readonly verify: readonly string[]; readonly compare: () => Promise<readonly string[]> };

async function inCopy(work: (sql: Sql) => Promise<void>, look: (told: Told) => Promise<void>): Promise<void> {
  const name = `${template}_t`;
  await admin`create database ${admin(name)} template ${admin(template)} strategy file_copy`;
  const url = new URL(database.url);
  url.pathname = `/${name}`;
  const sql = connect({ url: url.href, max: 2, applicationName: 'tampering spec' });
  try {
    await work(sql);
    const verifiers = [verifierOf(signer)];
    const { faults } = await prove({
      sql,
      url: url.href,
      verifiers,
      against: notes,
      macs,
      onProgress: () => undefined,
    });
    const compare = async () => {
      const { differences } = await compareProjections(sql, () => undefined);
      return differences.map((difference) => JSON.stringify(difference));
    };
    await look({ verify: faults.map(tellFault), compare });
  } finally {
    await sql.end({ timeout: 1 });
    await admin`drop database ${admin(name)} with (force)`;
  }
}

/** As an attacker does who knows the rules. */
const rehash = (stream: string) => `
  do $$ declare e ledger.event; last bytea := decode(repeat('00', 32), 'hex'); begin
    for e in select * from ledger.event where stream_id = '${stream}' order by version loop
      e.previous_hash := last;
      update ledger.event set previous_hash = last, hash = ledger.event_hash(e)
        where stream_id = e.stream_id and version = e.version;
      last := ledger.event_hash(e);
    end loop;
  end $$;`;

const stream = (orderId: string) => `order-${orderId}`;
const captured = (orderId: string) => `stream_id = '${stream(orderId)}' and type = 'PaymentCaptured'`;
const halved = (orderId: string) => `
  update ledger.event set amount_cents = 37911, payload = replace(payload::text, '75822', '37911')::json
    where ${captured(orderId)};${rehash(stream(orderId))}`;
const withoutOrder = (orderId: string) => `
  delete from ledger.event where stream_id = '${stream(orderId)}';
  delete from ledger.command where stream_id = '${stream(orderId)}';
  delete from ledger.customer_contact where order_id = '${orderId}';
  delete from ledger.order_summary where order_id = '${orderId}';`;

const invented = stream('0199d5a0-7c00-7000-8000-0000000000ff');
/** Of the first order, under another id. */
const inventedOrder = `
  insert into ledger.event overriding system value
    select (jsonb_populate_record(e, jsonb_build_object('stream_id', '${invented}', 'event_id', gen_random_uuid(),
      'command_id', 'invented ' || command_id, 'position', position + 1000000))).*
    from ledger.event e where stream_id = '${stream(one)}';
  insert into ledger.command
    select (jsonb_populate_record(c, jsonb_build_object('stream_id', '${invented}',
      'command_id', 'invented ' || command_id))).*
    from ledger.command c where stream_id = '${stream(one)}';${rehash(invented)}`;

/** At the end of the fifth order, as `ledger.append_to_order` would append it. */
const forged = (type: string, payload: string, cents: number) => `
  insert into ledger.command (command_id, request_hash, stream_id, from_version, to_version)
    select 'forged', sha256('forged'), stream_id, max(version) + 1, max(version) + 1
    from ledger.event where stream_id = '${stream(five)}' group by stream_id;
  select ledger.write_events('${stream(five)}', (select from_version - 1 from ledger.command where command_id = 'forged'),
    'forged', 'reconciliation', null, now(), '${type}', '{1}', '', '{${cents}}', '${payload}');`;

const kept = (sequence: number) => new RegExp(`^Checkpoint ${sequence}: .*kept copy`);
const eventOf = (orderId: string, what: string) => new RegExp(`^order-${orderId}, versions? \\d.*: .*${what}`);
const rangeOf = (sequence: number) => new RegExp(`^Checkpoint ${sequence}: it sealed \\d+ events, but`);

describe('verify names', () => {
  test('nothing in a ledger that was not touched', async () => {
    await inCopy(
      () => Promise.resolve(),
      async ({ verify, compare }) => expect([verify, await compare()]).toEqual([[], []]),
    );
  });

  test.each<[string, string, RegExp]>([
    [
      '1, A: an amount in payload and column',
      `update ledger.event set amount_cents = 1, payload = replace(payload::text, '75822', '1')::json where ${captured(one)}`,
      eventOf(one, 'hash differs'),
    ],
    [
      '2: an amount in the column alone',
      `update ledger.event set amount_cents = 1 where ${captured(one)}`,
      eventOf(one, 'hash differs'),
    ],
    [
      '2b: an amount in the column, with new hashes',
      `update ledger.event set amount_cents = 1 where ${captured(one)};${rehash(stream(one))}`,
      eventOf(one, 'differs from the payload'),
    ],
    [
      '3: an event moved to another month',
      `update ledger.event set occurred_at = occurred_at - interval '31 days' where ${captured(one)}`,
      eventOf(one, 'hash differs'),
    ],
    [
      '4: another actor',
      `update ledger.event set actor = 'admin:eve' where ${captured(one)}`,
      eventOf(one, 'hash differs'),
    ],
    [
      '5: an event removed from the middle',
      `delete from ledger.event where stream_id = '${stream(two)}' and version = 2`,
      eventOf(two, 'missing'),
    ],
    [
      '6: an event removed, with its command, versions and hashes adapted',
      `delete from ledger.event where stream_id = '${stream(two)}' and version = 3; update ledger.event set version = 3 where stream_id = '${stream(two)}' and version = 4;${rehash(stream(two))}`,
      rangeOf(1),
    ],
    [
      '8: the ids of two streams exchanged, with new hashes',
      `update ledger.event set stream_id = 'x' where stream_id = '${stream(one)}'; update ledger.event set stream_id = '${stream(one)}' where stream_id = '${stream(two)}'; update ledger.event set stream_id = '${stream(two)}' where stream_id = 'x';${rehash(stream(one))}${rehash(stream(two))}`,
      rangeOf(1),
    ],
    ['9, B: a stream rewritten with new hashes', halved(one), rangeOf(1)],
    ['10: an order removed with all rows about it', withoutOrder(three), rangeOf(2)],
    [
      '11: a checkpoint removed from the middle',
      'delete from ledger.checkpoint where sequence = 2',
      /^Checkpoint 2: it is missing\.$/,
    ],
    ['12: the last checkpoint removed', 'delete from ledger.checkpoint where sequence = 3', kept(3)],
    [
      '13: a root altered',
      `update ledger.checkpoint set root = sha256('x') where sequence = 2`,
      /^Checkpoint 2: its signature/,
    ],
    ['14, K: all checkpoints removed', 'delete from ledger.checkpoint', kept(1)],
    [
      'the payload of an event without money, as 17, 18, 21 and 23',
      `update ledger.event set payload = '{"text":"b"}' where stream_id = 'note'`,
      /^note, version 1: .*hash differs/,
    ],
    [
      '40: a schema version',
      `update ledger.event set schema_version = 2 where stream_id = 'note'`,
      /^note, version 1: .*hash differs/,
    ],
    [
      '20, L: a contact changed',
      `update ledger.customer_contact set email = 'eve@example.com' where order_id = '${one}'`,
      new RegExp(`^order-${one}: the contact was changed`),
    ],
    [
      '20b: the salt of a contact',
      `update ledger.customer_contact set salt = '\\x00112233445566778899aabbccddeeff' where order_id = '${one}'`,
      new RegExp(`^order-${one}: the contact was changed`),
    ],
    [
      '22: a contact removed without an erasure',
      `delete from ledger.customer_contact where order_id = '${four}'`,
      new RegExp(`^order-${four}: the contact is missing`),
    ],
    [
      'a whole stream that has no row, as 24',
      `delete from ledger.event where stream_id = 'note'; delete from ledger.command where stream_id = 'note'`,
      rangeOf(2),
    ],
    [
      '25: all positions raised',
      `alter table ledger.event alter position set generated by default;
      update ledger.event set position = position + 100000;
      alter table ledger.event alter position set generated always`,
      /^Checkpoint 1: positions/,
    ],
    [
      '26: the transaction of an event, within its checkpoint',
      `update ledger.event set xid = (select min(xid) from ledger.event) where stream_id = '${stream(one)}'`,
      /^Checkpoint 1: positions/,
    ],
    [
      '37: an event moved over a horizon',
      `update ledger.event set xid = (select max(xid) from ledger.event where stream_id = '${stream(four)}') where ${captured(one)}`,
      rangeOf(1),
    ],
    [
      '39: the epoch of the tail raised',
      `update ledger.event set epoch = 2 where stream_id = '${stream(four)}'`,
      rangeOf(3),
    ],
    [
      '38: the request hash of a command',
      `update ledger.command set request_hash = sha256('x') where stream_id = 'note'`,
      /^Checkpoint 2: .*request hashes/,
    ],
    [
      'C: an order deleted after the last note, not its row',
      `delete from ledger.event where stream_id = '${stream(five)}' and version > 1`,
      eventOf(five, 'not all events'),
    ],
    [
      'D2: an order altered after the last note',
      `update ledger.event set amount_cents = 1 where ${captured(five)}`,
      eventOf(five, 'hash differs'),
    ],
    [
      'an unsealed event dated back by 31 days, with new hashes',
      `update ledger.event set occurred_at = occurred_at - interval '31 days' where stream_id = '${stream(five)}';${rehash(stream(five))}`,
      eventOf(five, 'cannot both be true'),
    ],
    [
      'an unsealed event dated back with its recording, with new hashes',
      `update ledger.event set occurred_at = occurred_at - interval '31 days', recorded_at = recorded_at - interval '31 days' where stream_id = '${stream(five)}';${rehash(stream(five))}`,
      eventOf(five, 'recorded before'),
    ],
    [
      'E: the database as it was at the first checkpoint',
      `${withoutOrder(three)}${withoutOrder(four)}${withoutOrder(five)} delete from ledger.event where stream_id = 'note'; delete from ledger.command where stream_id = 'note'; delete from ledger.checkpoint where sequence > 1`,
      kept(2),
    ],
  ])('%s', async (_what, statements, expected) => {
    await inCopy(
      (sql) => quietly(sql, statements),
      ({ verify }) => Promise.resolve(expect(verify).toContainEqual(expect.stringMatching(expected))),
    );
  });

  test.each<[string, string, RegExp]>([
    [
      '27: the triggers of the events dropped',
      'drop trigger event_is_append_only on ledger.event',
      /^The table ledger\.event is not .*event_is_append_only/,
    ],
    [
      '27b: a trigger disabled',
      'alter table ledger.event disable trigger event_is_append_only',
      /^The table ledger\.event is not/,
    ],
    [
      '28: an append function replaced',
      `do $$ begin execute replace(pg_get_functiondef((select min(oid) from pg_proc where proname = 'event_hash')), 'kilim-event-1', 'kilim-event-2'); end $$`,
      /^The function ledger\.event_hash is not/,
    ],
    [
      '29: more rights for the application',
      'grant insert, update, delete on ledger.event to kilim_server',
      /^The table ledger\.event is not .*kilim_server/,
    ],
    [
      'a check dropped',
      `do $$ begin execute 'alter table ledger.order_summary drop constraint ' || (select conname from pg_constraint where conrelid = 'ledger.order_summary'::regclass and contype = 'c' limit 1); end $$`,
      /^The table ledger\.order_summary is not/,
    ],
  ])('%s', async (_what, statement, expected) => {
    await inCopy(
      async (sql) => void (await sql.unsafe(statement)),
      ({ verify }) => Promise.resolve(expect(verify).toContainEqual(expect.stringMatching(expected))),
    );
  });

  const sealAgain = async (sql: Sql, from: number, statements: string) => {
    await quietly(sql, `${statements}; delete from ledger.checkpoint where sequence >= ${from}`);
    await settled(sql);
    expect(await seal(sql, signer)).toMatchObject({ sequence: from });
  };

  test.each<[string, number, string]>([
    ['30, K2: an order rewritten, and everything sealed again with the right key', 1, halved(one)],
    ['30b: an order removed, and everything sealed again', 1, withoutOrder(one)],
    ['31, K3: an order rewritten, and sealed again from its checkpoint on', 2, halved(three)],
    ['K4: an order that did not happen, in the past', 1, inventedOrder],
    ['32: an old backup, and its end sealed again', 3, withoutOrder(four)],
    ['F2: rewritten and signed again with the stolen key', 1, halved(two)],
  ])('%s', async (_what, from, statements) => {
    await inCopy(
      (sql) => sealAgain(sql, from, statements),
      ({ verify }) => Promise.resolve(expect(verify).toContainEqual(expect.stringMatching(kept(from)))),
    );
  });

  test('G, H: checkpoints signed again with another key', async () => {
    const other = readSigner('kilim/ledger', newKey());
    await inCopy(
      async (sql) => {
        const last = await readLastCheckpoint(sql);
        const text = `${last?.note.split('\n\n')[0] ?? ''}\n`;
        await quietly(sql, `update ledger.checkpoint set note = '${signNote(text, other)}' where sequence = 3`);
      },
      ({ verify }) => Promise.resolve(expect(verify).toContain('Checkpoint 3: its signature does not match this key.')),
    );
  });

  test('I: a checkpoint that a server did not make', async () => {
    await inCopy(
      (sql) =>
        quietly(
          sql,
          `insert into ledger.checkpoint (sequence, from_epoch, from_xid, epoch, xid, events, root, note)
           values (4, 32000, '0', 32000, '9', 1, sha256('x'), 'junk')`,
        ),
      ({ verify }) => Promise.resolve(expect(verify).toContain('Checkpoint 4: its signature does not match this key.')),
    );
  });

  // After the last note, with a right chain and a command: only the MACs show that the key was missing.
  test.each<[string, string, RegExp]>([
    [
      '7: a forged fee after the last note',
      forged('ProcessingFeeRecorded', '{"fee":50000}', 50_000),
      eventOf(five, 'the event has no MAC'),
    ],
    [
      '7b: a forged dispute after the last note',
      forged('DisputeOpened', '{"amount":70000,"disputeId":"forged"}', 70_000),
      eventOf(five, 'the event has no MAC'),
    ],
    [
      '7b: a forged external refund after the last note, with the MAC of another event',
      `${forged('ExternalRefundRecorded', '{"amount":70000,"squareRefundId":"forged"}', 70_000)}
      update ledger.command set stamp = (
        select stamp from ledger.command where to_version = from_version and stamp is not null limit 1
      ) where command_id = 'forged'`,
      eventOf(five, 'its MAC differs'),
    ],
    ['D2: an order altered after the last note, with new hashes', halved(five), eventOf(five, 'its MAC differs')],
    [
      'MACs of two events exchanged',
      `update ledger.command set stamp = substr(stamp, 1, 4) || substr(stamp, 37, 32) || substr(stamp, 5, 32)
        where command_id = (select command_id from ledger.event where stream_id = '${stream(five)}' and version = 1)`,
      eventOf(five, 'its MAC differs'),
    ],
    [
      'a MAC under the id of another key',
      `update ledger.command set stamp = '\\x00000000'::bytea || substr(stamp, 5)
        where command_id = (select command_id from ledger.event where stream_id = '${stream(five)}' and version = 1)`,
      eventOf(five, 'another key'),
    ],
    [
      'all MACs removed',
      'update ledger.command set stamp = null',
      /^Checkpoint 1: \d+ of its events had a MAC, but now 0/,
    ],
  ])('%s', async (_what, statements, expected) => {
    await inCopy(
      (sql) => quietly(sql, statements),
      ({ verify }) => Promise.resolve(expect(verify).toContainEqual(expect.stringMatching(expected))),
    );
  });
});

describe('compare names', () => {
  test.each<[string, string, RegExp]>([
    [
      '15, J: the row of an order',
      `update ledger.order_summary set captured_cents = 75821 where order_id = '${one}'`,
      new RegExp(one),
    ],
    [
      '15b: the row of an order that is gone',
      `delete from ledger.order_summary where order_id = '${one}'`,
      new RegExp(one),
    ],
  ])('%s', async (_what, statements, expected) => {
    await inCopy(
      (sql) => quietly(sql, statements),
      async ({ compare }) => expect(await compare()).toContainEqual(expect.stringMatching(expected)),
    );
  });
});
