import type { OrderDetail } from '@kilim/bff/contract/orders';
import { useMay } from '../shared/session/current-session.tsx';
import cards from '../shared/ui/card.module.css';
import { Card, type Fact, Facts } from '../shared/ui/card.tsx';
import { EraseContact } from './erase-contact.tsx';
import { orderTexts } from './texts.ts';

/** What is seldom needed: the names that programs use, and the end of the contact. */
export function OrderMore({ detail: { order, notes } }: { readonly detail: OrderDetail }) {
  const mayErase = useMay('eraseContact');
  const { payment } = order;
  const ids: readonly (readonly [term: string, id: string | null | undefined])[] = [
    [orderTexts.orderId, order._id],
    [orderTexts.paymentId, order.paymentId],
    [orderTexts.squarePayment, payment?.squarePaymentId],
    [orderTexts.receiptNumber, payment?.receiptNumber],
  ];
  return (
    <Card title={orderTexts.more}>
      <div className={cards.stack}>
        <details>
          <summary className={cards.summary}>{orderTexts.technical}</summary>
          <Facts facts={ids.flatMap(([term, id]): Fact[] => (id ? [[term, <code key={term}>{id}</code>]] : []))} />
        </details>
        {mayErase && (order.customerInfo !== null || order.erasableTexts > 0 || notes.length > 0) && (
          <div>
            <EraseContact orderId={order._id} />
          </div>
        )}
      </div>
    </Card>
  );
}
