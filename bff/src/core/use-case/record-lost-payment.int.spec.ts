import { type OrderId, parseOrderId, parsePaymentId } from '@kilim/domain/order/ids';
import { cloneDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted, type Shop, sendPayment, simulatorIdentity } from '@kilim/lab/testing/shop';
import { beforeEach, describe, expect, test } from 'vitest';
import { recordPayouts } from '../../accounting/background/record-payouts.ts';
import { lastSeconds } from '../background/background-work.ts';
import { reconcile } from '../background/reconcile.ts';
import type { ReconcileChoices } from '../background/reconcile-payment.ts';
import type { Sql } from '../database/database.ts';
import { eventsOf, readOrder } from '../ledger/read.ts';
import { compareProjections } from '../ledger/rebuild/compare.ts';

// A restore holds for the whole ledger, so each test has its own.
let appSql: Sql;
let ownerSql: Sql;
let shop: Shop;
beforeEach(async () => {
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
const lastHour = () => lastSeconds(new Date(), 3600);

async function reconciled(choices: ReconcileChoices = {}) {
  const answer = await reconcile(shop.world, lastHour(), choices);
  if (answer.kind !== 'reconciled') throw new Error(answer.detail);
  return answer.report;
}

async function atSquare(path: string, body: object): Promise<string> {
  const answer = await fetch(`${shop.simulator.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulatorIdentity.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ idempotency_key: crypto.randomUUID(), ...body }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  const { payment } = (await answer.json()) as { payment?: { id: string } };
  return payment?.id ?? '';
}

/** As if events from before that time were missing. */
async function restore(minutesAgo: number): Promise<void> {
  await ownerSql`
    insert into ledger.cluster (sequence, epoch, system_identifier, event_table, timeline, reason, may_lack_events, recorded_at)
    select sequence + 1, epoch, system_identifier, event_table, timeline, 'promoted', true,
      now() - make_interval(mins => ${minutesAgo})
    from ledger.cluster order by sequence desc limit 1`;
}

type Lost = {
  readonly orderId: OrderId;
  readonly squareId: string;
  readonly quote: Awaited<ReturnType<typeof quoted>>;
};

/** The ledger has a declined attempt, and Square a payment of another one. */
async function lostPayment(amount = total): Promise<Lost> {
  const quote = await quoted(shop);
  expect(await sendPayment(shop, paymentFor(quote, { token: 'cnon:card-nonce-declined' }))).toMatchObject({
    status: 402,
  });
  const squareId = await atSquare('/v2/payments', {
    source_id: 'cnon:card-nonce-ok',
    amount_money: { amount, currency: 'USD' },
    autocomplete: true,
    reference_id: quote.orderId,
  });
  const orderId = parseOrderId(quote.orderId);
  if (orderId === undefined) throw new Error('No order');
  return { orderId, squareId, quote };
}

const typesOf = async (orderId: OrderId) => eventsOf(await readOrder(appSql, orderId)).map(({ type }) => type);
const refundsOf = async (squareId: string) => (await shop.square.payment(squareId)).refunds;
const inDashboard = (squareId: string, amount: number) =>
  atSquare('/v2/refunds', { payment_id: squareId, amount_money: { amount, currency: 'USD' } });
const untouched = ['OrderPlaced', 'PaymentStarted', 'PaymentDeclined'];

test('in a ledger that never lost events, a payment without an attempt is returned', async () => {
  const { squareId, orderId } = await lostPayment();
  expect(await reconciled()).toMatchObject({ recorded: { OrphanPaymentReturned: 1 }, differences: [] });
  expect(await refundsOf(squareId)).toHaveLength(1);
  expect(await typesOf(orderId)).toContain('OrphanPaymentReturned');
});

test('a payment from after the restore is returned as before', async () => {
  await restore(10);
  const { squareId } = await lostPayment();
  expect(await reconciled()).toMatchObject({ recorded: { OrphanPaymentReturned: 1 }, differences: [] });
  expect(await refundsOf(squareId)).toHaveLength(1);
});

describe('a payment from before the restore that no attempt of its order knows', () => {
  beforeEach(() => restore(0));

  test('is reported and not returned, however often it is compared', async () => {
    const { squareId, orderId } = await lostPayment();
    const difference = { code: 'LostPayment', squareId, orderId };
    for (let round = 0; round < 3; round += 1) expect((await reconciled()).differences).toMatchObject([difference]);
    expect(await refundsOf(squareId)).toEqual([]);
    expect(await typesOf(orderId)).toEqual(untouched);
    expect(await reconciled({ recordsLost: true })).toMatchObject({ differences: [] });
  });

  test('is recorded once when an administrator asks for it, with its fee and its refunds', async () => {
    const { squareId, orderId, quote } = await lostPayment();
    await inDashboard(squareId, 5000);
    await Promise.all([reconciled({ recordsLost: true }), reconciled({ recordsLost: true })]);
    await reconciled({ recordsLost: true });
    expect((await typesOf(orderId)).toSorted()).toEqual(
      [
        ...untouched,
        'PaymentStarted',
        'PaymentAuthorized',
        'PaymentCaptured',
        'ProcessingFeeAssessed',
        'ExternalRefundRecorded',
      ].toSorted(),
    );
    expect(await reconciled()).toMatchObject({ recorded: {}, differences: [] });
    // Answered with the recorded one.
    const again = await paid(shop, paymentFor(quote));
    expect(parsePaymentId(again.paymentId)).toBeDefined();
    expect((await shop.square.payments()).filter(({ payment }) => payment.reference_id === orderId)).toHaveLength(2);
    expect((await compareProjections(ownerSql, () => undefined)).differences).toEqual([]);
  });

  test.each([
    ['the order was paid again', total, true],
    ['the amount is not that of the order', 1000, false],
  ])('stays a difference when %s, until it is refunded in the dashboard', async (_, amount, paysAgain) => {
    const { squareId, orderId, quote } = await lostPayment(amount);
    if (paysAgain) expect(await sendPayment(shop, paymentFor(quote))).toMatchObject({ status: 200 });
    const difference = { code: 'LostPayment', squareId, orderId };
    expect((await reconciled({ recordsLost: true })).differences).toMatchObject([difference]);
    expect(await refundsOf(squareId)).toEqual([]);
    await inDashboard(squareId, amount);
    await reconciled();
    expect(await reconciled()).toMatchObject({ recorded: {}, differences: [] });
    expect(await typesOf(orderId)).toContain('OrphanPaymentReturned');
    expect(await refundsOf(squareId)).toHaveLength(1);
  });

  test('holds back the payout that brings it, because an entry is recorded once', async () => {
    const { squareId } = await lostPayment();
    const payoutId = await shop.square.payOut();
    expect(await recordPayouts(shop.world, lastHour())).toMatchObject({ report: { inFlight: 1 } });
    await reconciled({ recordsLost: true });
    expect(await recordPayouts(shop.world, lastHour())).toMatchObject({ report: { inFlight: 0 } });
    const entries = await ownerSql`
      select standing from ledger.payout_entry where payout_id = ${payoutId} and square_payment_id = ${squareId}`;
    expect(entries).toEqual([{ standing: 'order' }]);
  });
});
