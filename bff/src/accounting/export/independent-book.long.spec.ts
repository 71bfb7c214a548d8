import { moneyOfEvents } from '@kilim/domain/accounting/money-of-events';
import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { openShop } from '@kilim/lab/testing/shop';
import {
  type BookedEntry,
  descriptions,
  isSale,
  keepBook,
  type Parts,
} from '@kilim/lab/testing/sixty-orders/independent-book';
import { dayInLosAngeles, roundHalfUp } from '@kilim/lab/testing/sixty-orders/own-arithmetic';
import { type PlannedTax, monthOfSixtyOrders as plan } from '@kilim/lab/testing/sixty-orders/plan';
import { recordMonth } from '@kilim/lab/testing/sixty-orders/record';
import { orderIdOf } from '@kilim/lab/testing/sixty-orders/recorded';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import type { CertificateAnswer, Checklist } from '../../../contract/certificate.ts';
import { type ContentsAnswer, exportFormats } from '../../../contract/exports.ts';
import type { GlanceAnswer } from '../../../contract/glance.ts';
import type { report as reportSchema } from '../../../contract/reports.ts';
import type { StatisticsAnswer } from '../../../contract/statistics.ts';
import { orderCodec } from '../../core/ledger/codecs/order.ts';
import { payoutCodec } from '../../core/ledger/codecs/payout.ts';
import { resolutionsCodec } from '../../core/ledger/codecs/resolutions.ts';
import { verifyLedger } from '../../proof/verify.ts';
import { compareBooks } from '../queries/compare-books.ts';
import { certifyClosings } from '../use-case/certify-closings.ts';

// The exports agree with a book that was kept with arithmetic of its own.

const { appSql, ownerSql, url } = await testDatabase();
const shop = await openShop(appSql);
afterAll(() => shop.close());
await makeAdministrator(appSql);
const browser = openBrowser(shop);
await browser.signIn();

const book = keepBook(plan);

beforeAll(async () => {
  await recordMonth(appSql, plan, 0);
  for (const [index, through] of plan.closings.entries()) {
    const closed = await browser.post('/api/admin/books/close', { through });
    expect(closed.status, await closed.clone().text()).toBe(200);
    await recordMonth(appSql, plan, index + 1);
  }
  await settled(ownerSql);
  await certifyClosings({ sql: appSql, now: () => new Date(), timeZone: 'America/Los_Angeles' });
});

const ranges = {
  'the month': ['2025-11-01', '2025-11-30'],
  'the night in which the clocks change': ['2025-11-02', '2025-11-02'],
  'the last day of the month': ['2025-11-30', '2025-11-30'],
  'as many days as Xero takes': ['2025-10-01', '2025-12-02'],
} as const;

const decisions: readonly string[] = [
  descriptions.assigned,
  descriptions['written off'],
  descriptions['item written off'],
  descriptions['booking undone'],
  descriptions['item write-off undone'],
];

describe.each(Object.entries(ranges))('in %s', (_, [from, to]) => {
  const inRange = book.filter(({ postedOn }) => from <= postedOn && postedOn <= to);
  const read = (format: string) => readTable(`format=${format}&from=${from}&to=${to}`);
  /** The amounts are the whole, services, add-ons, delivery, delivery minimum and tax. */
  const readRefunds = async () => {
    const { rows } = await readReport('refunds', from, to);
    return rows.map(([reason, count, ...amounts]) => ({
      reason: String(reason).toLowerCase(),
      count: Number(count),
      amounts: amounts.map((amount) => Math.round(Number(amount) * 100)),
    }));
  };

  test('each entry has the accounts and amounts of the book', async () => {
    const entries = new Map<string, Map<string, number>>();
    const about = new Map<string, string>();
    for (const row of await read('general-ledger-csv')) {
      const key = cell(row, 'position');
      if (key === '') continue;
      const day = cell(row, 'business_date') || cell(row, 'posted_on');
      about.set(key, [cell(row, 'description'), day, cell(row, 'posted_on')].join(' | '));
      addTo(mapIn(entries, key), cell(row, 'account'), centsOf(row, 'debit') - centsOf(row, 'credit'));
    }
    const found = [...entries].map(([key, lines]) => `${about.get(key)}: ${textOf(lines)}`);
    const expected = inRange.map(
      (entry) => `${descriptions[entry.what]} | ${entry.day} | ${entry.postedOn}: ${textOf(entry.lines)}`,
    );
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  test('a person’s decision about a payment names the payment, and its order if it has one', async () => {
    const lines = (await read('general-ledger-csv')).filter((row) => decisions.includes(cell(row, 'description')));
    const decided = inRange.filter(({ what }) => decisions.includes(descriptions[what]));
    expect(lines.length).toBe(2 * decided.length);
    for (const row of lines) expect(cell(row, 'square_id')).toMatch(/^[\w-]+$/);
    for (const row of lines) expect(cell(row, 'square_id')).not.toBe('resolutions');
    const assigned = lines.filter((row) => cell(row, 'description') === descriptions.assigned);
    for (const row of assigned) expect(cell(row, 'order_id')).toMatch(/^[\da-f-]{36}$/);
  });

  test.each([
    ['quickbooks-csv', 'Account Name', (row: Row) => centsOf(row, 'Debits') - centsOf(row, 'Credits')],
    ['xero-csv', 'Description', (row: Row) => centsOf(row, '*Amount')],
  ])('the accounts in %s move as in the book, day by day', async (format, accountColumn, amountOf) => {
    const found = new Map<string, number>();
    for (const row of await read(format)) {
      const day = dayOfProgram(row['Journal Date'] ?? cell(row, '*Date'));
      addTo(found, `${day} ${cell(row, accountColumn)}`, amountOf(row));
    }
    // Xero has the payouts from the bank's feed.
    const booked = inRange.filter(({ lines }) => format !== 'xero-csv' || !lines.has('Checking'));
    const expected = new Map<string, number>();
    for (const { postedOn, lines } of booked) {
      for (const [account, amount] of lines) addTo(expected, `${postedOn} ${account}`, amount);
    }
    expect(withoutZeros(found)).toEqual(withoutZeros(expected));
  });

  test('the sales tax report has the sales, refunds and taxes of the book', async () => {
    const rows = await read('sales-tax-csv');
    const keys = inRange.flatMap(({ postedOn, tax }) => (tax === undefined ? [] : [rateKey(postedOn, tax)]));
    expect(rows.map((row) => rateKeyOf(row)).filter((key) => !key.endsWith(' '))).toEqual(
      [...new Set(keys)].toSorted(),
    );
    for (const row of rows) {
      const ofMonth = inRange.filter(({ postedOn, tax }) =>
        tax === undefined ? false : rateKey(postedOn, tax) === rateKeyOf(row),
      );
      const sales = sumOfParts(ofMonth.filter(isSale));
      const refunds = sumOfParts(ofMonth.filter(({ what }) => what.startsWith('refund')));
      expect(amountsIn(row, ['gross_sales', 'taxable_sales', 'exempt_sales', 'tax_collected'])).toEqual([
        ...[sales.withoutTax, sales.addOns, sales.withoutTax - sales.addOns, sales.salesTax],
      ]);
      expect(amountsIn(row, ['gross_refunds', 'taxable_refunds', 'tax_refunded', 'tax_due'])).toEqual([
        ...[0 - refunds.withoutTax, 0 - refunds.addOns, 0 - refunds.salesTax, sales.salesTax - refunds.salesTax],
      ]);
    }
  });

  test('the sales tax return has the lines of the book', async () => {
    const rows = await read('sales-tax-return-csv');
    const of = (item: string, ...columns: readonly string[]) => {
      const [row, ...others] = rows.filter((each) => cell(each, 'item') === item);
      expect(others, item).toEqual([]);
      return row === undefined ? undefined : amountsIn(row, columns);
    };
    const sold = inRange.filter(isSale);
    const isEarlier = ({ order }: BookedEntry) => sold.every((sale) => sale.order !== order);
    const refunds = inRange.filter(({ what }) => what.startsWith('refund'));
    const own = sumOfParts(refunds.filter((entry) => !isEarlier(entry)));
    const earlier = refunds.filter(isEarlier);
    const sales = sumOfParts(sold);
    const total = sales.withoutTax - own.withoutTax;
    const taxable = sales.addOns - own.addOns;
    const collected = sales.salesTax - own.salesTax;
    expect(of('Sales', 'sales', 'tax')).toEqual([sales.withoutTax, sales.salesTax]);
    expect(of('Refunds of these sales', 'sales', 'tax')).toEqual([0 - own.withoutTax, 0 - own.salesTax]);
    expect([of('Total sales', 'sales'), of('Exempt services', 'sales')]).toEqual([[total], [total - taxable]]);
    expect([of('Taxable sales', 'sales'), of('Tax collected', 'tax')]).toEqual([[taxable], [collected]]);
    const lost = plan.orders.filter(({ facts }) =>
      facts.some((fact) => fact.what === 'dispute' && fact.closed !== undefined && isLostIn(fact.closed, from, to)),
    );
    const saleEntriesOfLost = book.filter(
      ({ what, order }) => what === 'sale' && lost.some((each) => each.number === order),
    );
    let due = 0;
    for (const { thousandths } of new Set(plan.orders.map(({ tax }) => tax))) {
      const percent = String(thousandths / 1000);
      const ofRate = (entries: readonly BookedEntry[]) =>
        sumOfParts(entries.filter(({ tax }) => tax?.thousandths === thousandths));
      const measure = ofRate(sold).addOns - ofRate(refunds.filter((entry) => !isEarlier(entry))).addOns;
      due += roundHalfUp(measure * thousandths, 100_000);
      const debts = ofRate(saleEntriesOfLost);
      const found = rows.filter((row) => cell(row, 'rate_percent') === percent);
      const amounts = (start: string) =>
        found.filter((row) => cell(row, 'item').startsWith(start)).flatMap((row) => amountsIn(row, ['sales', 'tax']));
      const orNone = (...expected: readonly number[]) => (expected.every((amount) => amount === 0) ? [] : expected);
      expect(amounts('Rate: ')).toEqual(
        found.length === 0 ? [] : [measure, roundHalfUp(measure * thousandths, 100_000)],
      );
      const refunded = ofRate(earlier);
      expect(amounts('Refunds of earlier')).toEqual(orNone(0 - refunded.addOns, 0 - refunded.salesTax));
      expect(amounts('Bad debts')).toEqual(orNone(0 - debts.addOns, 0 - debts.salesTax));
    }
    expect(of('Tax due', 'tax')).toEqual([due]);
    expect(of('Excess tax collected', 'tax')).toEqual([Math.max(collected - due, 0)]);
    expect(of('Tax due and not collected', 'tax')).toEqual([Math.max(due - collected, 0)]);
    const { withoutTax, addOns, salesTax } = sumOfParts(earlier);
    expect(of('Refunds of earlier sales, exempt', 'sales')).toEqual([addOns - withoutTax]);
    const { figures } = await readReport('sales-tax-return', from, to);
    const credits = salesTax + sumOfParts(saleEntriesOfLost).salesTax;
    expect(figures.map(({ amount }) => Math.round(amount * 100))).toEqual([
      ...[taxable, due, Math.max(collected - due, 0), 0 - credits],
    ]);
  });

  test('the card payments of each month are what Square took', async () => {
    const expected = new Map<string, readonly [payments: number, orders: number, without: number, outside: number]>();
    const take = (day: string, ...[orders, without, outside]: readonly [number, number, number]) => {
      const before = expected.get(day.slice(0, 7)) ?? [0, 0, 0, 0];
      expected.set(day.slice(0, 7), [before[0] + 1, before[1] + orders, before[2] + without, before[3] + outside]);
    };
    for (const { what, day, lines, payout } of inRange) {
      const taken = lines.get('Square Clearing') ?? 0;
      if (what === 'sale') take(day, taken, 0, 0);
      if (what === 'orphan') take(day, 0, taken, 0);
      const entries = what === 'payout entries' ? plan.payouts.find(({ id }) => id === payout)?.entries : [];
      for (const entry of entries ?? []) {
        if (entry.of === 'elsewhere') take(dayInLosAngeles(entry.at), 0, 0, entry.gross);
      }
    }
    const rows = await read('form-1099-k-csv');
    const found = rows.map((row): [string, readonly number[]] => [
      cell(row, 'month'),
      [Number(cell(row, 'payments')), ...amountsIn(row, ['orders', 'without_order', 'outside'])],
    ]);
    expect(Object.fromEntries(found.filter(([, [payments]]) => payments !== 0))).toEqual(Object.fromEntries(expected));
    for (const row of rows) {
      expect(sumOf(amountsIn(row, ['orders', 'without_order', 'outside']))).toBe(centsOf(row, 'gross'));
      expect(cell(row, 'box')).toBe(`5${'abcdefghijkl'.charAt(Number(cell(row, 'month').slice(5)) - 1)}`);
    }
  });

  test('the daily takings are the changes of the clearing account in the book', async () => {
    for (const row of await read('takings-csv')) {
      const ofDay = inRange.filter(({ postedOn }) => postedOn === cell(row, 'posted_on'));
      const moved = (...kinds: readonly BookedEntry['what'][]) =>
        sumOf(ofDay.filter(({ what }) => kinds.includes(what)).map(({ lines }) => lines.get('Square Clearing') ?? 0));
      expect(amountsIn(row, ['takings', 'card_refunds', 'fees', 'disputes', 'unidentified'])).toEqual([
        ...[moved('sale'), moved('refund', 'refund at Square'), moved('fee'), moved('dispute', 'dispute won')],
        moved('orphan', 'orphan returned', 'excess'),
      ]);
      const sold = ofDay.filter(({ what, order }) => what === 'sale' && !supplements.has(order));
      expect(Number(cell(row, 'orders'))).toBe(sold.length);
    }
  });

  test('a word for refunds names one sum in all files and in the figures of the Accounting tab', async () => {
    const sums = new Map<string, number[]>();
    for (const format of exportFormats.filter((each) => each !== 'jsonl')) {
      const rows = await read(format);
      for (const name of Object.keys(rows[0] ?? {}).filter((each) => /refunds$|refund_count$/.test(each))) {
        sums.set(name, [...(sums.get(name) ?? []), sumOf(rows.map((row) => centsOf(row, name)))]);
      }
    }
    const { all, byCard, outside } = refundsIn(inRange);
    const [tax] = sums.get('gross_refunds') ?? [];
    expect(sums.get('card_refunds')).toEqual([0 - byCard.amount]);
    expect(sums.get('card_refund_count')).toEqual([byCard.count * 100]);
    const byReason = await readRefunds();
    expect(sumOf(byReason.map(({ count }) => count))).toBe(all.count);
    expect(sums.get('gross_refunds')).toEqual([tax, tax]);
    expect([...sums.keys()]).not.toContain('refunds');
    expect(sumOf(byReason.map(({ amounts: [amount = 0] }) => amount))).toBe(0 - all.amount);
    const taxRows = await read('sales-tax-csv');
    expect(sumOf(taxRows.flatMap((row) => amountsIn(row, ['gross_refunds', 'tax_refunded'])))).toBe(0 - all.amount);
    const answer = await browser.get(`/api/admin/ledger/contents?from=${from}&to=${to}`);
    const { cardRefunds, cardRefundCount, reimbursements, reimbursementCount } =
      (await answer.json()) as ContentsAnswer;
    expect([cardRefunds, cardRefundCount]).toEqual([byCard.amount / 100, byCard.count]);
    expect([reimbursements, reimbursementCount]).toEqual([outside.amount / 100, outside.count]);
  });

  test('the refunds of each reason have the parts of the book', async () => {
    const expected = new Map<string, BookedEntry[]>();
    for (const entry of inRange) {
      if (entry.reason === undefined) continue;
      const reason = entry.reason.toLowerCase();
      expected.set(reason, [...(expected.get(reason) ?? []), entry]);
    }
    const rows = await readRefunds();
    expect(rows.map(({ reason }) => reason).toSorted()).toEqual([...expected.keys()].toSorted());
    for (const { reason, count, amounts } of rows) {
      const entries = expected.get(reason) ?? [];
      const parts = sumOfParts(entries);
      expect(amounts.slice(1)).toEqual(
        [parts.cleaning, parts.addOns, parts.delivery, parts.deliveryMinimum, parts.salesTax].map((part) => 0 - part),
      );
      expect(count).toBe(entries.filter(({ what }) => what !== 'refund corrected').length);
    }
  });

  test('the trial balance has the balances, debits and credits of the book', async () => {
    const rows = await read('trial-balance-csv');
    const found = rows.map((row) => [
      cell(row, 'account'),
      ...amountsIn(row, ['opening_balance', 'debit', 'credit', 'closing_balance']),
    ]);
    const expected = [...balancesOf(from, to)].map(([account, { before, debit, credit }]) => [
      ...[account, before, debit, credit, before + debit - credit],
    ]);
    expect(found.toSorted(byText)).toEqual(expected.toSorted(byText));
  });

  test('the general ledger has the lines of the book, and its balances follow from them', async () => {
    const found: string[] = [];
    const accounts = new Map<string, Row[]>();
    for (const row of await read('general-ledger-csv')) {
      const account = cell(row, 'account');
      accounts.set(account, [...(accounts.get(account) ?? []), row]);
    }
    for (const [account, [opening, ...rows]] of accounts) {
      let balance = opening === undefined ? Number.NaN : centsOf(opening, 'balance');
      expect(balance, account).toBe(balancesOf(from, to).get(account)?.before);
      for (const row of rows) {
        const amount = centsOf(row, 'debit') - centsOf(row, 'credit');
        balance += amount;
        expect(centsOf(row, 'balance'), account).toBe(balance);
        if (amount !== 0) found.push([account, cell(row, 'posted_on'), cell(row, 'description'), amount].join(' | '));
      }
      expect(rows.map((row) => cell(row, 'description')).at(-1)).toBe('Closing balance');
    }
    const expected = inRange.flatMap(({ lines, postedOn, what }) =>
      [...lines].map(([account, amount]) => [account, postedOn, descriptions[what], amount].join(' | ')),
    );
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  test('the open items add up to the balance of the clearing account in the book', async () => {
    const rows = await read('clearing-csv');
    const { before = 0, debit = 0, credit = 0 } = balancesOf(from, to).get('Square Clearing') ?? {};
    expect(sumOf(rows.map((row) => centsOf(row, 'amount')))).toBe(before + debit - credit);
  });

  test('the lines of each payout add up to its amount in the book', async () => {
    const lines = new Map<string, number>();
    for (const row of await read('payouts-csv')) {
      addTo(lines, `${cell(row, 'posted_on')} ${cell(row, 'payout_id')}`, centsOf(row, 'net'));
    }
    const moved = new Map<string, number>();
    for (const { what, postedOn, payout, lines: booked } of inRange) {
      const isOfBank = what === 'payout' || what === 'payout returned';
      if (isOfBank) addTo(moved, `${postedOn} ${payout}`, booked.get('Checking') ?? 0);
    }
    expect(withoutZeros(lines)).toEqual(withoutZeros(moved));
  });

  test('the sales by tier and add-on are those of the book', async () => {
    const rows = await read('sales-csv');
    const found = (column: string, ...items: readonly string[]) =>
      sumOf(rows.filter((row) => items.includes(cell(row, 'item'))).map((row) => centsOf(row, column)));
    const sold = sumOfParts(inRange.filter(isSale));
    const refunded = sumOfParts(inRange.filter(({ what }) => what.startsWith('refund')));
    for (const [column, parts, sign] of [
      ['gross_sales', sold, 1],
      ['gross_refunds', refunded, -1],
    ] as const) {
      const cents = (amount: number) => sign * amount + 0;
      expect(found(column, 'Premium cleaning')).toBe(cents(parts.tiers.premium));
      expect(found(column, 'Midrange cleaning')).toBe(cents(parts.tiers.midrange));
      expect(found(column, 'Economy cleaning')).toBe(cents(parts.tiers.economy));
      expect(found(column, 'Stain protection', 'Green Pad')).toBe(cents(parts.addOns));
      expect(found(column, 'Pickup and delivery')).toBe(cents(parts.delivery));
      expect(found(column, 'Delivery minimum')).toBe(cents(parts.deliveryMinimum));
    }
  });

  test('the events of both event logs move the clearing account as the book does', async () => {
    const expected = sumOf(inRange.map(({ lines }) => lines.get('Square Clearing') ?? 0));
    const rows = await read('csv');
    expect(sumOf(rows.map((row) => centsOf(row, 'moved')))).toBe(expected);
    const lines = (await download(`format=jsonl&from=${from}&to=${to}`)).trimEnd().split('\n');
    const ids = lines.map((line) => (JSON.parse(line) as { readonly eventId: string }).eventId);
    expect(ids).toEqual(rows.map((row) => cell(row, 'event_id')));
  });
});

test('the month has more than sixty paid orders, and each kind of entry, late ones too', () => {
  const ofMonth = book.filter(({ postedOn }) => postedOn.startsWith('2025-11'));
  expect(ofMonth.filter(({ what }) => what === 'sale').length).toBeGreaterThan(60);
  expect(new Set(book.map(({ what }) => what))).toEqual(new Set(Object.keys(descriptions)));
  expect(book.filter(({ day, postedOn }) => day !== postedOn).map(({ what }) => what)).toEqual(
    expect.arrayContaining(['fee', 'refund', 'refund outside Square', 'orphan', 'written off']),
  );
  expect(sumOfParts(book.filter(({ what }) => what === 'refund')).deliveryMinimum).toBeGreaterThan(0);
});

test('the month has every type of event of orders, payouts, resolutions and money', async () => {
  const stored = await ownerSql<{ type: string }[]>`select distinct type from ledger.event`;
  const found = new Set(stored.map(({ type }) => type));
  const isExpected = ([type, { amount }]: readonly [string, { readonly amount: string }]) =>
    amount !== 'none' || [orderCodec, payoutCodec, resolutionsCodec].some((codec) => codec.knows(type));
  const expected = Object.entries(moneyOfEvents).filter(isExpected);
  expect(expected.map(([type]) => type).filter((type) => !found.has(type))).toEqual([]);
});

test('the ledger of the month has no fault, and its books compare', async () => {
  const { faults } = await verifyLedger({ url, verifiers: [], onProgress: () => undefined });
  expect(faults).toEqual([]);
  const { differing, payouts } = await compareBooks(appSql, new Date('2025-12-20T12:00:00-08:00'));
  expect(differing).toBe(0);
  // No payout brings a check.
  expect(payouts.unmatchedEntries.map(({ inLedger }) => Math.abs(inLedger ?? 0))).not.toContain(4321);
});

test('refunds on the page Money are those by card and those outside Square, and the Books page names those by card', async () => {
  const { all, byCard } = refundsIn(book);
  const statistics = await browser.get('/api/admin/statistics?from=2025-10-01&to=2025-12-31');
  const { total } = (await statistics.json()) as StatisticsAnswer;
  expect([total.refunds, total.refundCount]).toEqual([all.amount / 100, all.count]);
  const glance = (await (await browser.get('/api/admin/books/glance')).json()) as GlanceAnswer;
  expect(glance.now.cardRefunds).toBe(byCard.amount / 100);
});

test('the certificate of the month has the debits and credits of the book', async () => {
  const answer = await browser.get('/api/admin/books/closings/2/certificate');
  const { from, through, balances, bookings } = (await answer.json()) as CertificateAnswer;
  expect([from, through]).toEqual(['2025-11-01', '2025-11-30']);
  const ofMonth = book.filter(({ postedOn }) => from <= postedOn && postedOn <= through);
  const expected = new Map<string, { debit: number; credit: number }>();
  for (const [account, amount] of ofMonth.flatMap(({ lines }) => [...lines])) {
    const sum = expected.get(account) ?? { debit: 0, credit: 0 };
    expected.set(account, { debit: sum.debit + Math.max(amount, 0), credit: sum.credit - Math.min(amount, 0) });
  }
  const found = balances.map(({ name, debit, credit }) => [
    name,
    { debit: Math.round(debit * 100), credit: Math.round(credit * 100) },
  ]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  expect(bookings).toBe(ofMonth.length);
});

test('the checklist misses no fee of what was paid in the shop', async () => {
  const answer = await browser.get('/api/admin/books/checklist?through=2025-12-31');
  const { checks } = (await answer.json()) as Checklist;
  expect(checks.find(({ point }) => point === 'fees')).toMatchObject({ state: 'done', count: 0 });
});

test('the ledger charges each order what the book says', async () => {
  const stored = await ownerSql<{ id: string; total: number }[]>`
    select order_id::text as id, total_cents as total from ledger.order_summary`;
  const totals = new Map(stored.map(({ id, total }) => [id, Number(total)]));
  for (const order of plan.orders.filter(({ paidAt }) => paidAt !== undefined)) {
    const sale = book.find((entry) => isSale(entry) && entry.order === order.number);
    expect(totals.get(orderIdOf(order))).toBe(sumOf([...(sale?.lines.values() ?? [])].filter((amount) => amount > 0)));
  }
});

const supplements: ReadonlySet<number | undefined> = new Set(
  plan.orders.filter(({ supplementOf }) => supplementOf !== undefined).map(({ number }) => number),
);

/** By card, and paid outside Square. */
function refundsIn(entries: readonly BookedEntry[]) {
  const of = (account: string, ...kinds: readonly BookedEntry['what'][]) => {
    const found = entries.filter(({ what }) => kinds.includes(what));
    return { count: found.length, amount: 0 - sumOf(found.map(({ lines }) => lines.get(account) ?? 0)) };
  };
  const byCard = of('Square Clearing', 'refund', 'refund at Square');
  const outside = of('Customer Reimbursements', 'refund outside Square');
  const all = { count: byCard.count + outside.count, amount: byCard.amount + outside.amount };
  return { all, byCard, outside };
}

function rateKey(postedOn: string, { since, thousandths }: PlannedTax): string {
  return [postedOn.slice(0, 7), since, String(thousandths / 1000)].join(' ');
}

function rateKeyOf(row: Row): string {
  return [cell(row, 'month'), cell(row, 'rate_since'), cell(row, 'rate_percent')].join(' ');
}

/** Without late news. */
function isLostIn({ at, outcome }: { readonly at: string; readonly outcome: string }, from: string, to: string) {
  const day = dayInLosAngeles(at);
  return outcome !== 'won' && from <= day && day <= to;
}

type Row = Readonly<Record<string, string>>;

async function download(query: string): Promise<string> {
  const answer = await browser.get(`/api/admin/ledger/export?${query}`);
  expect(answer.status, await answer.clone().text()).toBe(200);
  return await answer.text();
}

async function readReport(report: string, from: string, to: string): Promise<z.input<typeof reportSchema>> {
  const answer = await browser.get(`/api/admin/ledger/report?report=${report}&from=${from}&to=${to}`);
  expect(answer.status, await answer.clone().text()).toBe(200);
  return (await answer.json()) as z.input<typeof reportSchema>;
}

async function readTable(query: string): Promise<readonly Row[]> {
  const [header = '', ...lines] = (await download(query))
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n');
  const names = header.split(',');
  return lines.map((line) => {
    const cells = line.match(/("([^"]|"")*"|[^,]*)(,|$)/g)?.map((text) => text.replace(/,$/, '')) ?? [];
    return Object.fromEntries(names.map((name, index) => [name, (cells[index] ?? '').replace(/^"(.*)"$/, '$1')]));
  });
}

function cell(row: Row, name: string): string {
  const text = row[name];
  if (text === undefined) throw new Error(`No column ${name}`);
  return text;
}

function centsOf(row: Row, name: string): number {
  return Math.round(Number(cell(row, name)) * 100);
}

function amountsIn(row: Row, names: readonly string[]): readonly number[] {
  return names.map((name) => centsOf(row, name));
}

/** `11/02/2025` and `02 Nov 2025` as `2025-11-02`. */
function dayOfProgram(written: string): string {
  return new Date(`${written} UTC`).toISOString().slice(0, 10);
}

type Balance = { readonly before: number; readonly debit: number; readonly credit: number };

/** With a balance before the range, or lines in it. */
function balancesOf(from: string, to: string): ReadonlyMap<string, Balance> {
  const balances = new Map<string, Balance>();
  for (const { postedOn, lines } of book) {
    if (postedOn > to) continue;
    for (const [account, amount] of lines) {
      const { before, debit, credit } = balances.get(account) ?? { before: 0, debit: 0, credit: 0 };
      const isBefore = postedOn < from;
      balances.set(account, {
        before: before + (isBefore ? amount : 0),
        debit: debit + (isBefore ? 0 : Math.max(amount, 0)),
        credit: credit - (isBefore ? 0 : Math.min(amount, 0)),
      });
    }
  }
  return new Map([...balances].filter(([, { before, debit, credit }]) => before !== 0 || debit !== 0 || credit !== 0));
}

function byText(first: unknown, second: unknown): number {
  return String(first) < String(second) ? -1 : 1;
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

function sumOfParts(entries: readonly BookedEntry[]) {
  const of = (pick: (parts: Parts) => number) =>
    sumOf(entries.map(({ parts }) => (parts === undefined ? 0 : pick(parts))));
  const tiers = {
    premium: of((parts) => parts.cleaning.premium),
    midrange: of((parts) => parts.cleaning.midrange),
    economy: of((parts) => parts.cleaning.economy),
  };
  const cleaning = sumOf(Object.values(tiers));
  const [addOns, delivery] = [of((parts) => parts.addOns), of((parts) => parts.delivery)];
  const deliveryMinimum = of((parts) => parts.deliveryMinimum);
  const withoutTax = cleaning + addOns + delivery + deliveryMinimum;
  return { tiers, cleaning, addOns, delivery, deliveryMinimum, salesTax: of((parts) => parts.salesTax), withoutTax };
}

function mapIn(maps: Map<string, Map<string, number>>, key: string): Map<string, number> {
  const known = maps.get(key) ?? new Map<string, number>();
  maps.set(key, known);
  return known;
}

function addTo(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}

function withoutZeros(sums: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...sums].filter(([, amount]) => amount !== 0).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function textOf(lines: ReadonlyMap<string, number>): string {
  return JSON.stringify(withoutZeros(lines));
}
