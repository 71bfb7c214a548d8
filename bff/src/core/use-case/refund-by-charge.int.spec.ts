import { cents, noCents } from '@kilim/domain/money';
import type { RefundedCharge } from '@kilim/domain/order/events';
import { type PaymentId, parsePaymentId, type RefundId } from '@kilim/domain/order/ids';
import { expectInvariants } from '@kilim/lab/testing/invariants';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted, type Shop } from '@kilim/lab/testing/shop';
import { settleNow } from '@kilim/lab/testing/work-now';
import { afterAll, expect, test } from 'vitest';
import { sha256 } from '../ledger/hash.ts';
import { compareProjections } from '../ledger/rebuild/compare.ts';
import { rebuildProjections } from '../ledger/rebuild/rebuild.ts';
import { requestRefund } from './request-refund.ts';

const { appSql, ownerSql, url } = await testDatabase();
const shop: Shop = await openShop(appSql);
afterAll(shop.close);
await shop.square.change({ refundSettlesAfterMs: 0 });

async function paidOrder(): Promise<PaymentId> {
  const body = await paid(shop, paymentFor(await quoted(shop)));
  const paymentId = parsePaymentId(body.paymentId);
  if (paymentId === undefined) throw new Error(`Not paid: ${JSON.stringify(body)}`);
  return paymentId;
}

const signedIn = { role: 'owner', timeZone: 'America/Los_Angeles' } as const;

/** 134.75, with 13.14 tax. */
const greenPad: readonly RefundedCharge[] = [
  { rugIndex: 1, charge: 'greenPad', amount: cents(13_475) },
  { rugIndex: 1, charge: 'salesTax', amount: cents(1_314) },
];

async function refundGreenPad(paymentId: PaymentId) {
  const refundId = crypto.randomUUID() as RefundId;
  const terms = {
    refundType: 'partial',
    reason: 'Pad not put in',
    notes: undefined,
    requestId: undefined,
    ...signedIn,
  } as const;
  const asked = await requestRefund(shop.world, {
    ...{ paymentId, refundId, requestHash: sha256(refundId), amount: cents(14_789), ...terms },
    ...{ items: [], charges: greenPad, deliveryMinimum: noCents, requestedBy: 'admin' },
  });
  const [stored] = await ownerSql<{ payload: { charges?: unknown; split: unknown } }[]>`
    select payload::jsonb as payload from ledger.event
    where type = 'RefundRequested' and refund_id = ${refundId}`;
  if (stored === undefined || asked.kind !== 'refund') throw new Error(`Not refunded: ${JSON.stringify(asked)}`);
  return { stored, row: asked.row };
}

const split = { services: 0, addOns: 13_475, delivery: 0, deliveryMinimum: 0, salesTax: 1_314 };

test('a refund by charge names the chosen charges', async () => {
  const paymentId = await paidOrder();
  const { stored, row } = await refundGreenPad(paymentId);
  expect(stored).toMatchObject({ payload: { split, charges: greenPad } });
  expect(row).toMatchObject({ split, items: [{ rugIndex: 1, amount: 14_789 }] });
  const refundId = crypto.randomUUID() as RefundId;
  const terms = {
    refundType: 'partial',
    reason: 'Again',
    notes: undefined,
    requestId: undefined,
    ...signedIn,
  } as const;
  const again = await requestRefund(shop.world, {
    ...{ paymentId, refundId, requestHash: sha256(refundId), amount: cents(1), ...terms },
    ...{ items: [], deliveryMinimum: noCents, requestedBy: 'admin' },
    charges: [{ rugIndex: 1, charge: 'greenPad', amount: cents(1) }],
  });
  expect(again).toMatchObject({ kind: 'rejected', rejection: { code: 'ExceedsCharge', asked: 1, refundable: 0 } });
});

test('a refund by charge is rebuilt and compared without a difference', async () => {
  await refundGreenPad(await paidOrder());
  await settleNow(shop.world, ownerSql);
  await expectInvariants(ownerSql, shop.square);
  const before = await ownerSql`select * from ledger.refund_history order by refund_id`;
  await rebuildProjections({ url, onProgress: () => undefined });
  expect(await ownerSql`select * from ledger.refund_history order by refund_id`).toEqual(before);
  expect((await compareProjections(ownerSql, () => undefined)).differences).toEqual([]);
});
