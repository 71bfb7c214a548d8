import type { AdminOrder, OrderRefundStatus } from '@kilim/bff/contract/orders';
import { Badge, type BadgeTone } from '../shared/ui/badge.tsx';
import { intakeTexts } from './intake/texts.ts';
import styles from './orders.module.css';
import { ordersTexts } from './texts.ts';

/** Grey, yellow, red (specification, section 4). */
const tones = {
  'No Refunds': 'other',
  'Refund Pending': 'pending',
  'Partially Refunded': 'pending',
  'Fully Refunded': 'failed',
} satisfies Record<OrderRefundStatus, BadgeTone>;

type Standing = Pick<
  AdminOrder,
  'owedRefund' | 'disputeStatus' | 'refundStatus' | 'paymentStatus' | 'stage' | 'isAsked'
>;

const stageTones = {
  waiting: 'other',
  received: 'pending',
  ready: 'completed',
  'handed-over': 'other',
} satisfies Record<AdminOrder['stage'], BadgeTone>;

/** What alarms comes first, then where the rugs are, and then the lack of refunds is not news. */
export function OrderBadges({ order }: { readonly order: Standing }) {
  const { owedRefund, disputeStatus, refundStatus, paymentStatus, stage, isAsked } = order;
  const dispute = ordersTexts.dispute[disputeStatus];
  const isAlarming = owedRefund > 0 || dispute !== undefined || stage !== 'waiting';
  return (
    <div className={styles.badges}>
      {owedRefund > 0 && <Badge tone="failed">{ordersTexts.failed}</Badge>}
      {dispute !== undefined && <Badge tone="failed">{dispute}</Badge>}
      {isAsked && <Badge tone="pending">{intakeTexts.asked}</Badge>}
      {stage !== 'waiting' && !isAsked && <Badge tone={stageTones[stage]}>{intakeTexts.stages[stage]}</Badge>}
      {!(isAlarming && refundStatus === 'No Refunds') && <Badge tone={tones[refundStatus]}>{refundStatus}</Badge>}
      {paymentStatus !== 'paid' && <Badge tone="other">{ordersTexts.paymentStatus[paymentStatus]}</Badge>}
    </div>
  );
}
