import { cents } from '@kilim/domain/money';
import { type PaymentId, parsePaymentId, type RefundId } from '@kilim/domain/order/ids';
import { isHostile, onlyOurs } from '@kilim/lab/testing/only-ours';
import { cloneDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted, type Shop, simulatorIdentity } from '@kilim/lab/testing/shop';
import { violations } from '@kilim/lab/testing/violations';
import { v7 } from 'uuid';
import { beforeEach, describe, expect, test } from 'vitest';
import { compareBooks } from '../../accounting/queries/compare-books.ts';
import type { Sql } from '../database/database.ts';
import { sha256 } from '../ledger/hash.ts';
import { compareProjections } from '../ledger/rebuild/compare.ts';
import { findOrderByPayment } from '../queries/find-order.ts';
import { requestRefund } from '../use-case/request-refund.ts';
import { allJobs, lastSeconds } from './background-work.ts';
import type { Fail } from './job.ts';
import { reconcile } from './reconcile.ts';

// Reconciliation compares everything, so each test has its own ledger and Square.
let appSql: Sql;
let ownerSql: Sql;
let shop: Shop;
let begin: Date;
beforeEach(async () => {
  begin = new Date();
  const database = await cloneDatabase();
  ({ appSql, ownerSql } = database);
  shop = await openShop(appSql);
  return async () => {
    await shop.close();
    await database.drop();
  };
});

async function paidOrder(): Promise<PaymentId> {
  const body = await paid(shop, paymentFor(await quoted(shop)));
  const paymentId = parsePaymentId(body.paymentId);
  if (paymentId === undefined) throw new Error(`Not paid: ${JSON.stringify(body)}`);
  return paymentId;
}

/** This file asks Square for much that the ledger never intended. */
async function brokenInvariants() {
  return (await violations(ownerSql, shop.square)).filter((broken) => !broken.includes('never intended'));
}

const sinceBegin = () => ({ ...lastSeconds(new Date(), 0), from: begin.toISOString() });

async function reconciled() {
  const answer = await reconcile(shop.world, sinceBegin());
  if (answer.kind !== 'reconciled') throw new Error(answer.detail);
  return onlyOurs(answer.report);
}

async function orderOf(paymentId: PaymentId) {
  const found = await findOrderByPayment(appSql, paymentId);
  if (found === undefined) throw new Error('no order');
  return { ...found.summary, types: found.stream.events.map(({ event }) => event.type) };
}

/** In the dashboard, or by another program. */
async function atSquare(path: string, body: object): Promise<Record<string, { id: string }>> {
  const answer = await fetch(`${shop.simulator.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulatorIdentity.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ idempotency_key: crypto.randomUUID(), ...body }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, { id: string }>;
}

const dollars = (amount: number) => ({ amount, currency: 'USD' });
const holdBy = (reference: string | undefined, more: object = {}) =>
  atSquare('/v2/payments', {
    source_id: 'cnon:card-nonce-ok',
    amount_money: dollars(75_822),
    autocomplete: false,
    ...(reference === undefined ? {} : { reference_id: reference }),
    ...more,
  });

test("a paid order agrees, and Square's fee is recorded once", async () => {
  const paymentId = await paidOrder();
  expect(await reconciled()).toMatchObject({
    payments: 1,
    refunds: 0,
    recorded: { ProcessingFeeAssessed: 1 },
    differences: [],
  });
  // 2.9 % of 758.22 and 30 cents.
  expect(await orderOf(paymentId)).toMatchObject({ fees: 2229 });
  expect(await reconciled()).toMatchObject({ payments: 1, recorded: {}, differences: [] });
});

describe('a change at Square that this server did not ask for', () => {
  test('a refund from the dashboard is recorded once, and its amount is no longer refundable', async () => {
    const paymentId = await paidOrder();
    const { squarePaymentId } = await orderOf(paymentId);
    await shop.square.change({ refundSettlesAfterMs: 0 });
    await atSquare('/v2/refunds', { payment_id: squarePaymentId, amount_money: dollars(5000), reason: 'By hand' });
    expect(await reconciled()).toMatchObject({ refunds: 1, recorded: { ExternalRefundRecorded: 1 }, differences: [] });
    expect(await orderOf(paymentId)).toMatchObject({ refunded: 5000 });
    expect(await reconciled()).toMatchObject({ recorded: {}, differences: [] });
    const refundId = crypto.randomUUID() as RefundId;
    const tooMuch = {
      paymentId,
      refundId,
      requestHash: sha256(refundId),
      refundType: 'partial',
      amount: cents(75_822),
      reason: 'All of it',
      notes: undefined,
      items: [],
      deliveryMinimum: cents(0),
      requestedBy: 'admin',
      role: 'owner',
      timeZone: 'America/Los_Angeles',
      requestId: undefined,
    } as const;
    expect(await requestRefund(shop.world, tooMuch)).toMatchObject({
      rejection: { code: 'ExceedsRefundable', refundable: 70_822 },
    });
    // Square's id stands beside ours in the list of refunds.
    const [atDashboard] = await ownerSql<{ id: RefundId }[]>`
      select refund_id as id from ledger.refund_history where origin = 'square-dashboard'`;
    if (atDashboard === undefined) throw new Error('The refund is not listed');
    const ofSameId = { ...tooMuch, refundId: atDashboard.id, amount: cents(1) };
    expect(await requestRefund(shop.world, ofSameId)).toMatchObject({ rejection: { code: 'KeyReused' } });
  });

  test('a pending refund from the dashboard is reported, and recorded when it is completed', async () => {
    const paymentId = await paidOrder();
    const { squarePaymentId, orderId } = await orderOf(paymentId);
    await shop.square.change({ refundSettlesAfterMs: 1e9 });
    const { refund } = await atSquare('/v2/refunds', { payment_id: squarePaymentId, amount_money: dollars(5000) });
    expect((await reconciled()).differences).toMatchObject([
      { code: 'ExternalRefundPending', squareId: refund?.id, orderId },
    ]);
    expect(await orderOf(paymentId)).toMatchObject({ refunded: 0 });
    await shop.square.settleRefund(refund?.id ?? '', 'COMPLETED');
    expect(await reconciled()).toMatchObject({ recorded: { ExternalRefundRecorded: 1 }, differences: [] });
  });

  test('a hold for an order without an open attempt is cancelled', async () => {
    const { orderId } = await orderOf(await paidOrder());
    await holdBy(orderId);
    expect(await reconciled()).toMatchObject({ released: 1, differences: [] });
    const ofOrder = (await shop.square.payments()).filter(({ payment }) => payment.reference_id === orderId);
    expect(ofOrder.map(({ payment }) => payment.status).toSorted()).toEqual(['CANCELED', 'COMPLETED']);
  });

  test('a second charge of an order is found and returned once, and the receipt shows it', async () => {
    await shop.square.change({ refundSettlesAfterMs: 0 });
    const paymentId = await paidOrder();
    const { orderId } = await orderOf(paymentId);
    const { payment } = await holdBy(orderId, { autocomplete: true });
    const recorded = { OrphanPaymentFound: 1, OrphanPaymentReturned: 1 };
    expect(await reconciled()).toMatchObject({ recorded, differences: [] });
    expect(await reconciled()).toMatchObject({ recorded: {}, differences: [] });
    expect(await orderOf(paymentId)).toMatchObject({ captured: 75_822, refunded: 0 });
    const { refunds } = await shop.square.payment(payment?.id ?? '');
    expect(refunds.map(({ refund }) => refund.amount_money.amount)).toEqual([75_822]);
    const receipt = await (await shop.get(`/api/orders/payment/${paymentId}`)).json();
    expect(receipt).toMatchObject({ refunds: [{ amount: 758.22, status: 'completed', refundType: 'second-charge' }] });
  });

  test('a refund above the refundable amount is recorded whole, and reported each time', async () => {
    const paymentId = await paidOrder();
    const { squarePaymentId, orderId } = await orderOf(paymentId);
    await shop.square.change({ refundSettlesAfterMs: 0 });
    await atSquare('/v2/refunds', { payment_id: squarePaymentId, amount_money: dollars(70_000) });
    const squareId = await shop.square.forceRefund(squarePaymentId ?? '', 7_000);
    const first = await reconciled();
    expect(first.differences).toMatchObject([{ code: 'ExternalRefundExceeds', squareId, orderId }]);
    expect(first.totals).toMatchObject({ atSquare: { refunded: 77_000 }, inLedger: { refunded: 77_000 } });
    expect((await reconciled()).differences).toEqual(first.differences);
    const { types, ...summary } = await orderOf(paymentId);
    expect(summary).toMatchObject({ captured: 75_822, refunded: 75_822 });
    expect(types.filter((type) => type.startsWith('Ex'))).toEqual([
      'ExternalRefundRecorded',
      'ExternalRefundRecorded',
      'ExcessRefundFound',
    ]);
    const again = await shop.square.forceRefund(squarePaymentId ?? '', 100);
    expect((await reconciled()).differences).toContainEqual(
      expect.objectContaining({ code: 'ExternalRefundExceeds', squareId: again, orderId }),
    );
    expect(await brokenInvariants()).toEqual([]);
    expect((await compareProjections(ownerSql, () => undefined)).differences).toEqual([]);
    expect((await compareBooks(appSql, new Date())).differing).toBe(0);
  });

  test('a refund above the refundable amount waits until Square has decided on the own refund', async () => {
    const paymentId = await paidOrder();
    const { squarePaymentId, orderId } = await orderOf(paymentId);
    await shop.square.change({ refundSettlesAfterMs: 1e9 });
    const refundId = crypto.randomUUID() as RefundId;
    await requestRefund(shop.world, {
      paymentId,
      refundId,
      requestHash: sha256(refundId),
      refundType: 'full',
      amount: cents(75_822),
      reason: 'All of it',
      notes: undefined,
      items: [],
      deliveryMinimum: cents(0),
      requestedBy: 'admin',
      role: 'owner',
      timeZone: 'America/Los_Angeles',
      requestId: undefined,
    });
    const squareId = await shop.square.forceRefund(squarePaymentId ?? '', 1_000);
    expect(await reconciled()).toMatchObject({ differences: [], recorded: {}, inFlight: 1 });
    const [ours] = (await shop.square.refunds()).filter(({ idempotencyKey }) => idempotencyKey === refundId);
    await shop.square.settleRefund(ours?.refund.id ?? '', 'COMPLETED');
    // Compared in Square's order, so the dashboard's may come first.
    await reconciled();
    expect((await reconciled()).differences).toMatchObject([{ code: 'ExternalRefundExceeds', squareId, orderId }]);
    expect(await orderOf(paymentId)).toMatchObject({ captured: 75_822, refunded: 75_822, refundPending: 0 });
    expect(await brokenInvariants()).toEqual([]);
  });

  test('a payment for an unknown order is recorded once, in its own stream', async () => {
    const { payment } = await holdBy('somebody-elses-reference', { autocomplete: true });
    const difference = { code: 'OrphanPayment', squareId: payment?.id };
    expect((await reconciled()).differences).toMatchObject([difference]);
    expect((await reconciled()).differences).toMatchObject([difference]);
    expect(await ownerSql`select type from ledger.event where stream_id = ${`orphan-${payment?.id}`}`).toEqual([
      { type: 'OrphanPaymentFound' },
    ]);
  });

  test('a payment for an unknown order is no difference once an admin has returned all of it', async () => {
    await shop.square.change({ refundSettlesAfterMs: 0 });
    const { payment } = await holdBy('somebody-elses-reference', { autocomplete: true });
    const squareId = payment?.id ?? '';
    await reconciled();
    expect((await shop.square.payment(squareId)).refunds).toEqual([]);
    await atSquare('/v2/refunds', { payment_id: squareId, amount_money: dollars(50_000) });
    expect(await reconciled()).toMatchObject({ recorded: { OrphanPaymentReturned: 1 } });
    expect((await reconciled()).differences).toMatchObject([{ code: 'OrphanPayment', squareId }]);
    await atSquare('/v2/refunds', { payment_id: squareId, amount_money: dollars(25_822) });
    expect(await reconciled()).toMatchObject({ recorded: { OrphanPaymentReturned: 1 } });
    const { differences, totals } = await reconciled();
    expect(differences).toEqual([]);
    expect(totals.inLedger).toEqual(totals.atSquare);
    const types =
      await ownerSql`select type from ledger.event where stream_id = ${`orphan-${squareId}`} order by version`;
    expect(types.map(({ type }) => type as string)).toEqual([
      'OrphanPaymentFound',
      'OrphanPaymentReturned',
      'OrphanPaymentReturned',
    ]);
  });

  test("another system's hold at the same location is left alone", async () => {
    await holdBy('somebody-elses-reference');
    await holdBy(undefined);
    expect(await reconciled()).toMatchObject({ released: 0, differences: [] });
  });

  describe('that another application made with the id of an order', () => {
    // Seen with another application's id, the payments are those of another application.
    const another = () => ({ ...shop.world, card: { ...shop.world.card, applicationId: 'sq0idp-another' } });
    const later = () => new Date(Date.now() + 16 * 60_000);
    const reconciledBy = async (world: typeof shop.world) => {
      const answer = await reconcile(world, sinceBegin());
      if (answer.kind !== 'reconciled') throw new Error(answer.detail);
      return answer.report.differences.map(({ code, squareId }) => [code, squareId]);
    };
    const statusOf = async (id: string | undefined) =>
      (await shop.square.payments()).find(({ payment }) => payment.id === id)?.payment.status;

    test.each(['known', 'unknown'])('is named and left alone if it is a hold for an %s order', async (order) => {
      const { orderId } = order === 'known' ? await orderOf(await paidOrder()) : { orderId: v7() };
      const { payment } = await holdBy(orderId);
      const found = [['ForeignHold', payment?.id]];
      expect(await reconciledBy(another())).not.toEqual(expect.arrayContaining(found));
      expect(await reconciledBy({ ...another(), now: later })).toEqual(expect.arrayContaining(found));
      expect(await statusOf(payment?.id)).toBe('APPROVED');
      await reconciledBy({ ...shop.world, now: later });
      expect(await statusOf(payment?.id)).toBe('CANCELED');
    });

    test('is named and not returned if it is a charge for a known order', async () => {
      const { orderId } = await orderOf(await paidOrder());
      const { payment } = await holdBy(orderId, { autocomplete: true });
      expect(await reconciledBy(another())).toContainEqual(['OrphanPayment', payment?.id]);
      expect((await shop.square.refunds()).filter(({ refund }) => refund.payment_id === payment?.id)).toEqual([]);
    });
  });

  test('a dispute is recorded when it opens and when it is decided, and blocks refunds in between', async () => {
    const paymentId = await paidOrder();
    const { squarePaymentId } = await orderOf(paymentId);
    const disputeId = await shop.square.openDispute(squarePaymentId ?? '', { reason: 'NOT_AS_DESCRIBED' });
    expect(await reconciled()).toMatchObject({ disputes: 1, recorded: { DisputeOpened: 1 } });
    expect(await orderOf(paymentId)).toMatchObject({ disputeStatus: 'open' });
    await shop.square.decideDispute(disputeId, 'WON');
    expect(await reconciled()).toMatchObject({ recorded: { DisputeClosed: 1 } });
    expect(await orderOf(paymentId)).toMatchObject({ disputeStatus: 'won' });
    expect(await reconciled()).toMatchObject({ recorded: {} });
  });
});

test('a refund and a dispute of a sale at the counter, long after it, are no differences', async () => {
  const sale = await shop.square.sellAtCounter(3000);
  begin = new Date();
  const listPayments = async () => ({ kind: 'listed' as const, items: [], unreadable: [], elsewhere: 0 });
  await shop.square.forceRefund(sale, 1000);
  await shop.square.openDispute(sale);
  const answer = await reconcile({ ...shop.world, card: { ...shop.world.card, listPayments } }, sinceBegin());
  expect(answer).toMatchObject({ report: { differences: [], totals: { atSquare: { refunded: 0, disputed: 0 } } } });
});

describe('an inquiry of a bank', () => {
  test('books nothing, and refunds remain possible, until it is closed', async () => {
    const paymentId = await paidOrder();
    const { squarePaymentId, types } = await orderOf(paymentId);
    const state = 'INQUIRY_EVIDENCE_REQUIRED';
    const disputeId = await shop.square.openDispute(squarePaymentId ?? '', { state });
    for (const next of ['INQUIRY_PROCESSING', 'INQUIRY_CLOSED'] as const) {
      expect(await reconciled()).toMatchObject({ differences: [], totals: { atSquare: { disputed: 0 } } });
      await shop.square.decideDispute(disputeId, next);
    }
    await reconciled();
    const after = await orderOf(paymentId);
    expect(after.types.filter((type) => type.startsWith('Dispute'))).toEqual([]);
    expect(types).not.toContain('DisputeOpened');
    await shop.square.forceRefund(squarePaymentId ?? '', 100);
    expect(await reconciled()).toMatchObject({ recorded: { ExternalRefundRecorded: 1 } });
  });

  test('that becomes a chargeback is booked from then on', async () => {
    const paymentId = await paidOrder();
    const { squarePaymentId } = await orderOf(paymentId);
    const state = 'INQUIRY_EVIDENCE_REQUIRED';
    const disputeId = await shop.square.openDispute(squarePaymentId ?? '', { state });
    await reconciled();
    const before = new Date();
    await shop.square.decideDispute(disputeId, 'EVIDENCE_REQUIRED');
    expect(await reconciled()).toMatchObject({
      recorded: { DisputeOpened: 1 },
      totals: { atSquare: { disputed: 75_822 }, inLedger: { disputed: 75_822 } },
    });
    const [opened] = await ownerSql<{ at: Date }[]>`
      select occurred_at as at from ledger.event where payload ->> 'squareDisputeId' = ${disputeId}`;
    expect(opened?.at.getTime()).toBeGreaterThanOrEqual(before.getTime());
    await shop.square.decideDispute(disputeId, 'LOST');
    expect(await reconciled()).toMatchObject({ recorded: { DisputeClosed: 1 }, differences: [] });
  });
});

describe('a fact of the ledger that Square does not have', () => {
  test('a capture that Square does not know is reported', async () => {
    const { orderId, squarePaymentId } = await orderOf(await paidOrder());
    await shop.square.reset();
    expect((await reconciled()).differences).toMatchObject([
      { code: 'CaptureNotAtSquare', squareId: squarePaymentId, orderId },
    ]);
  });
});

test('what cannot be read is a difference that names it, and everything else is compared', async () => {
  const paymentId = await paidOrder();
  const card: typeof shop.world.card = {
    ...shop.world.card,
    listRefunds: async () => ({ kind: 'listed', items: [], unreadable: ['refund-of-tomorrow'], elsewhere: 2 }),
    listDisputes: async () => ({ kind: 'listed', items: [], unreadable: ['dispute-of-tomorrow'], elsewhere: 1 }),
  };
  const answer = await reconcile({ ...shop.world, card }, sinceBegin());
  expect(answer).toMatchObject({
    report: {
      elsewhere: isHostile ? 5 : 3,
      recorded: { ProcessingFeeAssessed: 1 },
      differences: [
        { code: 'Unreadable', squareId: 'refund-of-tomorrow' },
        { code: 'Unreadable', squareId: 'dispute-of-tomorrow' },
      ],
    },
  });
  expect(await orderOf(paymentId)).toMatchObject({ fees: 2229 });
});

describe('a list that Square does not give', () => {
  const refuse = (path: string, times = 1) =>
    shop.simulator.setFault({ kind: 'status', method: 'GET', path, times, status: 403, code: 'INSUFFICIENT_SCOPES' });

  test('is named with the missing right, and the others are compared', async () => {
    const paymentId = await paidOrder();
    const { squarePaymentId } = await orderOf(paymentId);
    await shop.square.change({ refundSettlesAfterMs: 0 });
    await atSquare('/v2/refunds', { payment_id: squarePaymentId, amount_money: dollars(5000) });
    await shop.square.openDispute(squarePaymentId ?? '', { reason: 'NOT_AS_DESCRIBED' });
    refuse('/v2/disputes');
    expect(await reconciled()).toMatchObject({
      unlisted: [
        { list: 'disputes', why: 'Square did not list its disputes: the access token lacks the right DISPUTES_READ' },
      ],
      disputes: 0,
      recorded: { ProcessingFeeAssessed: 1, ExternalRefundRecorded: 1 },
      differences: [],
    });
    expect(await reconciled()).toMatchObject({ unlisted: [], disputes: 1, recorded: { DisputeOpened: 1 } });
  });

  test('proves nothing about its facts in the ledger', async () => {
    const { squarePaymentId } = await orderOf(await paidOrder());
    await shop.square.openDispute(squarePaymentId ?? '', { reason: 'NOT_AS_DESCRIBED' });
    await reconciled();
    await shop.square.reset();
    refuse('/v2/payments');
    refuse('/v2/disputes');
    expect(await reconciled()).toMatchObject({
      unlisted: [{ list: 'payments' }, { list: 'disputes' }],
      differences: [],
    });
  });

  test('leaves a refund open whose payment it would show', async () => {
    const { payment } = await holdBy('somebody-elses-reference', { autocomplete: true });
    await shop.square.forceRefund(payment?.id ?? '', 100);
    refuse('/v2/payments');
    expect(await reconciled()).toMatchObject({ refunds: 1, inFlight: 1, differences: [] });
  });

  test('ends the comparison only if no list remains', async () => {
    for (const list of ['payments', 'refunds', 'disputes']) refuse(`/v2/${list}`);
    expect(await reconcile(shop.world, sinceBegin())).toMatchObject({ kind: 'unknown', isMissingRight: true });
  });
});

test('the job of a list without its right fails with the name of the right, and calls no payment impossible', async () => {
  await paidOrder();
  shop.simulator.setFault({
    kind: 'status',
    method: 'GET',
    path: '/v2/disputes',
    status: 403,
    code: 'INSUFFICIENT_SCOPES',
  });
  const failures: Parameters<Fail>[] = [];
  const server = {
    isSquareRefused: async () => false,
    freeDisk: async () => 1,
    webhooks: {},
    isCatchingUp: () => false,
  };
  const job = allJobs({ ...shop.world, timeZone: 'America/Los_Angeles', mails: undefined, rooms: [], server }).find(
    ({ name }) => name === 'reconcile-weeks',
  );
  await job?.run((...failure) => void failures.push(failure));
  expect(failures).toEqual([
    ['Square did not list its disputes: the access token lacks the right DISPUTES_READ', 3600],
  ]);
});
