import { cents } from '@kilim/domain/money';
import { parseOrderId } from '@kilim/domain/order/ids';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GlanceAnswer } from '../../../contract/glance.ts';
import { makeAdministrator, openBrowser } from '../../../testing/administrator.ts';
import { testDatabase } from '../../../testing/postgres.ts';
import { openShop, paid, paymentFor, quoted, simulatorIdentity } from '../../../testing/shop.ts';
import { lastSeconds } from '../../background/background-work.ts';
import { reconcileWeeks } from '../../background/reconcile-weeks.ts';
import { readOrder } from '../../ledger/read.ts';
import { compareBooks } from '../../queries/compare-books.ts';
import { recordSquareFact } from '../../use-case/record-facts.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const browser = openBrowser(shop);
beforeAll(async () => {
  await browser.signIn();
  await shop.square.change({ refundSettlesAfterMs: 0 });
});

async function compared(): Promise<GlanceAnswer> {
  await reconcileWeeks(shop.world, lastSeconds(new Date(), 24 * 60 * 60));
  await compareBooks(appSql, new Date());
  return (await (await browser.get('/api/admin/books/glance')).json()) as GlanceAnswer;
}

const codesOf = ({ reconciliation }: GlanceAnswer) => reconciliation?.differences.map(({ code }) => code);

const explain = (body: object) => browser.post('/api/admin/books/differences/explain', body);
const refund = (body: object) => browser.post('/api/admin/books/differences/refund', body);

async function recordedTypes(streamId: string) {
  const rows = await ownerSql<{ type: string; actor: string }[]>`
    select type, actor from ledger.event where stream_id = ${streamId} order by version`;
  return rows.map(({ type, actor }) => `${type} by ${actor}`);
}

async function orphanAtSquare(): Promise<string> {
  const answer = await fetch(`${shop.simulator.url}/v2/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulatorIdentity.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      source_id: 'cnon:card-nonce-ok',
      amount_money: { amount: 5000, currency: 'USD' },
      autocomplete: true,
      idempotency_key: crypto.randomUUID(),
    }),
  });
  return ((await answer.json()) as { payment: { id: string } }).payment.id;
}

describe('a payment without an order', () => {
  test('is refunded at Square on request, once, and leaves the list', async () => {
    const squareId = await orphanAtSquare();
    expect(codesOf(await compared())).toEqual(['OrphanPayment']);
    const answers = await Promise.all([
      refund({ squareId, reason: 'TestPayment' }),
      refund({ squareId, reason: 'TestPayment' }),
    ]);
    for (const answer of answers) expect([200, 404]).toContain(answer.status);
    expect(await (await refund({ squareId, reason: 'TestPayment' })).json()).toMatchObject({
      code: 'NoSuchDifference',
    });
    const { refunds } = await shop.square.payment(squareId);
    expect(refunds.map((made) => made.refund.amount_money.amount)).toEqual([5000]);
    expect(await recordedTypes('resolutions')).toEqual(['OrphanRefundRequested by admin:ada']);
    const after = await compared();
    expect(codesOf(after)).toEqual([]);
    expect(after.resolved).toMatchObject([{ code: null, squareId, amount: 50, reason: 'TestPayment', by: 'ada' }]);
    expect(after.now).toMatchObject({ atSquare: 0 });
  });

  test('of which Square refunds nothing stays on the list, and the answer says so', async () => {
    const squareId = await orphanAtSquare();
    await compared();
    await shop.square.openDispute(squareId);
    expect(await (await refund({ squareId, reason: 'TestPayment' })).json()).toMatchObject({ code: 'RefusedBySquare' });
    expect(codesOf(await compared())).toContain('OrphanPayment');
  });

  test('is refunded once when the answer of Square is lost', async () => {
    const squareId = await orphanAtSquare();
    await compared();
    shop.simulator.setFault({ kind: 'drop-after', path: '/v2/refunds', times: 3 });
    expect(await (await refund({ squareId, reason: 'TestPayment' })).json()).toEqual({ status: 'pending' });
    await shop.square.clearFaults();
    expect(await (await refund({ squareId, reason: 'TestPayment' })).json()).toEqual({ status: 'refunded' });
    expect((await shop.square.payment(squareId)).refunds).toHaveLength(1);
  });
});

describe('a difference', () => {
  test('that a person explains leaves the list and stays findable, until its amount changes', async () => {
    const quote = await quoted(shop);
    await paid(shop, paymentFor(quote));
    const orderId = parseOrderId(quote.orderId);
    if (orderId === undefined) throw new Error('No order');
    const invented = { type: 'ExternalRefund', squareRefundId: 'invented', amount: cents(700) } as const;
    const fact = { ...invented, refundedAt: new Date().toISOString() };
    await recordSquareFact(shop.world, await readOrder(appSql, orderId), fact);
    const before = await compared();
    expect(codesOf(before)).toContain('RefundNotAtSquare');
    const asked = { code: 'RefundNotAtSquare', squareId: 'invented', reason: 'BookedByAccountant' };
    expect((await explain(asked)).status).toBe(204);
    const after = await compared();
    expect(codesOf(after)).not.toContain('RefundNotAtSquare');
    expect(after.reconciliation?.differing).toBe((before.reconciliation?.differing ?? 0) - 1);
    expect(after.resolved[0]).toMatchObject({ code: 'RefundNotAtSquare', amount: 7, reason: 'BookedByAccountant' });
    // The second click finds it no longer on the list.
    expect((await explain(asked)).status).toBe(404);
  });

  test('that is not on the list cannot be explained', async () => {
    expect((await explain({ code: 'OrphanPayment', squareId: 'unheard', reason: 'TooSmall' })).status).toBe(404);
    expect((await explain({ code: 'OrphanPayment', squareId: 'unheard', reason: 'My own words' })).status).toBe(422);
  });
});
