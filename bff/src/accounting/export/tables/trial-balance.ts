import { chartOn } from '@kilim/domain/accounting/books';
import { accounts } from '@kilim/domain/accounting/chart';
import { noCents } from '@kilim/domain/money';
import type { Sql } from '../../../core/database/database.ts';
import { readOpeningBalances } from '../opening-balances.ts';
import type { Scope } from '../scope.ts';
import { sumJournal } from '../sum-journal.ts';
import { type Column, type Row, type Table, totalsOf } from './table.ts';

const columns: readonly Column[] = [
  { name: 'account_code', kind: 'text' },
  { name: 'account', kind: 'text' },
  { name: 'opening_balance', kind: 'amount' },
  { name: 'debit', kind: 'amount' },
  { name: 'credit', kind: 'amount' },
  { name: 'closing_balance', kind: 'amount' },
];

/** A debit balance is positive. Both columns of balances add up to zero, and the debits to the credits. */
export async function readTrialBalance(sql: Sql, scope: Scope): Promise<Table> {
  const opening = await readOpeningBalances(sql, scope);
  const { balances } = await sumJournal(sql, scope);
  const { accounts: names } = chartOn(scope.to, scope.books);
  const rows = accounts.flatMap((account): readonly Row[] => {
    const before = opening.get(account) ?? noCents;
    const { debit, credit } = balances.find((sums) => sums.account === account) ?? { debit: noCents, credit: noCents };
    if (before === 0 && debit === 0 && credit === 0) return [];
    const { code, name } = names[account];
    return [[code, name, before, debit, credit, before + debit - credit]];
  });
  return { columns, rows, totals: totalsOf(columns, rows) };
}
