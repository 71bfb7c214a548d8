import type { Account } from '@kilim/domain/accounting/chart';
import { cents, toDollars } from '@kilim/domain/money';
import { mostReportRows, type Report, type ReportName } from '../../../../contract/reports.ts';
import type { Sql } from '../../../core/database/database.ts';
import type { Scope } from '../scope.ts';
import { readClearingReport } from './clearing.ts';
import { readCustomerDeposits } from './customer-deposits.ts';
import { readForm1099K } from './form-1099-k.ts';
import { readGeneralLedger } from './general-ledger.ts';
import { readRefundsReport } from './refunds.ts';
import { readSalesReport } from './sales.ts';
import { readSalesTaxReturn } from './sales-tax-return.ts';
import type { Cell, Column, Row, Table } from './table.ts';
import { readTrialBalance } from './trial-balance.ts';

export type AskedReport = {
  readonly report: ReportName;
  /** Of the general ledger; the clearing account unless stated. */
  readonly account: Account | undefined;
};

export async function readReport(
  sql: Sql,
  scope: Scope,
  asked: AskedReport,
): Promise<Pick<Report, 'columns' | 'rows' | 'count' | 'totals' | 'figures'>> {
  const { columns, rows, totals, figures = [] } = await readTable(sql, scope, asked);
  const first: Row[] = [];
  let count = 0;
  for (const row of rows) {
    if (count < mostReportRows) first.push(row);
    count += 1;
  }
  return {
    columns: [...columns],
    rows: first.map((row) => inDollars(row, columns)),
    count,
    totals: totals === undefined ? null : inDollars(totals, columns),
    figures: [...figures],
  };
}

function readTable(sql: Sql, scope: Scope, { report, account }: AskedReport): Promise<Table> {
  switch (report) {
    case 'trial-balance':
      return readTrialBalance(sql, scope);
    case 'general-ledger':
      return readGeneralLedger(sql, scope, account ?? 'clearing');
    case 'clearing':
      return readClearingReport(sql, scope);
    case 'sales':
      return readSalesReport(sql, scope);
    case 'sales-tax-return':
      return readSalesTaxReturn(sql, scope);
    case 'form-1099-k':
      return readForm1099K(sql, scope);
    case 'refunds':
      return readRefundsReport(sql, scope);
    case 'customer-deposits':
      return readCustomerDeposits(sql, scope);
  }
}

function inDollars(row: Row, columns: readonly Column[]): Cell[] {
  return row.map((cell, index) =>
    typeof cell === 'number' && columns[index]?.kind === 'amount' ? toDollars(cents(cell)) : cell,
  );
}
