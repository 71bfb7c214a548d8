import { generateKeyPairSync } from 'node:crypto';
import { cents, noCents } from '@kilim/domain/money';
import type { OrderEvent, PaymentCaptured, RefundRequested } from '@kilim/domain/order/events';
import type { IdempotencyKey, OrderId, PaymentId, RefundId } from '@kilim/domain/order/ids';
import { builtInRefundLimits } from '@kilim/domain/people/refund-limits';
import { builtInSettingsFor } from '@kilim/domain/settings/settings';
import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paidOrder } from '@kilim/lab/testing/shop';
import { settleNow } from '@kilim/lab/testing/work-now';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AttentionAnswer } from '../../contract/attention.ts';
import type { AdminSettingsAnswer } from '../../contract/settings.ts';
import { lastSeconds } from '../core/background/background-work.ts';
import { reconcile } from '../core/background/reconcile.ts';
import { connect, type Sql } from '../core/database/database.ts';
import { append, appendToStream, type NewEffect } from '../core/ledger/append.ts';
import { orderCodec } from '../core/ledger/codecs/order.ts';
import { settingsCodec, settingsStream } from '../core/ledger/codecs/settings.ts';
import { sha256 } from '../core/ledger/hash.ts';
import { eventsOf, readOrder } from '../core/ledger/read.ts';
import { readLastSettings } from '../core/queries/saved-settings.ts';
import { refundEffect } from '../core/use-case/drive-refund.ts';
import { readRefundLimits } from '../people/queries/refund-limits.ts';
import { authenticateAppends } from './authentic-event.ts';
import { macKeyOf } from './event-mac.ts';

// The attacker sends SQL with a server's rights, has no key of the server, and wants money to leave.

const { appSql, ownerSql, url } = await testDatabase();
const newKey = () => macKeyOf({ name: 'kilim/ledger', privateKey: generateKeyPairSync('ed25519').privateKey });
authenticateAppends(appSql, newKey());
const shop = await openShop(appSql);
const opened: Sql[] = [];
const open = (applicationName: string) => {
  const sql = connect({ url, role: 'kilim_server', max: 1, applicationName });
  opened.push(sql);
  return sql;
};
const attacker = open('kilim attacker');
afterAll(async () => {
  await shop.close();
  await Promise.all(opened.map((sql) => sql.end({ timeout: 1 })));
});

const owner = openBrowser(shop);
beforeAll(async () => {
  await makeAdministrator(appSql);
  await owner.signIn();
});
beforeEach(async () => {
  await shop.square.clearFaults();
  await shop.square.change({ refundSettlesAfterMs: 0 });
});

async function items(): Promise<AttentionAnswer['items']> {
  return ((await (await owner.get('/api/admin/attention')).json()) as AttentionAnswer).items;
}

const settle = (world = shop.world) => settleNow(world, ownerSql);
const refundedAt = async (squareId: string) =>
  (await shop.square.payment(squareId)).refunds.map(({ refund }) => refund.amount_money.amount);

async function refund(orderId: OrderId, amount = 80): Promise<string> {
  const [row] = await ownerSql<{ id: string }[]>`
    select payment_id as id from ledger.order_summary where order_id = ${orderId}::uuid`;
  const request = { amount, reason: 'Goodwill', refundType: 'partial', idempotencyKey: crypto.randomUUID() };
  const answer = await owner.post('/api/admin/refund', { paymentId: row?.id, ...request });
  expect(answer.status).toBe(201);
  return request.idempotencyKey;
}

async function statusOf(refundId: string): Promise<string | undefined> {
  const [row] = await ownerSql<{ status: string }[]>`
    select status from ledger.refund_history where refund_id = ${refundId}`;
  return row?.status;
}

type Forged = {
  readonly sql?: Sql;
  readonly events: readonly [OrderEvent, ...OrderEvent[]];
  readonly opens?: NewEffect;
};

/** As `ledger.append_to_order` lets any member of `kilim_server`. */
async function forge(orderId: OrderId, { sql = attacker, events, opens }: Forged) {
  const stream = await readOrder(sql, orderId);
  const commandId = `forged:${crypto.randomUUID()}`;
  const appended = await append(sql, stream, {
    ...{ commandId, requestHash: sha256(commandId), actor: 'admin:ada', requestId: undefined, events },
    occurredAt: new Date(),
    ...(opens === undefined ? {} : { openEffects: [opens] }),
  });
  expect(appended.outcome).toBe('appended');
}

function capturedIn(events: readonly OrderEvent[]): PaymentCaptured {
  const captured = events.find((event) => event.type === 'PaymentCaptured');
  if (captured === undefined) throw new Error('The order is not paid');
  return captured;
}

const noSplit = { services: noCents, addOns: noCents, delivery: noCents, deliveryMinimum: noCents, salesTax: noCents };

async function refundRequested(orderId: OrderId): Promise<RefundRequested> {
  const { paymentId } = capturedIn(eventsOf(await readOrder(appSql, orderId)));
  const amount = cents(12_300);
  return {
    ...{ type: 'RefundRequested', refundId: crypto.randomUUID() as RefundId, paymentId, refundType: 'partial', amount },
    ...{ reason: 'Goodwill', items: [], charges: [], deliveryMinimum: noCents, requestedBy: 'ada' },
    ...{ allocation: { rugs: [], deliveryMinimum: noCents }, split: { ...noSplit, services: amount } },
  };
}

async function forgedRefund(orderId: OrderId, sql: Sql = attacker): Promise<RefundId> {
  const event = await refundRequested(orderId);
  await forge(orderId, { sql, events: [event], opens: refundEffect(event.paymentId, event.refundId) });
  return event.refundId;
}

describe('a refund that no server requested', () => {
  test('is not sent to Square, a person hears of it, and other refunds are made', async () => {
    const { orderId, squareId } = await paidOrder(shop);
    const other = await paidOrder(shop);
    const refundId = await forgedRefund(orderId);
    shop.simulator.setFault({ kind: 'drop-before', path: '/v2/refunds', times: 2 });
    const genuine = await refund(other.orderId);
    await shop.square.clearFaults();
    await settle();
    expect(await refundedAt(squareId)).toEqual([]);
    expect([await statusOf(genuine), await refundedAt(other.squareId)]).toEqual(['completed', [8000]]);
    const about = { kind: 'refund-unproven', id: `${refundId}:refund`, orderId, amount: 123 };
    expect(await items()).toEqual([expect.objectContaining(about)]);
    expect(shop.logged.filter((line) => line.includes('it is not sent to Square'))).toEqual([
      expect.stringContaining('"level":"error"'),
    ]);

    // A genuine refund is made, too, and the forged one ends when a person asks.
    await refund(orderId);
    expect(await refundedAt(squareId)).toEqual([8000]);
    const ended = await owner.post('/api/admin/attention/retry', { id: about.id });
    expect(await ended.json()).toEqual({ status: 'settled' });
    expect([await statusOf(refundId), await refundedAt(squareId)]).toEqual(['failed', [8000]]);
    expect((await items()).map(({ kind }) => kind)).not.toContain('refund-unproven');
  });

  test('is not sent with a MAC of the attacker, nor with the MACs of a genuine refund', async () => {
    const [first, second] = [await paidOrder(shop), await paidOrder(shop)];
    const rival = open('kilim attacker');
    authenticateAppends(rival, newKey());
    await forgedRefund(first.orderId, rival);
    const genuine = await refund(second.orderId);
    const forged = await forgedRefund(second.orderId);
    await ownerSql.begin(async (transaction) => {
      // The attacker passes them to the append; the test stores them afterwards.
      await transaction`alter table ledger.command disable trigger all`;
      await transaction`
        update ledger.command set (stamp, request_hash) = (
          select stamp, request_hash from ledger.command where command_id = ${`refund:${genuine}`})
        where command_id = (select command_id from ledger.event where refund_id = ${forged})`;
      await transaction`alter table ledger.command enable trigger all`;
    });
    await settle();
    expect([await refundedAt(first.squareId), await refundedAt(second.squareId)]).toEqual([[], [8000]]);
  });

  test('does not lead a genuine one to another payment', async () => {
    const [victim, own] = [await paidOrder(shop), await paidOrder(shop)];
    shop.simulator.setFault({ kind: 'drop-before', path: '/v2/refunds', times: 2 });
    await refund(victim.orderId);
    await shop.square.clearFaults();
    const captured = capturedIn(eventsOf(await readOrder(appSql, victim.orderId)));
    const card = { cardBrand: 'VISA', cardLastFour: '1111' };
    await forge(victim.orderId, {
      events: [
        { type: 'PaymentAuthorized', paymentId: captured.paymentId, squarePaymentId: own.squareId, ...card },
        captured,
      ],
    });
    await settle();
    expect([await refundedAt(victim.squareId), await refundedAt(own.squareId)]).toEqual([[8000], []]);
  });

  test('does not send a genuine one again that has failed', async () => {
    const { orderId, squareId } = await paidOrder(shop);
    const refusal = { status: 400, category: 'REFUND_ERROR', code: 'REFUND_DECLINED' } as const;
    shop.simulator.setFault({ kind: 'status', path: '/v2/refunds', ...refusal });
    const failed = await refund(orderId);
    await shop.square.clearFaults();
    expect(await statusOf(failed)).toBe('failed');
    const event = eventsOf(await readOrder(appSql, orderId)).find(({ type }) => type === 'RefundRequested');
    if (event?.type !== 'RefundRequested') throw new Error('Nothing was requested');
    const opens = { ...refundEffect(event.paymentId, event.refundId), key: 'forged:refund' };
    await forge(orderId, { events: [event], opens });
    await settle();
    expect([await statusOf(failed), await refundedAt(squareId)]).toEqual(['pending', []]);
  });

  test('does not become one by an effect that names nothing, which stops no other', async () => {
    const { orderId, squareId } = await paidOrder(shop);
    const other = await paidOrder(shop);
    const event = await refundRequested(orderId);
    await forge(orderId, { events: [event], opens: refundEffect('no payment' as PaymentId, event.refundId) });
    shop.simulator.setFault({ kind: 'drop-before', path: '/v2/refunds', times: 2 });
    const genuine = await refund(other.orderId);
    await shop.square.clearFaults();
    await settle();
    expect([await statusOf(genuine), await refundedAt(squareId)]).toEqual(['completed', []]);
  });
});

describe('after a change of the signing key', () => {
  test('an unsent refund waits for a person, and one that Square has goes on', async () => {
    const orders = await Promise.all([paidOrder(shop), paidOrder(shop), paidOrder(shop)]);
    const [unsent, answered, submitted] = orders;
    shop.simulator.setFault({ kind: 'drop-before', path: '/v2/refunds', times: 2 });
    const unsentId = await refund(unsent.orderId);
    await shop.square.clearFaults();
    shop.simulator.setFault({ kind: 'drop-after', path: '/v2/refunds', times: 2 });
    const answeredId = await refund(answered.orderId);
    await shop.square.clearFaults();
    await shop.square.change({ refundSettlesAfterMs: 1 });
    const submittedId = await refund(submitted.orderId);

    const renewed = open('kilim renewed');
    authenticateAppends(renewed, newKey());
    const world = { ...shop.world, sql: renewed };
    await expect.poll(async () => ((await settle(world)) === 0 ? 0 : 1)).toBe(0);
    expect([await statusOf(unsentId), await statusOf(answeredId), await statusOf(submittedId)]).toEqual([
      'pending',
      'completed',
      'completed',
    ]);
    expect(await refundedAt(unsent.squareId)).toEqual([]);
    expect(await items()).toContainEqual(
      expect.objectContaining({ kind: 'refund-unproven', id: `${unsentId}:refund` }),
    );
  });
});

describe('a payment that an order does not need', () => {
  test('is not returned when an event of the order is not of a server', async () => {
    const { orderId, squareId } = await paidOrder(shop);
    const events = eventsOf(await readOrder(appSql, orderId));
    const { paymentId, amount, capturedAt } = capturedIn(events);
    const begun = { paymentId: 'f'.repeat(32) as PaymentId, amount };
    const card = { squarePaymentId: 'elsewhere', cardBrand: 'VISA', cardLastFour: '1111' };
    await forge(orderId, {
      events: [
        { type: 'PaymentStarted', ...begun, idempotencyKey: crypto.randomUUID() as IdempotencyKey },
        { type: 'PaymentAuthorized', paymentId: begun.paymentId, ...card },
        { type: 'PaymentCaptured', ...begun, capturedAt },
        { type: 'PaymentVoided', paymentId, reason: 'HoldReleased' },
      ],
    });
    const answer = await reconcile(shop.world, lastSeconds(new Date(), 3600));
    expect(answer).toMatchObject({
      kind: 'reconciled',
      report: { differences: expect.arrayContaining([expect.objectContaining({ code: 'UnprovenOrphan', squareId })]) },
    });
    expect(await refundedAt(squareId)).toEqual([]);
    expect(eventsOf(await readOrder(appSql, orderId)).at(-1)?.type).toBe('PaymentVoided');
  });

  test('and of which no server recorded that it has no order, is not refunded by a person either', async () => {
    const { squareId } = await paidOrder(shop);
    const event = { type: 'OrphanPaymentFound', squarePaymentId: squareId, amount: cents(75_822) } as const;
    const commandId = `orphan:${squareId}`;
    await appendToStream(attacker, {
      ...{ streamId: `orphan-${squareId}`, expectedVersion: 0, commandId, requestHash: sha256(commandId) },
      ...{ actor: 'reconciliation', requestId: undefined, occurredAt: new Date() },
      events: [orderCodec.encode({ ...event, takenAt: new Date().toISOString() })],
    });
    const asked = await owner.post('/api/admin/books/differences/refund', { squareId, reason: 'TestPayment' });
    expect([asked.status, await asked.json()]).toMatchObject([409, { code: 'UnprovenOrphan' }]);
    expect(await refundedAt(squareId)).toEqual([]);
  });
});

describe('limits that no server recorded', () => {
  const { settings: builtIn } = builtInSettingsFor({ name: '', phone: '', bookingUrl: '', dropOffSites: [] });
  const forgeClerkLimit = async (amount: number) => {
    const version = (await readLastSettings(attacker))?.version ?? 0;
    const clerk = { perRefund: cents(amount), perPersonAndDay: cents(amount), perShopAndDay: cents(amount) };
    const settings = { ...builtIn, refundLimits: { ...builtInRefundLimits, clerk } };
    const commandId = `forged:${crypto.randomUUID()}`;
    await appendToStream(attacker, {
      ...{ streamId: settingsStream, expectedVersion: version, commandId, requestHash: sha256(commandId) },
      ...{ actor: 'admin:ada', requestId: undefined, occurredAt: new Date() },
      events: [settingsCodec.encode({ type: 'SettingsChanged', version: version + 1, settings, by: 'ada' })],
    });
  };
  const clerkLimit = async () => (await readRefundLimits(appSql)).clerk.perRefund;
  const isTold = async () => (await items()).some((item) => item.kind === 'limits-unproven');
  const shown = async () => (await (await owner.get('/api/admin/settings')).json()) as AdminSettingsAnswer;
  const save = async (fields: object) => {
    const { version } = await shown();
    return await owner.post('/api/admin/settings', { ...fields, version });
  };

  test('allow no more than the built-in ones, until an owner saves them again', async () => {
    await forgeClerkLimit(90_000_000);
    expect([await clerkLimit(), await isTold()]).toEqual([50_000, true]);
    const { refundLimits } = await shown();
    expect(refundLimits.clerk.perRefund).toBe(500);
    expect((await save({ refundLimits })).status).toBe(200);
    expect([await isTold(), await clerkLimit()]).toEqual([false, 50_000]);
  });

  test('allow no more than the last ones of an owner', async () => {
    const { refundLimits } = await shown();
    const clerk = { perRefund: 20, perPersonAndDay: 30, perShopAndDay: 40 };
    expect((await save({ refundLimits: { ...refundLimits, clerk } })).status).toBe(200);
    await forgeClerkLimit(50_000);
    expect([await clerkLimit(), await isTold()]).toEqual([2000, true]);
  });

  test('are not proven by a save of other fields, which has to wait', async () => {
    await forgeClerkLimit(90_000_000);
    const refused = await save({ terms: 'Be kind.' });
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { fields: { refundLimits: expect.stringMatching(/^None of our servers wrote the last limits/) } },
    ]);
    expect([await clerkLimit(), await isTold()]).toEqual([2000, true]);
    const { refundLimits } = await shown();
    expect((await save({ refundLimits, terms: 'Be kind.' })).status).toBe(200);
    expect([await clerkLimit(), await isTold()]).toEqual([2000, false]);
  });
});
