import type { Day } from '@kilim/domain/day';
import type { OrderId, PaymentId } from '@kilim/domain/order/ids';
import {
  authorizedA,
  capturedA,
  completedA,
  orderAPlaced,
  refundOfFirstRug,
  startedA,
  submittedA,
} from '@kilim/domain/testing/orders';
import { appendLife } from '@kilim/lab/testing/order-lives';
import { cloneDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { openShop, type Shop } from '@kilim/lab/testing/shop';
import { beforeEach, expect, test } from 'vitest';
import { eachBooking } from '../../accounting/export/bookings.ts';
import { openScope } from '../../accounting/export/scope.ts';
import { closePeriod } from '../../accounting/use-case/close-period.ts';
import { countDays } from '../background/count-days.ts';
import { reconcileDispute, reconcileRefund } from '../background/reconcile-refund.ts';
import type { Sql } from '../database/database.ts';
import { readOrder } from '../ledger/read.ts';
import { compareProjections } from '../ledger/rebuild/compare.ts';
import { rebuildProjections } from '../ledger/rebuild/rebuild.ts';
import type { CardRefund } from '../square/card-processor.ts';
import { recordPayment } from './record-payment.ts';

// The bookings are the whole ledger's, so each test has its own.
let appSql: Sql;
let ownerSql: Sql;
let url: string;
let shop: Shop;
beforeEach(async () => {
  const database = await cloneDatabase();
  ({ appSql, ownerSql, url } = database);
  shop = await openShop(appSql);
  return async () => {
    await shop.close();
    await database.drop();
  };
});

const timeZone = 'America/Los_Angeles';
const october = { from: '2026-10-01' as Day, to: '2026-10-31' as Day };
const november = { from: '2026-11-01' as Day, to: '2026-11-30' as Day };
/** October 31, 23:29 in the shop. */
const placedAt = new Date('2026-11-01T06:29:00.000Z');
/** October 31, 23:30 in the shop. */
const lastMinutes = '2026-11-01T06:30:02.000Z';
/** November 1, 00:07 in the shop. */
const afterMidnight = new Date('2026-11-01T07:07:00.000Z');
const later = new Date('2026-11-05T20:00:00.000Z');

const worldAt = (now: Date) => ({ ...shop.world, now: () => now });

async function captureFound(now: Date, capturedAt = lastMinutes): Promise<OrderId> {
  const orderId = await appendLife(appSql, [orderAPlaced, startedA, authorizedA], placedAt);
  const recorded = await recordPayment(worldAt(now), await readOrder(appSql, orderId), {
    command: { ...capturedA, type: 'RecordCapture', paymentId: paymentOf(orderId), capturedAt },
    actor: 'reconciliation',
    requestId: undefined,
  });
  expect(recorded.rejection).toBeUndefined();
  return orderId;
}

const paymentOf = (orderId: OrderId) => orderId.replaceAll('-', '') as PaymentId;
const atSquare = (orderId: OrderId) => `square-${paymentOf(orderId)}-payment-a`;

async function bookings(range: typeof october): Promise<readonly string[]> {
  await settled(appSql);
  const found: string[] = [];
  await eachBooking(appSql, { scope: await openScope(appSql, timeZone, range) }, ({ event, day, postedOn }) => {
    found.push(`${event.type} of ${day}${day === postedOn ? '' : `, posted ${postedOn}`}`);
  });
  return found;
}

const completed: Pick<CardRefund, 'status' | 'currency' | 'refundId' | 'fees' | 'createdAt'> = {
  status: 'completed',
  currency: 'USD',
  refundId: undefined,
  fees: undefined,
  createdAt: lastMinutes,
};

test('a capture in the last minutes of a month belongs to the month, also when it is found after midnight', async () => {
  const orderId = await captureFound(afterMidnight);
  expect(await bookings(october)).toEqual(['PaymentCaptured of 2026-10-31']);
  expect(await bookings(november)).toEqual([]);
  const [event] = await ownerSql<{ occurred_at: Date; recorded_at: Date }[]>`
    select occurred_at, recorded_at from ledger.event where type = 'PaymentCaptured'`;
  expect(event?.occurred_at.toISOString()).toBe(lastMinutes);
  expect(event?.recorded_at.getTime()).toBeGreaterThan(Date.now() - 60_000);
  const [row] = await ownerSql<{ paid_at: Date }[]>`
    select paid_at from ledger.order_summary where order_id = ${orderId}`;
  expect(row?.paid_at.toISOString()).toBe(lastMinutes);
});

test('so do a refund and a dispute at Square, and a dispute that is found closed has two days', async () => {
  const squarePaymentId = atSquare(await captureFound(afterMidnight));
  const about = { squarePaymentId, amount: capturedA.amount };
  const refund = { ...completed, ...about, squareRefundId: 'refund-in-october', updatedAt: lastMinutes };
  expect(await reconcileRefund(worldAt(later), refund)).toMatchObject({ kind: 'recorded' });
  const of = { squareDisputeId: 'dispute-in-october', reason: 'NO_KNOWLEDGE', dueAt: undefined, isInquiry: false };
  const dispute = { ...about, ...of };
  const found = { ...dispute, createdAt: lastMinutes, updatedAt: '2026-11-04T20:00:00.000Z', outcome: 'won' } as const;
  expect(await reconcileDispute(worldAt(later), found)).toMatchObject({ kind: 'recorded' });
  expect(await reconcileDispute(worldAt(later), found)).toMatchObject({ kind: 'agrees' });
  expect(await bookings(october)).toEqual([
    'PaymentCaptured of 2026-10-31',
    'ExternalRefundRecorded of 2026-10-31',
    'DisputeOpened of 2026-10-31',
  ]);
  expect(await bookings(november)).toEqual(['DisputeClosed of 2026-11-04']);
});

test("an instant of Square's that cannot be right is the day of recording", async () => {
  await captureFound(later, '2027-01-01T00:00:00.000Z');
  await captureFound(later, '2026-10-30T20:00:00.000Z');
  expect(await bookings(november)).toEqual(['PaymentCaptured of 2026-11-05', 'PaymentCaptured of 2026-11-05']);
});

test('a fact whose day is closed is posted on the first open day, and the closed month does not change', async () => {
  await captureFound(afterMidnight);
  const before = await bookings(october);
  expect(before).toHaveLength(1);
  const world = { sql: appSql, log: shop.world.log, now: () => later, timeZone };
  expect(await closePeriod(world, october.to, { by: 'ada', requestId: 'close' })).toMatchObject({ ok: true });
  await captureFound(later);
  expect(await bookings(october)).toEqual(before);
  expect(await bookings(november)).toEqual(['PaymentCaptured of 2026-10-31, posted 2026-11-01']);
});

test('an event that was recorded at the time of recording keeps its day', async () => {
  const history = [orderAPlaced, startedA, authorizedA, { ...capturedA, capturedAt: lastMinutes }];
  await appendLife(appSql, [...history, refundOfFirstRug, submittedA, completedA], later);
  expect(await bookings(november)).toEqual(['PaymentCaptured of 2026-11-05', 'RefundCompleted of 2026-11-05']);
});

test('the counts of days are those that a rebuild counts, and agree with the ledger', async () => {
  await captureFound(afterMidnight);
  await captureFound(later, '2027-01-01T00:00:00.000Z');
  await settled(appSql);
  await countDays(appSql, timeZone);
  const counted = () => ownerSql`select * from ledger.money_day order by day`;
  const before = await counted();
  expect(before.length).toBeGreaterThan(1);
  await rebuildProjections({ url, onProgress: () => undefined });
  expect(await counted()).toEqual(before);
  expect((await compareProjections(ownerSql, () => undefined)).differences).toEqual([]);
});
