import type { Glance } from '@kilim/bff/contract/glance';
import { type Cents, cents, formatDollars } from '@kilim/domain/money';
import { Link } from '@tanstack/react-router';
import { Card } from '../ui/card.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { shortOrderId } from '../ui/format.ts';
import styles from './books.module.css';
import { countDifferences } from './books-calls.ts';
import { booksTexts } from './texts.ts';

type Row = {
  readonly key: string;
  readonly message: string;
  readonly orderId: string | null;
  readonly squareId: string | null;
  /** The amount in the ledger and the amount on the other side. */
  readonly amounts: readonly [Cents | null, Cents | null] | undefined;
};

/** Every order, payment and payout that an administrator has to look at. Empty before the first comparison. */
export function DifferencesCard({ glance }: { readonly glance: Glance }) {
  const count = countDifferences(glance) ?? 0;
  const rows = rowsOf(glance);
  if (rows.length === 0 && countDifferences(glance) === undefined) return null;
  return (
    <Card title={booksTexts.differences}>
      {rows.length === 0 && <p>{booksTexts.nothingDiffers}</p>}
      {rows.length > 0 && <DifferencesTable rows={rows} />}
      {rows.length < count && <p className={styles.more}>{booksTexts.more(rows.length, count)}</p>}
    </Card>
  );
}

function rowsOf({ comparison, reconciliation }: Glance): readonly Row[] {
  const orders = (comparison?.differingOrders ?? []).map(
    ({ orderId, ledger, orderList }): Row => ({
      key: `order ${orderId}`,
      message: booksTexts.orderDiffers,
      orderId,
      squareId: null,
      amounts: [cents(ledger.taken - ledger.refunded), cents(orderList.taken - orderList.refunded)],
    }),
  );
  const entries = (comparison?.unmatchedEntries ?? []).map(
    ({ code, message, orderId, squareId, inLedger, atSquare }): Row => ({
      key: `${code} ${squareId}`,
      message,
      orderId,
      squareId,
      amounts: [inLedger, atSquare],
    }),
  );
  const atSquare = (reconciliation?.differences ?? []).map(
    ({ code, message, orderId, squareId }): Row => ({
      key: `square ${code} ${squareId}`,
      message,
      orderId,
      squareId,
      amounts: undefined,
    }),
  );
  return [...orders, ...entries, ...atSquare];
}

const amountsColumn: Column<Row> = {
  title: booksTexts.amounts,
  align: 'right',
  render: ({ amounts }) => amounts?.map(amountText).join(' / '),
};

function DifferencesTable({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <DataTable
      label={booksTexts.differences}
      rows={rows}
      rowKey={({ key }) => key}
      columns={[
        { title: booksTexts.problem, render: ({ message }) => <span className={styles.message}>{message}</span> },
        { title: booksTexts.subject, render: (row) => <Subject row={row} /> },
        ...(rows.some(({ amounts }) => amounts !== undefined) ? [amountsColumn] : []),
      ]}
    />
  );
}

function Subject({ row: { orderId, squareId } }: { readonly row: Row }) {
  return (
    <div className={styles.subject}>
      {orderId !== null && (
        <Link to="/admin/orders/$orderId" params={{ orderId }}>
          {booksTexts.order(shortOrderId(orderId))}
        </Link>
      )}
      {squareId !== null && <span>{booksTexts.idAtSquare(squareId)}</span>}
    </div>
  );
}

function amountText(amount: Cents | null): string {
  return amount === null ? '-' : formatDollars(amount);
}
