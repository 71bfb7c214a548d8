import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { isHostile } from '@kilim/lab/testing/only-ours';
import { patience } from '@kilim/lab/testing/patience';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted } from '@kilim/lab/testing/shop';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { GlanceAnswer } from '../../../contract/glance.ts';
import { lastSeconds } from '../../core/background/background-work.ts';
import { reconcileWeeks } from '../../core/background/reconcile-weeks.ts';
import { hasOldComparison } from '../../core/ledger/findings.ts';
import { takeDueJob } from '../../core/ledger/jobs.ts';
import { rememberVerification } from '../../proof/remember-verification.ts';
import { compareBooks } from '../queries/compare-books.ts';

const horizon = { epoch: 1, xid: '3' };
const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const browser = openBrowser(shop);
beforeAll(async () => {
  await browser.signIn();
  await shop.square.change({ payoutArrivesAfterMs: 1_000_000, refundSettlesAfterMs: 0 });
});

const daySeconds = 24 * 60 * 60;

async function paidOrder(): Promise<{ orderId: string; squareId: string }> {
  const quote = await quoted(shop);
  await paid(shop, paymentFor(quote));
  const [row] = await ownerSql<{ id: string }[]>`
    select square_payment_id as id from ledger.order_summary where order_id = ${quote.orderId}::uuid`;
  return { orderId: quote.orderId, squareId: row?.id ?? '' };
}

async function atAGlance(): Promise<GlanceAnswer> {
  return (await (await browser.get('/api/admin/books/glance')).json()) as GlanceAnswer;
}

async function compared({ daysLater = 0 } = {}) {
  const now = new Date(Date.now() + daysLater * daySeconds * 1000);
  await reconcileWeeks(shop.world, lastSeconds(new Date(), daySeconds));
  await compareBooks(appSql, now);
  const answer = await atAGlance();
  if (answer.comparison === null || answer.reconciliation === null) throw new Error('Nothing was compared');
  return { ...answer, comparison: answer.comparison, reconciliation: answer.reconciliation };
}

describe('the books at a glance', () => {
  /** Null before the first comparison. */
  async function beginEmpty() {
    expect(await atAGlance()).toMatchObject({
      now: { taken: 0, atSquare: 0, onItsWay: 0, atBank: 0 },
      seals: { last: null, unsealed: 1, moreUnsealed: false, refused: null },
      comparison: null,
      reconciliation: null,
      verification: null,
    });
  }

  async function showVerification() {
    await rememberVerification(ownerSql, { horizon, events: 7, checkpoints: 1, signaturesChecked: true, faults: [] });
    expect((await atAGlance()).verification).toEqual({
      madeAt: expect.any(String),
      events: 7,
      signaturesChecked: true,
      keptNote: null,
      faults: 0,
      firstFaults: [],
    });
    const keptNote = { sequence: 1, at: '2026-11-01T08:00:00.000Z' };
    await rememberVerification(ownerSql, {
      horizon,
      events: 7,
      checkpoints: 1,
      signaturesChecked: true,
      faults: [],
      keptNote,
    });
    expect((await atAGlance()).verification).toMatchObject({ keptNote });
    const faults = Array.from({ length: 25 }, (_, index) => `Fault ${index}`);
    await rememberVerification(ownerSql, { horizon, events: 8, checkpoints: 1, signaturesChecked: false, faults });
    expect((await atAGlance()).verification).toMatchObject({
      events: 8,
      signaturesChecked: false,
      faults: 25,
      firstFaults: faults.slice(0, 20),
    });
  }

  async function showThatAllAgree() {
    await paidOrder();
    const { squareId } = await paidOrder();
    await atSquare('/v2/refunds', { payment_id: squareId, amount_money: { amount: 5000, currency: 'USD' } });
    const { now, comparison, reconciliation, seals } = await compared();
    const figures = { taken: 1516.44, refunded: 50, pending: 0, fees: 44.58 };
    expect(comparison).toMatchObject({ orders: 2, ledger: figures, orderList: figures, differing: 0, unmatched: 0 });
    expect(comparison.paidOut).toMatchObject({ notCompared: 'No payout has been recorded yet.' });
    const none = { taken: null, refunded: null, fees: null, disputed: null };
    expect(reconciliation).toMatchObject({ notCompared: none });
    const totals = { taken: 1516.44, refunded: 50, fees: 44.58, disputed: 0 };
    expect(reconciliation).toMatchObject({
      payments: isHostile ? 7 : 2,
      atSquare: totals,
      inLedger: totals,
      differing: 0,
      payouts: 0,
    });
    expect(now).toEqual({
      ...{ taken: 1516.44, cardRefunds: 50, fees: 44.58, atSquare: 1421.86, onItsWay: 0, atBank: 0 },
      ...{ disputes: 0, unidentified: 0, onlyInPayouts: 0, writtenOff: 0 },
    });
    expect(seals.unsealed).toBeGreaterThan(0);
  }

  async function nameTheMissingList() {
    shop.simulator.setFault({ kind: 'status', method: 'GET', path: '/v2/disputes', status: 403 });
    const why = 'Square did not list its disputes: the access token lacks the right DISPUTES_READ.';
    const notCompared = { taken: null, refunded: null, fees: null, disputed: why };
    expect((await compared()).reconciliation).toMatchObject({ payments: isHostile ? 7 : 2, disputes: 0, notCompared });
    expect(await hasOldComparison(appSql)).toBe(true);
    await compared();
    expect(await hasOldComparison(appSql)).toBe(false);
  }

  async function followThePayout() {
    const payoutId = await shop.square.payOut();
    expect((await compared()).now).toMatchObject({ atSquare: 1421.86, onItsWay: 1421.86, atBank: 0 });
    await shop.square.endPayout(payoutId, 'PAID');
    const { now, comparison } = await compared({ daysLater: 30 });
    expect(now).toMatchObject({ atSquare: 0, onItsWay: 0, atBank: 1421.86 });
    expect(comparison).toMatchObject({
      paidOut: { atSquare: 1516.44, inLedger: 1516.44, notCompared: null },
      unmatched: 0,
    });
  }

  async function bookAmountsOfPayout() {
    const payoutId = await shop.square.payOut([
      { type: 'RESERVE_HOLD', gross: -900 },
      { type: 'CHARGE', gross: 2000, fee: 88, paymentId: 'nobody-knows' },
    ]);
    await shop.square.endPayout(payoutId, 'PAID');
    const { now, comparison } = await compared();
    expect(now).toMatchObject({ onlyInPayouts: 10.12, atSquare: 0, atBank: 1431.98 });
    expect(comparison.unmatchedEntries).toMatchObject([
      { code: 'EntryNotInLedger', squareId: 'nobody-knows', orderId: null, atSquare: 20, inLedger: null },
    ]);
  }

  async function agreeWithExports() {
    const { now } = await atAGlance();
    // An export ends before the oldest open transaction, which may be another spec's.
    const log = await vi.waitFor(async () => {
      const rows = await exported('csv');
      const types = rows.map((row) => cell(row, 'type'));
      expect(types).toEqual(expect.arrayContaining(['PayoutRecorded', 'PayoutPaid']));
      return rows;
    }, patience);
    expect(sumOf(log.map((row) => cell(row, 'moved')))).toBeCloseTo(now.atSquare, 2);
    const journal = await exported('general-ledger-csv');
    const balanceOf = (account: string) => {
      const lines = journal.filter((row) => cell(row, 'account') === account);
      return sumOf(lines.map((row) => cell(row, 'debit'))) - sumOf(lines.map((row) => cell(row, 'credit')));
    };
    expect(balanceOf('Square Clearing')).toBeCloseTo(now.atSquare, 2);
    expect(balanceOf('Checking')).toBeCloseTo(now.atBank, 2);
    expect(balanceOf('Square Reserve')).toBeCloseTo(9, 2);
    expect(sumOf(journal.map((row) => cell(row, 'debit')))).toBeCloseTo(
      sumOf(journal.map((row) => cell(row, 'credit'))),
      2,
    );
  }

  async function nameMissingPayouts() {
    const { orderId, squareId } = await paidOrder();
    const alarm = expect.stringMatching(/^Some open items are not paid out after a week/);
    const missing = { squareId, orderId, amount: 735.93, state: 'notPaidOut' };
    const clearingAfter = async (daysLater: number) => (await compared({ daysLater })).comparison.clearing;
    expect(await clearingAfter(0)).toMatchObject({ alarms: [], openItems: [{ squareId, state: 'recent' }] });
    expect(await clearingAfter(8)).toMatchObject({
      alarms: [alarm],
      notPaidOut: 735.93,
      notPaidOutItems: 1,
      openItems: [{ ...missing, onItsWayIn: null, canBeWrittenOff: true }],
    });
    const payoutId = await shop.square.payOut();
    expect(await clearingAfter(8)).toMatchObject({
      alarms: [alarm],
      openItems: [{ ...missing, onItsWayIn: payoutId, canBeWrittenOff: false }],
    });
    await shop.square.endPayout(payoutId, 'PAID');
    expect(await clearingAfter(8)).toMatchObject({ alarms: [], openItems: [] });
  }

  async function nameDifferingOrders() {
    const { orderId } = await paidOrder();
    // Each event rewrites its order's row, so all have to be recorded before.
    await compared();
    await ownerSql`update ledger.order_summary set captured_cents = captured_cents - 1 where order_id = ${orderId}::uuid`;
    const { comparison } = await compared();
    expect(comparison.differing).toBe(1);
    expect(comparison.differingOrders).toMatchObject([
      { orderId, ledger: { taken: 758.22 }, orderList: { taken: 758.21 } },
    ]);
    await ownerSql`delete from ledger.order_summary where order_id = ${orderId}::uuid`;
    expect((await compared()).comparison.differingOrders).toMatchObject([{ orderId, orderList: { taken: 0 } }]);
  }

  test('follow the money of an empty shop to the bank, and name what does not fit', async () => {
    await beginEmpty();
    await showVerification();
    await showThatAllAgree();
    await nameTheMissingList();
    await followThePayout();
    await bookAmountsOfPayout();
    await agreeWithExports();
    await nameMissingPayouts();
    await nameDifferingOrders();
  });

  test('are compared again on request', async () => {
    await takeDueJob(appSql, 'compare-books', 1000);
    await takeDueJob(appSql, 'reconcile-weeks', 1000);
    expect((await browser.post('/api/admin/books/comparison', {})).status).toBe(202);
    expect(await takeDueJob(appSql, 'compare-books', 1000)).toBe(true);
    expect(await takeDueJob(appSql, 'reconcile-weeks', 1000)).toBe(true);
  });
});

async function atSquare(path: string, body: object): Promise<void> {
  const answer = await fetch(`${shop.simulator.url}${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer simulator-access-token', 'content-type': 'application/json' },
    body: JSON.stringify({ idempotency_key: crypto.randomUUID(), ...body }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
}

type Row = Readonly<Record<string, string>>;

/** No comma inside a cell. */
async function exported(format: string): Promise<readonly Row[]> {
  const dayAt = (days: number) => new Date(Date.now() + days * daySeconds * 1000).toISOString().slice(0, 10);
  const answer = await browser.get(`/api/admin/ledger/export?format=${format}&from=${dayAt(-2)}&to=${dayAt(1)}`);
  const [header = '', ...lines] = (await answer.text()).trim().split('\r\n');
  const names = header.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, index) => [names[index] ?? '', value])));
}

function cell(row: Row, name: string): string {
  const value = row[name];
  if (value === undefined) throw new Error(`There is no column ${name}`);
  return value;
}

function sumOf(amounts: readonly string[]): number {
  return amounts.reduce((sum, amount) => sum + Number(amount), 0);
}
