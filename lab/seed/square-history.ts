import type { OrderId } from '@kilim/domain/order/ids';
import type { History } from '../square/history.ts';
import type { LifeStep } from './order-life.ts';

const days = 24 * 60 * 60 * 1000;
/** The server compares three weeks, and a refund may have begun earlier. */
const toldForMs = 28 * days;

const nothingTold: History = { payments: [], refunds: [], disputes: [] };

/**
 * Undefined without news in four weeks; disputes are always told, because the server compares them at any age.
 * @param until milliseconds since 1970.
 */
export function historyOf(orderId: OrderId, steps: readonly LifeStep[], until: number): History {
  const isRecent = steps.some(({ at }) => at >= until - toldForMs);
  const isDisputed = steps.some(({ events }) => events.some(({ type }) => type === 'DisputeOpened'));
  return isRecent || isDisputed ? tell(orderId, steps) : nothingTold;
}

function tell(orderId: OrderId, steps: readonly LifeStep[]): History {
  const facts = steps.flatMap(({ at, events }) => events.map((event) => ({ at: new Date(at).toISOString(), event })));
  const started = new Map<string, string>();
  const asked = new Map<string, number>();
  let held: Pick<History['payments'][number], 'id' | 'card'> | undefined;
  const payments: History['payments'] = [];
  const refunds = new Map<string, History['refunds'][number]>();
  const disputes = new Map<string, History['disputes'][number]>();
  for (const { at, event } of facts) {
    const paymentId = held?.id ?? '';
    switch (event.type) {
      case 'PaymentStarted':
        started.set(event.paymentId, event.idempotencyKey);
        break;
      case 'PaymentAuthorized':
        held = { id: event.squarePaymentId, card: { brand: event.cardBrand, lastFour: event.cardLastFour } };
        break;
      case 'PaymentCaptured': {
        const idempotencyKey = started.get(event.paymentId) ?? '';
        if (held !== undefined) payments.push({ ...held, idempotencyKey, orderId, amount: event.amount, at });
        break;
      }
      case 'RefundRequested':
        asked.set(event.refundId, event.amount);
        break;
      case 'RefundSubmitted': {
        const { squareRefundId: id, refundId: idempotencyKey } = event;
        refunds.set(id, { id, idempotencyKey, paymentId, amount: asked.get(idempotencyKey) ?? 0, at });
        break;
      }
      case 'RefundCompleted':
      case 'RefundFailed': {
        const refund = refunds.get(event.squareRefundId ?? '');
        const as = event.type === 'RefundCompleted' ? 'COMPLETED' : 'FAILED';
        if (refund !== undefined) refunds.set(refund.id, { ...refund, ended: { at, as } });
        break;
      }
      case 'ExternalRefundRecorded': {
        const { squareRefundId: id, amount } = event;
        refunds.set(id, { id, idempotencyKey: id, paymentId, amount, at, ended: { at, as: 'COMPLETED' } });
        break;
      }
      case 'DisputeOpened': {
        const { squareDisputeId: id, amount, reason } = event;
        disputes.set(id, { id, paymentId, amount, reason, state: 'EVIDENCE_REQUIRED', openedAt: at, updatedAt: at });
        break;
      }
      case 'DisputeClosed': {
        const dispute = disputes.get(event.squareDisputeId);
        if (dispute !== undefined)
          disputes.set(dispute.id, { ...dispute, state: decided[event.outcome], updatedAt: at });
        break;
      }
      default:
    }
  }
  return { payments, refunds: [...refunds.values()], disputes: [...disputes.values()] };
}

const decided = { won: 'WON', lost: 'LOST', accepted: 'ACCEPTED' } as const;
