import type { AdminOrder, OrderDetail, TimelineEntry } from '@kilim/bff/contract/orders';
import { type Cents, cents, formatDollars } from '@kilim/domain/money';
import { Link } from '@tanstack/react-router';
import { Alert } from 'antd';
import { orderNumberText } from '../../shared/order-number.ts';
import { usePageData } from '../../shared/page-data.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { usePersonName } from '../shared/person-names.ts';
import { RefundCards } from '../shared/refunds/refund-cards.tsx';
import { useMay } from '../shared/session/current-session.tsx';
import cards from '../shared/ui/card.module.css';
import { Card, type Fact, Facts } from '../shared/ui/card.tsx';
import { dayText, timeText } from '../shared/ui/format.ts';
import { EraseContact } from './erase-contact.tsx';
import { IntakeCard } from './intake/intake-card.tsx';
import { OrderFacts, PaymentFacts } from './order-facts.tsx';
import { OrderMails } from './order-mails.tsx';
import { OrderNotes } from './order-notes.tsx';
import styles from './orders.module.css';
import { CorrectSplit } from './refund/correct-split.tsx';
import { useRefundAllowance } from './refund/refund-allowance.ts';
import { RefundButtons, RefundNotice } from './refund/refund-offer.tsx';
import { refundWays } from './refund/refund-ways.ts';
import { loadOpenRefund } from './refund/remembered-refund.ts';
import { RugsTable } from './rugs-table.tsx';
import { OrderBadges } from './status-badges.tsx';
import { orderTexts, workOrderTexts } from './texts.ts';

type OrderViewProps = {
  readonly detail: OrderDetail;
  readonly onRefund: () => void;
  readonly onReimburse: () => void;
};

export function OrderView({ detail, onRefund, onReimburse }: OrderViewProps) {
  const { order, timeline, refunds, notes, otherOrders } = detail;
  const [mayRead, mayRefund, mayNote] = [useMay('readContacts'), useMay('refund'), useMay('writeNotes')];
  const allowance = useRefundAllowance(mayRefund);
  const isOutcomeOpen = loadOpenRefund(order._id) !== undefined;
  const offer = { ways: refundWays(detail, { mayRefund, allowance, isOutcomeOpen }), onRefund, onReimburse };
  const isDisputeTold = mayRefund && order.refundBlock?.code === 'Disputed';
  return (
    <div className={cards.stack}>
      <Card
        title={orderTexts.title}
        takesFocus
        note={mayRead ? undefined : orderTexts.masked}
        actions={mayRefund && <RefundButtons {...offer} />}
      >
        <div className={cards.stack}>
          {(mayRefund || order.owedRefund > 0) && <RefundNotice {...offer} />}
          {order.disputeStatus === 'open' && !isDisputeTold && (
            <Alert type="warning" showIcon title={orderTexts.disputeOpen} />
          )}
          {order.supplementOf !== null && <SupplementNote orderId={order.supplementOf} />}
          <OrderFacts order={order} />
        </div>
      </Card>
      <Card
        title={orderTexts.rugs}
        note={orderTexts.dueNote}
        actions={
          order.supplementOf === null && (
            <Link to="/admin/orders/$orderId/work-order" params={{ orderId: order._id }}>
              {workOrderTexts.open}
            </Link>
          )
        }
      >
        <RugsTable detail={detail} />
      </Card>
      {order.payment !== null && order.supplementOf === null && <IntakeCard detail={detail} />}
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
        <RefundCards
          refunds={refunds}
          place="order"
          actionsOf={(refund) => <CorrectSplit detail={detail} refund={refund} />}
        />
      </Card>
      <OrderMails detail={detail} />
      <Card title={orderTexts.timeline}>
        <OrderTimeline entries={timeline} />
      </Card>
      <OrderMore detail={detail} />
    </div>
  );
}

function SupplementNote({ orderId }: { readonly orderId: string }) {
  return (
    <p>
      {orderTexts.supplementOf}{' '}
      <Link to="/admin/orders/$orderId" params={{ orderId }}>
        {orderNumberText(orderId)}
      </Link>
      {orderTexts.supplementContact}
    </p>
  );
}

/** By email or telephone number; nothing when there are none. */
function OtherOrders({ orders }: { readonly orders: OrderDetail['otherOrders'] }) {
  const { timeZone } = usePageData().config.business;
  if (orders.length === 0) return null;
  return (
    <Card title={orderTexts.otherOrders}>
      <ul className={classNames(cards.list, styles.others)} aria-label={orderTexts.otherOrders}>
        {orders.map((order) => (
          <li key={order._id}>
            <Link to="/admin/orders/$orderId" params={{ orderId: order._id }}>
              {orderNumberText(order._id)}
            </Link>
            <span>{dayText(order.createdAt, timeZone)}</span>
            <span>{formatDollars(order.totalCost)}</span>
            <OrderBadges order={order} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Lines of zero are left out. */
function OrderAmounts({ order }: { readonly order: AdminOrder }) {
  const parts = [
    [orderTexts.subtotal, order.subtotal],
    [orderTexts.whiteGlove, order.delivery],
    [orderTexts.stainProtection, order.addOns.stainProtection],
    [orderTexts.greenPad, order.addOns.mothProtection],
    [order.salesTaxName, order.salesTax],
    [orderTexts.deliveryMinimum, order.deliveryMinimum],
  ] as const;
  const refunds = [
    [orderTexts.refunded, cents(-order.refunded)],
    [orderTexts.refundPending, cents(-order.refundPending)],
  ] as const;
  const isLeft = order.paymentStatus === 'paid' && order.refundBlock?.code !== 'DisputeLost';
  return (
    <dl className={cards.lines}>
      {parts.map(([term, amount]) => amount !== 0 && <Line key={term} term={term} amount={amount} />)}
      <Line term={orderTexts.total} amount={order.totalCost} isTotal />
      {refunds.map(([term, amount]) => amount !== 0 && <Line key={term} term={term} amount={amount} />)}
      {isLeft && <Line term={orderTexts.remaining} amount={order.remainingRefundable} />}
    </dl>
  );
}

type LineProps = { readonly term: string; readonly amount: Cents; readonly isTotal?: boolean };

function Line({ term, amount, isTotal = false }: LineProps) {
  return (
    <div {...(isTotal ? { 'data-total': true } : {})}>
      <dt>{term}</dt>
      <dd>{formatDollars(amount)}</dd>
    </div>
  );
}

function OrderTimeline({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  const nameOf = usePersonName();
  const { timeZone } = usePageData().config.business;
  return (
    <ol className={styles.timeline} aria-label={orderTexts.timeline}>
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events are only added at the end.
        <li key={index} className={styles.entry} data-tone={entry.tone}>
          <p className={styles.what}>
            <strong>{entry.what}</strong>
            {entry.amount !== null && <span className={styles.amount}>{formatDollars(entry.amount)}</span>}
          </p>
          {entry.detail !== null && <p>{entry.detail}</p>}
          <p className={styles.when}>
            <time dateTime={entry.at}>{timeText(entry.at, timeZone)}</time>, {nameOf(entry.who)}
          </p>
        </li>
      ))}
    </ol>
  );
}

/** What is seldom needed: the names that programs use, and the end of the contact. */
function OrderMore({ detail: { order, notes } }: { readonly detail: OrderDetail }) {
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
