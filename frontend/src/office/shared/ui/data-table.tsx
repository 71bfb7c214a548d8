import type { MouseEvent, ReactNode } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import styles from './data-table.module.css';

export type Column<Row> = {
  readonly title: string;
  readonly align?: 'right';
  /** Of a dense table: takes the remaining room, and cuts what does not fit. */
  readonly grows?: true;
  readonly render: (row: Row) => ReactNode;
};

export type DataTableProps<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  readonly busy?: boolean;
  /** The last column acts on a row, and stays in a narrow window. */
  readonly withActions?: boolean;
  /** One line each, for long lists. */
  readonly isDense?: boolean;
  /** Does what the row's own link does, which serves the keyboard. */
  readonly onOpen?: (row: Row) => void;
};

/**
 * In a narrow window each row becomes a block, because scrolling sideways would hide the customer and the amount. Why
 * it is not antd's: docs/topics/order-form-and-pages.md.
 */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  busy = false,
  withActions = false,
  isDense = false,
  onOpen,
}: DataTableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
    <section className={styles.scroller} aria-label={`${label}, table`} tabIndex={0}>
      <table
        className={classNames(
          styles.table,
          withActions && styles.withActions,
          isDense && styles.dense,
          onOpen && styles.opens,
        )}
        aria-label={label}
        aria-busy={busy}
      >
        <thead>
          <tr>
            {columns.map(({ title, align }) => (
              <th key={title} scope="col" data-align={align}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} onClick={(event) => onOpen !== undefined && isOnRow(event) && onOpen(row)}>
              {columns.map(({ title, align, grows, render }) => (
                <td key={title} data-align={align} data-grows={grows} data-title={title}>
                  {render(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Not on a link or a button, and not the end of selecting text. */
function isOnRow({ target }: MouseEvent): boolean {
  const isOnControl = target instanceof Element && target.closest('a, button, input, label') !== null;
  return !isOnControl && window.getSelection()?.isCollapsed !== false;
}
