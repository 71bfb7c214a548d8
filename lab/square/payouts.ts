import { z } from 'zod';
import { payoutEvent } from './events.ts';
import { randomId } from './identifiers.ts';
import { parseBody } from './request-body.ts';
import type { PayoutRecord, Unsettled } from './state.ts';
import { type Answer, invalid, type Money, type PayoutStatus, type WirePayout, type WirePayoutEntry } from './wire.ts';
import type { World } from './world.ts';

/** Square holds a reserve, or takes a fee. */
export const adjustmentSchema = z.object({
  type: z.string().regex(/^[A-Z_]+$/),
  gross: z.int(),
  fee: z.int().default(0),
  paymentId: z.string().optional(),
});
export type Adjustment = z.input<typeof adjustmentSchema>;

export function payoutDueAt({ store, settings }: World): number {
  const [oldest] = store.state.unsettled.values();
  if (oldest === undefined || settings.payoutAfterMs === 0) return Number.POSITIVE_INFINITY;
  return Date.parse(oldest.at) + settings.payoutAfterMs;
}

/** As Square does once a day. */
export function payOut(world: World, adjustments: readonly Adjustment[] = []): Answer {
  const { unsettled } = world.store.state;
  const payoutId = `po_${randomId(32)}`;
  const entries = [
    ...[...unsettled.values()].map((waiting) => entryOf(payoutId, activityOf(world, waiting))),
    ...adjustments.map((adjustment) => entryOf(payoutId, adjustedBy(world, adjustment))),
  ];
  const amount = entries.reduce((sum, entry) => sum + entry.net_amount_money.amount, 0);
  // The entries stay for the next payout.
  if (amount === 0) return invalid('BAD_REQUEST', 'There is nothing to pay out.');
  const payout = newPayout(world, payoutId, amount);
  const at = new Date(world.clock.now().getTime() + world.settings.payoutArrivesAfterMs).toISOString();
  world.store.commit([
    { type: 'payout', payout, entries, arrives: { at, as: 'PAID' }, settles: [...unsettled.keys()] },
    payoutEvent(world, payout),
  ]);
  return { status: 200, body: { payout } };
}

function newPayout(world: World, id: string, amount: number): WirePayout {
  const at = world.clock.now().toISOString();
  return {
    id,
    status: 'SENT',
    location_id: world.identity.locationId,
    created_at: at,
    updated_at: at,
    amount_money: dollars(amount),
    destination: { type: 'BANK_ACCOUNT', id: 'ccof:bank-account-sim' },
    version: 1,
    type: 'BATCH',
    arrival_date: at.slice(0, 'yyyy-mm-dd'.length),
    end_to_end_id: randomId(22),
  };
}

type Activity = Pick<
  WirePayoutEntry,
  'type' | 'type_charge_details' | 'type_refund_details' | 'type_dispute_details'
> & { readonly at: string; readonly gross: number; readonly fee: number };

function entryOf(payoutId: string, { at, gross, fee, ...activity }: Activity): WirePayoutEntry {
  return {
    ...activity,
    id: `poe_${randomId(26)}`,
    payout_id: payoutId,
    effective_at: at,
    gross_amount_money: dollars(gross),
    fee_amount_money: dollars(fee),
    net_amount_money: dollars(gross - fee),
  };
}

function activityOf({ store }: World, waiting: Unsettled): Activity {
  const { payments, refunds, disputes, payouts } = store.state;
  const { at } = waiting;
  if (waiting.kind === 'charge') {
    const { payment } = known(payments.get(waiting.paymentId));
    const fee = (payment.processing_fee ?? []).reduce((sum, { amount_money: { amount } }) => sum + amount, 0);
    const details = { type_charge_details: { payment_id: payment.id } };
    return { at, type: 'CHARGE', gross: payment.amount_money.amount, fee, ...details };
  }
  if (waiting.kind === 'refund') {
    const { refund } = known(refunds.get(waiting.refundId));
    const details = { type_refund_details: { payment_id: refund.payment_id, refund_id: refund.id } };
    return { at, type: 'REFUND', gross: -refund.amount_money.amount, fee: 0, ...details };
  }
  if (waiting.kind === 'returned') {
    const { payout } = known(payouts.get(waiting.payoutId));
    return { at, type: 'RETURNED_PAYOUT', gross: payout.amount_money.amount, fee: 0 };
  }
  const dispute = known(disputes.get(waiting.disputeId));
  const { amount } = dispute.amount_money;
  const details = {
    type_dispute_details: { payment_id: dispute.disputed_payment.payment_id, dispute_id: dispute.id },
  };
  return { at, type: 'DISPUTE', gross: waiting.kind === 'dispute-won' ? amount : -amount, fee: 0, ...details };
}

function adjustedBy(world: World, { type, gross, fee = 0, paymentId }: Adjustment): Activity {
  const details = paymentId === undefined ? {} : { type_charge_details: { payment_id: paymentId } };
  return { at: world.clock.now().toISOString(), type, gross, fee, ...details };
}

function known<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new Error('An unsettled entry refers to an unknown record');
  return found;
}

/** Even days later. The next payout holds returned money. */
export function endPayout(world: World, id: string, status: PayoutStatus): Answer {
  const record = world.store.state.payouts.get(id);
  if (record === undefined) return noSuchPayout(id);
  const { payout: before, entries } = record;
  if (before.status === 'FAILED' || before.status === status) {
    return invalid('BAD_REQUEST', `The payout is ${before.status}.`);
  }
  const changed = { status, version: before.version + 1, updated_at: world.clock.now().toISOString() };
  const payout = { ...before, ...changed };
  world.store.commit([{ type: 'payout', payout, entries, settles: [] }, payoutEvent(world, payout)]);
  return { status: 200, body: { payout } };
}

const paging = {
  sort_order: z.enum(['ASC', 'DESC']).default('DESC'),
  // Square silently reduces a larger limit to 100.
  limit: z.coerce
    .number()
    .pipe(z.int().min(1))
    .transform((limit) => Math.min(limit, 100))
    .default(100),
  cursor: z.string().optional(),
};
const entriesQuery = z.object(paging);
const payoutsQuery = z.object({
  ...paging,
  location_id: z.string().optional(),
  status: z.enum(['SENT', 'FAILED', 'PAID']).optional(),
  begin_time: z.iso.datetime({ offset: true }).optional(),
  end_time: z.iso.datetime({ offset: true }).optional(),
});

export function listPayouts(world: World, raw: unknown): Answer {
  const parsed = parseBody(payoutsQuery, raw);
  if ('refusal' in parsed) return parsed.refusal;
  const { location_id: location, status, begin_time: begin, end_time: end } = parsed.body;
  const matching = [...world.store.state.payouts.values()]
    .map(({ payout }: PayoutRecord) => payout)
    .filter(
      (payout) =>
        (location === undefined || payout.location_id === location) &&
        (status === undefined || payout.status === status) &&
        (begin === undefined || Date.parse(payout.created_at) >= Date.parse(begin)) &&
        (end === undefined || Date.parse(payout.created_at) <= Date.parse(end)),
    );
  return answerPage('payouts', matching, parsed.body);
}

export function getPayout(world: World, id: string): Answer {
  const record = world.store.state.payouts.get(id);
  return record === undefined ? noSuchPayout(id) : { status: 200, body: { payout: record.payout } };
}

export function listPayoutEntries(world: World, id: string, raw: unknown): Answer {
  const parsed = parseBody(entriesQuery, raw);
  if ('refusal' in parsed) return parsed.refusal;
  const record = world.store.state.payouts.get(id);
  return record === undefined ? noSuchPayout(id) : answerPage('payout_entries', record.entries, parsed.body);
}

type Paging = z.output<typeof entriesQuery>;

/** The cursor is the last item's id. Leaves an empty list out, as Square does. */
function answerPage(name: string, oldestFirst: readonly { readonly id: string }[], page: Paging): Answer {
  const items = page.sort_order === 'ASC' ? oldestFirst : oldestFirst.toReversed();
  const after = page.cursor === undefined ? -1 : items.findIndex(({ id }) => id === page.cursor);
  if (page.cursor !== undefined && after === -1) return invalid('INVALID_CURSOR', 'The cursor is not ours.', 'cursor');
  const shown = items.slice(after + 1, after + 1 + page.limit);
  const last = shown.at(-1);
  const more = last !== undefined && last !== items.at(-1);
  const body = shown.length === 0 ? {} : { [name]: shown };
  return { status: 200, body: more ? { ...body, cursor: last.id } : body };
}

function dollars(amount: number): Money {
  return { amount, currency: 'USD' };
}

function noSuchPayout(id: string): Answer {
  return invalid('NOT_FOUND', `Could not find payout with id: ${id}`, 'payout_id');
}
