import type { OrderRow } from '@kilim/bff/contract/orders';
import { formatDollars } from '@kilim/domain/money';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { orderNumberText } from '../../shared/order-number.ts';
import { usePageData } from '../../shared/page-data.ts';
import { linksOfRows } from '../shared/shortcuts/rows.ts';
import cards from '../shared/ui/card.module.css';
import { type Column, DataTable } from '../shared/ui/data-table.tsx';
import { shortOrderId, shortTimeText } from '../shared/ui/format.ts';
import { isFocusFree } from '../shared/ui/keep-focus.ts';
import { takeLastOpened } from './last-opened.ts';
import styles from './orders.module.css';
import { OrderBadges } from './status-badges.tsx';
import { ordersTexts } from './texts.ts';

type OrdersTableProps = { readonly rows: readonly OrderRow[]; readonly busy: boolean };

/** The order's page goes back by this state of the history. */
const fromOrders = { isFromOrders: true } as const;

export function OrdersTable({ rows, busy }: OrdersTableProps) {
  const { timeZone } = usePageData().config.business;
  const navigate = useNavigate();
  useFocusOnReturn(rows);
  return (
    <DataTable
      label={ordersTexts.heading}
      columns={columnsFor(timeZone)}
      rows={rows}
      rowKey={({ _id }) => _id}
      busy={busy}
      withActions
      isDense
      onOpen={({ _id: orderId }) =>
        void navigate({ to: '/admin/orders/$orderId', params: { orderId }, state: fromOrders })
      }
    />
  );
}

function useFocusOnReturn(rows: readonly OrderRow[]): void {
  useEffect(() => {
    if (!isFocusFree()) return;
    const opened = takeLastOpened((id) => rows.some(({ _id }) => _id === id));
    if (opened !== undefined)
      linksOfRows()
        .find((link) => link.dataset['opens'] === opened)
        ?.focus();
  }, [rows]);
}

function columnsFor(timeZone: string): readonly Column<OrderRow>[] {
  return [
    { title: ordersTexts.date, render: ({ createdAt }) => shortTimeText(createdAt, timeZone) },
    { title: ordersTexts.orderId, render: ({ _id }) => <OrderNumber id={_id} /> },
    { title: ordersTexts.customer, grows: true, render: ({ customerInfo }) => <Customer info={customerInfo} /> },
    { title: ordersTexts.rugs, align: 'right', render: ({ rugCount }) => <RugCount count={rugCount} /> },
    {
      title: ordersTexts.delivery,
      render: ({ includesDelivery }) => (includesDelivery ? ordersTexts.pickupShort : ordersTexts.dropoff),
    },
    { title: ordersTexts.total, align: 'right', render: ({ totalCost }) => formatDollars(totalCost) },
    { title: ordersTexts.status, render: (row) => <OrderBadges order={row} /> },
    { title: ordersTexts.actions, render: ({ _id }) => <ViewOrder id={_id} /> },
  ];
}

/** In a narrow window the number has no heading. */
function RugCount({ count }: { readonly count: number }) {
  return (
    <>
      {count}
      <span className={styles.unit}> {ordersTexts.rugUnit(count)}</span>
    </>
  );
}

function OrderNumber({ id }: { readonly id: string }) {
  return (
    <div className={styles.pairOfIds}>
      <span className={styles.number}>{orderNumberText(id)}</span>
      <code className={cards.soft}>{shortOrderId(id)}</code>
    </div>
  );
}

function Customer({ info }: { readonly info: OrderRow['customerInfo'] }) {
  const name = info?.name || ordersTexts.missing;
  const email = info?.email || ordersTexts.missing;
  return (
    <div className={styles.customer} title={`${name}, ${email}`}>
      <span>{name}</span> <span className={cards.soft}>{email}</span>
    </div>
  );
}

/** Acts as a button for screen readers, and is a link, so that it can open in a new tab. */
function ViewOrder({ id }: { readonly id: string }) {
  return (
    <Link
      to="/admin/orders/$orderId"
      params={{ orderId: id }}
      state={fromOrders}
      role="button"
      className={styles.view}
      data-opens={id}
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
