import { type ReportName, reportNames } from '@kilim/bff/contract/reports';
import { type Account, accounts } from '@kilim/domain/accounting/chart';
import type { ReportSearch } from '../shared/accounting/day-range.ts';

export type ChosenReport = {
  readonly report: ReportName;
  /** Of the general ledger only. */
  readonly account: Account | undefined;
};

/** The trial balance when the address names no report. */
export function chosenReport({ report: name, account }: ReportSearch): ChosenReport {
  const report = reportNames.find((known) => known === name) ?? 'trial-balance';
  if (report !== 'general-ledger') return { report, account: undefined };
  return { report, account: accounts.find((known) => known === account) ?? 'clearing' };
}
