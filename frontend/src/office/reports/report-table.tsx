import type { ColumnKind, Report } from '@kilim/bff/contract/reports';
import { formatMonth } from '@kilim/domain/format-day';
import { cents, formatDollars } from '@kilim/domain/money';
import { Link } from '@tanstack/react-router';
import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { orderNumberText } from '../../shared/order-number.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { fullDayText } from '../shared/accounting/day-range.ts';
import table from '../shared/ui/data-table.module.css';
import { decimalText } from '../shared/ui/format.ts';
import styles from './reports.module.css';
import { columnTexts, reportTexts } from './texts.ts';

type Cell = Report['rows'][number][number];

type ReportTableProps = {
  readonly label: string;
  readonly report: Report;
  /** Columns with one value in all rows. */
  readonly hidden: readonly string[];
};

/** The heading stays in sight; in a narrow window each row becomes a block. */
export function ReportTable({ label, report: { columns, rows, totals }, hidden }: ReportTableProps) {
  const shown = columns.flatMap(({ name, kind }, index) =>
    hidden.includes(name) ? [] : [{ name, kind, index, title: columnTexts[name] ?? name, align: alignOf(kind) }],
  );
  const [showsAll, setShowsAll] = useState(rows.length <= rowsOfPhone);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
    <section className={styles.scroller} aria-label={`${label}, table`} tabIndex={0}>
      <table className={classNames(table.table, styles.table)} aria-label={label}>
        <thead>
          <tr>
            {shown.map(({ name, title, align }) => (
              <th key={name} scope="col" data-align={align}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and never change their order.
            <tr key={number} data-later={!showsAll && number >= rowsOfPhone}>
              {shown.map(({ name, kind, index, title, align }) => (
                <td key={name} data-align={align} data-title={title} data-empty={row[index] === null}>
                  {cellOf(row[index] ?? null, kind)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {totals !== null && (
          <tfoot>
            <tr>
              {shown.map(({ name, kind, index, title, align }, place) => (
                <td
                  key={name}
                  data-align={align}
                  data-title={place === 0 ? '' : title}
                  data-empty={place > 0 && totals[index] === null}
                >
                  {place === 0 ? reportTexts.total : cellOf(totals[index] ?? null, kind)}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
      {!showsAll && (
        <Button className={styles.allRows ?? ''} block onClick={() => setShowsAll(true)}>
          {reportTexts.showAll(rows.length)}
        </Button>
      )}
    </section>
  );
}

/** A long report of blocks shows its first rows until a person asks for all. */
const rowsOfPhone = 50;

function alignOf(kind: ColumnKind): 'right' | undefined {
  return kind === 'amount' || kind === 'count' || kind === 'decimal' ? 'right' : undefined;
}

function cellOf(cell: Cell, kind: ColumnKind): ReactNode {
  if (cell === null) return null;
  if (typeof cell === 'number') {
    return kind === 'amount' ? formatDollars(cents(Math.round(cell * 100))) : cell.toLocaleString('en-US');
  }
  if (kind === 'day') return fullDayText(cell);
  if (kind === 'month') return formatMonth(cell);
  if (kind === 'decimal') return decimalText(cell);
  if (kind !== 'order') return cell;
  return (
    <Link to="/admin/orders/$orderId" params={{ orderId: cell }}>
      {orderNumberText(cell)}
    </Link>
  );
}
