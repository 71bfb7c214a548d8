import { randomUUID } from 'node:crypto';
import { entryOf, movedBy } from '@kilim/domain/accounting/booking';
import { type Day, parseDay } from '@kilim/domain/day';
import { cents } from '@kilim/domain/money';
import type { OrderId, RefundId } from '@kilim/domain/order/ids';
import type { EntryStanding, PayoutEntry } from '@kilim/domain/payout/events';
import { payoutPostings } from '@kilim/domain/payout/postings';
import { ok, rejected } from '@kilim/domain/result';
import { cloneDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { openShop, paid, paymentFor, quoted, type Shop } from '@kilim/lab/testing/shop';
import { beforeEach, describe, expect, test } from 'vitest';
import { lastSeconds } from '../../core/background/background-work.ts';
import { reconcileWeeks } from '../../core/background/reconcile-weeks.ts';
import type { Sql } from '../../core/database/database.ts';
import { sha256 } from '../../core/ledger/hash.ts';
import { readResolutions } from '../../core/queries/resolutions.ts';
import { dayIn } from '../../core/runtime/day-in.ts';
import { recordReimbursement } from '../../core/use-case/record-reimbursement.ts';
import { eachBooking } from '../export/bookings.ts';
import { openScope } from '../export/scope.ts';
import { isSelected } from '../export/selection.ts';
import { undoResolution, writeItemOff } from '../use-case/resolve-difference.ts';
import { carriedInSql, readClearingItems, sumClearing } from './clearing-items.ts';
import { compareBooks } from './compare-books.ts';
import { payoutComparison } from './compare-payouts.ts';
import { readBooksAtAGlance } from './read-books.ts';

// The open items are the whole ledger's, so each test has its own.
let appSql: Sql;
let ownerSql: Sql;
let shop: Shop;
beforeEach(async () => {
  const database = await cloneDatabase();
  ({ appSql, ownerSql } = database);
  shop = await openShop(appSql);
  await shop.square.change({ payoutArrivesAfterMs: 1_000_000, refundSettlesAfterMs: 0 });
  return async () => {
    await shop.close();
    await database.drop();
  };
});

const daySeconds = 24 * 60 * 60;
const timeZone = 'America/Los_Angeles';

async function paidOrder() {
  const quote = await quoted(shop);
  await paid(shop, paymentFor(quote));
  const [row] = await ownerSql<{ id: string }[]>`
    select square_payment_id as id from ledger.order_summary where order_id = ${quote.orderId}::uuid`;
  return { orderId: quote.orderId, squareId: row?.id ?? '' };
}

/** Before the first payout nothing is missing: a new shop has none for days. */
async function firstPayout(): Promise<void> {
  await paidOrder();
  await reconciled();
  await shop.square.endPayout(await shop.square.payOut(), 'PAID');
  await reconciled();
}

const reconciled = () => reconcileWeeks(shop.world, lastSeconds(new Date(), daySeconds));

/** Their sum is the balance. */
async function open() {
  await reconciled();
  const items = await readClearingItems(appSql, { events: 'true', now: new Date(), most: 100 });
  const { clearing } = await compareBooks(appSql, new Date());
  expect(clearing.unexplained).toBe(0);
  expect(items.reduce((sum, { amount }) => sum + amount, 0)).toBe(clearing.balance);
  return items.map(({ kind, squareId, amount, onItsWayIn }) => [kind, squareId, amount, onItsWayIn]);
}

/** 758.22 less the fee of 22.29. */
const net = 73_593;

describe('the open items of the clearing account', () => {
  test('are the orders of which no payout has brought the money, until the payout is paid', async () => {
    const { squareId } = await paidOrder();
    expect(await open()).toEqual([['order', squareId, net, null]]);
    const payoutId = await shop.square.payOut();
    expect(await open()).toEqual([['order', squareId, net, payoutId]]);
    await shop.square.endPayout(payoutId, 'PAID');
    expect(await open()).toEqual([]);
  });

  test('are refunds that no payout shows yet, with a negative amount', async () => {
    const { squareId } = await paidOrder();
    await reconciled();
    await shop.square.endPayout(await shop.square.payOut(), 'PAID');
    await reconciled();
    await shop.square.forceRefund(squareId, 1000);
    expect(await open()).toEqual([['order', squareId, -1000, null]]);
    expect((await compareBooks(appSql, new Date())).clearing.alarms).toEqual(['Negative']);
    await shop.square.endPayout(await shop.square.payOut(), 'PAID');
    expect(await open()).toEqual([]);
  });

  test('are payments without an order, and entries of payouts on their way that no order has booked', async () => {
    const orphan = await shop.square.payByLink(5000);
    const [[kind, squareId]] = (await open()) as [[string, string]];
    expect([kind, squareId]).toEqual(['orphan', orphan]);
    const payoutId = await shop.square.payOut([{ type: 'RESERVE_HOLD', gross: -900 }]);
    const items = await open();
    expect(items).toContainEqual(['orphan', orphan, 5000, payoutId]);
    expect(items).toContainEqual(['payout', payoutId, expect.any(Number), payoutId]);
    await shop.square.endPayout(payoutId, 'PAID');
    expect(await open()).toEqual([]);
  });

  test('are the money of a payout that the bank returned, until another payout brings it', async () => {
    await paidOrder();
    await reconciled();
    const payoutId = await shop.square.payOut();
    await reconciled();
    await shop.square.endPayout(payoutId, 'FAILED');
    expect(await open()).toEqual([['betweenPayouts', payoutId, net, null]]);
    await shop.square.endPayout(await shop.square.payOut(), 'PAID');
    expect(await open()).toEqual([]);
  });

  test('are not paid out after a week, which raises an alarm', async () => {
    await firstPayout();
    await paidOrder();
    await reconciled();
    const inDays = (days: number) => new Date(Date.now() + days * daySeconds * 1000);
    expect((await compareBooks(appSql, inDays(6))).clearing).toMatchObject({ recent: net, notPaidOut: 0, alarms: [] });
    const { clearing } = await compareBooks(appSql, inDays(8));
    expect(clearing).toMatchObject({ recent: 0, notPaidOut: net, notPaidOutItems: 1, alarms: ['NotPaidOut'] });
    expect(clearing.openItems).toMatchObject([{ kind: 'order', amount: net, state: 'notPaidOut' }]);
  });

  test('are not paid out when their payout does not arrive within a week', async () => {
    await paidOrder();
    await reconciled();
    const payoutId = await shop.square.payOut([{ type: 'RESERVE_HOLD', gross: -900 }]);
    await reconciled();
    const inDays = (days: number) => new Date(Date.now() + days * daySeconds * 1000);
    const sums = { recent: 0, beforeFirstPayout: 0, unexplained: 0 };
    const { clearing: earlier } = await compareBooks(appSql, inDays(6));
    expect(earlier).toMatchObject({ ...sums, onItsWay: net - 900, notPaidOut: 0, alarms: [] });
    const { clearing } = await compareBooks(appSql, inDays(8));
    expect(clearing).toMatchObject({ ...sums, onItsWay: 0, notPaidOut: net - 900, alarms: ['NotPaidOut'] });
    expect(clearing.openItems.map(({ state, onItsWayIn }) => [state, onItsWayIn])).toEqual([
      ['notPaidOut', payoutId],
      ['notPaidOut', payoutId],
    ]);
  });

  test('end when a person writes them off, and return when a payout brings the money after all', async () => {
    await firstPayout();
    const { squareId } = await paidOrder();
    await open();
    const inDays = (days: number) => new Date(Date.now() + days * daySeconds * 1000);
    const inAWeek = inDays(8);
    const world = { ...shop.world, now: () => inAWeek };
    const resolving = { reason: 'TooSmall', by: 'ada', requestId: 'request' } as const;
    await compareBooks(appSql, inAWeek);
    // Two clicks, and a third one on the page that still shows the item.
    const clicks = [writeItemOff(world, squareId, resolving), writeItemOff(world, squareId, resolving)];
    expect(await Promise.all(clicks)).toEqual([ok(undefined), ok(undefined)]);
    expect(await writeItemOff(world, squareId, resolving)).toEqual(ok(undefined));
    expect(await open()).toEqual([]);
    expect((await readBooksAtAGlance(appSql, timeZone)).now.atSquare).toBe(0);
    await compareBooks(appSql, inAWeek);
    expect(await writeItemOff(world, squareId, resolving)).toEqual(ok(undefined));
    expect(await open()).toEqual([]);
    // Undone, it is as old as before.
    const { version } = await readResolutions(appSql);
    expect(await undoResolution(world, version, resolving)).toEqual(ok(undefined));
    expect(await open()).toEqual([['order', squareId, net, null]]);
    expect((await compareBooks(appSql, inAWeek)).clearing).toMatchObject({ notPaidOut: net });
    expect(await writeItemOff(world, squareId, resolving)).toEqual(ok(undefined));
    expect(await open()).toEqual([]);
    await shop.square.endPayout(await shop.square.payOut(), 'PAID');
    expect(await open()).toEqual([['order', squareId, -net, null]]);
    // The write-off was its last change.
    const later = { ...shop.world, now: () => inDays(16) };
    await compareBooks(appSql, later.now());
    expect(await writeItemOff(later, squareId, resolving)).toEqual(ok(undefined));
    expect(await open()).toEqual([]);
  });

  test('that a payout has settled since the comparison, or changed, are not written off', async () => {
    await firstPayout();
    const { squareId } = await paidOrder();
    const { squareId: changed } = await paidOrder();
    await reconciled();
    const inAWeek = new Date(Date.now() + 8 * daySeconds * 1000);
    const world = { ...shop.world, now: () => inAWeek };
    const resolving = { reason: 'TooSmall', by: 'ada', requestId: 'request' } as const;
    await compareBooks(appSql, inAWeek);
    await shop.square.forceRefund(changed, 1000);
    await reconciled();
    expect(await writeItemOff(world, changed, resolving)).toEqual(rejected({ code: 'NoSuchItem' }));
    await shop.square.endPayout(await shop.square.payOut(), 'PAID');
    await reconciled();
    expect(await writeItemOff(world, squareId, resolving)).toEqual(rejected({ code: 'NoSuchItem' }));
    expect(await ownerSql`select from ledger.event where type = 'ClearingItemWrittenOff'`).toHaveLength(0);
  });

  test('that a payout may still bring are not written off', async () => {
    const { squareId } = await paidOrder();
    await open();
    const resolving = { reason: 'TooSmall', by: 'ada', requestId: 'request' } as const;
    expect(await writeItemOff(shop.world, squareId, resolving)).toEqual(rejected({ code: 'NoSuchItem' }));
    await shop.square.endPayout(await shop.square.payOut(), 'PAID');
    expect(await open()).toEqual([]);
  });

  test('as of a day are the events that the books posted until then', async () => {
    await paidOrder();
    await reconciled();
    await shop.square.endPayout(await shop.square.payOut([{ type: 'RESERVE_HOLD', gross: -900 }]), 'PAID');
    await paidOrder();
    await reconciled();
    await settled(appSql);
    const today = parseDay(new Date().toISOString().slice(0, 10));
    if (today === undefined) throw new Error('No day');
    for (const to of ['2026-01-01' as Day, today]) {
      const scope = await openScope(appSql, timeZone, { from: '2000-01-01' as Day, to });
      let moved = 0;
      await eachBooking(appSql, { scope }, (booking) => {
        moved += movedBy(entryOf(booking));
      });
      const events = isSelected({ scope });
      const { balance, unexplained } = await sumClearing(appSql, { events, now: new Date() });
      expect({ balance, unexplained }).toEqual({ balance: moved, unexplained: 0 });
    }
  });
});

test('a reimbursement is in no payout, and the comparison does not miss it there', async () => {
  await firstPayout();
  const { orderId } = await paidOrder();
  await reconciled();
  await shop.square.endPayout(await shop.square.payOut(), 'PAID');
  await reconciled();
  const recorded = await recordReimbursement(shop.world, {
    orderId: orderId as OrderId,
    refundId: randomUUID() as RefundId,
    requestHash: sha256('reimbursement'),
    amount: cents(1000),
    method: 'check',
    paidOn: dayIn(timeZone, new Date()),
    reference: 'No. 7',
    reason: 'Goodwill',
    lines: { rugs: [], deliveryMinimum: cents(0) },
    requestedBy: 'ada',
    role: 'owner',
    timeZone,
    requestId: undefined,
  });
  expect(recorded.kind).toBe('recorded');
  const { payouts, clearing } = await compareBooks(appSql, new Date(Date.now() + 30 * daySeconds * 1000));
  expect([payouts.unmatchedEntries, clearing.openItems]).toEqual([[], []]);
});

test('an entry that cannot be read is a difference, and ends no comparison', () => {
  const comparison = { charges: { atSquare: 0, inLedger: 0 }, entries: 1, elsewhere: 0, unmatched: 2 };
  const readable = { code: 'ChargeDiffers', squareId: 'one', orderId: null, atSquare: null, inLedger: 5, at: null };
  const unreadable = { ...readable, squareId: null, orderId: 'order' };
  expect(
    payoutComparison.parse({ ...comparison, unmatchedEntries: [unreadable, readable, 7] }).unmatchedEntries,
  ).toEqual([
    { code: 'Unreadable', squareId: 'order', orderId: null, atSquare: null, inLedger: null, at: null },
    readable,
    { code: 'Unreadable', squareId: 'unknown', orderId: null, atSquare: null, inLedger: null, at: null },
  ]);
});

test('the part of an entry that other events booked is the rest of what its payout books', async () => {
  const standings: readonly EntryStanding[] = [
    'order',
    'orphan',
    'returned',
    'elsewhere',
    'payout',
    'square',
    'unknown',
  ];
  const activities = ['CHARGE', 'REFUND', 'FEE', 'DISPUTE', 'OPEN_DISPUTE', 'RESERVE_HOLD', 'TAX_ON_FEE'];
  for (const standing of standings) {
    for (const activity of activities) {
      const entry: PayoutEntry = {
        entryId: 'entry',
        activity,
        gross: cents(1000),
        fee: cents(30),
        net: cents(970),
        standing,
      };
      const recorded = { type: 'PayoutEntriesRecorded', squarePayoutId: 'payout', entries: [entry] } as const;
      const [row] = await ownerSql.unsafe<{ carried: number }[]>(`
        select ${carriedInSql}::bigint as carried
        from (values ('${standing}', '${activity}', 1000, 30)) entry (standing, activity, gross_cents, fee_cents)`);
      expect([standing, activity, row?.carried]).toEqual([
        standing,
        activity,
        entry.net - movedBy(payoutPostings(recorded)),
      ]);
    }
  }
});
