import { Alert, Button } from 'antd';
import type { OrderDetail } from '../calls/wire.ts';
import { RefundCards } from '../refunds/refund-cards.tsx';
import cards from '../ui/card.module.css';
import { Card } from '../ui/card.tsx';
import { OrderAmounts } from './order-amounts.tsx';
import { OrderFacts, PaymentFacts } from './order-facts.tsx';
import { OrderTimeline } from './order-timeline.tsx';
import { RugsTable } from './rugs-table.tsx';
import { orderTexts } from './texts.ts';

type OrderViewProps = { readonly detail: OrderDetail; readonly onRefund: () => void };

/** Everything there is to know of one order. */
export function OrderView({ detail, onRefund }: OrderViewProps) {
  const { order, items, timeline, refunds } = detail;
  return (
    <div className={cards.stack}>
      <Card
        title={orderTexts.title}
        actions={
          <Button type="primary" onClick={onRefund}>
            {orderTexts.processRefund}
          </Button>
        }
      >
        <div className={cards.stack}>
          {order.refundBlock !== null && (
            <Alert type="info" showIcon title={orderTexts.whyNoRefund} description={order.refundBlock.message} />
          )}
          {order.disputeStatus === 'open' && <Alert type="warning" showIcon title={orderTexts.disputeOpen} />}
          <OrderFacts order={order} />
        </div>
      </Card>
      <Card title={orderTexts.rugs}>
        <RugsTable items={items} />
      </Card>
      <Card title={orderTexts.amounts}>
        <OrderAmounts order={order} />
      </Card>
      <Card title={orderTexts.payment}>
        <PaymentFacts order={order} />
      </Card>
      <Card title={orderTexts.refundHistory}>
        <RefundCards refunds={refunds} place="order" />
      </Card>
      <Card title={orderTexts.timeline}>
        <OrderTimeline entries={timeline} />
      </Card>
    </div>
  );
}
