import { createDayEntries, type DayEntry, entryOf } from '@kilim/domain/accounting/booking';
import { createDailyTakings } from '@kilim/domain/accounting/daily-takings';
import { daysBetween } from '@kilim/domain/day';
import type { ExportFormat, ImportFormat } from '../../../contract/exports.ts';
import { byteOrderMark } from '../../core/csv/csv.ts';
import { headed, type Pieces } from '../../core/csv/export-stream.ts';
import type { Sql } from '../../core/database/database.ts';
import { quickbooksAccounts, xeroAccounts } from './account-lists.ts';
import { quickbooksHeader, quickbooksLines, xeroHeader, xeroLines } from './accounting-programs.ts';
import { eachBooking } from './bookings.ts';
import { eventLogHeader, jsonLine, jsonRows, logLine, logRows } from './event-log.ts';
import { partsOf } from './import-parts.ts';
import { payoutLines } from './payout-lines.ts';
import { takingsHeader, takingsLine } from './reports.ts';
import type { DayRange, Scope } from './scope.ts';
import { type RowKind, readRows, type Selection } from './selection.ts';
import { readClearingReport } from './tables/clearing.ts';
import { readCustomerDeposits } from './tables/customer-deposits.ts';
import { readForm1099K } from './tables/form-1099-k.ts';
import { readGeneralLedger } from './tables/general-ledger.ts';
import { readSalesReport } from './tables/sales.ts';
import { readSalesTaxReport } from './tables/sales-tax.ts';
import { readSalesTaxReturn } from './tables/sales-tax-return.ts';
import { linesOf, type Table } from './tables/table.ts';
import { readTrialBalance } from './tables/trial-balance.ts';

type ExportKind = {
  readonly fileName: string;
  readonly contentType: string;
  readonly goesOn: boolean;
  readonly pieces: (sql: Sql, selection: Selection) => Pieces;
};

export const exportEdition = 1;

const csv = 'text/csv; charset=utf-8; header=present';

export const exportKinds: Readonly<Record<ExportFormat, ExportKind>> = {
  csv: {
    fileName: 'kilim-events',
    contentType: csv,
    goesOn: true,
    pieces: lined(eventLogHeader, logRows, logLine),
  },
  jsonl: {
    fileName: 'kilim-events',
    contentType: 'application/jsonl; charset=utf-8',
    goesOn: true,
    pieces: lined('', jsonRows, jsonLine),
  },
  'quickbooks-csv': summed('kilim-quickbooks', dayEntries(quickbooksHeader, quickbooksLines)),
  'xero-csv': summed('kilim-xero', dayEntries(xeroHeader, xeroLines)),
  'payouts-csv': summed('kilim-payouts', marked(payoutLines)),
  'sales-tax-csv': report('kilim-sales-tax', readSalesTaxReport),
  'takings-csv': summed('kilim-takings', marked(takings)),
  'trial-balance-csv': report('kilim-trial-balance', readTrialBalance),
  'general-ledger-csv': report('kilim-general-ledger', readGeneralLedger),
  'clearing-csv': report('kilim-clearing', readClearingReport),
  'sales-csv': report('kilim-sales', readSalesReport),
  'sales-tax-return-csv': report('kilim-sales-tax-return', readSalesTaxReturn),
  'form-1099-k-csv': report('kilim-form-1099-k', readForm1099K),
  'customer-deposits-csv': report('kilim-customer-deposits', readCustomerDeposits),
  'quickbooks-accounts-csv': summed('kilim-quickbooks-accounts', accountList(quickbooksAccounts)),
  'xero-accounts-csv': summed('kilim-xero-accounts', accountList(xeroAccounts)),
};

export function fileNameOf(format: ExportFormat, { from, to }: Pick<Scope, 'from' | 'to'>): string {
  return `${exportKinds[format].fileName}-${from}-to-${to}.${format === 'jsonl' ? 'jsonl' : 'csv'}`;
}

function summed(fileName: string, pieces: ExportKind['pieces']): ExportKind {
  return { fileName, contentType: csv, goesOn: false, pieces };
}

function report(fileName: string, read: (sql: Sql, scope: Scope) => Promise<Table>): ExportKind {
  const pieces = marked(async function* lines(sql, { scope }) {
    yield* inTexts(linesOf(await read(sql, scope)));
  });
  return summed(fileName, pieces);
}

/** Files that people open begin with a byte-order mark, and those for programs do not. */
function marked(unmarked: ExportKind['pieces']): ExportKind['pieces'] {
  return async function* pieces(sql, selection) {
    yield* headed(byteOrderMark, unmarked(sql, selection));
  };
}

const linesPerPiece = 500;

function* inTexts(lines: Iterable<string>): Generator<string, void> {
  let some: string[] = [];
  for (const line of lines) {
    some.push(line);
    if (some.length < linesPerPiece) continue;
    yield some.join('');
    some = [];
  }
  yield some.join('');
}

/** A continued file has its header already. */
function lined<Row extends object>(
  header: string,
  kind: RowKind,
  linesOf: (row: Row, scope: Scope) => string,
): ExportKind['pieces'] {
  const lines: ExportKind['pieces'] = async function* lines(sql, selection) {
    for await (const rows of readRows<Row>(sql, selection, kind)) {
      yield rows.map((row) => linesOf(row, selection.scope)).join('');
    }
  };
  return (sql, selection) => headed(selection.after === undefined ? header : '', lines(sql, selection));
}

function accountList(linesOf: (scope: Scope) => Iterable<string>): ExportKind['pieces'] {
  return async function* pieces(_, { scope }) {
    yield* inTexts(linesOf(scope));
  };
}

function dayEntries(header: string, linesOf: (entry: DayEntry, scope: Scope) => string): ExportKind['pieces'] {
  return async function* pieces(sql, selection) {
    const entries = await readDayEntries(sql, selection);
    yield header;
    for (const entry of entries) yield linesOf(entry, selection.scope);
  };
}

async function readDayEntries(sql: Sql, selection: Selection): Promise<readonly DayEntry[]> {
  const days = createDayEntries();
  await eachBooking(sql, selection, (booking) => days.add(booking, entryOf(booking)));
  return days.entries();
}

export async function readParts(sql: Sql, selection: Selection, format: ImportFormat): Promise<readonly DayRange[]> {
  return partsOf(await readDayEntries(sql, selection), selection.scope, format);
}

async function* takings(sql: Sql, selection: Selection): Pieces {
  const report = createDailyTakings();
  await eachBooking(sql, selection, report.add);
  const { from, to } = selection.scope;
  yield takingsHeader;
  for (const day of daysBetween(from, to)) yield takingsLine(day, report.on(day));
}
