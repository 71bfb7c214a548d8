import type { ExportFormat } from '@kilim/bff/contract/exports';
import { type ReportName, report } from '@kilim/bff/contract/reports';
import type { DayRange } from '../accounting/day-range.ts';
import { adminQuery } from '../api/admin-query.ts';
import { queryText } from '../api/query-text.ts';
import type { ChosenReport } from './report-search.ts';

/** Reports of years take a while. */
const longestReportMilliseconds = 120_000;

export function reportQuery(chosen: ChosenReport, range: DayRange) {
  const search = { ...chosen, ...range };
  return adminQuery(['admin', 'reports', search], {
    path: `/api/admin/ledger/report${queryText(search)}`,
    schema: report,
    timeoutMilliseconds: longestReportMilliseconds,
  });
}

export function formatOf(name: ReportName): ExportFormat {
  return `${name}-csv`;
}
