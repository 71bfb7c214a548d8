import { generateKeyPairSync } from 'node:crypto';
import { cents } from '@kilim/domain/money';
import { type OrderId, parsePaymentId, type RefundId } from '@kilim/domain/order/ids';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { quietly } from '@kilim/lab/testing/quietly';
import { settled } from '@kilim/lab/testing/settled';
import { openShop, paid, paymentFor, quoted } from '@kilim/lab/testing/shop';
import { afterAll, describe, expect, test } from 'vitest';
import { lastSeconds } from '../core/background/background-work.ts';
import { countDays } from '../core/background/count-days.ts';
import { reconcile } from '../core/background/reconcile.ts';
import { sha256 } from '../core/ledger/hash.ts';
import { compareProjections } from '../core/ledger/rebuild/compare.ts';
import { findOrderByPayment } from '../core/queries/find-order.ts';
import { eraseContact } from '../core/use-case/erase-contact.ts';
import { requestRefund } from '../core/use-case/request-refund.ts';
import { seal } from './checkpoint.ts';
import { tellClue, tellFault } from './cli/tell-fault.ts';
import { prove } from './prove.ts';
import { ledgerSigner } from './signing-key.ts';

// An attacker with all rights in the database changes orders that no checkpoint has sealed: rows beside the ledger and
// Square have to give that away. Each test keeps its order's changes.

const { appSql, ownerSql, url } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);

type Paid = { readonly orderId: OrderId; readonly squarePaymentId: string; readonly refundId: RefundId };

async function payAndRefund(): Promise<Paid> {
  const body = await paid(shop, paymentFor(await quoted(shop)));
  const paymentId = parsePaymentId(body.paymentId);
  if (paymentId === undefined) throw new Error('not paid');
  const refundId = crypto.randomUUID() as RefundId;
  const requested = await requestRefund(shop.world, {
    paymentId,
    refundId,
    requestHash: sha256(refundId),
    refundType: 'partial',
    amount: cents(100),
    reason: 'A stain',
    notes: 'It stays.',
    items: [],
    deliveryMinimum: cents(0),
    requestedBy: 'admin',
    role: 'owner',
    timeZone: 'America/Los_Angeles',
    requestId: undefined,
  });
  expect(requested).toMatchObject({ kind: 'refund' });
  const found = await findOrderByPayment(appSql, paymentId);
  const squarePaymentId = found?.summary.squarePaymentId;
  if (found === undefined || squarePaymentId === undefined) throw new Error('not paid');
  return { orderId: found.stream.orderId, squarePaymentId, refundId };
}

async function verify(of: string) {
  const proof = await prove({ sql: ownerSql, url, verifiers: [], against: undefined, onProgress: () => undefined });
  const about = (line: string) => line.includes(of);
  return {
    faults: proof.faults.map(tellFault).filter(about),
    clues: proof.traces?.clues.map(tellClue) ?? [],
  };
}

async function compare(of: string): Promise<readonly string[]> {
  const { differences } = await compareProjections(ownerSql, () => undefined);
  return differences.filter((difference) => difference.of === of).map(({ what }) => what);
}

const streamOf = ({ orderId }: Paid) => `order-${orderId}`;
const withoutEvents = (order: Paid) => `
  delete from ledger.event where stream_id = '${streamOf(order)}';
  delete from ledger.command where stream_id = '${streamOf(order)}';`;
const rowTables = ['order_summary', 'refund_history', 'refund_text', 'customer_contact', 'effect'] as const;
const withoutRows = ({ orderId }: Paid, except?: (typeof rowTables)[number]) =>
  rowTables
    .filter((table) => table !== except)
    .map((table) => `delete from ledger.${table} where order_id = '${orderId}';`)
    .join('');

test('verify and compare find nothing in orders that were not touched', async () => {
  const { orderId } = await payAndRefund();
  expect(await verify(orderId)).toEqual({ faults: [], clues: [] });
  expect(await compare(orderId)).toEqual([]);
});

describe('C: the newest events of an order are deleted, and verify names the row that was overlooked', () => {
  test.each<[(typeof rowTables)[number], RegExp]>([
    ['order_summary', /^the order's row knows the event/],
    ['refund_history', /^the row of the refund/],
    ['refund_text', /^the text of the refund/],
    ['customer_contact', /^the contact is there/],
    ['effect', /^the work on the (?:payment|refund)/],
  ])('%s', async (table, expected) => {
    const order = await payAndRefund();
    await quietly(ownerSql, withoutEvents(order) + withoutRows(order, table));
    const { faults } = await verify(order.orderId);
    const told = faults.map((line) => line.replace(/^order-[-0-9a-f]+(?:, version \d+)?: /, ''));
    expect(told).toContainEqual(expect.stringMatching(expected));
  });

  test('the commands', async () => {
    const order = await payAndRefund();
    await quietly(ownerSql, `delete from ledger.event where stream_id = '${streamOf(order)}';${withoutRows(order)}`);
    const { faults } = await verify(order.orderId);
    expect(faults[0]).toMatch(/not all events of a command exist/);
  });

  test('the text of a refund whose other traces were removed', async () => {
    const order = await payAndRefund();
    await quietly(
      ownerSql,
      `delete from ledger.command c using ledger.event e where e.command_id = c.command_id and e.refund_id = '${order.refundId}';
      delete from ledger.event where refund_id = '${order.refundId}';
      delete from ledger.refund_history where refund_id = '${order.refundId}';
      delete from ledger.effect where refund_id = '${order.refundId}';
      update ledger.order_summary set version = (select max(version) from ledger.event where stream_id = '${streamOf(order)}')
        where order_id = '${order.orderId}'`,
    );
    expect((await verify(order.orderId)).faults).toEqual([
      `${streamOf(order)}: the text of the refund ${order.refundId} is there, but its event is not.`,
    ]);
  });
});

describe('C: a whole order is deleted from all tables', () => {
  test('reconciliation with Square names the payment, and from then on verify names the order', async () => {
    const begin = new Date();
    const order = await payAndRefund();
    await quietly(ownerSql, withoutEvents(order) + withoutRows(order));
    const { faults, clues } = await verify(order.orderId);
    expect(faults).toEqual([]);
    expect(clues).toEqual([expect.stringMatching(/^Positions without an event/)]);

    const reconciled = await reconcile(shop.world, { ...lastSeconds(new Date(), 0), from: begin.toISOString() });
    if (reconciled.kind !== 'reconciled') throw new Error(reconciled.detail);
    expect(reconciled.report.differences).toContainEqual(
      expect.objectContaining({ code: 'OrphanPayment', squareId: order.squarePaymentId, amount: 75_822 }),
    );
    const after = await verify(order.orderId);
    expect(after.clues).toContainEqual(
      expect.stringContaining(`Square has the payment ${order.squarePaymentId} for this order`),
    );
  });

  test('verify counts empty positions from the last checkpoint on', async () => {
    await payAndRefund();
    await settled(appSql);
    await seal(
      appSql,
      ledgerSigner(
        generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        'Test',
      ),
    );
    const emptyPositions = async (of: string) =>
      (await verify(of)).clues.filter((clue) => clue.startsWith('Positions without an event'));
    const order = await payAndRefund();
    expect(await emptyPositions(order.orderId)).toEqual([]);
    const [row] = await ownerSql<{ events: number }[]>`
      select count(*)::int as events from ledger.event where stream_id = ${streamOf(order)}`;
    await quietly(ownerSql, withoutEvents(order) + withoutRows(order));
    expect(await emptyPositions(order.orderId)).toEqual([
      expect.stringContaining(`after the last checkpoint: ${row?.events}.`),
    ]);
  });

  test('compare names the day whose orders were counted before', async () => {
    const order = await payAndRefund();
    while ((await countDays(appSql, 'America/Los_Angeles')) > 0);
    const [day] = await ownerSql<{ day: string }[]>`
      select (placed_at at time zone 'America/Los_Angeles')::date::text as day from ledger.order_summary
      where order_id = ${order.orderId}`;
    await quietly(ownerSql, withoutEvents(order) + withoutRows(order));
    expect(await compare(day?.day ?? '')).toContain('The counted money of this day are not those of the rows');
  });
});

describe('N8: the words about a refund', () => {
  test.each<[string, (order: Paid) => string, string]>([
    [
      'changed',
      ({ refundId }) => `update ledger.refund_text set notes = 'Other words' where refund_id = '${refundId}'`,
      "were changed; their digest differs from the event's.",
    ],
    [
      'moved from the notes to the reason',
      ({ refundId }) => `update ledger.refund_text set reason = notes, notes = reason where refund_id = '${refundId}'`,
      "were changed; their digest differs from the event's.",
    ],
    [
      'deleted',
      ({ refundId }) => `delete from ledger.refund_text where refund_id = '${refundId}'`,
      'are missing, and no event says that they were erased.',
    ],
  ])('%s', async (_what, statements, told) => {
    const order = await payAndRefund();
    await quietly(ownerSql, statements(order));
    expect((await verify(order.orderId)).faults).toEqual([
      `${streamOf(order)}: the words about the refund ${order.refundId} ${told}`,
    ]);
  });

  test('erased with the contact', async () => {
    const order = await payAndRefund();
    expect(await eraseContact(shop.world, { orderId: order.orderId, erasedBy: 'ada', requestId: 'test' })).toBeTruthy();
    expect((await verify(order.orderId)).faults).toEqual([]);
  });
});

describe('J: compare names', () => {
  test.each<[string, (order: Paid) => string, RegExp]>([
    [
      'an amount in the row of an order',
      ({ orderId }) => `update ledger.order_summary set captured_cents = captured_cents - 1,
        refundable_cents = refundable_cents - 1 where order_id = '${orderId}'`,
      /^The row: .*75822/,
    ],
    [
      'the status of a refund',
      ({ refundId }) => `update ledger.refund_history set status = 'failed' where refund_id = '${refundId}'`,
      /^Refund [-0-9a-f]+: .*failed/,
    ],
    [
      'a refund that is gone',
      ({ refundId }) => `delete from ledger.refund_history where refund_id = '${refundId}'`,
      /^Refund [-0-9a-f]+ is missing/,
    ],
    [
      'an order that is gone',
      ({ orderId }) => `delete from ledger.order_summary where order_id = '${orderId}'`,
      /^The row is missing/,
    ],
  ])('%s', async (_what, statements, expected) => {
    const order = await payAndRefund();
    await quietly(ownerSql, statements(order));
    expect(await compare(order.orderId)).toContainEqual(expect.stringMatching(expected));
  });
});
