import { cents } from '@kilim/domain/money';
import type { OrderId } from '@kilim/domain/order/ids';
import type { SquareFact } from '@kilim/domain/order/reconcile';
import { cloneDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paidOrder, type Shop } from '@kilim/lab/testing/shop';
import { beforeEach, describe, expect, test } from 'vitest';
import { recordPayouts } from '../../accounting/background/record-payouts.ts';
import { compareBooks } from '../../accounting/queries/compare-books.ts';
import type { Sql } from '../database/database.ts';
import { readOrder } from '../ledger/read.ts';
import { recordSquareFact } from '../use-case/record-facts.ts';
import { lastSeconds } from './background-work.ts';
import { reconcile } from './reconcile.ts';

// Reconciliation compares everything, so each test has its own ledger and Square.
let appSql: Sql;
let shop: Shop;
let begin: Date;
beforeEach(async () => {
  begin = new Date();
  const database = await cloneDatabase();
  ({ appSql } = database);
  shop = await openShop(appSql);
  return async () => {
    await shop.close();
    await database.drop();
  };
});

const sinceBegin = () => ({ ...lastSeconds(new Date(), 0), from: begin.toISOString() });

async function reconciled() {
  const answer = await reconcile(shop.world, sinceBegin());
  if (answer.kind !== 'reconciled') throw new Error(answer.detail);
  return answer.report;
}

/** An intruder in the server appends with a right hash chain; Square does not know the fact. */
async function forge(orderId: OrderId, fact: SquareFact): Promise<void> {
  await recordSquareFact(shop.world, await readOrder(shop.world.sql, orderId), fact);
}

const invented = (squareRefundId: string, amount: number) =>
  ({
    type: 'ExternalRefund',
    squareRefundId,
    amount: cents(amount),
    refundedAt: new Date().toISOString(),
  }) as const;

describe('a fact that only the ledger has', () => {
  test('is reported when it is a refund, with its amount and instant, and the totals differ by it', async () => {
    const { orderId } = await paidOrder(shop);
    await forge(orderId, invented('invented-refund', 700));
    const { differences, totals } = await reconciled();
    expect(differences).toEqual([
      { code: 'RefundNotAtSquare', squareId: 'invented-refund', orderId, amount: 700, at: expect.any(String) },
    ]);
    expect(totals).toMatchObject({ atSquare: { refunded: 0 }, inLedger: { refunded: 700 } });
    expect((await reconciled()).differences).toHaveLength(1);
  });

  test('is reported when it is a dispute', async () => {
    const { orderId } = await paidOrder(shop);
    const about = { squareDisputeId: 'invented-dispute', amount: cents(700), reason: 'NO_KNOWLEDGE' };
    await forge(orderId, { type: 'Dispute', ...about });
    const { differences, totals } = await reconciled();
    expect(differences).toMatchObject([
      { code: 'DisputeNotAtSquare', squareId: 'invented-dispute', orderId, amount: 700 },
    ]);
    expect(totals).toMatchObject({ atSquare: { disputed: 0 }, inLedger: { disputed: 700 } });
  });

  test('is reported when it is a fee of something that Square does not know', async () => {
    const { orderId } = await paidOrder(shop);
    await reconciled();
    await forge(orderId, { type: 'Fee', squareId: 'invented-fee', total: cents(500) });
    const { differences, totals } = await reconciled();
    expect(differences).toMatchObject([{ code: 'FeeNotAtSquare', squareId: 'invented-fee', orderId, amount: 500 }]);
    expect(totals).toMatchObject({ atSquare: { fees: 2229 }, inLedger: { fees: 2729 } });
  });

  test('is reported when it is a fee of an order that Square did not list in this time', async () => {
    const { orderId } = await paidOrder(shop);
    await reconciled();
    begin = new Date();
    await forge(orderId, { type: 'Fee', squareId: 'later-fee', total: cents(500) });
    expect((await reconciled()).differences).toMatchObject([{ code: 'FeeNotAtSquare', squareId: 'later-fee' }]);
  });

  test('is reported when it is a payment, and the totals differ by it and by its fee', async () => {
    await paidOrder(shop);
    await reconciled();
    await shop.square.reset();
    const { differences, totals } = await reconciled();
    expect(differences).toMatchObject([{ code: 'CaptureNotAtSquare', amount: 75_822 }]);
    expect(totals).toMatchObject({
      atSquare: { taken: 0, fees: 0 },
      inLedger: { taken: 75_822, fees: 2229 },
    });
  });

  test('is reported when it is a payout', async () => {
    await paidOrder(shop);
    await reconciled();
    await shop.square.payOut();
    await recordPayouts(shop.world, sinceBegin());
    await shop.square.reset();
    const recorded = await recordPayouts(shop.world, sinceBegin());
    expect(recorded).toMatchObject({
      kind: 'recorded',
      report: { differences: [{ code: 'PayoutNotAtSquare', amount: expect.any(Number), at: expect.any(String) }] },
    });
  });
});

describe('a fact that both sides have', () => {
  test('is reported when the amount of a refund differs', async () => {
    const { orderId, squareId } = await paidOrder(shop);
    await shop.square.change({ refundSettlesAfterMs: 0 });
    const refundId = await shop.square.forceRefund(squareId, 1000);
    await forge(orderId, invented(refundId, 900));
    expect((await reconciled()).differences).toMatchObject([
      { code: 'RefundDiffers', squareId: refundId, orderId, amount: 1000 },
    ]);
  });

  test('is reported when a dispute ended differently', async () => {
    const { orderId, squareId } = await paidOrder(shop);
    const disputeId = await shop.square.openDispute(squareId);
    await reconciled();
    const about = { squareDisputeId: disputeId, amount: cents(75_822), reason: 'NO_KNOWLEDGE' };
    await forge(orderId, { type: 'Dispute', ...about, outcome: 'won' });
    await shop.square.decideDispute(disputeId, 'LOST');
    expect((await reconciled()).differences).toMatchObject([{ code: 'DisputeDiffers', squareId: disputeId, orderId }]);
  });

  test('agrees: refunds, fees and disputes have the same totals', async () => {
    await shop.square.change({ refundSettlesAfterMs: 0 });
    const refunded = await paidOrder(shop);
    await shop.square.forceRefund(refunded.squareId, 1000);
    const { squareId } = await paidOrder(shop);
    await shop.square.openDispute(squareId);
    const { totals, differences } = await reconciled();
    expect(differences.filter(({ code }) => code !== 'DisputeDiffers')).toEqual([]);
    expect(totals.inLedger).toMatchObject({ taken: 151_644, refunded: 1000, fees: 4458 });
    expect(totals.atSquare).toMatchObject({ taken: 151_644, refunded: 1000, fees: 4458 });
  });
});

test('a refund and a dispute that no payout shows after a week are an open item that is not paid out', async () => {
  const { orderId } = await paidOrder(shop);
  await reconciled();
  await shop.square.endPayout(await shop.square.payOut(), 'PAID');
  await recordPayouts(shop.world, sinceBegin());
  await forge(orderId, invented('refund-in-no-payout', 300));
  const about = { squareDisputeId: 'dispute-in-no-payout', amount: cents(400), reason: 'NO_KNOWLEDGE' };
  await forge(orderId, { type: 'Dispute', ...about });
  const itemAfter = async (days: number) => {
    const { clearing } = await compareBooks(appSql, new Date(Date.now() + days * 24 * 60 * 60 * 1000));
    return clearing.openItems.find((item) => item.orderId === orderId);
  };
  expect(await itemAfter(1)).toMatchObject({ amount: -700, state: 'recent' });
  expect(await itemAfter(8)).toMatchObject({ amount: -700, state: 'notPaidOut' });
});
