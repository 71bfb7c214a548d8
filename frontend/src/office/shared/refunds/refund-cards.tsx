import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  QuestionCircleOutlined,
} from '@ant-design/icons';
import type { Refund } from '@kilim/bff/contract/refunds';
import { formatDollars } from '@kilim/domain/money';
import { Link } from '@tanstack/react-router';
import { Empty } from 'antd';
import type { CSSProperties, ReactNode } from 'react';
import { orderNumberText } from '../../../shared/order-number.ts';
import { usePageData } from '../../../shared/page-data.ts';
import { usePersonName } from '../person-names.ts';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { type Fact, Facts } from '../ui/card.tsx';
import { calendarDayText, timeText } from '../ui/format.ts';
import { Technical } from '../ui/technical.tsx';
import styles from './refund-cards.module.css';
import { splitParts } from './split-parts.ts';
import { methodTexts, refundCardTexts } from './texts.ts';

type RefundCardsProps = {
  readonly refunds: readonly Refund[];
  /** Of one order, all, or a filter's matches. */
  readonly place: 'order' | 'all' | 'filtered';
  readonly actionsOf?: (refund: Refund) => ReactNode;
};

const emptyTexts = {
  order: refundCardTexts.emptyOfOrder,
  all: refundCardTexts.emptyOfAll,
  filtered: refundCardTexts.emptyOfFilter,
};

/** Newest first (specification, section 2.5). */
export function RefundCards({ refunds, place, actionsOf }: RefundCardsProps) {
  if (refunds.length === 0) {
    return (
      <Empty
        image={Empty.PRESENTED_IMAGE_SIMPLE}
        description={
          <>
            <h3>{refundCardTexts.emptyTitle}</h3>
            <p>{emptyTexts[place]}</p>
          </>
        }
      />
    );
  }
  return (
    <>
      <h3 className={styles.heading}>
        {place === 'order' ? refundCardTexts.headingOfOrder : refundCardTexts.headingOfAll}
      </h3>
      <ul className={styles.list}>
        {refunds.map((refund, index) => (
          <li key={refund._id} className={styles.card} style={{ '--place': index } as CSSProperties}>
            <RefundCard refund={refund} withOrder={place !== 'order'} />
            {actionsOf?.(refund)}
          </li>
        ))}
      </ul>
    </>
  );
}

const looks: Readonly<Record<string, { readonly tone: BadgeTone; readonly icon: ReactNode }>> = {
  completed: { tone: 'completed', icon: <CheckCircleOutlined aria-hidden="true" /> },
  pending: { tone: 'pending', icon: <ClockCircleOutlined aria-hidden="true" /> },
  failed: { tone: 'failed', icon: <CloseCircleOutlined aria-hidden="true" /> },
};
const otherLook = { tone: 'other', icon: <QuestionCircleOutlined aria-hidden="true" /> } as const;

function RefundCard({ refund, withOrder }: { readonly refund: Refund; readonly withOrder: boolean }) {
  const status = refund.status.toLowerCase();
  const { tone, icon } = looks[status] ?? otherLook;
  return (
    <article>
      <div className={styles.head}>
        <span className={styles.icon} data-hue={tone}>
          {icon}
        </span>
        <h4>{refundCardTexts.amount(formatDollars(refund.amount))}</h4>
        <Badge tone={tone}>{`${status.charAt(0).toUpperCase()}${status.slice(1)}`}</Badge>
        {isOfOurForm(refund) && (
          <Badge tone="other">{refund.refundType === 'full' ? refundCardTexts.full : refundCardTexts.partial}</Badge>
        )}
        {refund.reimbursement !== null && (
          <Badge tone="other">{refundCardTexts.paidBy(methodTexts[refund.reimbursement.method])}</Badge>
        )}
      </div>
      <RefundFacts refund={refund} withOrder={withOrder} />
    </article>
  );
}

/** Only there somebody has chosen a full or a partial refund. */
function isOfOurForm({ reimbursement, refundId, squareRefundId }: Refund): boolean {
  return reimbursement === null && refundId !== squareRefundId;
}

function RefundFacts({ refund, withOrder }: { readonly refund: Refund; readonly withOrder: boolean }) {
  const { timeZone } = usePageData().config.business;
  const nameOf = usePersonName();
  const { rugItems, deliveryMinimum, failure, adminNotes, reimbursement } = refund;
  const items = [
    ...rugItems.map((item) => refundCardTexts.item(item.rugIndex + 1, formatDollars(item.amount))),
    ...(deliveryMinimum > 0 ? [refundCardTexts.deliveryMinimum(formatDollars(deliveryMinimum))] : []),
  ];
  const isNamedBySquare = refund.squareRefundId !== null && refund.squareRefundId !== refund.refundId;
  const ids: readonly (Fact | false)[] = [
    withOrder && [refundCardTexts.orderId, <code key="order">{refund.orderId._id.slice(-8)}</code>],
    [refundCardTexts.refundId, <code key="refund">{refund.refundId}</code>],
    isNamedBySquare && [refundCardTexts.squareRefundId, <code key="square">{refund.squareRefundId}</code>],
  ];
  const facts: readonly (Fact | false)[] = [
    [refundCardTexts.reason, refund.reason],
    withOrder && [refundCardTexts.order, <OrderLink key="order" id={refund.orderId._id} />],
    [refundCardTexts.processed, timeText(refund.createdAt, timeZone)],
    reimbursement !== null && [
      refundCardTexts.paid,
      refundCardTexts.paidText(
        methodTexts[reimbursement.method],
        calendarDayText(reimbursement.paidOn),
        reimbursement.reference,
      ),
    ],
    [refundCardTexts.by, nameOf(refund.requestedBy)],
    Boolean(adminNotes) && [refundCardTexts.notes, adminNotes],
    items.length > 0 && [refundCardTexts.items, items.join(', ')],
    [refundCardTexts.madeOf, splitText(refund)],
    // The page of the order says at its top what to do.
    failure !== null && [
      refundCardTexts.failure,
      withOrder ? `${failure.message} ${failure.advice}` : failure.message,
      'wide',
    ],
  ];
  return (
    <>
      <Facts className={styles.facts} facts={facts} />
      <Technical>
        <Facts className={styles.facts} facts={ids} />
      </Technical>
    </>
  );
}

function OrderLink({ id }: { readonly id: string }) {
  return (
    <Link to="/admin/orders/$orderId" params={{ orderId: id }} data-opens={id}>
      {orderNumberText(id)}
    </Link>
  );
}

function splitText({ split }: Refund): string {
  return splitParts(split)
    .map(([name, amount]) => `${name} ${formatDollars(amount)}`)
    .join(', ');
}
