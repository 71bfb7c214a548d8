import { z } from 'zod';
import { disputeEvent } from './events.ts';
import { randomId } from './identifiers.ts';
import { parseBody } from './request-body.ts';
import { isInquiry } from './state.ts';
import { type Answer, type DisputeState, invalid, type WireDispute, type WirePayment } from './wire.ts';
import type { World } from './world.ts';

const evidenceWithinMs = 14 * 24 * 60 * 60 * 1000;

export type OpenDispute = {
  readonly paymentId: string;
  readonly reason: string;
  readonly state: 'EVIDENCE_REQUIRED' | 'INQUIRY_EVIDENCE_REQUIRED';
};

/** Plays the bank, which takes a payment back or first asks about it. Square's API has no call for this. */
export function openDispute(world: World, { paymentId, reason, state }: OpenDispute): Answer {
  const payment = world.store.state.payments.get(paymentId)?.payment;
  if (payment?.status !== 'COMPLETED') return invalid('NOT_FOUND', `No payment ${paymentId} is COMPLETED.`);
  const dispute = newDispute(world, payment, { reason, state });
  world.store.commit([{ type: 'dispute', dispute }, disputeEvent(world, 'dispute.created', dispute)]);
  return { status: 200, body: { dispute } };
}

export function newDispute(
  world: World,
  payment: WirePayment,
  terms: Pick<WireDispute, 'reason' | 'state'>,
): WireDispute {
  const now = world.clock.now();
  const id = randomId(22);
  return {
    ...{ id, dispute_id: id },
    amount_money: payment.amount_money,
    reason: terms.reason,
    state: terms.state,
    due_at: new Date(now.getTime() + evidenceWithinMs).toISOString(),
    disputed_payment: { payment_id: payment.id },
    card_brand: payment.card_details.card.card_brand,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    location_id: payment.location_id,
  };
}

/** The bank decides, or an inquiry becomes a chargeback. */
export function decideDispute(world: World, id: string, state: DisputeState): Answer {
  const before = world.store.state.disputes.get(id);
  if (before === undefined) return invalid('NOT_FOUND', `There is no dispute ${id}.`);
  const dispute = { ...before, state, updated_at: world.clock.now().toISOString() };
  world.store.commit([{ type: 'dispute', dispute }, disputeEvent(world, 'dispute.state.updated', dispute)]);
  return { status: 200, body: { dispute } };
}

/** Square refuses refunds during a dispute, and after a lost one. */
export function isDisputed(world: World, paymentId: string): boolean {
  return [...world.store.state.disputes.values()].some(
    ({ disputed_payment: payment, state }) => payment.payment_id === paymentId && state !== 'WON' && !isInquiry(state),
  );
}

export function getDispute(world: World, id: string): Answer {
  const dispute = world.store.state.disputes.get(id);
  return dispute === undefined
    ? invalid('NOT_FOUND', `There is no dispute ${id}.`)
    : { status: 200, body: { dispute } };
}

const query = z.object({ location_id: z.string().optional(), states: z.string().optional() });

/** Leaves an empty list out of the answer, as Square does. */
export function listDisputes(world: World, raw: unknown): Answer {
  const parsed = parseBody(query, raw);
  if ('refusal' in parsed) return parsed.refusal;
  const { location_id: location, states } = parsed.body;
  const disputes = [...world.store.state.disputes.values()].filter(
    (dispute) =>
      (location === undefined || dispute.location_id === location) &&
      (states === undefined || states.split(',').includes(dispute.state)),
  );
  return { status: 200, body: disputes.length === 0 ? {} : { disputes } };
}
