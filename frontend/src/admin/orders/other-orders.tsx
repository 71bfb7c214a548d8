import type { OrderDetail } from '@kilim/bff/contract/orders';
import { formatDollars } from '@kilim/domain/money';
import { Link } from '@tanstack/react-router';
import { orderNumberText } from '../../shared/order-number.ts';
import { usePageData } from '../../shared/page-data.ts';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { dayText } from '../ui/format.ts';
import styles from './orders.module.css';
import { RefundStatusBadge } from './status-badges.tsx';
import { ordersTexts, orderTexts } from './texts.ts';

/** The customer's other orders, by email or telephone number. Nothing when there are none. */
export function OtherOrders({ orders }: { readonly orders: OrderDetail['otherOrders'] }) {
  const { timeZone } = usePageData().config.business;
  if (orders.length === 0) return null;
  return (
    <Card title={orderTexts.otherOrders}>
      <ul className={styles.others} aria-label={orderTexts.otherOrders}>
        {orders.map(({ _id, createdAt, totalCost, paymentStatus, refundStatus }) => (
          <li key={_id}>
            <Link to="/admin/orders/$orderId" params={{ orderId: _id }}>
              {orderNumberText(_id)}
            </Link>
            <span>{dayText(createdAt, timeZone)}</span>
            <span>{formatDollars(totalCost)}</span>
            {paymentStatus === 'paid' ? (
              <RefundStatusBadge status={refundStatus} />
            ) : (
              <Badge tone="other">{ordersTexts.paymentStatus[paymentStatus]}</Badge>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
