import {
  decideBooking,
  decideExplanation,
  decideRefund,
  decideUndo,
  decideWriteOff,
  type Resolution,
  type ResolutionEvent,
  type Resolutions,
} from '@kilim/domain/accounting/resolutions';
import { type Cents, cents, noCents, sumCents } from '@kilim/domain/money';
import type { PayoutEntry, PayoutEvent } from '@kilim/domain/payout/events';
import * as payouts from '@kilim/domain/payout/payout';
import type { Result } from '@kilim/domain/result';
import type { Sql, Transaction } from '../../../bff/src/core/database/database.ts';
import { appendToStream } from '../../../bff/src/core/ledger/append.ts';
import { orderCodec } from '../../../bff/src/core/ledger/codecs/order.ts';
import { payoutCodec } from '../../../bff/src/core/ledger/codecs/payout.ts';
import { resolutionsCodec, resolutionsStream } from '../../../bff/src/core/ledger/codecs/resolutions.ts';
import { readOrder } from '../../../bff/src/core/ledger/read.ts';
import { readResolutions } from '../../../bff/src/core/queries/resolutions.ts';
import type { MonthPlan, PlannedOrphan, PlannedPayout, PlannedResolution } from './plan.ts';
import { allowed, commandOf, instant, orderIdOf, paymentOf, type Step } from './recorded.ts';

// Orphan payments, payouts and resolutions have streams of their own.

export async function recordOrphan(sql: Sql, { squarePaymentId, at, amount, returns }: PlannedOrphan): Promise<void> {
  const found = { squarePaymentId, amount: cents(amount), takenAt: instant(at) };
  const steps: readonly Step[] = [
    { at, events: [{ type: 'OrphanPaymentFound', ...found }] },
    ...returns.map((back, index): Step => {
      const squareRefundId = `sq-return-${squarePaymentId}-${index}`;
      const returned = { squarePaymentId, squareRefundId, amount: cents(back.amount), returnedAt: instant(back.at) };
      return { at: back.at, events: [{ type: 'OrphanPaymentReturned', ...returned }] };
    }),
  ];
  for (const [version, { at: occurredAt, events }] of steps.entries()) {
    const target = { streamId: `orphan-${squarePaymentId}`, expectedVersion: version, at: occurredAt };
    const [first, ...rest] = events;
    await appendEvents(sql, target, [orderCodec.encode(first), ...rest.map(orderCodec.encode)]);
  }
}

export async function recordPayout(sql: Sql, planned: PlannedPayout, plan: MonthPlan): Promise<void> {
  const squarePayoutId = planned.id;
  const entries = await payoutEntries(sql, planned, plan);
  const amount = sumCents(entries.map(({ net }) => net));
  const dates = { createdAt: instant(planned.sentAt), arrivalDate: planned.arrives, endToEndId: undefined };
  // Noon in the shop; the clocks have changed before the first payout.
  const arrival = `${planned.arrives}T20:00:00.000Z`;
  const news = [
    { status: 'sent', at: planned.sentAt },
    { status: 'paid', at: arrival },
    ...(planned.returnedAt === undefined ? [] : [{ status: 'failed', at: planned.returnedAt } as const]),
  ] as const;
  let state = payouts.noPayout;
  for (const { status, at } of news) {
    const payout = { squarePayoutId, status, kind: 'batch', amount, updatedAt: instant(at), ...dates } as const;
    const events = allowed(payouts.decide({ payout, entries }, state)) as readonly [PayoutEvent, ...PayoutEvent[]];
    const target = { streamId: `payout-${squarePayoutId}`, expectedVersion: state.version, at };
    const [first, ...rest] = events;
    await sql.begin(async (transaction) => {
      await appendEvents(transaction, target, [payoutCodec.encode(first), ...rest.map(payoutCodec.encode)]);
      await transaction`select ledger.list_payout_entries(${target.streamId})`;
    });
    state = events.reduce(payouts.evolve, state);
  }
}

export async function recordResolution(sql: Sql, planned: PlannedResolution): Promise<void> {
  const state = await readResolutions(sql);
  const [first, ...rest] = allowed(decideResolution(planned, state));
  if (first === undefined) throw new Error(`Nothing is resolved at ${planned.at}`);
  const target = { streamId: resolutionsStream, expectedVersion: state.version, at: planned.at };
  await appendEvents(sql, target, [resolutionsCodec.encode(first), ...rest.map(resolutionsCodec.encode)]);
}

function decideResolution(
  planned: PlannedResolution,
  state: Resolutions,
): Result<readonly ResolutionEvent[], { readonly code: string }> {
  const about = { reason: 'SettledAtSquare', by: 'ada' } as const;
  const amount = cents(planned.amount);
  if (planned.what === 'item written off') {
    const { squarePaymentId } = paymentOf({ number: planned.order });
    return decideWriteOff({ type: 'ClearingItemWrittenOff', squarePaymentId, amount, ...about }, state.version, state);
  }
  if (planned.what === 'item write-off undone') {
    const { squarePaymentId } = paymentOf({ number: planned.order });
    return undoLast(squarePaymentId, state);
  }
  if (planned.what === 'booking undone') return undoLast(planned.orphan, state);
  if (planned.what === 'refund asked for') {
    const { orphan: squarePaymentId } = planned;
    return decideRefund({ type: 'OrphanRefundRequested', squarePaymentId, stated: amount, ...about }, state);
  }
  if (planned.what === 'explained' || planned.what === 'explanation undone') {
    const { squarePaymentId: squareId } = paymentOf({ number: planned.order });
    const difference = { code: 'ChargeDiffers', squareId, stated: amount };
    if (planned.what === 'explanation undone') return decideUndo({ undoes: state.version, by: 'ada' }, state);
    return decideExplanation({ type: 'DifferenceExplained', ...difference, ...about }, state);
  }
  const ofOrphan = { squarePaymentId: planned.orphan, ...about };
  return planned.what === 'assigned'
    ? decideBooking(
        { type: 'OrphanAssigned', orderId: orderIdOf({ number: planned.order }), ...ofOrphan },
        amount,
        state,
      )
    : decideBooking({ type: 'OrphanWrittenOff', ...ofOrphan }, amount, state);
}

function undoLast(squarePaymentId: string, state: Resolutions) {
  const isOfPayment = (each: Resolution) => 'squarePaymentId' in each && each.squarePaymentId === squarePaymentId;
  const [undoes = 0] = [...state.standing].findLast(([, each]) => isOfPayment(each)) ?? [];
  return decideUndo({ undoes, by: 'ada' }, state);
}

async function payoutEntries(
  sql: Sql,
  { id, entries }: PlannedPayout,
  plan: MonthPlan,
): Promise<readonly PayoutEntry[]> {
  const found: PayoutEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    const entryId = `${id}-entry-${index}`;
    if (entry.of === 'order') {
      const order = plan.orders[entry.order];
      if (order === undefined) throw new RangeError(`No order ${entry.order}`);
      const { events } = await readOrder(sql, orderIdOf(order));
      const [captured] = events.flatMap(({ event }) => (event.type === 'PaymentCaptured' ? [event.amount] : []));
      // Fees without news from Square are in payouts all the same.
      const planned = order.facts.find((fact) => fact.what === 'fee');
      const fee = cents(planned?.what === 'fee' ? planned.amount : 0);
      const gross = captured ?? noCents;
      const { squarePaymentId } = paymentOf(order);
      found.push({ entryId, activity: 'CHARGE', standing: 'order', squarePaymentId, ...amounts(gross, fee) });
    } else {
      const activity = entry.of === 'elsewhere' ? 'CHARGE' : entry.activity;
      const effective = entry.of === 'elsewhere' ? { effectiveAt: entry.at } : {};
      const money = amounts(cents(entry.gross), cents(entry.fee));
      found.push({ entryId, activity, standing: entry.of, ...effective, ...money });
    }
  }
  return found;
}

function amounts(gross: Cents, fee: Cents) {
  return { gross, fee, net: cents(gross - fee) };
}

type Encoded = Parameters<typeof appendToStream>[1]['events'];
type Target = { readonly streamId: string; readonly expectedVersion: number; readonly at: string };

async function appendEvents(sql: Sql | Transaction, { at, ...target }: Target, events: Encoded): Promise<void> {
  const commandId = `${target.streamId}-${target.expectedVersion}`;
  const { outcome } = await appendToStream(sql, { ...target, ...commandOf(commandId, at), events });
  if (outcome !== 'appended') throw new Error(`Not appended: ${outcome}`);
}
