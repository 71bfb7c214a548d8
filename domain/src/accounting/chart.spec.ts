import { describe, expect, test } from 'vitest';
import { type AccountName, accounts, faultsOf, usualChart } from './chart.ts';

const named = (changed: Partial<AccountName>, account: (typeof accounts)[number] = 'clearing') => ({
  ...usualChart.accounts,
  [account]: { ...usualChart.accounts[account], ...changed },
});

describe('the names of accounts', () => {
  test('are without fault as they come', () => {
    expect(faultsOf(usualChart.accounts)).toEqual([]);
  });

  test.each([
    ['Square "main"', 'QuotationMark'],
    ['Square:', 'EmptyPart'],
    ['Square: :Main', 'EmptyPart'],
    ['a:b:c:d:e:f', 'TooManyParts'],
    ['-Square', 'Formula'],
    ['＝Square', 'Formula'],
    ['CHECKING', 'SameAsBank'],
  ])('cannot be %s in QuickBooks: %s', (name, fault) => {
    expect(faultsOf(named({ name }))).toEqual([{ account: 'clearing', part: 'name', fault }]);
  });

  test.each([
    ['10 50', 'Space'],
    ['@1050', 'Formula'],
    ['1010', 'SameAsBank'],
  ])('cannot have the Xero code %s: %s', (code, fault) => {
    expect(faultsOf(named({ code }))).toEqual([{ account: 'clearing', part: 'code', fault }]);
  });

  test('can have four levels of sub-accounts, and marks inside', () => {
    expect(faultsOf(named({ name: "a:b:c:d:Square's (fees) & more - 1", code: '10-50.A' }))).toEqual([]);
  });

  test('can be the same for all accounts but the bank', () => {
    const one = { name: 'Sales', code: '400' };
    const all = Object.fromEntries(accounts.map((account) => [account, one])) as typeof usualChart.accounts;
    expect(faultsOf({ ...all, bank: usualChart.accounts.bank })).toEqual([]);
    expect(new Set(faultsOf(all).map(({ account }) => account))).toEqual(
      new Set(accounts.filter((account) => account !== 'bank')),
    );
  });
});
