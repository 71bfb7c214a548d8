import { cents } from '@kilim/domain/money';
import { isHostile, onlyOurs } from '@kilim/lab/testing/only-ours';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paidOrder } from '@kilim/lab/testing/shop';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { readOrder } from '../ledger/read.ts';
import type { CardProcessor, Listed } from '../square/card-processor.ts';
import { recordSquareFact } from '../use-case/record-facts.ts';
import { lastSeconds } from './background-work.ts';
import { reconcile } from './reconcile.ts';

// Reading Square's lists takes seconds, in which customers pay, and webhooks report refunds and disputes.

const { appSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
let begin = new Date();
beforeEach(() => {
  begin = new Date();
});

/** Square answers some calls differently. */
async function reconciled(answers: Partial<CardProcessor> = {}) {
  const world = { ...shop.world, card: { ...shop.world.card, ...answers } };
  const answer = await reconcile(world, { ...lastSeconds(new Date(), 0), from: begin.toISOString() });
  if (answer.kind !== 'reconciled') throw new Error(answer.detail);
  return onlyOurs(answer.report);
}

/** Before its items changed. */
function asItWas<Item>(listed: Listed<Item>, earlier: Partial<Item>): Listed<Item> {
  return listed.kind === 'listed'
    ? { ...listed, items: listed.items.map((item) => ({ ...item, ...earlier })) }
    : listed;
}

const { listPayments, listRefunds, listDisputes } = shop.world.card;

test('a payment that was captured after the list was read is no difference', async () => {
  await paidOrder(shop);
  const report = await reconciled({
    listPayments: async (span) => asItWas(await listPayments(span), { status: 'approved', fees: undefined }),
  });
  expect(report).toMatchObject({ payments: 1, recorded: { ProcessingFeeAssessed: 1 }, differences: [] });
  expect(report.totals.inLedger.taken).toBe(report.totals.atSquare.taken);
});

test('while Square does not answer, the payment is looked at by the next reconciliation', async () => {
  await paidOrder(shop);
  const report = await reconciled({
    listPayments: async (span) => asItWas(await listPayments(span), { status: 'approved' }),
    get: async () => ({ kind: 'unknown', detail: 'no answer' }),
  });
  expect(report).toMatchObject({ inFlight: isHostile ? 4 : 1, differences: [] });
});

test('a payment that Square holds, although the ledger says captured, remains a difference', async () => {
  await paidOrder(shop);
  const { get } = shop.world.card;
  const { differences } = await reconciled({
    listPayments: async (span) => asItWas(await listPayments(span), { status: 'approved' }),
    get: async (squareId) => {
      const looked = await get(squareId);
      return looked.kind === 'found' ? { ...looked, payment: { ...looked.payment, status: 'approved' } } : looked;
    },
  });
  expect(differences).toMatchObject([{ code: 'CaptureNotAtSquare', amount: 75_822 }]);
});

test('a refund that was completed after the list was read is no difference', async () => {
  const { squareId } = await paidOrder(shop);
  await shop.square.change({ refundSettlesAfterMs: 0 });
  await shop.square.forceRefund(squareId, 1000);
  await reconciled();
  const report = await reconciled({
    listRefunds: async (span) => asItWas(await listRefunds(span), { status: 'failed' }),
  });
  expect(report.differences).toEqual([]);
  expect(report.totals.inLedger.refunded).toBe(report.totals.atSquare.refunded);
});

test('a dispute that opened after the list was read is no difference', async () => {
  const { orderId, squareId } = await paidOrder(shop);
  const before = await listDisputes();
  if (before.kind !== 'listed') throw new Error('Not listed');
  const squareDisputeId = await shop.square.openDispute(squareId);
  const about = { squareDisputeId, amount: cents(75_822), reason: 'NO_KNOWLEDGE' };
  await recordSquareFact(shop.world, await readOrder(appSql, orderId), { type: 'Dispute', ...about });
  const lists = [before];
  const report = await reconciled({ listDisputes: async () => lists.shift() ?? (await listDisputes()) });
  expect(report).toMatchObject({ disputes: before.items.length + (isHostile ? -1 : 1), differences: [] });
  expect(report.totals.inLedger.disputed).toBe(report.totals.atSquare.disputed);
});

test('a dispute that was won after the list was read is no difference', async () => {
  const { orderId, squareId } = await paidOrder(shop);
  const squareDisputeId = await shop.square.openDispute(squareId);
  await reconciled();
  const before = await listDisputes();
  await shop.square.decideDispute(squareDisputeId, 'WON');
  const about = { squareDisputeId, amount: cents(75_822), reason: 'NO_KNOWLEDGE', outcome: 'won' } as const;
  await recordSquareFact(shop.world, await readOrder(appSql, orderId), { type: 'Dispute', ...about });
  const lists = [before];
  const report = await reconciled({ listDisputes: async () => lists.shift() ?? (await listDisputes()) });
  expect(report.differences).toEqual([]);
  expect(report.totals.inLedger.disputed).toBe(report.totals.atSquare.disputed);
});
