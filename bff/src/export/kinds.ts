import { createDayEntries, entryOf } from '@kilim/domain/accounting/booking';
import { createDailyTakings } from '@kilim/domain/accounting/daily-takings';
import { daysBetween } from '@kilim/domain/accounting/day';
import { createRefundReasons } from '@kilim/domain/accounting/refund-reasons';
import { createSalesTaxReport } from '@kilim/domain/accounting/sales-tax';
import type { ExportFormat } from '../../contract/exports.ts';
import { appendLine } from '../database/copy/text-bytes.ts';
import type { Sql } from '../database/database.ts';
import { quickbooksHeader, quickbooksLines, xeroHeader, xeroLines } from './accounting-programs.ts';
import { bookingOf, eachBooking } from './bookings.ts';
import { appendEventJson } from './event-json.ts';
import { appendLogLine, eventLogHeader, logRows, openEventLog } from './event-log.ts';
import { journalHeader, journalLines } from './journal-lines.ts';
import { ledgerRows, moneyRows } from './ledger-rows.ts';
import {
  monthsOf,
  reasonLine,
  reasonsHeader,
  salesTaxHeader,
  salesTaxLine,
  takingsHeader,
  takingsLine,
} from './reports.ts';
import type { Scope } from './scope.ts';
import { readLines, type Selection } from './selection.ts';

type ExportKind = {
  /** The file name before the days. */
  readonly fileName: string;
  readonly contentType: string;
  readonly goesOn: boolean;
  readonly pieces: (sql: Sql, selection: Selection) => Pieces;
};

/** A file in pieces, as text or as UTF-8 bytes. */
export type Pieces = AsyncGenerator<string | Uint8Array, void>;

const csv = 'text/csv; charset=utf-8; header=present';

export const exportKinds: Readonly<Record<ExportFormat, ExportKind>> = {
  csv: {
    fileName: 'kilim-events',
    contentType: csv,
    goesOn: true,
    pieces: eventLog,
  },
  jsonl: {
    fileName: 'kilim-events',
    contentType: 'application/jsonl; charset=utf-8',
    goesOn: true,
    pieces: jsonLines,
  },
  'journal-csv': { fileName: 'kilim-journal', contentType: csv, goesOn: true, pieces: journal },
  'quickbooks-csv': summed('kilim-quickbooks', dayEntries(quickbooksHeader, quickbooksLines)),
  'xero-csv': summed('kilim-xero', dayEntries(xeroHeader, xeroLines)),
  'sales-tax-csv': summed('kilim-sales-tax', salesTax),
  'takings-csv': summed('kilim-takings', takings),
  'refunds-csv': summed('kilim-refunds-by-reason', reasons),
};

/** `kilim-journal-2026-10-01-to-2026-10-31.csv` */
export function fileNameOf(format: ExportFormat, { from, to }: Pick<Scope, 'from' | 'to'>): string {
  return `${exportKinds[format].fileName}-${from}-to-${to}.${format === 'jsonl' ? 'jsonl' : 'csv'}`;
}

function summed(fileName: string, pieces: ExportKind['pieces']): ExportKind {
  return { fileName, contentType: csv, goesOn: false, pieces };
}

/** A continued file has its header already. */
async function* eventLog(sql: Sql, selection: Selection): Pieces {
  if (selection.after === undefined) yield eventLogHeader;
  const log = openEventLog(selection.scope);
  yield* inPieces(readLines(sql, { selection, kind: logRows }, (lines, row) => appendLogLine(lines, row, log)));
}

async function* jsonLines(sql: Sql, selection: Selection): Pieces {
  const { scope } = selection;
  yield* inPieces(readLines(sql, { selection, kind: ledgerRows }, (lines, row) => appendEventJson(lines, row, scope)));
}

async function* journal(sql: Sql, selection: Selection): Pieces {
  if (selection.after === undefined) yield journalHeader;
  const { scope } = selection;
  yield* inPieces(
    readLines(sql, { selection, kind: moneyRows }, (lines, row) =>
      appendLine(lines, journalLines(row, bookingOf(row, scope), scope)),
    ),
  );
}

const mostBytesOfPiece = 256 * 1024;

/**
 * The stall timeout is checked between two pieces, so pieces are small: a slow client must not look
 * like a stalled one.
 */
async function* inPieces(pages: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const page of pages) {
    for (let at = 0; at < page.length; at += mostBytesOfPiece) yield page.subarray(at, at + mostBytesOfPiece);
  }
}

function dayEntries(
  header: string,
  linesOf: (entry: ReturnType<ReturnType<typeof createDayEntries>['entries']>[number], scope: Scope) => string,
): ExportKind['pieces'] {
  return async function* pieces(sql, selection) {
    const days = createDayEntries();
    await eachBooking(sql, selection, (booking) => days.add(booking, entryOf(booking)));
    yield header;
    for (const entry of days.entries()) yield linesOf(entry, selection.scope);
  };
}

async function* salesTax(sql: Sql, selection: Selection): Pieces {
  const report = createSalesTaxReport();
  await eachBooking(sql, selection, report.add);
  yield salesTaxHeader;
  for (const month of monthsOf(selection.scope)) yield salesTaxLine(month, report.of(month.month));
}

async function* takings(sql: Sql, selection: Selection): Pieces {
  const report = createDailyTakings();
  await eachBooking(sql, selection, report.add);
  yield takingsHeader;
  const { from, to } = selection.scope;
  for (const day of daysBetween(from, to)) yield takingsLine(day, report.on(day));
}

async function* reasons(sql: Sql, selection: Selection): Pieces {
  const report = createRefundReasons();
  await eachBooking(sql, selection, report.add);
  yield reasonsHeader;
  for (const row of report.rows()) yield reasonLine(row);
}
