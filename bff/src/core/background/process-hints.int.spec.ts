import { cents } from '@kilim/domain/money';
import { type PaymentId, parsePaymentId, type RefundId } from '@kilim/domain/order/ids';
import { expectInvariants } from '@kilim/lab/testing/invariants';
import { isHostile } from '@kilim/lab/testing/only-ours';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted, type Shop, sendPayment, simulatorIdentity } from '@kilim/lab/testing/shop';
import { processHintsNow } from '@kilim/lab/testing/work-now';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { sha256 } from '../ledger/hash.ts';
import { takeDueJob } from '../ledger/jobs.ts';
import { keepHint, type SquareHint } from '../ledger/square-hints.ts';
import { findOrderByPayment } from '../queries/find-order.ts';
import { createSquareProcessor } from '../square/square.ts';
import { requestRefund } from '../use-case/request-refund.ts';
import { lastSeconds } from './background-work.ts';
import { reconcileWeeks } from './reconcile-weeks.ts';

const { appSql, ownerSql } = await testDatabase();
const shop: Shop = await openShop(appSql);
afterAll(shop.close);

async function paidOrder(): Promise<PaymentId> {
  const body = await paid(shop, paymentFor(await quoted(shop)));
  const paymentId = parsePaymentId(body.paymentId);
  if (paymentId === undefined) throw new Error(`Not paid: ${JSON.stringify(body)}`);
  return paymentId;
}

async function orderOf(paymentId: PaymentId) {
  const found = await findOrderByPayment(appSql, paymentId);
  if (found?.summary.squarePaymentId === undefined) throw new Error('no order');
  return { ...found.summary, squarePaymentId: found.summary.squarePaymentId, version: found.stream.version };
}

async function hinted(subject: SquareHint['subject'], squareId: string): Promise<void> {
  await keepHint(appSql, { eventId: crypto.randomUUID(), eventType: `${subject}.updated`, subject, squareId });
  await processHintsNow(shop.world);
}

const unhandled = () => ownerSql`select event_id from ledger.square_hint where handled_at is null`;

test("a hint at a payment records Square's fee, and a second hint records nothing", async () => {
  const paymentId = await paidOrder();
  const { squarePaymentId } = await orderOf(paymentId);
  await hinted('payment', squarePaymentId);
  const { fees, version } = await orderOf(paymentId);
  expect(fees).toBe(2229);
  await hinted('payment', squarePaymentId);
  expect(await orderOf(paymentId)).toMatchObject({ fees: 2229, version });
  expect(await unhandled()).toEqual([]);
});

test("a hint at a payment whose completion was not answered records the capture and Square's fee", async () => {
  const quote = await quoted(shop);
  shop.simulator.setFault({ kind: 'status', method: 'POST', path: '/v2/payments/*/complete', status: 503 });
  shop.simulator.setFault({ kind: 'status', method: 'GET', path: '/v2/payments/*', status: 503 });
  await sendPayment(shop, paymentFor(quote));
  await shop.square.clearFaults();
  const atSquare = (await shop.square.payments()).find(({ payment }) => payment.reference_id === quote.orderId);
  const squarePaymentId = atSquare?.payment.id ?? '';
  expect((await shop.world.card.complete(squarePaymentId)).kind).toBe('completed');
  await hinted('payment', squarePaymentId);
  expect(await unhandled()).toEqual([]);
  const [row] = await ownerSql`
    select payment_status, fee_cents from ledger.order_summary where square_payment_id = ${squarePaymentId}`;
  expect(row).toEqual({ payment_status: 'paid', fee_cents: 2229 });
});

/** Of 100.00. @returns its id at Square. */
async function pendingRefund(paymentId: PaymentId): Promise<string> {
  await shop.square.change({ refundSettlesAfterMs: 1e9 });
  const refundId = crypto.randomUUID() as RefundId;
  await requestRefund(shop.world, {
    paymentId,
    refundId,
    requestHash: sha256(refundId),
    refundType: 'partial',
    amount: cents(10_000),
    reason: 'Goodwill',
    notes: undefined,
    items: [],
    deliveryMinimum: cents(0),
    requestedBy: 'admin',
    role: 'owner',
    timeZone: 'America/Los_Angeles',
    requestId: undefined,
  });
  const { squarePaymentId } = await orderOf(paymentId);
  const atSquare = (await shop.square.refunds()).find(({ refund }) => refund.payment_id === squarePaymentId);
  return atSquare?.refund.id ?? '';
}

test('a hint at a decided refund records the decision before any poll', async () => {
  const paymentId = await paidOrder();
  const squareRefundId = await pendingRefund(paymentId);
  await hinted('refund', squareRefundId);
  expect(await orderOf(paymentId)).toMatchObject({ refundPending: 10_000, refunded: 0 });
  await shop.square.settleRefund(squareRefundId, 'COMPLETED');
  await hinted('refund', squareRefundId);
  expect(await orderOf(paymentId)).toMatchObject({ refundPending: 0, refunded: 10_000 });
  await expectInvariants(ownerSql, shop.square);
});

test('a hint at a dispute records it', async () => {
  const paymentId = await paidOrder();
  const { squarePaymentId } = await orderOf(paymentId);
  await hinted('dispute', await shop.square.openDispute(squarePaymentId));
  expect(await orderOf(paymentId)).toMatchObject({ disputeStatus: 'open' });
});

test('a hint at a dispute asks Square for this dispute alone', async () => {
  const { squarePaymentId } = await orderOf(await paidOrder());
  const disputeId = await shop.square.openDispute(squarePaymentId);
  const asked = async () => (await shop.square.requests()).filter(({ path }) => path.includes('/disputes'));
  const before = (await asked()).length;
  await hinted('dispute', disputeId);
  expect((await asked()).slice(before).map(({ path }) => path)).toEqual([`/v2/disputes/${disputeId}`]);
});

test('a dispute at another location of the company is not found', async () => {
  const { squarePaymentId } = await orderOf(await paidOrder());
  const disputeId = await shop.square.openDispute(squarePaymentId);
  const elsewhere = createSquareProcessor({
    ...simulatorIdentity,
    locationId: 'ELSEWHERE',
    baseUrl: shop.simulator.url,
  });
  // A hostile Square leaves out where some disputes are: these count as the shop's.
  await shop.square.change({ hostile: false });
  onTestFinished(() => shop.square.change({ hostile: isHostile }));
  expect(await elsewhere.getDispute(disputeId)).toEqual({ kind: 'not-found' });
  expect(await shop.world.card.getDispute(disputeId)).toMatchObject({ kind: 'found', dispute: { squarePaymentId } });
});

test.each(['payment', 'refund', 'dispute', 'payout'] as const)(
  'a hint at a %s that Square does not know is asked for again for a while, and records nothing',
  async (subject) => {
    const [before] = await ownerSql`select count(*) as events from ledger.event`;
    const squareId = crypto.randomUUID();
    await hinted(subject, squareId);
    expect(await unhandled()).toHaveLength(1);
    await ownerSql`update ledger.square_hint set tries = 4, wait_seconds = 0 where square_id = ${squareId}`;
    await processHintsNow(shop.world);
    expect(await unhandled()).toEqual([]);
    expect(await ownerSql`select count(*) as events from ledger.event`).toEqual([before]);
  },
);

async function isComparisonDue(): Promise<boolean> {
  const [job] = await ownerSql<{ due: boolean }[]>`
    select due_at <= clock_timestamp() as due from ledger.job where name = 'reconcile-weeks'`;
  return job?.due === true;
}

test('a difference that a hint finds makes the comparison due that shows it, until it is shown', async () => {
  await takeDueJob(appSql, 'reconcile-weeks', 3600);
  const squareId = await shop.square.payByLink(5000);
  expect(await isComparisonDue()).toBe(false);
  await hinted('payment', squareId);
  expect(await isComparisonDue()).toBe(true);
  await takeDueJob(appSql, 'reconcile-weeks', 3600);
  const weeks = await reconcileWeeks(shop.world, lastSeconds(new Date(), 3600));
  const shown = expect.objectContaining({ code: 'OrphanPayment', squareId });
  expect(weeks).toMatchObject({ report: { differences: expect.arrayContaining([shown]) } });
  await hinted('payment', squareId);
  expect(await isComparisonDue()).toBe(false);
});

async function differencesNow(): Promise<readonly { readonly code: string }[]> {
  const weeks = await reconcileWeeks(shop.world, lastSeconds(new Date(), 3600));
  return weeks.kind === 'reconciled' ? weeks.report.differences : [];
}

test('a completed refund that the bank sends back is shown as soon as Square tells of it', async () => {
  const squareRefundId = await pendingRefund(await paidOrder());
  await shop.square.settleRefund(squareRefundId, 'COMPLETED');
  await hinted('refund', squareRefundId);
  await takeDueJob(appSql, 'reconcile-weeks', 3600);
  // The comparison asks again for what its list shows differently.
  const path = `/v2/refunds/${squareRefundId}`;
  await shop.square.setFault({ kind: 'say-status', method: 'GET', path, word: 'FAILED', times: 2 });
  await hinted('refund', squareRefundId);
  expect(await isComparisonDue()).toBe(true);
  await shop.square.setFault({ kind: 'say-status', method: 'GET', path: '/v2/refunds', word: 'FAILED', times: 99 });
  const shown = expect.objectContaining({ code: 'RefundDiffers', squareId: squareRefundId });
  expect(await differencesNow()).toEqual(expect.arrayContaining([shown]));
  await shop.square.clearFaults();
});

test.each([
  ['WON', 'LOST'],
  ['LOST', 'WON'],
  ['ACCEPTED', 'WON'],
] as const)('a dispute that ended %s and then %s is shown as soon as Square tells of it', async (first, then) => {
  const { squarePaymentId } = await orderOf(await paidOrder());
  const disputeId = await shop.square.openDispute(squarePaymentId);
  await shop.square.decideDispute(disputeId, first);
  await hinted('dispute', disputeId);
  await takeDueJob(appSql, 'reconcile-weeks', 3600);
  await shop.square.decideDispute(disputeId, then);
  await hinted('dispute', disputeId);
  expect(await isComparisonDue()).toBe(true);
  const shown = expect.objectContaining({ code: 'DisputeDiffers', squareId: disputeId });
  expect(await differencesNow()).toEqual(expect.arrayContaining([shown]));
});

test('a hint at a payment that nobody can read makes the comparison due that names it', async () => {
  const squareId = await shop.square.payByLink(5000);
  await takeDueJob(appSql, 'reconcile-weeks', 3600);
  await shop.square.setFault({ kind: 'say-status', method: 'GET', path: '/v2/payments/*', word: 'IN_REVIEW' });
  await hinted('payment', squareId);
  expect(await isComparisonDue()).toBe(true);
  // On each page.
  const every = { kind: 'say-status', method: 'GET', path: '/v2/payments', word: 'IN_REVIEW', times: 100 } as const;
  await shop.square.setFault(every);
  const weeks = await reconcileWeeks(shop.world, lastSeconds(new Date(), 3600));
  await shop.square.clearFaults();
  const shown = expect.objectContaining({ code: 'Unreadable', squareId });
  expect(weeks).toMatchObject({ report: { differences: expect.arrayContaining([shown]) } });
});

const eventsOfPayout = async (payoutId: string) => {
  const rows = await ownerSql<{ type: string }[]>`
    select type from ledger.event where stream_id = ${`payout-${payoutId}`} order by version`;
  return rows.map(({ type }) => type);
};

test('hints at a payout record each of its steps once, in any order', async () => {
  await paidOrder();
  await shop.square.change({ payoutArrivesAfterMs: 1e9 });
  const payoutId = await shop.square.payOut();
  await hinted('payout', payoutId);
  expect(await eventsOfPayout(payoutId)).toEqual(['PayoutRecorded', 'PayoutEntriesRecorded']);
  await hinted('payout', payoutId);
  await shop.square.endPayout(payoutId, 'PAID');
  await Promise.all([hinted('payout', payoutId), hinted('payout', payoutId)]);
  await shop.square.endPayout(payoutId, 'FAILED');
  await hinted('payout', payoutId);
  await hinted('payout', payoutId);
  await ownerSql`update ledger.square_hint set wait_seconds = 0`;
  await processHintsNow(shop.world);
  expect(await eventsOfPayout(payoutId)).toEqual([
    'PayoutRecorded',
    'PayoutEntriesRecorded',
    'PayoutPaid',
    'PayoutFailed',
  ]);
  expect(await unhandled()).toEqual([]);
});

test('a payout whose entries Square does not show yet is tried again', async () => {
  await paidOrder();
  const payoutId = await shop.square.payOut();
  const entries = `/v2/payouts/${payoutId}/payout-entries`;
  shop.simulator.setFault({ kind: 'status', method: 'GET', path: entries, status: 503 });
  await hinted('payout', payoutId);
  expect(await eventsOfPayout(payoutId)).toEqual([]);
  expect(await unhandled()).toHaveLength(1);
  await ownerSql`update ledger.square_hint set wait_seconds = 0`;
  await processHintsNow(shop.world);
  expect(await eventsOfPayout(payoutId)).toEqual(['PayoutRecorded', 'PayoutEntriesRecorded']);
  expect(await unhandled()).toEqual([]);
});

test('a payout of another location of the company is not recorded', async () => {
  const payoutId = await shop.square.payOut([{ type: 'ADJUSTMENT', gross: 100 }]);
  const elsewhere = {
    ...shop.world,
    card: createSquareProcessor({ ...simulatorIdentity, locationId: 'ELSEWHERE', baseUrl: shop.simulator.url }),
  };
  await keepHint(appSql, {
    eventId: crypto.randomUUID(),
    eventType: 'payout.sent',
    subject: 'payout',
    squareId: payoutId,
  });
  await ownerSql`update ledger.square_hint set tries = 4`;
  await processHintsNow(elsewhere);
  expect(await eventsOfPayout(payoutId)).toEqual([]);
  expect(await unhandled()).toEqual([]);
});

test('a hint that cannot be processed now is tried again later', async () => {
  const { squarePaymentId } = await orderOf(await paidOrder());
  shop.simulator.setFault({ kind: 'status', method: 'GET', path: '/v2/payments/*', status: 500 });
  await hinted('payment', squarePaymentId);
  expect(await unhandled()).toHaveLength(1);
  await ownerSql`update ledger.square_hint set wait_seconds = 0`;
  await processHintsNow(shop.world);
  expect(await unhandled()).toEqual([]);
});
