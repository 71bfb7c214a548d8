import { type Contents, importLimits, isImport, type ListedFormat } from '@kilim/bff/contract/exports';
import { formatDollars } from '@kilim/domain/money';
import { Alert, Button } from 'antd';
import { type DayRange, fullDayText } from '../shared/accounting/day-range.ts';
import { downloadAddress } from '../shared/accounting/export-calls.ts';
import { listedTexts, rangeTexts } from '../shared/accounting/texts.ts';
import { Badge } from '../shared/ui/badge.tsx';
import cards from '../shared/ui/card.module.css';
import { type Fact, Facts } from '../shared/ui/card.tsx';
import { DataTable } from '../shared/ui/data-table.tsx';
import { Technical } from '../shared/ui/technical.tsx';
import { exportTexts } from './texts.ts';

type RangeContentsProps = { readonly contents: Contents; readonly range: DayRange };

const offered = Object.keys(listedTexts) as ListedFormat[];

/** For programs and proofs: a person reads the other files. */
function isLog(format: ListedFormat): boolean {
  return format === 'csv' || format === 'jsonl';
}

export function RangeContents({ contents, range }: RangeContentsProps) {
  return (
    <div className={cards.stack}>
      <h3>
        {exportTexts.contents(fullDayText(range.from), fullDayText(range.to))}{' '}
        <Badge tone={contents.closed ? 'completed' : 'other'}>
          {contents.closed ? rangeTexts.closed : rangeTexts.open}
        </Badge>
      </h3>
      {contents.rows.csv === 0 ? <p>{exportTexts.nothing}</p> : <WhatHappened contents={contents} range={range} />}
    </div>
  );
}

function WhatHappened({ contents, range }: RangeContentsProps) {
  const inParts = offered.filter(isImport).filter((format) => contents.parts[format].length > 1);
  return (
    <>
      <Facts facts={factsOf(contents)} />
      {inParts.map((format) => (
        <Alert key={format} type="info" showIcon title={exportTexts.tooLong(importLimits[format])} />
      ))}
      <Files label={exportTexts.files} formats={offered.filter((format) => !isLog(format))} {...{ contents, range }} />
      <Technical>
        <Files label={exportTexts.eventLog} formats={offered.filter(isLog)} {...{ contents, range }} />
      </Technical>
    </>
  );
}

function factsOf(contents: Contents): readonly (Fact | false)[] {
  const { orders, takings, paidInShop, cardRefundCount, cardRefunds, reimbursementCount, reimbursements, fees } =
    contents;
  const { disputes, unidentified, onlyInPayouts, writtenOff, taxDue, debits, lateFacts } = contents;
  return [
    [exportTexts.orders, orders.toLocaleString('en-US')],
    [exportTexts.takings, formatDollars(takings)],
    [exportTexts.cardRefunds(cardRefundCount), formatDollars(cardRefunds)],
    [exportTexts.fees, formatDollars(fees)],
    [exportTexts.taxDue, formatDollars(taxDue)],
    [exportTexts.changeAtSquare, formatDollars(contents.changeAtSquare)],
    [exportTexts.debits, formatDollars(debits)],
    paidInShop !== 0 && [exportTexts.paidInShop, formatDollars(paidInShop)],
    reimbursementCount > 0 && [exportTexts.reimbursements(reimbursementCount), formatDollars(reimbursements)],
    disputes !== 0 && [exportTexts.disputes, formatDollars(disputes)],
    unidentified !== 0 && [exportTexts.unidentified, formatDollars(unidentified)],
    onlyInPayouts !== 0 && [exportTexts.onlyInPayouts, formatDollars(onlyInPayouts)],
    writtenOff !== 0 && [exportTexts.writtenOff, formatDollars(writtenOff)],
    lateFacts > 0 && [exportTexts.late, lateFacts.toLocaleString('en-US')],
  ];
}

type FilesProps = RangeContentsProps & { readonly label: string; readonly formats: readonly ListedFormat[] };

function Files({ label, formats, contents, range }: FilesProps) {
  return (
    <DataTable<ListedFormat>
      label={label}
      rows={formats}
      rowKey={(format) => format}
      withActions
      columns={[
        {
          title: exportTexts.file,
          render: (format) => (
            <>
              <strong>{listedTexts[format].name}</strong>
              <p className={cards.soft}>{listedTexts[format].use}</p>
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
          render: (format) =>
            isImport(format) && contents.parts[format].length > 1 ? (
              <Parts format={format} parts={contents.parts[format]} />
            ) : (
              <Button
                href={downloadAddress(format, range)}
                download
                aria-label={exportTexts.downloadOf(listedTexts[format].name)}
              >
                {exportTexts.download}
              </Button>
            ),
        },
      ]}
    />
  );
}

type PartsProps = { readonly format: ListedFormat; readonly parts: Contents['parts']['xero-csv'] };

/** Its program does not take the file whole. */
function Parts({ format, parts }: PartsProps) {
  return (
    <div className={cards.stack}>
      {parts.map(({ from, to }) => {
        const days = from === to ? fullDayText(from) : `${fullDayText(from)} to ${fullDayText(to)}`;
        return (
          <Button
            key={from}
            href={downloadAddress(format, { from, to })}
            download
            aria-label={exportTexts.partOf(listedTexts[format].name, days)}
          >
            {exportTexts.part(days)}
          </Button>
        );
      })}
    </div>
  );
}
