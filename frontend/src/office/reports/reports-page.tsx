import { type ExportFormat, exportFormats } from '@kilim/bff/contract/exports';
import { type Report, type ReportName, report as reportSchema } from '@kilim/bff/contract/reports';
import { formatDollars } from '@kilim/domain/money';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button } from 'antd';
import { useState } from 'react';
import { call } from '../../shared/call.ts';
import { usePageData } from '../../shared/page-data.ts';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { type DayRange, fullDayText, type ReportSearch, rangeOf, todayIn } from '../shared/accounting/day-range.ts';
import { downloadAddress } from '../shared/accounting/export-calls.ts';
import { RangeChoice } from '../shared/accounting/range-choice.tsx';
import { accountTexts, rangeTexts } from '../shared/accounting/texts.ts';
import { adminQuery } from '../shared/api/admin-query.ts';
import { Badge } from '../shared/ui/badge.tsx';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import filters from '../shared/ui/filters.module.css';
import { ChoiceFilter } from '../shared/ui/filters.tsx';
import { Loaded } from '../shared/ui/loaded.tsx';
import { Technical } from '../shared/ui/technical.tsx';
import { type ChosenReport, chosenReport } from './report-search.ts';
import { ReportTable } from './report-table.tsx';
import styles from './reports.module.css';
import { figureTexts, reports, reportTexts } from './texts.ts';

const route = getRouteApi('/admin/reports');

export function ReportsPage() {
  usePageTitle(reportTexts.title);
  const { timeZone } = usePageData().config.business;
  const today = todayIn(timeZone);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const range = rangeOf(search, today);
  const chosen = chosenReport(search);
  const choose = (change: ReportSearch) => void navigate({ search: { ...search, ...range, ...change }, replace: true });
  const query = useQuery(reportQuery(chosen, range));
  return (
    <Card title={reportTexts.title} note={reportTexts.note(timeZone)}>
      <div className={styles.choice}>
        <ReportChoice chosen={chosen} onChoose={choose} />
        <RangeChoice label={reportTexts.choice} range={range} today={today} onChoose={choose} />
      </div>
      <Loaded query={query} loading={reportTexts.loading} failed={reportTexts.failed}>
        {(loaded) => <Sheet report={loaded} chosen={chosen} range={range} />}
      </Loaded>
    </Card>
  );
}

const namesOfReports = Object.fromEntries(
  Object.entries(reports).map(([report, { name }]) => [report, name]),
) as Record<ReportName, string>;

type ReportChoiceProps = { readonly chosen: ChosenReport; readonly onChoose: (change: ReportSearch) => void };

function ReportChoice({ chosen: { report, account }, onChoose }: ReportChoiceProps) {
  return (
    <div className={filters.filters}>
      <ChoiceFilter
        label={reportTexts.report}
        value={report}
        options={namesOfReports}
        onChoose={(name) => name && onChoose({ report: name })}
      />
      {account !== undefined && (
        <ChoiceFilter
          label={reportTexts.account}
          value={account}
          options={accountTexts}
          onChoose={(name) => name && onChoose({ account: name })}
        />
      )}
    </div>
  );
}

/** A person compares by order, day and amount. */
const idColumn = 'square_id';

type SheetProps = { readonly report: Report; readonly chosen: ChosenReport; readonly range: DayRange };

function Sheet({ report, chosen, range }: SheetProps) {
  const title = titleOf(chosen, range);
  const { rows, count, closed } = report;
  const format = fileOf(chosen.report);
  const [withIds, setWithIds] = useState(false);
  return (
    <div className={styles.sheet} data-paper>
      <div className={cards.row}>
        <h3>
          {title} <Badge tone={closed ? 'completed' : 'other'}>{closed ? rangeTexts.closed : rangeTexts.open}</Badge>
        </h3>
        <div className={styles.actions}>
          {format !== undefined && (
            <Button href={downloadAddress(format, range)} download>
              {reportTexts.download}
            </Button>
          )}
          <Button onClick={() => globalThis.print()}>{reportTexts.print}</Button>
        </div>
      </div>
      <p className={cards.soft}>{reports[chosen.report].use}</p>
      {report.figures.length > 0 && <Figures figures={report.figures} />}
      {rows.length === 0 ? (
        <p>{reportTexts.nothing}</p>
      ) : (
        <ReportTable
          label={title}
          report={report}
          hidden={[
            ...(chosen.account === undefined ? [] : ['account_code', 'account']),
            ...(withIds ? [] : [idColumn]),
          ]}
        />
      )}
      {report.columns.some(({ name }) => name === idColumn) && (
        <Technical>
          <label className={styles.ids}>
            <input type="checkbox" checked={withIds} onChange={({ target }) => setWithIds(target.checked)} />{' '}
            {reportTexts.withIds}
          </label>
        </Technical>
      )}
      {rows.length < count && (
        <p>{reportTexts.more(rows.length.toLocaleString('en-US'), count.toLocaleString('en-US'))}</p>
      )}
    </div>
  );
}

function Figures({ figures }: Pick<Report, 'figures'>) {
  return (
    <dl className={styles.figures}>
      {figures.map(({ name, amount }) => (
        <div key={name}>
          <dt>{figureTexts[name].name}</dt>
          <dd className={styles.figure}>{formatDollars(amount)}</dd>
          <dd className={cards.soft}>{figureTexts[name].use}</dd>
        </div>
      ))}
    </dl>
  );
}

function titleOf({ report, account }: ChosenReport, { from, to }: DayRange): string {
  const { name } = reports[report];
  const whole = account === undefined ? name : `${name}: ${accountTexts[account]}`;
  return report === 'clearing'
    ? reportTexts.asOf(whole, fullDayText(to))
    : reportTexts.period(whole, fullDayText(from), fullDayText(to));
}

/** Reports of years take a while. */
const longestReportMilliseconds = 120_000;

function reportQuery(chosen: ChosenReport, range: DayRange) {
  const search = { ...chosen, ...range };
  return adminQuery(['admin', 'reports', search], {
    ...call('GET /api/admin/ledger/report', { query: search, answer: reportSchema }),
    timeoutMilliseconds: longestReportMilliseconds,
  });
}

/** Some reports are only on the screen. */
function fileOf(name: ReportName): ExportFormat | undefined {
  return exportFormats.find((format) => format === `${name}-csv`);
}
