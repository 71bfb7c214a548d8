import { randomUUID } from 'node:crypto';
import type { Change } from './state.ts';
import type { EventType, WireDispute, WirePayment, WirePayout, WireRefund } from './wire.ts';
import type { World } from './world.ts';

const merchantId = 'MSIM00000001';

/** Committed together with the change that it reports. */
export function paymentEvent(world: World, type: EventType, payment: WirePayment): Change {
  return eventOf(world, type, { type: 'payment', id: payment.id, object: { payment } });
}

export function refundEvent(world: World, type: EventType, refund: WireRefund): Change {
  return eventOf(world, type, { type: 'refund', id: refund.id, object: { refund } });
}

export function disputeEvent(world: World, type: EventType, dispute: WireDispute): Change {
  return eventOf(world, type, { type: 'dispute', id: dispute.id, object: { dispute } });
}

export function payoutEvent(world: World, payout: WirePayout): Change {
  const type = payoutEvents[payout.status];
  return eventOf(world, type, { type: 'payout', id: payout.id, object: { payout } });
}

const payoutEvents = { SENT: 'payout.sent', PAID: 'payout.paid', FAILED: 'payout.failed' } as const;

type EventChange = Extract<Change, { type: 'event' }>;
type EventData = EventChange['event']['data'];

export function eventOf(world: World, type: EventType, data: EventData): EventChange {
  return {
    type: 'event',
    event: {
      merchant_id: merchantId,
      location_id: world.identity.locationId,
      type,
      event_id: randomUUID(),
      created_at: world.clock.now().toISOString(),
      data,
    },
  };
}
