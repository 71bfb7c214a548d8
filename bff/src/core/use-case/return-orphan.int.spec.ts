import { type IdempotencyKey, type OrderId, parseIdempotencyKey, parseOrderId } from '@kilim/domain/order/ids';
import { openAttempt } from '@kilim/domain/order/payment';
import { cloneDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { openShop, paymentFor, quoted, type Shop, sendPayment, simulatorIdentity } from '@kilim/lab/testing/shop';
import { dashboardKey, violations } from '@kilim/lab/testing/violations';
import { settleNow } from '@kilim/lab/testing/work-now';
import { beforeEach, describe, expect, test } from 'vitest';
import { recordPayouts } from '../../accounting/background/record-payouts.ts';
import { readBooksAtAGlance } from '../../accounting/queries/read-books.ts';
import { lastSeconds } from '../background/background-work.ts';
import { countDays } from '../background/count-days.ts';
import { reconcile } from '../background/reconcile.ts';
import type { Sql } from '../database/database.ts';
import { eventsOf, readOrder } from '../ledger/read.ts';
import { compareProjections } from '../ledger/rebuild/compare.ts';
import type { CardProcessor } from '../square/card-processor.ts';
import { voidAttempt } from './drive-attempt.ts';
import { findAttempt } from './payment-attempt.ts';
import { paymentStateOf } from './record-payment.ts';
import { refundIdOfReturn } from './return-orphan.ts';
import type { World } from './world.ts';

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
  await shop.square.change({ refundSettlesAfterMs: 0 });
  return async () => {
    await shop.close();
    await database.drop();
  };
});

const total = 75_822;
const sinceBegin = () => ({ ...lastSeconds(new Date(), 0), from: begin.toISOString() });

async function reconciled(world: World = shop.world) {
  const answer = await reconcile(world, sinceBegin());
  if (answer.kind !== 'reconciled') throw new Error(answer.detail);
  return answer.report;
}

async function atSquare(path: string, body: object = {}): Promise<Record<string, { id: string; status: string }>> {
  const answer = await fetch(`${shop.simulator.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulatorIdentity.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, { id: string; status: string }>;
}

const inDashboard = (paymentId: string, amount: number) =>
  atSquare('/v2/refunds', {
    idempotency_key: `${dashboardKey}${crypto.randomUUID()}`.slice(0, 45),
    payment_id: paymentId,
    amount_money: { amount, currency: 'USD' },
  });

type GivenUp = {
  readonly key: IdempotencyKey;
  readonly orderId: OrderId;
  readonly request: ReturnType<typeof paymentFor>;
};

/** As if the process that drove the attempt had been too slow. */
async function giveUp(request: ReturnType<typeof paymentFor>): Promise<GivenUp> {
  const key = parseIdempotencyKey(request.idempotencyKey);
  expect(await sendPayment(shop, request)).toMatchObject({ status: 202 });
  const attempt = key === undefined ? undefined : await findAttempt(appSql, key);
  if (key === undefined || attempt === undefined) throw new Error('No attempt');
  const stream = await readOrder(appSql, attempt.orderId);
  const open = openAttempt(paymentStateOf(stream));
  if (open === undefined) throw new Error('No open attempt');
  const reason = open.status === 'started' ? 'AuthorizationUnknown' : 'HoldReleased';
  const drive = { paymentId: open.paymentId, actor: 'settle-worker', requestId: undefined, reason } as const;
  await voidAttempt(shop.world, stream, drive);
  return { key, orderId: attempt.orderId, request };
}

/** The request reached Square after the attempt was given up. */
async function chargedAfterGivenUp(): Promise<GivenUp & { readonly squareId: string }> {
  shop.simulator.setFault({ kind: 'drop-before', times: 2 });
  const givenUp = await giveUp(paymentFor(await quoted(shop)));
  const { payment } = await atSquare('/v2/payments', {
    source_id: 'cnon:card-nonce-ok',
    amount_money: { amount: total, currency: 'USD' },
    autocomplete: true,
    idempotency_key: givenUp.key,
    reference_id: givenUp.orderId,
  });
  return { ...givenUp, squareId: payment?.id ?? '' };
}

/** The ledger knows the hold, completed after the attempt was given up. */
async function completedAfterGivenUp(): Promise<GivenUp & { readonly squareId: string }> {
  shop.simulator.setFault({ kind: 'drop-before', path: '/v2/payments/*/complete', times: 3 });
  const givenUp = await giveUp(paymentFor(await quoted(shop)));
  await shop.square.clearFaults();
  const hold = eventsOf(await readOrder(appSql, givenUp.orderId)).find(({ type }) => type === 'PaymentAuthorized');
  const squareId = hold?.type === 'PaymentAuthorized' ? hold.squarePaymentId : '';
  await atSquare(`/v2/payments/${squareId}/complete`);
  return { ...givenUp, squareId };
}

async function typesOf(orderId: OrderId) {
  return eventsOf(await readOrder(appSql, orderId)).map(({ type }) => type);
}

const amountsBack = async (squareId: string) =>
  (await shop.square.payment(squareId)).refunds.map(({ refund }) => [refund.status, refund.amount_money.amount]);

/** With the same rows after a rebuild. */
async function expectWhole() {
  expect(await violations(ownerSql, shop.square)).toEqual([]);
  expect((await compareProjections(ownerSql, () => undefined)).differences).toEqual([]);
}

async function expectReturnedOnce({ orderId, squareId }: { readonly orderId: OrderId; readonly squareId: string }) {
  const types = await typesOf(orderId);
  expect(types.filter((type) => type.startsWith('Orphan'))).toEqual(['OrphanPaymentFound', 'OrphanPaymentReturned']);
  expect(await amountsBack(squareId)).toEqual([['COMPLETED', total]]);
  expect(await reconciled()).toMatchObject({ recorded: {}, differences: [], inFlight: 0 });
  await expectWhole();
}

const withCard = (more: Partial<CardProcessor>): World => ({
  ...shop.world,
  card: { ...shop.world.card, ...more },
});

describe('a payment that Square took although the attempt was given up', () => {
  test.each([
    ['of which the ledger knows no hold', chargedAfterGivenUp],
    ['whose hold the ledger knows', completedAfterGivenUp],
  ])('%s is returned once', async (_which, charge) => {
    const charged = await charge();
    const report = await reconciled();
    expect(report).toMatchObject({
      recorded: { OrphanPaymentFound: 1, OrphanPaymentReturned: 1 },
      differences: [],
    });
    expect(report.totals.inLedger.taken).toBe(report.totals.atSquare.taken);
    await expectReturnedOnce(charged);
    const { totals } = await reconciled();
    expect(totals).toMatchObject({
      atSquare: { taken: total, refunded: total },
      inLedger: { taken: total, refunded: total },
    });
  });

  test('is returned after a process died before it asked Square', async () => {
    const charged = await chargedAfterGivenUp();
    const dead = withCard({ refund: () => Promise.reject(new Error('killed')) });
    await expect(reconciled(dead)).rejects.toThrow('killed');
    expect(await typesOf(charged.orderId)).toContain('OrphanPaymentFound');
    expect(await reconciled()).toMatchObject({ recorded: { OrphanPaymentReturned: 1 }, differences: [] });
    await expectReturnedOnce(charged);
  });

  test('is returned once after a process died when Square had given it back', async () => {
    const charged = await chargedAfterGivenUp();
    const dead = withCard({
      refund: async (terms) => {
        await shop.world.card.refund(terms);
        throw new Error('killed');
      },
    });
    await expect(reconciled(dead)).rejects.toThrow('killed');
    expect(await amountsBack(charged.squareId)).toEqual([['COMPLETED', total]]);
    expect(await reconciled()).toMatchObject({ recorded: { OrphanPaymentReturned: 1 }, differences: [] });
    await expectReturnedOnce(charged);
  });

  test('is returned once by two processes at the same moment', async () => {
    const charged = await completedAfterGivenUp();
    await Promise.all([reconciled(), reconciled(), reconciled()]);
    await expectReturnedOnce(charged);
  });

  test('is returned once when Square’s answer was lost', async () => {
    const charged = await chargedAfterGivenUp();
    shop.simulator.setFault({ kind: 'drop-after', path: '/v2/refunds' });
    const report = await reconciled();
    expect(report).toMatchObject({ differences: [] });
    await reconciled();
    await expectReturnedOnce(charged);
  });

  test('is recorded as returned when an admin has returned it in the dashboard', async () => {
    const charged = await chargedAfterGivenUp();
    await inDashboard(charged.squareId, total);
    expect(await reconciled()).toMatchObject({
      recorded: { OrphanPaymentFound: 1, OrphanPaymentReturned: 1 },
      differences: [],
    });
    await expectReturnedOnce(charged);
  });

  test('is followed while the refund is pending', async () => {
    await shop.square.change({ refundSettlesAfterMs: 1e9 });
    const charged = await chargedAfterGivenUp();
    expect(await reconciled()).toMatchObject({ recorded: {}, differences: [] });
    const [refund] = (await shop.square.payment(charged.squareId)).refunds;
    expect(await reconciled()).toMatchObject({ recorded: {}, differences: [] });
    await shop.square.settleRefund(refund?.refund.id ?? '', 'COMPLETED');
    expect(await reconciled()).toMatchObject({ recorded: { OrphanPaymentReturned: 1 }, differences: [] });
    await expectReturnedOnce(charged);
  });

  test('is a difference until all of it is back when an admin has returned a part in the dashboard', async () => {
    const { squareId, orderId } = await completedAfterGivenUp();
    await inDashboard(squareId, 20_000);
    expect(await reconciled()).toMatchObject({ recorded: { OrphanPaymentReturned: 1 } });
    const difference = { code: 'TakenAfterItWasGivenUp', squareId, orderId, amount: total - 20_000 };
    expect((await reconciled()).differences).toMatchObject([difference]);
    await inDashboard(squareId, total - 20_000);
    await reconciled();
    expect(await reconciled()).toMatchObject({ recorded: {}, differences: [], inFlight: 0 });
    expect((await typesOf(orderId)).filter((type) => type === 'OrphanPaymentReturned')).toHaveLength(2);
    await expectWhole();
  });

  test('is not touched while another attempt is open, and never pays for that attempt', async () => {
    const charged = await chargedAfterGivenUp();
    await reconciled();
    // The customer tries again, and the process dies before it asks Square.
    shop.simulator.setFault({ kind: 'drop-before', times: 2 });
    const again = { ...charged.request, idempotencyKey: crypto.randomUUID() };
    expect(await sendPayment(shop, again)).toMatchObject({ status: 202 });
    expect(await reconciled()).toMatchObject({ recorded: {} });
    await settleNow(shop.world, ownerSql);
    expect(await typesOf(charged.orderId)).not.toContain('PaymentCaptured');
    await expectReturnedOnce(charged);
  });

  test('is shown to the customer who asks, and to the customer who repeats the request', async () => {
    const { key, request } = await chargedAfterGivenUp();
    await shop.square.change({ refundSettlesAfterMs: 1e9 });
    const ask = async () => (await shop.get(`/api/payment-attempts/${key}`)).json();
    const notCharged = expect.stringContaining('you have not been charged');
    expect(await ask()).toMatchObject({ status: 'voided', message: notCharged });
    await reconciled();
    const charged = 'This payment was cancelled, but your card was charged $758.22 all the same.';
    const returning = `${charged} We are returning the full amount to your card. This charge does not pay for your order.`;
    expect(await ask()).toMatchObject({ status: 'voided', code: 'PaymentReturned', message: returning });
    const again = await sendPayment(shop, request);
    expect(again).toMatchObject({ status: 402, body: { success: false, code: 'PaymentReturned', message: returning } });
    for (const { refund } of await shop.square.refunds()) {
      if (refund.status === 'PENDING') await shop.square.settleRefund(refund.id, 'COMPLETED');
    }
    await reconciled();
    expect(await ask()).toMatchObject({
      message: `${charged} We have returned the full amount to your card, so it does not pay for your order. Your bank may need a few days to show it.`,
    });
    await expectWhole();
  });

  test('leaves nothing in the books once its payout has arrived', async () => {
    const before = await readBooksAtAGlance(appSql, 'America/Los_Angeles');
    const charged = await completedAfterGivenUp();
    await reconciled();
    const payoutId = await shop.square.payOut();
    await shop.square.endPayout(payoutId, 'PAID');
    expect(await recordPayouts(shop.world, sinceBegin())).toMatchObject({ report: { differences: [], inFlight: 0 } });
    const standings = await ownerSql`
      select activity, standing from ledger.payout_entry where square_payment_id = ${charged.squareId} order by 1`;
    expect(standings).toEqual([
      { activity: 'CHARGE', standing: 'orphan' },
      { activity: 'REFUND', standing: 'returned' },
    ]);
    await settled(ownerSql);
    await countDays(appSql, 'America/Los_Angeles');
    const { now } = await readBooksAtAGlance(appSql, 'America/Los_Angeles');
    // Everything that was charged is paid out.
    expect([before.now.cardRefunds, now.cardRefunds, now.atSquare]).toEqual([0, 0, 0]);
  });
});

test('the id of a return depends only on the payment', () => {
  expect(refundIdOfReturn('square-payment-a')).toBe(refundIdOfReturn('square-payment-a'));
  expect(refundIdOfReturn('square-payment-a')).not.toBe(refundIdOfReturn('square-payment-b'));
  expect(parseOrderId(refundIdOfReturn('square-payment-a'))).toBeUndefined();
});

describe('a payment that Square does not return', () => {
  test('because it is disputed stays a difference, and an error in the log', async () => {
    const { squareId, orderId } = await completedAfterGivenUp();
    await shop.square.openDispute(squareId);
    const difference = { code: 'TakenAfterItWasGivenUp', squareId, orderId };
    expect((await reconciled()).differences).toMatchObject([difference]);
    expect((await reconciled()).differences).toMatchObject([difference]);
    expect(shop.logged.join('')).toContain('PAYMENT_NOT_REFUNDABLE_DUE_TO_DISPUTE');
    expect(await violations(ownerSql, shop.square)).toContainEqual(expect.stringContaining('I1'));
  });

  test('because the refund failed stays a difference', async () => {
    const { squareId, orderId } = await chargedAfterGivenUp();
    await shop.square.change({ refundSettlesAfterMs: 1e9 });
    await reconciled();
    const [refund] = (await shop.square.payment(squareId)).refunds;
    await shop.square.settleRefund(refund?.refund.id ?? '', 'FAILED');
    expect((await reconciled()).differences).toMatchObject([{ code: 'OrphanPayment', squareId, orderId }]);
  });
});
