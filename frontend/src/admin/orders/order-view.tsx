import type { AdminOrder, OrderDetail } from '@kilim/bff/contract/orders';
import { formatDollars } from '@kilim/domain/money';
import { Link } from '@tanstack/react-router';
import { Alert, Button } from 'antd';
import { OrderMails } from '../mails/order-mails.tsx';
import { RefundCards } from '../refunds/refund-cards.tsx';
import { reimbursementTexts } from '../refunds/texts.ts';
import { useMay } from '../session/current-session.tsx';
import cards from '../ui/card.module.css';
import { Card } from '../ui/card.tsx';
import { EraseContact } from './erase-contact.tsx';
import { OrderAmounts } from './order-amounts.tsx';
import { OrderFacts, PaymentFacts } from './order-facts.tsx';
import { OrderNotes } from './order-notes.tsx';
import { OrderTimeline } from './order-timeline.tsx';
import styles from './orders.module.css';
import { OtherOrders } from './other-orders.tsx';
import { RugsTable } from './rugs-table.tsx';
import { orderTexts, workOrderTexts } from './texts.ts';

type OrderViewProps = {
  readonly detail: OrderDetail;
  readonly onRefund: () => void;
  readonly onReimburse: () => void;
};

/** A pending refund is no longer refundable, and not yet refunded. */
function blockText({ refundBlock, refundPending }: AdminOrder): string | undefined {
  return refundBlock?.code === 'FullyRefunded' && refundPending > 0 ? orderTexts.allOnItsWay : refundBlock?.message;
}

/** Money can be given back another way, unless the bank may give it back as well. */
function mayReimburse({ payment, remainingRefundable, refundBlock }: AdminOrder): boolean {
  return payment !== null && remainingRefundable > 0 && refundBlock?.code !== 'Disputed';
}

/** One order with all its parts. */
export function OrderView({ detail, onRefund, onReimburse }: OrderViewProps) {
  const { order, timeline, refunds, notes, mails, otherOrders } = detail;
  const [mayRead, mayRefund, mayErase] = [useMay('readContacts'), useMay('refund'), useMay('eraseContact')];
  const mayNote = useMay('writeNotes');
  return (
    <div className={cards.stack}>
      <Card
        title={orderTexts.title}
        takesFocus
        note={mayRead ? undefined : orderTexts.masked}
        actions={
          mayRefund && (
            <div className={cards.tools}>
              {mayReimburse(order) && <Button onClick={onReimburse}>{reimbursementTexts.button}</Button>}
              <Button type="primary" onClick={onRefund}>
                {orderTexts.processRefund}
              </Button>
            </div>
          )
        }
      >
        <div className={cards.stack}>
          {order.owedRefund > 0 && (
            <Alert
              type="error"
              showIcon
              title={orderTexts.owed(formatDollars(order.owedRefund))}
              description={orderTexts.owedAdvice}
            />
          )}
          {mayRefund && order.refundBlock !== null && (
            <Alert type="info" showIcon title={orderTexts.whyNoRefund} description={blockText(order)} />
          )}
          {order.disputeStatus === 'open' && <Alert type="warning" showIcon title={orderTexts.disputeOpen} />}
          <OrderFacts order={order} />
          {mayErase && (order.customerInfo !== null || order.erasableTexts > 0 || notes.length > 0) && (
            <div>
              <EraseContact orderId={order._id} />
            </div>
          )}
        </div>
      </Card>
      <Card
        title={orderTexts.rugs}
        note={orderTexts.dueNote}
        actions={
          <Link to="/admin/orders/$orderId/work-order" params={{ orderId: order._id }}>
            {workOrderTexts.open}
          </Link>
        }
      >
        <RugsTable detail={detail} />
      </Card>
      {mayNote && <OrderNotes orderId={order._id} notes={notes} />}
      <OtherOrders orders={otherOrders} />
      <div className={styles.pair}>
        <Card title={orderTexts.amounts}>
          <OrderAmounts order={order} />
        </Card>
        <Card title={orderTexts.payment}>
          <PaymentFacts order={order} />
        </Card>
      </div>
      <Card title={orderTexts.refundHistory}>
        <RefundCards refunds={refunds} place="order" detail={detail} />
      </Card>
      <OrderMails mails={mails} />
      <Card title={orderTexts.timeline}>
        <OrderTimeline entries={timeline} />
      </Card>
    </div>
  );
}
