import type { AdminOrder, OrderDetail } from '@kilim/bff/contract/orders';
import { Alert, Button } from 'antd';
import { RefundCards } from '../refunds/refund-cards.tsx';
import { useMay } from '../session/current-session.tsx';
import cards from '../ui/card.module.css';
import { Card } from '../ui/card.tsx';
import { EraseContact } from './erase-contact.tsx';
import { OrderAmounts } from './order-amounts.tsx';
import { OrderFacts, PaymentFacts } from './order-facts.tsx';
import { OrderTimeline } from './order-timeline.tsx';
import styles from './orders.module.css';
import { RugsTable } from './rugs-table.tsx';
import { erasureTexts, orderTexts } from './texts.ts';

type OrderViewProps = { readonly detail: OrderDetail; readonly onRefund: () => void };

/** A pending refund is no longer refundable, and not yet refunded. */
function blockText({ refundBlock, refundPending }: AdminOrder): string | undefined {
  return refundBlock?.code === 'FullyRefunded' && refundPending > 0 ? orderTexts.allOnItsWay : refundBlock?.message;
}

/** One order with all its parts. */
export function OrderView({ detail, onRefund }: OrderViewProps) {
  const { order, items, timeline, refunds } = detail;
  const [mayRead, mayRefund, mayErase] = [useMay('readContacts'), useMay('refund'), useMay('eraseContact')];
  return (
    <div className={cards.stack}>
      <Card
        title={orderTexts.title}
        note={mayRead ? undefined : orderTexts.masked}
        actions={
          mayRefund && (
            <Button type="primary" onClick={onRefund}>
              {orderTexts.processRefund}
            </Button>
          )
        }
      >
        <div className={cards.stack}>
          {mayRefund && order.refundBlock !== null && (
            <Alert type="info" showIcon title={orderTexts.whyNoRefund} description={blockText(order)} />
          )}
          {order.disputeStatus === 'open' && <Alert type="warning" showIcon title={orderTexts.disputeOpen} />}
          <OrderFacts order={order} />
          {mayErase && (order.customerInfo !== null || order.erasableTexts > 0) && (
            <div>
              <EraseContact orderId={order._id} textsInLedger={order.textsInLedger} />
            </div>
          )}
          {order.customerInfo === null && order.textsInLedger > 0 && (
            <Alert type="warning" showIcon title={erasureTexts.textsStay(order.textsInLedger)} />
          )}
        </div>
      </Card>
      <Card title={orderTexts.rugs}>
        <RugsTable items={items} />
      </Card>
      <div className={styles.pair}>
        <Card title={orderTexts.amounts}>
          <OrderAmounts order={order} />
        </Card>
        <Card title={orderTexts.payment}>
          <PaymentFacts order={order} />
        </Card>
      </div>
      <Card title={orderTexts.refundHistory}>
        <RefundCards refunds={refunds} place="order" />
      </Card>
      <Card title={orderTexts.timeline}>
        <OrderTimeline entries={timeline} />
      </Card>
    </div>
  );
}
