import type { Glance, WayToResolve } from '@kilim/bff/contract/glance';
import { type Cents, cents, formatDollars, noCents } from '@kilim/domain/money';
import { Button } from 'antd';
import { useState } from 'react';
import { usePageData } from '../../shared/page-data.ts';
import { ResolveDialog, type Resolving } from '../shared/resolve/resolve-dialog.tsx';
import { resolveTexts } from '../shared/resolve/texts.ts';
import { useMay } from '../shared/session/current-session.tsx';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { dayText } from '../shared/ui/format.ts';
import { PagedTable } from '../shared/ui/paged-table.tsx';
import styles from './books.module.css';
import { countDifferences } from './books-calls.ts';
import { Subject } from './subject.tsx';
import { booksTexts } from './texts.ts';

type Row = {
  readonly key: string;
  /** Undefined when only a rebuild of the list can correct the row. */
  readonly code: string | undefined;
  readonly message: string;
  readonly orderId: string | null;
  readonly squareId: string | null;
  readonly at: string | null;
  readonly ways: readonly WayToResolve[];
  /** In the ledger, and on the other side. */
  readonly amounts: readonly [Cents | null, Cents | null];
};

/** Empty before the first comparison. */
export function DifferencesCard({ glance }: { readonly glance: Glance }) {
  const count = countDifferences(glance) ?? 0;
  const rows = rowsOf(glance);
  if (rows.length === 0 && countDifferences(glance) === undefined) return null;
  return (
    <Card title={booksTexts.differences}>
      {rows.length === 0 && <p>{booksTexts.nothingDiffers}</p>}
      {rows.length > 0 && <DifferencesTable rows={rows} />}
      {rows.length < count && <p className={cards.more}>{booksTexts.more(rows.length, count)}</p>}
    </Card>
  );
}

function rowsOf({ comparison, reconciliation }: Glance): readonly Row[] {
  const orders = (comparison?.differingOrders ?? []).map(
    ({ orderId, ledger, orderList }): Row => ({
      key: `order ${orderId}`,
      code: undefined,
      message: booksTexts.orderDiffers,
      orderId,
      squareId: null,
      at: null,
      ways: [],
      amounts: [cents(ledger.taken - ledger.refunded), cents(orderList.taken - orderList.refunded)],
    }),
  );
  const entries = (comparison?.unmatchedEntries ?? []).map(
    ({ code, message, orderId, squareId, at, inLedger, atSquare }): Row => ({
      key: `${code} ${squareId}`,
      code,
      message,
      orderId,
      squareId,
      at,
      ways: [],
      amounts: [inLedger, atSquare],
    }),
  );
  const atSquare = (reconciliation?.differences ?? []).map(
    ({ code, message, orderId, squareId, at, amount, ways }): Row => ({
      key: `square ${code} ${squareId}`,
      code,
      message,
      orderId,
      squareId,
      at,
      ways,
      amounts: isInLedger(code) ? [amount, null] : [null, amount],
    }),
  );
  return [...orders, ...entries, ...atSquare];
}

function isInLedger(code: string): boolean {
  return code.endsWith('NotAtSquare');
}

function DifferencesTable({ rows }: { readonly rows: readonly Row[] }) {
  const { timeZone } = usePageData().config.business;
  return (
    <PagedTable
      label={booksTexts.differences}
      rows={rows}
      rowKey={({ key }) => key}
      withActions
      columns={[
        { title: booksTexts.problem, render: ({ message }) => <span className={styles.message}>{message}</span> },
        { title: booksTexts.subject, render: (row) => <Subject {...row} /> },
        { title: booksTexts.day, render: ({ at }) => (at === null ? '-' : dayText(at, timeZone)) },
        { title: booksTexts.amounts, align: 'right', render: ({ amounts }) => amounts.map(amountText).join(' / ') },
        { title: resolveTexts.actions, render: (row) => <Actions row={row} /> },
      ]}
    />
  );
}

function Actions({ row: { code, squareId, orderId, message, ways, amounts } }: { readonly row: Row }) {
  const [resolving, setResolving] = useState<Resolving>();
  const [mayExplain, mayRefund] = [useMay('explainDifferences'), useMay('refundOrphans')];
  const mayBook = useMay('bookDifferences');
  if (code === undefined || squareId === null) return null;
  // Only money at Square is refunded, assigned or written off.
  const amount = amounts[1] ?? noCents;
  const start = (how: 'refund' | 'writeOff') => setResolving({ how, squareId, message, amount });
  return (
    <div className={cards.subject}>
      {mayRefund && ways.includes('refund') && (
        <Button onClick={() => start('refund')}>{resolveTexts.refund.button}</Button>
      )}
      {mayBook && ways.includes('assign') && (
        <Button onClick={() => setResolving({ how: 'assign', squareId, orderId, message, amount })}>
          {resolveTexts.assign.button}
        </Button>
      )}
      {mayBook && ways.includes('writeOff') && (
        <Button onClick={() => start('writeOff')}>{resolveTexts.writeOff.button}</Button>
      )}
      {mayExplain && (
        <Button onClick={() => setResolving({ how: 'explain', code, squareId, message })}>
          {resolveTexts.explain.button}
        </Button>
      )}
      {resolving !== undefined && <ResolveDialog resolving={resolving} onClose={() => setResolving(undefined)} />}
    </div>
  );
}

function amountText(amount: Cents | null): string {
  return amount === null ? '-' : formatDollars(amount);
}
