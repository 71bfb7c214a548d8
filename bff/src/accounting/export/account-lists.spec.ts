import { newBooks } from '@kilim/domain/accounting/books';
import { accounts, type ChartOfAccounts, faultsOf, usualChart } from '@kilim/domain/accounting/chart';
import type { Day } from '@kilim/domain/day';
import { readCsv } from '@kilim/lab/testing/import-limits';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quickbooksAccounts, xeroAccounts } from './account-lists.ts';

const to = '2026-10-31' as Day;
const rowsOf = (list: typeof xeroAccounts, chart: ChartOfAccounts) =>
  readCsv([...list({ to, books: { ...newBooks, chart } })].join('')).rows;

/** Names and codes that the tab accepts: few, so that accounts share them. */
const chart = fc
  .record({
    names: fc.array(fc.constantFrom('Sales', 'SALES', 'Sales:Rugs', 'Sales:Rugs:Wool', 'Fees', 'A, B', 'Tax'), {
      minLength: accounts.length,
      maxLength: accounts.length,
    }),
    codes: fc.array(fc.constantFrom('200', '200a', '200A', '300'), {
      minLength: accounts.length,
      maxLength: accounts.length,
    }),
  })
  .map(({ names, codes }): ChartOfAccounts => {
    const named = accounts.map((account, index) => [account, { name: names[index] ?? '', code: codes[index] ?? '' }]);
    const own = Object.fromEntries(named) as ChartOfAccounts['accounts'];
    return { accounts: { ...own, bank: usualChart.accounts.bank }, taxRate: 'Tax Exempt' };
  })
  .filter(({ accounts: named }) => faultsOf(named).length === 0);

const isUnique = (texts: readonly (string | undefined)[]) =>
  new Set(texts.map((text) => text?.toLowerCase())).size === texts.length;

test('the list for QuickBooks has each account once, after its parent and with the type of an account', () => {
  fc.assert(
    fc.property(chart, (some) => {
      const rows = rowsOf(quickbooksAccounts, some);
      const names = rows.map((row) => row['Account Name']?.toLowerCase() ?? '');
      expect(isUnique(names)).toBe(true);
      for (const account of accounts) expect(names).toContain(some.accounts[account].name.toLowerCase());
      for (const [index, name] of names.entries()) {
        const parent = name.split(':').slice(0, -1).join(':');
        if (parent !== '') expect(names.slice(0, index)).toContain(parent);
      }
      for (const row of rows) expect([row['Type'], row['Detail Type']]).not.toContain('');
    }),
  );
});

test('the list for Xero has each code once, with a name of its own', () => {
  fc.assert(
    fc.property(chart, (some) => {
      const rows = rowsOf(xeroAccounts, some);
      const codes = rows.map((row) => row['*Code']);
      expect(isUnique(codes) && isUnique(rows.map((row) => row['*Name']))).toBe(true);
      const found = codes.map((code) => code?.toLowerCase());
      for (const account of accounts) expect(found).toContain(some.accounts[account].code.toLowerCase());
      for (const row of rows) expect(row['*Tax Code']).toBe('Tax Exempt (0%)');
    }),
  );
});

test('the usual accounts have the types that the programs know', () => {
  const file = [...quickbooksAccounts({ to, books: newBooks })].join('');
  expect(file.split('\r\n').slice(0, 5)).toEqual([
    'Account Name,Type,Detail Type',
    'Square Clearing,Other Current Assets,Other Current Assets',
    'Rug Cleaning,Income,Service/Fee Income',
    'Rug Cleaning:Premium,Income,Service/Fee Income',
    'Rug Cleaning:Midrange,Income,Service/Fee Income',
  ]);
  // A journal line of accounts payable would need a vendor.
  expect(file).toContain('Customer Reimbursements,Other Current Liabilities,Other Current Liabilities\r\n');
  const xero = rowsOf(xeroAccounts, usualChart);
  expect(xero.find((row) => row['*Code'] === '2910')).toMatchObject({ '*Type': 'Current Liability' });
  expect(xero.filter((row) => row['*Type'] === 'Bank').map((row) => row['*Name'])).toEqual(['Checking']);
});
