import { expect, test } from 'vitest';
import { chosenReport } from './report-search.ts';

test('an address without a known report means the trial balance', () => {
  for (const search of [{}, { report: 'profit' }]) {
    expect(chosenReport(search)).toEqual({ report: 'trial-balance', account: undefined });
  }
});

test('only the general ledger is of one account, the clearing account unless the address names one', () => {
  expect(chosenReport({ report: 'general-ledger' }).account).toBe('clearing');
  expect(chosenReport({ report: 'general-ledger', account: 'bank' }).account).toBe('bank');
  expect(chosenReport({ report: 'general-ledger', account: 'goodwill' }).account).toBe('clearing');
  expect(chosenReport({ report: 'sales', account: 'bank' }).account).toBeUndefined();
});
