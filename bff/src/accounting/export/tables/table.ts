import { type Cents, cents, decimalDollars } from '@kilim/domain/money';
import type { ColumnKind, FigureName } from '../../../../contract/reports.ts';
import { csvLine, textCell } from '../../../core/csv/csv.ts';

export type Column = { readonly name: string; readonly kind: ColumnKind };
/** Amounts are whole cents. Null: the cell is empty. */
export type Cell = string | number | null;
export type Row = readonly Cell[];

export type Table = {
  readonly columns: readonly Column[];
  readonly rows: Iterable<Row>;
  /** Only on the screen: a spreadsheet that adds up a column must not find its sum in it. */
  readonly totals: Row | undefined;
  /** What a person looks for first, above the rows on the screen. */
  readonly figures?: readonly { readonly name: FigureName; readonly amount: Cents }[];
};

/** The last column names the currency. */
export function* linesOf({ columns, rows }: Table): Generator<string, void> {
  yield csvLine([...columns.map(({ name }) => name), 'currency']);
  for (const row of rows) {
    yield csvLine([...row.map((cell, index) => cellText(cell, columns[index]?.kind ?? 'text')), 'USD']);
  }
}

function cellText(cell: Cell, kind: ColumnKind): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return textCell(cell);
  return kind === 'amount' ? decimalDollars(cents(cell)) : String(cell);
}

export function totalsOf(columns: readonly Column[], rows: readonly Row[]): Row {
  return columns.map(({ kind }, index) =>
    kind === 'amount' || kind === 'count' ? rows.reduce((sum, row) => sum + Number(row[index] ?? 0), 0) : null,
  );
}
