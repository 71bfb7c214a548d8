import type { Contents, ExportFormat } from '@kilim/bff/contract/exports';
import { formatDollars } from '@kilim/domain/money';
import { Alert, Button } from 'antd';
import type { Aged } from '../api/data-age.ts';
import { Badge } from '../ui/badge.tsx';
import cards from '../ui/card.module.css';
import { Facts } from '../ui/card.tsx';
import { DataAge } from '../ui/data-age.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { downloadAddress } from './accounting-calls.ts';
import { type DayRange, fullDayText } from './day-range.ts';
import { exportTexts, formatTexts } from './texts.ts';

type RangeContentsProps = { readonly contents: Aged<Contents>; readonly range: DayRange };

const mostXeroLines = 300;
const offered = Object.keys(formatTexts) as ExportFormat[];

/** The figures of these days, and the files to download. */
export function RangeContents({ contents, range }: RangeContentsProps) {
  return (
    <div className={cards.stack}>
      <h3>
        {exportTexts.contents(fullDayText(range.from), fullDayText(range.to))}{' '}
        <Badge tone={contents.closed ? 'completed' : 'other'}>
          {contents.closed ? exportTexts.closed : exportTexts.open}
        </Badge>
      </h3>
      {!contents.closed && <DataAge seconds={contents.ageSeconds} />}
      {contents.rows.csv === 0 ? <p>{exportTexts.nothing}</p> : <Facts facts={factsOf(contents)} />}
      {contents.rows['xero-csv'] > mostXeroLines && <Alert type="info" showIcon title={exportTexts.tooLongForXero} />}
      <Files contents={contents} range={range} />
    </div>
  );
}

function factsOf(contents: Contents): readonly (readonly [string, string])[] {
  const { orders, takings, refundCount, refunds, fees, disputes, unidentified, net, taxDue, debits, lateFacts } =
    contents;
  const always = [
    [exportTexts.orders, String(orders)],
    [exportTexts.takings, formatDollars(takings)],
    [exportTexts.refunds(refundCount), formatDollars(refunds)],
    [exportTexts.fees, formatDollars(fees)],
    [exportTexts.taxDue, formatDollars(taxDue)],
    [exportTexts.net, formatDollars(net)],
    [exportTexts.debits, formatDollars(debits)],
  ] as const;
  // Rare figures appear only when there are any.
  const rare = [
    [exportTexts.disputes, disputes === 0 ? '' : formatDollars(disputes)],
    [exportTexts.unidentified, unidentified === 0 ? '' : formatDollars(unidentified)],
    [exportTexts.late, lateFacts === 0 ? '' : String(lateFacts)],
  ] as const;
  return [...always, ...rare.filter(([, value]) => value !== '')];
}

function Files({ contents, range }: RangeContentsProps) {
  return (
    <DataTable<ExportFormat>
      label={exportTexts.files}
      rows={offered}
      rowKey={(format) => format}
      withActions
      columns={[
        {
          title: exportTexts.file,
          render: (format) => (
            <>
              <strong>{formatTexts[format].name}</strong>
              <p className={cards.soft}>{formatTexts[format].use}</p>
            </>
          ),
        },
        {
          title: exportTexts.lines,
          align: 'right',
          render: (format) => contents.rows[format].toLocaleString('en-US'),
        },
        {
          title: exportTexts.download,
          render: (format) => (
            <Button
              href={downloadAddress(format, range)}
              download
              aria-label={exportTexts.downloadOf(formatTexts[format].name)}
            >
              {exportTexts.download}
            </Button>
          ),
        },
      ]}
    />
  );
}
