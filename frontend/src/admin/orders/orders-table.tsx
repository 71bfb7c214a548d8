import type { OrderRow } from '@kilim/bff/contract/orders';
import { formatDollars } from '@kilim/domain/money';
import { Link } from '@tanstack/react-router';
import { orderNumberText } from '../../shared/order-number.ts';
import { usePageData } from '../../shared/page-data.ts';
import { Badge } from '../ui/badge.tsx';
import cards from '../ui/card.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { dayText, shortOrderId } from '../ui/format.ts';
import styles from './orders.module.css';
import { RefundStatusBadge } from './status-badges.tsx';
import { ordersTexts } from './texts.ts';

type OrdersTableProps = { readonly rows: readonly OrderRow[]; readonly busy: boolean };

export function OrdersTable({ rows, busy }: OrdersTableProps) {
  const { timeZone } = usePageData().config.business;
  return (
    <DataTable
      label={ordersTexts.heading}
      columns={columnsFor(timeZone)}
      rows={rows}
      rowKey={({ _id }) => _id}
      busy={busy}
      withActions
    />
  );
}

function columnsFor(timeZone: string): readonly Column<OrderRow>[] {
  return [
    { title: ordersTexts.date, render: ({ createdAt }) => dayText(createdAt, timeZone) },
    { title: ordersTexts.orderId, render: ({ _id }) => <OrderNumber id={_id} /> },
    { title: ordersTexts.customer, render: ({ customerInfo }) => <Customer info={customerInfo} /> },
    { title: ordersTexts.total, align: 'right', render: ({ totalCost }) => formatDollars(totalCost) },
    { title: ordersTexts.status, render: (row) => <OrderStatus row={row} /> },
    { title: ordersTexts.actions, render: ({ _id }) => <ViewOrder id={_id} /> },
  ];
}

function OrderNumber({ id }: { readonly id: string }) {
  return (
    <>
      <div className={styles.number}>{orderNumberText(id)}</div>
      <code className={cards.soft}>{shortOrderId(id)}</code>
    </>
  );
}

function Customer({ info }: { readonly info: OrderRow['customerInfo'] }) {
  return (
    <>
      <div>{info?.name || ordersTexts.missing}</div>
      <div className={cards.soft}>{info?.email || ordersTexts.missing}</div>
    </>
  );
}

function OrderStatus({ row }: { readonly row: OrderRow }) {
  return (
    <div className={styles.badges}>
      <RefundStatusBadge status={row.refundStatus} />
      {row.paymentStatus !== 'paid' && <Badge tone="other">{ordersTexts.paymentStatus[row.paymentStatus]}</Badge>}
      {row.disputeStatus === 'open' && <Badge tone="failed">{ordersTexts.disputed}</Badge>}
    </div>
  );
}

/** A button for screen readers, because it acts on the row. It is a link, so it can open in a new tab. */
function ViewOrder({ id }: { readonly id: string }) {
  return (
    <Link
      to="/admin/orders/$orderId"
      params={{ orderId: id }}
      role="button"
      className={styles.view}
      aria-label={ordersTexts.viewOrder(id.slice(-8))}
      onKeyDown={(event) => {
        if (event.key !== ' ') return;
        event.preventDefault();
        event.currentTarget.click();
      }}
    >
      {ordersTexts.view}
    </Link>
  );
}
