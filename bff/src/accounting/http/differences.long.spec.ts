import { cents } from '@kilim/domain/money';
import { parseOrderId } from '@kilim/domain/order/ids';
import { type Browser, makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { cloneDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted, type Shop } from '@kilim/lab/testing/shop';
import { beforeEach, describe, expect, test } from 'vitest';
import type { GlanceAnswer } from '../../../contract/glance.ts';
import type { OrderDetailAnswer } from '../../../contract/orders.ts';
import { lastSeconds } from '../../core/background/background-work.ts';
import { reconcileWeeks } from '../../core/background/reconcile-weeks.ts';
import type { Sql } from '../../core/database/database.ts';
import { readOrder } from '../../core/ledger/read.ts';
import { recordSquareFact } from '../../core/use-case/record-facts.ts';
import { compareBooks } from '../queries/compare-books.ts';

// The list has every difference of the ledger, so each test has its own.
let appSql: Sql;
let ownerSql: Sql;
let shop: Shop;
let browser: Browser;
beforeEach(async () => {
  const database = await cloneDatabase();
  ({ appSql, ownerSql } = database);
  shop = await openShop(appSql);
  await shop.square.change({ refundSettlesAfterMs: 0 });
  await makeAdministrator(appSql);
  browser = openBrowser(shop);
  await browser.signIn();
  return async () => {
    await shop.close();
    await database.drop();
  };
});

async function compared(): Promise<GlanceAnswer> {
  await reconcileWeeks(shop.world, lastSeconds(new Date(), 24 * 60 * 60));
  await compareBooks(appSql, new Date());
  return (await (await browser.get('/api/admin/books/glance')).json()) as GlanceAnswer;
}

const idsOf = ({ reconciliation }: GlanceAnswer) => reconciliation?.differences.map(({ squareId }) => squareId);
const codesOf = ({ reconciliation }: GlanceAnswer) => reconciliation?.differences.map(({ code }) => code);

const explain = (body: object) => browser.post('/api/admin/books/differences/explain', body);
const assign = (body: object) => browser.post('/api/admin/books/differences/assign', body);
const writeOff = (body: object) => browser.post('/api/admin/books/differences/write-off', body);
const undo = (version: number | undefined) => browser.post(`/api/admin/books/resolutions/${version ?? 0}/undo`, {});
const refund = (body: object) => browser.post('/api/admin/books/differences/refund', body);

async function recordedTypes(streamId: string) {
  const rows = await ownerSql<{ type: string; actor: string }[]>`
    select type, actor from ledger.event where stream_id = ${streamId} order by version`;
  return rows.map(({ type, actor }) => `${type} by ${actor}`);
}

describe('a payment without an order', () => {
  test('is refunded at Square on request, once, and leaves the list', async () => {
    const squareId = await shop.square.payByLink(5000);
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
    const squareId = await shop.square.payByLink(5000);
    await compared();
    await shop.square.openDispute(squareId);
    expect(await (await refund({ squareId, reason: 'TestPayment' })).json()).toMatchObject({ code: 'RefusedBySquare' });
    expect(codesOf(await compared())).toContain('OrphanPayment');
  });

  test('is refunded once when the answer of Square is lost', async () => {
    const squareId = await shop.square.payByLink(5000);
    await compared();
    shop.simulator.setFault({ kind: 'drop-after', path: '/v2/refunds', times: 3 });
    expect(await (await refund({ squareId, reason: 'TestPayment' })).json()).toEqual({ status: 'pending' });
    await shop.square.clearFaults();
    expect(await (await refund({ squareId, reason: 'TestPayment' })).json()).toEqual({ status: 'refunded' });
    expect((await shop.square.payment(squareId)).refunds).toHaveLength(1);
  });
});

describe('a payment without an order that a person books', () => {
  test('is income of an order, once, and its timeline says so', async () => {
    const squareId = await shop.square.payByLink(5000);
    const { orderId } = await quoted(shop).then(async (quote) => {
      await paid(shop, paymentFor(quote));
      return quote;
    });
    expect(codesOf(await compared())).toContain('OrphanPayment');
    const asked = { squareId, orderId, reason: 'AgreedWithCustomer' };
    const answers = await Promise.all([assign(asked), assign(asked)]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect((await recordedTypes('resolutions')).filter((type) => type.startsWith('OrphanAssigned'))).toHaveLength(1);
    expect(await (await writeOff({ squareId, reason: 'TooSmall' })).json()).toMatchObject({ code: 'NoSuchDifference' });
    expect(await (await refund({ squareId, reason: 'TooSmall' })).json()).toMatchObject({ code: 'NoSuchDifference' });
    const after = await compared();
    expect(idsOf(after)).not.toContain(squareId);
    expect(after.resolved[0]).toMatchObject({ squareId, orderId, amount: 50, reason: 'AgreedWithCustomer', by: 'ada' });
    const { timeline } = (await (await browser.get(`/api/admin/orders/${orderId}`)).json()) as OrderDetailAnswer;
    expect(timeline.at(-1)).toMatchObject({
      what: 'A payment of $50.00 without an order was assigned to this order',
      amount: null,
      who: 'ada',
    });
  });

  test('returns to the list when Square gives money back, until that is written off', async () => {
    const squareId = await shop.square.payByLink(5000);
    await compared();
    expect((await writeOff({ squareId, reason: 'TestPayment' })).status).toBe(204);
    expect(idsOf(await compared())).not.toContain(squareId);
    await shop.square.forceRefund(squareId, 1500);
    // The first comparison records the refund.
    await compared();
    const { reconciliation } = await compared();
    expect(reconciliation?.differences.find((each) => each.squareId === squareId)).toMatchObject({
      code: 'BookedOrphanReturned',
      amount: -15,
    });
    expect((await writeOff({ squareId, reason: 'SettledAtSquare' })).status).toBe(204);
    const after = await compared();
    expect(idsOf(after)).not.toContain(squareId);
    expect(after.resolved[0]).toMatchObject({ squareId, orderId: null, amount: -15 });
  });

  test('is not booked while a refund of it is under way, nor while Square does not answer', async () => {
    const squareId = await shop.square.payByLink(5000);
    await compared();
    await shop.square.change({ refundSettlesAfterMs: 600_000 });
    expect(await (await refund({ squareId, reason: 'TestPayment' })).json()).toEqual({ status: 'pending' });
    const booked = await writeOff({ squareId, reason: 'TooSmall' });
    expect([booked.status, await booked.json()]).toMatchObject([409, { code: 'RefundUnderWay' }]);
    const [made] = (await shop.square.payment(squareId)).refunds;
    await shop.square.settleRefund(made?.refund.id ?? '', 'COMPLETED');
    // Square has completed it, and the ledger does not know it yet.
    expect((await writeOff({ squareId, reason: 'TooSmall' })).status).toBe(409);
    await compared();
    expect(idsOf(await compared())).not.toContain(squareId);
    expect((await writeOff({ squareId, reason: 'TooSmall' })).status).toBe(404);

    const other = await shop.square.payByLink(5000);
    await compared();
    shop.simulator.setFault({ kind: 'drop-before', method: 'GET', path: '/v2/payments/*', times: 9 });
    const unheard = await writeOff({ squareId: other, reason: 'TooSmall' });
    await shop.square.clearFaults();
    expect([unheard.status, await unheard.json()]).toMatchObject([503, { code: 'SquareDidNotAnswer' }]);
    const types = await recordedTypes('resolutions');
    expect(types.filter((type) => type.startsWith('OrphanWrittenOff'))).toEqual([]);
  });

  test('is assigned to a known order only, and written off only when it is known', async () => {
    const squareId = await shop.square.payByLink(5000);
    await compared();
    const unknown = { squareId, orderId: '0199d5a0-7c00-7000-8000-00000000dead', reason: 'TooSmall' };
    expect(await (await assign(unknown)).json()).toMatchObject({ code: 'NoSuchOrder' });
    expect((await assign({ ...unknown, orderId: 'K7' })).status).toBe(422);
    expect((await writeOff({ squareId: 'unheard', reason: 'TooSmall' })).status).toBe(404);
    expect((await browser.post('/api/admin/books/clearing/write-off', { squareId, reason: 'TooSmall' })).status).toBe(
      404,
    );
  });
});

describe('a resolution that a person undoes', () => {
  test('reverses its booking once, and the payment returns to the list and can be booked otherwise', async () => {
    const squareId = await shop.square.payByLink(5000);
    const { orderId } = await quoted(shop).then(async (quote) => {
      await paid(shop, paymentFor(quote));
      return quote;
    });
    await compared();
    expect((await assign({ squareId, orderId, reason: 'AgreedWithCustomer' })).status).toBe(204);
    const [assigned] = (await compared()).resolved;
    expect(assigned).toMatchObject({ canBeUndone: true, undone: null });
    const answers = await Promise.all([undo(assigned?.version), undo(assigned?.version)]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    const after = await compared();
    expect(idsOf(after)).toContain(squareId);
    expect(after.resolved).toMatchObject([{ squareId, canBeUndone: false, undone: { by: 'ada' } }]);
    expect((await writeOff({ squareId, reason: 'TooSmall' })).status).toBe(204);
    expect(await recordedTypes('resolutions')).toEqual(
      ['OrphanAssigned', 'OrphanBookingUndone', 'OrphanWrittenOff'].map((type) => `${type} by admin:ada`),
    );
    const { timeline } = (await (await browser.get(`/api/admin/orders/${orderId}`)).json()) as OrderDetailAnswer;
    expect(timeline.map(({ what }) => what).slice(-2)).toEqual([
      'A payment of $50.00 without an order was assigned to this order',
      'The assignment of a payment of $50.00 without an order was undone',
    ]);
  });

  test('is named: another version is not found, and a refund cannot be undone', async () => {
    expect((await undo(7)).status).toBe(404);
    expect((await browser.post('/api/admin/books/resolutions/first/undo', {})).status).toBe(404);
    const squareId = await shop.square.payByLink(5000);
    await compared();
    await refund({ squareId, reason: 'TestPayment' });
    const [asked] = (await compared()).resolved;
    expect(asked).toMatchObject({ canBeUndone: false, undone: null });
    expect(await (await undo(asked?.version)).json()).toMatchObject({ code: 'RefundRequested' });
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
    // It is no longer on the list.
    expect((await explain(asked)).status).toBe(404);
    expect((await undo(after.resolved[0]?.version)).status).toBe(204);
    const glance = (await (await browser.get('/api/admin/books/glance')).json()) as GlanceAnswer;
    expect(codesOf(glance)).toContain('RefundNotAtSquare');
  });

  test('that is not on the list cannot be explained', async () => {
    expect((await explain({ code: 'OrphanPayment', squareId: 'unheard', reason: 'TooSmall' })).status).toBe(404);
    expect((await explain({ code: 'OrphanPayment', squareId: 'unheard', reason: 'My own words' })).status).toBe(422);
  });
});
