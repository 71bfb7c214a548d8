import type { PayoutEvent } from '@kilim/domain/payout/events';
import { decide, noPayout, type SquarePayout } from '@kilim/domain/payout/payout';
import { payoutA } from '@kilim/domain/testing/payouts';
import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { readCsv } from '@kilim/lab/testing/import-limits';
import { cloneDatabase, testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { openShop } from '@kilim/lab/testing/shop';
import { monthOfSixtyOrders as plan } from '@kilim/lab/testing/sixty-orders/plan';
import { recordMonth } from '@kilim/lab/testing/sixty-orders/record';
import { commandOf, orderIdOf } from '@kilim/lab/testing/sixty-orders/recorded';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type * as z from 'zod/mini';
import type { ContentsAnswer } from '../../../contract/exports.ts';
import type { payout, payouts } from '../../../contract/payouts.ts';
import type { Sql } from '../../core/database/database.ts';
import { appendToStream } from '../../core/ledger/append.ts';
import { payoutCodec } from '../../core/ledger/codecs/payout.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(() => shop.close());
await makeAdministrator(appSql);
const browser = openBrowser(shop);
await browser.signIn();

/** On its way, without lines, and never at the bank. */
const others = [
  { squarePayoutId: 'po-on-its-way', status: 'sent', updatedAt: '2025-12-03T20:00:00.000Z' },
  { squarePayoutId: 'po-simple', status: 'paid', updatedAt: '2025-12-03T21:00:00.000Z' },
  { squarePayoutId: 'po-refused', status: 'failed', updatedAt: '2025-12-03T22:00:00.000Z' },
] as const;

beforeAll(async () => {
  await recordMonth(appSql, plan, 0);
  for (const other of others) await recordSimple(appSql, other, other.updatedAt);
  await settled(ownerSql);
});

async function recordSimple(sql: Sql, changed: Partial<SquarePayout>, at: string): Promise<void> {
  const payout = { ...payoutA, createdAt: at, arrivalDate: '2025-12-05', ...changed, kind: 'simple' } as const;
  const decided = decide({ payout, entries: [] }, noPayout);
  const [first, ...rest] = decided.ok ? decided.value.map((event: PayoutEvent) => payoutCodec.encode(event)) : [];
  if (first === undefined) throw new Error('Nothing to record');
  const streamId = `payout-${payout.squarePayoutId}`;
  await appendToStream(sql, { ...commandOf(streamId, at), streamId, expectedVersion: 0, events: [first, ...rest] });
}

const get = async <Answer>(path: string) => {
  const answer = await browser.get(path);
  expect(answer.status, await answer.clone().text()).toBe(200);
  return (await answer.json()) as Answer;
};
const list = (query = '') => get<z.input<typeof payouts>>(`/api/admin/payouts${query}`);
const exported = async (format: string, from: string, to: string) => {
  const answer = await browser.get(`/api/admin/ledger/export?format=${format}&from=${from}&to=${to}`);
  expect(answer.status).toBe(200);
  return readCsv(await answer.text()).rows;
};
const isOf = (id: string) => (line: Readonly<Record<string, string>>) => line['payout_id'] === id;
const centsOf = (amount: string | number | undefined) => Math.round(Number(amount ?? 0) * 100);
const sumOf = (amounts: readonly (string | number | undefined)[]) =>
  amounts.reduce<number>((sum, amount) => sum + centsOf(amount), 0);

describe('the list of payouts', () => {
  test('has each payout with its day, amount and state, the newest first', async () => {
    const rows = await list();
    expect(rows.map(({ id, day, state }) => [id, day, state])).toEqual([
      ['po-refused', '2025-12-05', 'failed'],
      ['po-on-its-way', '2025-12-05', 'sent'],
      ['po-simple', '2025-12-03', 'paid'],
      ['po-5', '2025-12-01', 'paid'],
      ['po-4', '2025-11-21', 'failed'],
      ['po-3', '2025-11-14', 'paid'],
      ['po-2', '2025-11-14', 'paid'],
      ['po-1', '2025-11-04', 'paid'],
    ]);
    expect(rows.find(({ id }) => id === 'po-3')).toMatchObject({ amount: -1682.05, lines: 1, sentBackOn: null });
    expect(rows.find(({ id }) => id === 'po-4')).toMatchObject({ arrivedOn: '2025-11-21', sentBackOn: '2025-11-24' });
    expect(rows.find(({ id }) => id === 'po-refused')).toMatchObject({ arrivedOn: null, sentBackOn: '2025-12-03' });
  });

  test('has pages, and filters by state and day', async () => {
    const answer = await browser.get('/api/admin/payouts?pageSize=3&page=3');
    expect(answer.headers.get('x-total-count')).toBe('8');
    expect(((await answer.json()) as { id: string }[]).map(({ id }) => id)).toEqual(['po-2', 'po-1']);
    expect((await list('?state=failed')).map(({ id }) => id)).toEqual(['po-refused', 'po-4']);
    expect((await list('?from=2025-11-14&to=2025-11-21')).map(({ id }) => id)).toEqual(['po-4', 'po-3', 'po-2']);
    expect(await list('?from=2024-01-01&to=2024-12-31')).toEqual([]);
    expect((await browser.get('/api/admin/payouts?state=lost')).status).toBe(422);
  });
});

describe('a payout', () => {
  test('has lines that add up to it, and the order of each payment', async () => {
    const found = await get<z.input<typeof payout>>('/api/admin/payouts/po-2');
    expect(sumOf(found.firstLines.map(({ net }) => net))).toBe(centsOf(found.amount));
    expect(sumOf(found.totals.map(({ net }) => net))).toBe(centsOf(found.amount));
    expect(found.firstLines.length).toBe(found.lines);
    expect(found.firstLines.map(({ activity, standing, orderId }) => [activity, standing, orderId])).toEqual([
      // The other lines have no instant.
      ['CHARGE', 'elsewhere', null],
      ...[5, 6, 8].map((number) => ['CHARGE', 'order', orderIdOf({ number })]),
      ['TAX_ON_FEE', 'square', null],
    ]);
    const lines = (await exported('payouts-csv', '2025-11-14', '2025-11-14')).filter(isOf('po-2'));
    expect(lines.map((line) => line['order_id'])).toEqual(found.firstLines.map(({ orderId }) => orderId ?? ''));
    expect(sumOf(lines.map((line) => line['net']))).toBe(centsOf(found.amount));
  });

  test.each([
    ['po-4', ['arrived', 'arrived', 'arrived', 'arrived', 'sent back'], 0],
    ['po-on-its-way', [], 0],
    ['po-simple', ['arrived'], 9180],
    ['po-refused', [], 0],
  ])('%s has in the file what moved the bank account', async (id, movements, net) => {
    const lines = (await exported('payouts-csv', '2025-10-01', '2025-12-31')).filter(isOf(id));
    expect(lines.map((line) => line['movement'])).toEqual(movements);
    expect(sumOf(lines.map((line) => line['net']))).toBe(net);
  });

  test('that the ledger does not know is not found', async () => {
    for (const id of ['po-9', "po-1'--", '%00', 'a'.repeat(200)]) {
      expect((await browser.get(`/api/admin/payouts/${id}`)).status).toBe(404);
    }
  });
});

describe('the lines of the payouts of a range', () => {
  test.each([
    ['2025-10-01', '2025-12-31'],
    ['2025-11-01', '2025-11-30'],
    ['2025-11-14', '2025-11-14'],
    ['2025-11-22', '2025-11-30'],
    ['2025-11-05', '2025-11-06'],
  ])('add up to what the bank account changed by, from %s to %s', async (from, to) => {
    const lines = await exported('payouts-csv', from, to);
    const byDay = (rows: readonly (readonly [string, number])[]) => {
      const days = new Map<string, number>();
      for (const [day, amount] of rows) days.set(day, (days.get(day) ?? 0) + amount);
      return days;
    };
    const ofBank = (await exported('general-ledger-csv', from, to)).filter(
      (row) => row['account'] === 'Checking' && row['position'] !== '',
    );
    expect(byDay(lines.map((line) => [line['posted_on'] ?? '', centsOf(line['net'])]))).toEqual(
      byDay(ofBank.map((row) => [row['posted_on'] ?? '', centsOf(row['debit']) - centsOf(row['credit'])])),
    );
    for (const { payout_id: id } of lines) expect(id).toMatch(/^po-/);
    for (const { gross, fee, net } of lines) expect(centsOf(net)).toBe(centsOf(gross) - centsOf(fee));
    const contents = await get<ContentsAnswer>(`/api/admin/ledger/contents?from=${from}&to=${to}`);
    expect(contents.rows['payouts-csv']).toBe(lines.length);
  });

  test('of a closed period stay the same when a payout of it becomes known later', async () => {
    const own = await cloneDatabase();
    onTestFinished(own.drop);
    const closing = await openShop(own.appSql);
    onTestFinished(closing.close);
    await makeAdministrator(own.appSql);
    const owner = openBrowser(closing);
    await owner.signIn();
    await recordMonth(own.appSql, plan, 0);
    const linesFrom = async (days: string) =>
      await (await owner.get(`/api/admin/ledger/export?format=payouts-csv&${days}`)).text();
    const november = 'from=2025-11-01&to=2025-11-30';
    const before = await linesFrom(november);
    expect((await owner.post('/api/admin/books/close', { through: '2025-11-30' })).status).toBe(200);
    await recordSimple(own.appSql, { squarePayoutId: 'po-late', status: 'paid' }, '2025-11-20T20:00:00.000Z');
    expect(await linesFrom(november)).toBe(before);
    const { rows } = readCsv(await linesFrom('from=2025-12-01&to=2025-12-01'));
    const late = rows.filter((line) => line['late'] !== '');
    expect(late).toMatchObject([{ payout_id: 'po-late', posted_on: '2025-12-01', business_date: '2025-11-20' }]);
  });
});
