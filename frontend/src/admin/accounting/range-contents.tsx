import { Alert, Button } from 'antd';
import { Badge } from '../ui/badge.tsx';
import { Facts } from '../ui/card.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { dollarsText } from '../ui/format.ts';
import styles from './accounting.module.css';
import { downloadAddress } from './accounting-calls.ts';
import { type DayRange, fullDayText } from './day-range.ts';
import { exportTexts, formatTexts } from './texts.ts';
import { type Contents, type ExportFormat, exportFormats } from './wire.ts';

type RangeContentsProps = { readonly contents: Contents; readonly range: DayRange };

const mostXeroLines = 300;

/** What the days contain, and what of it can be downloaded. */
export function RangeContents({ contents, range }: RangeContentsProps) {
  return (
    <div className={styles.contents}>
      <h3>
        {exportTexts.contents(fullDayText(range.from), fullDayText(range.to))}{' '}
        <Badge tone={contents.closed ? 'completed' : 'other'}>
          {contents.closed ? exportTexts.closed : exportTexts.open}
        </Badge>
      </h3>
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
    [exportTexts.takings, dollarsText(takings)],
    [exportTexts.refunds(refundCount), dollarsText(refunds)],
    [exportTexts.fees, dollarsText(fees)],
    [exportTexts.taxDue, dollarsText(taxDue)],
    [exportTexts.net, dollarsText(net)],
    [exportTexts.debits, dollarsText(debits)],
  ] as const;
  // What is rare is said when it is there.
  const rare = [
    [exportTexts.disputes, disputes === 0 ? '' : dollarsText(disputes)],
    [exportTexts.unidentified, unidentified === 0 ? '' : dollarsText(unidentified)],
    [exportTexts.late, lateFacts === 0 ? '' : String(lateFacts)],
  ] as const;
  return [...always, ...rare.filter(([, value]) => value !== '')];
}

function Files({ contents, range }: RangeContentsProps) {
  return (
    <DataTable<ExportFormat>
      label={exportTexts.files}
      rows={exportFormats}
      rowKey={(format) => format}
      withActions
      columns={[
        {
          title: exportTexts.file,
          render: (format) => (
            <>
              <strong>{formatTexts[format].name}</strong>
              <p className={styles.use}>{formatTexts[format].use}</p>
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
