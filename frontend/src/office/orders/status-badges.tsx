import type { OrderRefundStatus } from '@kilim/bff/contract/orders';
import { Badge, type BadgeTone } from '../shared/ui/badge.tsx';

const tones = {
  'No Refunds': 'other',
  'Refund Pending': 'pending',
  'Partially Refunded': 'pending',
  'Fully Refunded': 'failed',
} satisfies Record<OrderRefundStatus, BadgeTone>;

/** Grey, yellow, red (specification, section 4). */
export function RefundStatusBadge({ status }: { readonly status: OrderRefundStatus }) {
  return <Badge tone={tones[status]}>{status}</Badge>;
}
