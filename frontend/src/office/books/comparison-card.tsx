import type { Glance } from '@kilim/bff/contract/glance';
import { type Cents, formatDollars } from '@kilim/domain/money';
import { Alert, Button } from 'antd';
import { usePageData } from '../../shared/page-data.ts';
import type { Asked } from '../shared/accounting/use-asked.ts';
import { Badge } from '../shared/ui/badge.tsx';
import cards from '../shared/ui/card.module.css';
import { Card, Facts } from '../shared/ui/card.tsx';
import { DataTable } from '../shared/ui/data-table.tsx';
import { dayText, timeText } from '../shared/ui/format.ts';
import styles from './books.module.css';
import { countDifferences } from './books-calls.ts';
import { booksTexts } from './texts.ts';

type ComparisonCardProps = { readonly glance: Glance; readonly comparing: Asked };

export function ComparisonCard({ glance, comparing }: ComparisonCardProps) {
  const { timeZone } = usePageData().config.business;
  const { comparison, reconciliation } = glance;
  const time = (found: { readonly madeAt: string } | null) =>
    found === null ? booksTexts.never : timeText(found.madeAt, timeZone);
  const differences = countDifferences(glance);
  const rows = totalsOf(glance, timeZone);
  return (
    <Card
      title={booksTexts.heading}
      note={booksTexts.note}
      actions={
        <Button type="primary" loading={comparing.isUnderWay} onClick={comparing.start}>
          {comparing.isUnderWay ? booksTexts.comparing : booksTexts.compare}
        </Button>
      }
    >
      <div className={cards.stack}>
        {comparing.hasFailed && <Alert type="error" role="alert" showIcon title={booksTexts.compareFailed} />}
        {comparing.takesLong && <Alert type="info" role="status" showIcon title={booksTexts.takesLong} />}
        {comparison !== null && comparison.notCompared !== null && (
          <Alert type="error" role="alert" showIcon title={comparison.notCompared} />
        )}
        <Verdict
          count={differences === undefined ? undefined : differences + (comparison?.clearing.alarms.length ?? 0)}
          open={rows.filter(({ notCompared }) => notCompared !== null).length}
        />
        <Facts
          facts={[
            [booksTexts.compared, time(comparison)],
            [booksTexts.reconciled, time(reconciliation)],
          ]}
        />
        {reconciliation !== null && reconciliation.inFlight > 0 && (
          <p>{booksTexts.underWay(reconciliation.inFlight)}</p>
        )}
        {reconciliation?.payouts === null && <Alert type="warning" showIcon title={booksTexts.noPayouts} />}
        {rows.length > 0 && <TotalsTable rows={rows} />}
      </div>
    </Card>
  );
}

/** A screen reader announces changes. */
function Verdict({ count, open }: { readonly count: number | undefined; readonly open: number }) {
  return (
    <p className={cards.tools} role="status">
      {count === undefined && (
        <>
          <Badge tone="pending">{booksTexts.notCompared}</Badge> {booksTexts.notComparedHint}
        </>
      )}
      {count === 0 && open === 0 && <Badge tone="completed">{booksTexts.agree}</Badge>}
      {count === 0 && open > 0 && (
        <>
          <Badge tone="pending">{booksTexts.agreeInPart}</Badge> {booksTexts.totalsNotCompared(open)}
        </>
      )}
      {count !== undefined && count > 0 && <Badge tone="failed">{booksTexts.differ(count)}</Badge>}
    </p>
  );
}

type Total = {
  readonly what: string;
  readonly source: string;
  readonly ledger: Cents;
  readonly other: Cents;
  readonly notCompared: string | null;
};

function totalsOf({ comparison, reconciliation }: Glance, timeZone: string): readonly Total[] {
  const totals: Total[] = [];
  if (comparison !== null) {
    const { ledger, orderList, paidOut } = comparison;
    const source = booksTexts.orderList(comparison.orders);
    for (const part of ['taken', 'refunded', 'pending', 'fees'] as const) {
      totals.push({
        what: booksTexts[part],
        source,
        ledger: ledger[part],
        other: orderList[part],
        notCompared: comparison.notCompared,
      });
    }
    const { inLedger, atSquare, notCompared } = paidOut;
    const paid = { what: booksTexts.paidOut, source: booksTexts.inPayouts };
    totals.push({ ...paid, ledger: inLedger, other: atSquare, notCompared });
  }
  if (reconciliation !== null) {
    const { inLedger, atSquare, from, notCompared } = reconciliation;
    const source = booksTexts.atSquare(dayText(from, timeZone));
    const names = { ...booksTexts, taken: booksTexts.takenBySquare, refunded: booksTexts.returned };
    for (const part of ['taken', 'refunded', 'fees', 'disputed'] as const) {
      totals.push({
        what: names[part],
        source,
        ledger: inLedger[part],
        other: atSquare[part],
        notCompared: notCompared[part],
      });
    }
  }
  return totals;
}

function TotalsTable({ rows }: { readonly rows: readonly Total[] }) {
  return (
    <DataTable
      label={booksTexts.totals}
      rows={rows}
      rowKey={({ what, source }) => `${what} ${source}`}
      columns={[
        { title: booksTexts.what, render: ({ what }) => what },
        { title: booksTexts.ledger, align: 'right', render: ({ ledger }) => formatDollars(ledger) },
        { title: booksTexts.other, align: 'right', render: ({ other }) => formatDollars(other) },
        { title: booksTexts.source, render: ({ source }) => source },
        {
          title: booksTexts.result,
          render: (total) => <Result total={total} />,
        },
      ]}
    />
  );
}

function Result({ total: { ledger, other, notCompared } }: { readonly total: Total }) {
  if (notCompared !== null) {
    return (
      <>
        <Badge tone="pending">{booksTexts.totalNotCompared}</Badge>
        <span className={styles.message}>{notCompared}</span>
      </>
    );
  }
  return ledger === other ? (
    <Badge tone="completed">{booksTexts.same}</Badge>
  ) : (
    <Badge tone="failed">{booksTexts.different}</Badge>
  );
}
