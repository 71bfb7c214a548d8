import { usualChart } from '@kilim/domain/accounting/chart';
import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { quickbooksViolations, readCsv, xeroViolations } from '@kilim/lab/testing/import-limits';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { openShop } from '@kilim/lab/testing/shop';
import { monthOfSixtyOrders as plan } from '@kilim/lab/testing/sixty-orders/plan';
import { recordMonth } from '@kilim/lab/testing/sixty-orders/record';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Books } from '../../../contract/books.ts';
import type { ContentsAnswer } from '../../../contract/exports.ts';

// QuickBooks Online and Xero import a month of every shape.

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(() => shop.close());
await makeAdministrator(appSql);
const browser = openBrowser(shop);
await browser.signIn();
beforeAll(async () => {
  await recordMonth(appSql, plan, 0);
  await settled(ownerSql);
});

const usualAccounts = { accounts: usualChart.accounts, taxRate: usualChart.taxRate };

/** They hold for the whole shop. */
async function rename(names: { readonly accounts: object; readonly taxRate: string }): Promise<Response> {
  const { version } = (await (await browser.get('/api/admin/books')).json()) as Books;
  return await browser.post('/api/admin/books/accounts', { version, ...names });
}

beforeEach(async () => void (await rename(usualAccounts)));

const everything = { from: '2025-10-01', to: '2025-12-31' };
const answerTo = (format: string, { from, to } = everything) =>
  browser.get(`/api/admin/ledger/export?format=${format}&from=${from}&to=${to}`);
const download = async (format: string, range = everything) => {
  const answer = await answerTo(format, range);
  expect(answer.status).toBe(200);
  return await answer.text();
};
const contents = async () => {
  const answer = await browser.get(`/api/admin/ledger/contents?from=${everything.from}&to=${everything.to}`);
  return (await answer.json()) as ContentsAnswer;
};
const bank = usualChart.accounts.bank;

test('the file for QuickBooks keeps its limits', async () => {
  expect(quickbooksViolations(await download('quickbooks-csv'))).toEqual([]);
});

test('each payout is an entry of its own in QuickBooks, with its id and day', async () => {
  const { rows } = readCsv(await download('quickbooks-csv'));
  const ofBank = rows.filter((row) => row['Account Name'] === bank.name);
  expect(ofBank.map((row) => [row['Journal Date'], row['Description']])).toEqual([
    ['11/04/2025', 'Kilim: Square payout po-1 arrived 2025-11-04'],
    ['11/14/2025', 'Kilim: Square payout po-2 arrived 2025-11-14'],
    ['11/14/2025', 'Kilim: Square payout po-3 arrived 2025-11-14'],
    ['11/21/2025', 'Kilim: Square payout po-4 arrived 2025-11-21'],
    ['11/24/2025', 'Kilim: Square payout po-4 sent back 2025-11-24'],
    ['12/01/2025', 'Kilim: Square payout po-5 arrived 2025-12-01'],
  ]);
  for (const { 'Journal No': number } of ofBank) {
    const entry = rows.filter((row) => row['Journal No'] === number);
    expect(entry.map((row) => row['Account Name'])).toEqual(['Square Clearing', bank.name]);
  }
});

test('each account in the journals of a month is in the list of accounts to import', async () => {
  const listOf = async (format: string, column: string) =>
    readCsv(await download(format)).rows.map((row) => row[column]);
  const names = await listOf('quickbooks-accounts-csv', 'Account Name');
  for (const { 'Account Name': name } of readCsv(await download('quickbooks-csv')).rows) expect(names).toContain(name);
  const codes = await listOf('xero-accounts-csv', '*Code');
  for (const part of (await contents()).parts['xero-csv']) {
    const { rows } = readCsv(await download('xero-csv', part));
    for (const { '*AccountCode': code } of rows) expect(codes).toContain(code);
  }
});

test('the parts for Xero keep its limits, and together have each line once', async () => {
  const { parts, rows } = await contents();
  const xeroParts = parts['xero-csv'];
  expect(xeroParts.length).toBeGreaterThan(1);
  expect([xeroParts.at(0)?.from, xeroParts.at(-1)?.to]).toEqual([everything.from, everything.to]);
  let lines = 0;
  for (const part of xeroParts) {
    const file = await download('xero-csv', part);
    expect(xeroViolations(file, [bank.code])).toEqual([]);
    lines += readCsv(file).rows.length;
  }
  expect(lines).toBe(rows['xero-csv']);
});

test('a range that Xero does not take is refused, and the answer names its parts', async () => {
  const xeroParts = (await contents()).parts['xero-csv'];
  const answer = await answerTo('xero-csv');
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({
    code: 'TooManyLines',
    message: expect.stringContaining(xeroParts.map(({ from, to }) => `${from} to ${to}`).join(', ')),
  });
});

test('account names that the programs do not import are refused, each with its reason', async () => {
  const { version, accounts, taxRate } = (await (await browser.get('/api/admin/books')).json()) as Books;
  const answer = await browser.post('/api/admin/books/accounts', {
    version,
    accounts: {
      ...accounts,
      clearing: { name: 'Square "main"', code: accounts.bank.code },
      refunds: { name: 'Sales:', code: '49 00' },
      disputes: { name: accounts.bank.name.toUpperCase(), code: '-6150' },
    },
    taxRate,
  });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({
    fields: {
      'accounts.clearing.name': 'QuickBooks has no names with quotation marks',
      'accounts.clearing.code': 'The bank account is for payouts only. Please choose another account',
      'accounts.refunds.name': 'Please enter a name on both sides of each colon',
      'accounts.refunds.code': 'A code has no spaces',
      'accounts.disputes.name': 'The bank account is for payouts only. Please choose another account',
      'accounts.disputes.code': 'Please do not begin with =, +, - or @: a spreadsheet would run a formula',
    },
  });
});

test('account names of every accepted kind reach the files unchanged', async () => {
  const { accounts, taxRate } = usualAccounts;
  const names = { ...accounts, clearing: { name: "Assets:Square's (fees, refunds) & more", code: '10-50.A' } };
  const answer = await rename({ accounts: names, taxRate });
  expect(answer.status).toBe(200);
  const quickbooks = await download('quickbooks-csv');
  expect(quickbooksViolations(quickbooks)).toEqual([]);
  expect(readCsv(quickbooks).rows.map((row) => row['Account Name'])).toContain(names.clearing.name);
  const part = (await contents()).parts['xero-csv'][0];
  const xero = await download('xero-csv', part);
  expect(xeroViolations(xero, [bank.code])).toEqual([]);
  expect(readCsv(xero).rows.map((row) => row['*AccountCode'])).toContain('10-50.A');
});
