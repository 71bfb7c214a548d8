import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cents } from '@kilim/domain/money';
import { type OrderId, type PaymentId, parseOrderId, parsePaymentId, type RefundId } from '@kilim/domain/order/ids';
import { startRecoverableCluster } from '@kilim/lab/testing/recoverable-cluster';
import { openShop, paid, paymentFor, quoted, sendPayment, simulatorIdentity } from '@kilim/lab/testing/shop';
import { violations } from '@kilim/lab/testing/violations';
import { afterAll, expect, test } from 'vitest';
import { seal } from '../../proof/checkpoint.ts';
import { checkKeptNotes, keepNote } from '../../proof/kept-notes.ts';
import { verifierOf } from '../../proof/signed-note.ts';
import { ledgerSigner } from '../../proof/signing-key.ts';
import { verifyLedger } from '../../proof/verify.ts';
import { lastSeconds } from '../background/background-work.ts';
import { reconcile } from '../background/reconcile.ts';
import type { ReconcileChoices } from '../background/reconcile-payment.ts';
import { clusterWatch } from '../background/watch-cluster.ts';
import { connect } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { requestRefund } from '../use-case/request-refund.ts';
import { sha256 } from './hash.ts';
import { eventsOf, readOrder } from './read.ts';
import { compareProjections } from './rebuild/compare.ts';

// A server runs while its database is recovered to an earlier moment. Payments and a refund that Square knows are lost.
// No customer may get money back who was told that the order is paid.

const signer = ledgerSigner('MC4CAQAwBQYDK2VwBCIEIAMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMD', 'Test');
const kept = await mkdtemp(join(tmpdir(), 'kilim-kept-'));
const cluster = await startRecoverableCluster();
await migrate({ url: cluster.url });
const ownerSql = connect({ url: cluster.url, max: 2, applicationName: 'kilim test owner' });
const sql = connect({ url: cluster.url, role: 'kilim_server', max: 8, applicationName: 'kilim test app' });
const shop = await openShop(sql);
afterAll(async () => {
  await shop.close();
  await Promise.all([sql.end({ timeout: 1 }), ownerSql.end({ timeout: 1 })]);
  await cluster.close();
  await rm(kept, { recursive: true });
});
await shop.square.change({ refundSettlesAfterMs: 0 });
const watch = clusterWatch(shop.world);

type Order = { readonly orderId: OrderId; readonly paymentId: PaymentId };

async function pay(quote = quoted(shop)): Promise<Order> {
  const { orderId } = await quote;
  const body = await paid(shop, paymentFor(await quote));
  const order = parseOrderId(orderId);
  const paymentId = parsePaymentId(body.paymentId);
  if (order === undefined || paymentId === undefined) throw new Error(`Not paid: ${JSON.stringify(body)}`);
  return { orderId: order, paymentId };
}

async function refund({ paymentId }: Order): Promise<void> {
  const refundId = crypto.randomUUID() as RefundId;
  await requestRefund(shop.world, {
    paymentId,
    refundId,
    requestHash: sha256(refundId),
    refundType: 'partial',
    amount: cents(5000),
    reason: 'Goodwill',
    notes: undefined,
    items: [],
    deliveryMinimum: cents(0),
    requestedBy: 'ada',
    role: 'owner',
    timeZone: 'America/Los_Angeles',
    requestId: undefined,
  });
}

async function reconciled(choices: ReconcileChoices = {}) {
  const answer = await reconcile(shop.world, lastSeconds(new Date(), 60 * 60), choices);
  if (answer.kind !== 'reconciled') throw new Error(answer.detail);
  return answer.report;
}

const squareIdOf = async ({ orderId }: Order) => {
  const { payment } =
    (await shop.square.payments()).find(({ payment: { reference_id: reference, status } }) => {
      return reference === orderId && status === 'COMPLETED';
    }) ?? {};
  return payment?.id ?? '';
};
const typesOf = async ({ orderId }: Order) => eventsOf(await readOrder(sql, orderId)).map(({ type }) => type);
const verify = () => verifyLedger({ url: cluster.url, verifiers: [verifierOf(signer)], onProgress: () => undefined });

// Before the backup, before the place of the recovery, and after it.
const first = await pay();
await cluster.backUp();
const refunded = await pay();
const declined = await quoted(shop);
await sendPayment(shop, paymentFor(declined, { token: 'cnon:card-nonce-declined' }));
await seal(sql, signer);
await watch();
const place = await cluster.place();
const secondAttempt = await pay(Promise.resolve(declined));
const wholeOrder = await pay();
await refund(refunded);
const lastSealed = await seal(sql, signer);
if (lastSealed === undefined) throw new Error('Nothing was sealed');
const lastNote = lastSealed;
await keepNote(kept, lastNote, verifierOf(signer));
await watch();
await cluster.recoverTo(place);

async function noticeRecovery() {
  await watch();
  expect(shop.logged.filter((line) => line.includes('the database has lost events'))).toHaveLength(1);
  expect(await ownerSql`select epoch, reason from ledger.cluster order by sequence`).toEqual([
    { epoch: 1, reason: 'first' },
    { epoch: 1, reason: 'promoted' },
    { epoch: 1, reason: 'rewound' },
  ]);
  expect(await typesOf(first)).toContain('PaymentCaptured');
  expect(await typesOf(wholeOrder)).toEqual([]);
  expect((await typesOf(secondAttempt)).at(-1)).toBe('PaymentDeclined');
}

async function compareKeptNote() {
  expect(await verify()).toMatchObject({ faults: [] });
  const { faults } = await checkKeptNotes(ownerSql, kept, [verifierOf(signer)]);
  expect(faults).toMatchObject([{ code: 'KeptCheckpointMissing', sequence: lastNote.sequence }]);
}

/** It returns none of them, and records the lost refund. */
async function nameLostPayments() {
  for (const report of [await reconciled(), await reconciled()]) {
    expect(new Set(report.differences.map(({ code, squareId, orderId }) => ({ code, squareId, orderId })))).toEqual(
      new Set([
        { code: 'LostPayment', squareId: await squareIdOf(secondAttempt), orderId: secondAttempt.orderId },
        { code: 'OrphanPayment', squareId: await squareIdOf(wholeOrder), orderId: undefined },
      ]),
    );
  }
  for (const order of [secondAttempt, wholeOrder]) {
    expect((await shop.square.payment(await squareIdOf(order))).refunds).toEqual([]);
  }
  expect(await typesOf(refunded)).toContain('ExternalRefundRecorded');
  expect((await typesOf(secondAttempt)).at(-1)).toBe('PaymentDeclined');
}

/** The order is paid once. */
async function recordLostPayment() {
  expect(await reconciled({ recordsLost: true })).toMatchObject({ recorded: { PaymentCaptured: 1 } });
  expect((await typesOf(secondAttempt)).slice(3)).toEqual([
    'PaymentStarted',
    'PaymentAuthorized',
    'PaymentCaptured',
    'ProcessingFeeAssessed',
  ]);
  const again = await reconciled({ recordsLost: true });
  expect(again.recorded).toEqual({});
  expect(again.differences.map(({ code }) => code)).toEqual(['OrphanPayment']);
}

async function returnOrphan() {
  const squareId = await squareIdOf(wholeOrder);
  await refundInDashboard(squareId);
  expect(await reconciled()).toMatchObject({ recorded: { OrphanPaymentReturned: 1 } });
  expect(await reconciled()).toMatchObject({ recorded: {}, differences: [] });
}

async function continueTrading() {
  const next = await pay();
  expect(await typesOf(next)).toContain('PaymentCaptured');
  expect(await seal(sql, signer)).toMatchObject({ sequence: lastNote.sequence });
  expect(await verify()).toMatchObject({ faults: [] });
  expect((await compareProjections(ownerSql, () => undefined)).differences).toEqual([]);
  // Square knows keys and an order that the ledger has lost.
  const lost = await squareIdOf(wholeOrder);
  const broken = (await violations(ownerSql, shop.square)).filter(
    (line) => !line.includes('never intended') && !line.includes(lost),
  );
  expect(broken).toEqual([]);
}

test('a ledger that was recovered to an earlier point is compared with Square, and the shop continues', {
  timeout: 180_000,
}, async () => {
  await noticeRecovery();
  await compareKeptNote();
  await nameLostPayments();
  await recordLostPayment();
  await returnOrphan();
  await continueTrading();
});

async function refundInDashboard(squarePaymentId: string): Promise<void> {
  const answer = await fetch(`${shop.simulator.url}/v2/refunds`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulatorIdentity.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      idempotency_key: crypto.randomUUID(),
      payment_id: squarePaymentId,
      amount_money: { amount: 75_822, currency: 'USD' },
    }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}
