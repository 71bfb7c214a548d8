import { parseOrderId } from '@kilim/domain/order/ids';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paymentFor, quoted, sendPayment, simulatorIdentity } from '@kilim/lab/testing/shop';
import { violations } from '@kilim/lab/testing/violations';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { eventsOf, readOrder } from '../ledger/read.ts';
import { lastSeconds } from './background-work.ts';
import { reconcile } from './reconcile.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
beforeEach(() => shop.square.clearFaults());

async function reconciled() {
  const answer = await reconcile(shop.world, lastSeconds(new Date(), 24 * 60 * 60));
  if (answer.kind !== 'reconciled') throw new Error(answer.detail);
  return answer.report;
}

/** Its payment ended unknown, and waited for a day. */
async function parked(isAuthorized: boolean) {
  const quote = await quoted(shop);
  const orderId = parseOrderId(quote.orderId);
  if (orderId === undefined) throw new Error('No order');
  const path = isAuthorized ? '/v2/payments/*/complete' : '/v2/payments';
  shop.simulator.setFault({ kind: 'drop-before', path, times: 3 });
  const request = paymentFor(quote);
  expect(await sendPayment(shop, request)).toMatchObject({ status: 202 });
  await shop.square.clearFaults();
  await ownerSql`update ledger.effect set state = 'parked' where order_id = ${orderId}::uuid`;
  return { orderId, request };
}

async function stateOf(orderId: NonNullable<ReturnType<typeof parseOrderId>>) {
  const [row] = await ownerSql<{ status: string; effect: string }[]>`
    select payment_status as status, effect.state as effect
    from ledger.order_summary summary join ledger.effect using (order_id) where order_id = ${orderId}::uuid`;
  return { ...row, last: eventsOf(await readOrder(appSql, orderId)).at(-1) };
}

describe('a payment whose effect is parked', () => {
  test('stays in processing while Square holds the money, and is void once Square has released it', async () => {
    const { orderId } = await parked(true);
    await reconciled();
    expect(await stateOf(orderId)).toMatchObject({ status: 'processing', effect: 'parked' });
    await shop.square.advanceClock(2 * 60 * 60);
    await reconciled();
    expect(await stateOf(orderId)).toMatchObject({
      effect: 'done',
      last: { type: 'PaymentVoided', reason: 'HoldReleased' },
    });
  });

  test('is void when Square has no payment of the order', async () => {
    const { orderId } = await parked(false);
    await reconciled();
    expect(await stateOf(orderId)).toMatchObject({
      effect: 'done',
      last: { type: 'PaymentVoided', reason: 'AuthorizationUnknown' },
    });
  });

  test('is captured when the money was taken', async () => {
    const { orderId, request } = await parked(false);
    const charged = await fetch(`${shop.simulator.url}/v2/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${simulatorIdentity.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        source_id: 'cnon:card-nonce-ok',
        amount_money: { amount: 75_822, currency: 'USD' },
        autocomplete: true,
        idempotency_key: request.idempotencyKey,
        reference_id: orderId,
      }),
    });
    expect(charged.status).toBe(200);
    const { differences } = await reconciled();
    expect(differences).toEqual([]);
    expect(await stateOf(orderId)).toMatchObject({ status: 'paid', effect: 'done' });
    expect(await violations(ownerSql, shop.square)).toEqual([]);
  });

  test('stays in processing while Square does not answer', async () => {
    const { orderId } = await parked(false);
    shop.simulator.setFault({ kind: 'status', method: 'GET', path: '/v2/payments', status: 500, times: 10 });
    await reconcile(shop.world, lastSeconds(new Date(), 60));
    expect(await stateOf(orderId)).toMatchObject({ status: 'processing', effect: 'parked' });
  });
});
