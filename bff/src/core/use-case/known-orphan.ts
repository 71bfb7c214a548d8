import { unbookedOf } from '@kilim/domain/accounting/resolutions';
import type { OrderEvent } from '@kilim/domain/order/events';
import { leftOf, type Orphan } from '@kilim/domain/order/orphan';
import { decide, evolve, nothingReconciled, type SquareFact } from '@kilim/domain/order/reconcile';
import { findCommand } from '../ledger/append.ts';
import { areAllAuthentic } from '../ledger/authenticity.ts';
import { handle, streamTarget } from '../ledger/handle.ts';
import {
  eventsOf,
  type OrderStream,
  orderIdOf,
  orderStreamId,
  orphanStream,
  readOrder,
  readStream,
  type Stream,
} from '../ledger/read.ts';
import { instantOf } from '../ledger/reported-instant.ts';
import { readResolutions } from '../queries/resolutions.ts';
import type { CardPayment, CardRefund } from '../square/card-processor.ts';
import { agrees, differs, type Finding, recordedOrAgrees } from './finding.ts';
import { commandIdOf, instantIn, recordSquareFact } from './record-facts.ts';
import type { World } from './world.ts';

/** The order that the payment names, or its own stream. */
type Place =
  | { readonly kind: 'order'; readonly stream: OrderStream }
  | { readonly kind: 'own'; readonly stream: Stream<OrderEvent> };

export type KnownOrphan = { readonly orphan: Orphan; readonly place: Place };

export function orphanFactOf(payment: CardPayment): SquareFact & { type: 'OrphanPayment' } {
  const { squarePaymentId, amount, referenceId, updatedAt } = payment;
  return {
    type: 'OrphanPayment',
    squarePaymentId,
    amount,
    takenAt: updatedAt,
    ...(referenceId === undefined ? {} : { reference: referenceId }),
  };
}

/** Undefined also for the capture of an attempt of the order. */
export function orphanIn(events: readonly OrderEvent[], squarePaymentId: string): Orphan | undefined {
  const { orphans, refunds } = events.reduce(evolve, nothingReconciled);
  return refunds.captured?.squarePaymentId === squarePaymentId ? undefined : orphans.get(squarePaymentId);
}

export async function findOrphan(world: World, squarePaymentId: string): Promise<KnownOrphan | undefined> {
  const command = await findCommand(world.sql, `orphan:${squarePaymentId}`);
  if (command === undefined) return undefined;
  const orderId = orderIdOf(command.streamId);
  const place: Place =
    orderId === undefined
      ? { kind: 'own', stream: await readStream(world.sql, orphanStream(squarePaymentId)) }
      : { kind: 'order', stream: await readOrder(world.sql, orderId) };
  const orphan = orphanIn(eventsOf(place.stream), squarePaymentId);
  return orphan === undefined ? undefined : { orphan, place };
}

/** Servers wrote everything by which the payment is an orphan. */
export async function isProven(world: World, { orphan, place }: KnownOrphan): Promise<boolean> {
  const { streamId } = orphanStream(orphan.found.squarePaymentId);
  return place.kind === 'own'
    ? await areAllAuthentic(world.sql, streamId, place.stream)
    : await areAllAuthentic(world.sql, orderStreamId(place.stream.orderId), place.stream);
}

export async function recordOrphanWithoutOrder(world: World, payment: CardPayment): Promise<void> {
  await recordInOwnStream(world, { version: 0, events: [] }, orphanFactOf(payment));
}

/** Nothing more is asked of Square for a booked payment. */
export async function isBookedByPerson(world: World, squarePaymentId: string): Promise<boolean> {
  const { booked } = await readResolutions(world.sql);
  return booked.has(squarePaymentId);
}

/** Compares a recorded refund of an orphan payment with the bookings of people. */
export async function compareWithBookings(world: World, { orphan, place }: KnownOrphan): Promise<Finding> {
  const { squarePaymentId, takenAt } = orphan.found;
  const state = await readResolutions(world.sql);
  if (!state.booked.has(squarePaymentId)) return agrees;
  const amount = unbookedOf(state, squarePaymentId, leftOf(orphan));
  const orderId = place.kind === 'order' ? place.stream.orderId : undefined;
  return amount === 0
    ? agrees
    : differs({ code: 'BookedOrphanReturned', squareId: squarePaymentId, orderId, amount, at: takenAt });
}

/** Records a completed refund once. */
export async function recordReturn(
  world: World,
  { place }: KnownOrphan,
  { squarePaymentId, squareRefundId, amount, updatedAt: returnedAt }: CardRefund,
): Promise<Finding> {
  const fact = { type: 'OrphanReturn', squarePaymentId, squareRefundId, amount, returnedAt } as const;
  if (place.kind === 'own') return recordInOwnStream(world, place.stream, fact);
  const { recorded } = await recordSquareFact(world, place.stream, fact);
  return recordedOrAgrees(recorded);
}

async function recordInOwnStream(
  world: World,
  known: Stream<OrderEvent>,
  fact: SquareFact & { type: 'OrphanPayment' | 'OrphanReturn' },
): Promise<Finding> {
  const kind = orphanStream(fact.squarePaymentId);
  const target = { ...streamTarget(world.sql, kind, () => readStream(world.sql, kind)), known };
  const handled = await handle(world, target, {
    happenedAt: (now) => instantOf({ at: instantIn(fact) }, now),
    commandId: commandIdOf(fact),
    actor: 'reconciliation',
    requestId: undefined,
    decide: (stream) => decide(fact, eventsOf(stream).reduce(evolve, nothingReconciled)),
  });
  if (handled.outcome === 'refused') throw new Error(`The orphan payment ${fact.squarePaymentId} cannot be recorded`);
  return recordedOrAgrees(handled.outcome === 'recorded' ? handled.events : []);
}
