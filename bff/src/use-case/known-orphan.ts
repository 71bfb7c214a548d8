import type { OrderEvent } from '@kilim/domain/order/events';
import { parseOrderId } from '@kilim/domain/order/ids';
import type { Orphan } from '@kilim/domain/order/orphan';
import { decide, evolve, nothingReconciled, type SquareFact } from '@kilim/domain/order/reconcile';
import { appendToStream } from '../ledger/append-to-stream.ts';
import { encodeEvent } from '../ledger/codecs/order.ts';
import { sha256 } from '../ledger/contact.ts';
import { eventsOf, type OrderStream, readOrder, readOrphan } from '../ledger/read.ts';
import type { World } from '../server/world.ts';
import type { CardPayment, CardRefund } from '../square/card-processor.ts';
import { type Finding, inFlight, recordedOrAgrees } from './finding.ts';
import { commandIdOf, recordSquareFact } from './record-facts.ts';

/** Where the ledger tells of an orphan payment: in the stream of the order that it names, or in one of its own. */
type Place =
  | { readonly kind: 'order'; readonly stream: OrderStream }
  | { readonly kind: 'own'; readonly events: readonly OrderEvent[] };

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

/** @returns undefined for a payment that is no orphan, or that an attempt of the order has captured. */
export function orphanIn(events: readonly OrderEvent[], squarePaymentId: string): Orphan | undefined {
  const { orphans, refunds } = events.reduce(evolve, nothingReconciled);
  return refunds.captured?.squarePaymentId === squarePaymentId ? undefined : orphans.get(squarePaymentId);
}

/** The orphan payment with this id at Square, wherever it is recorded. */
export async function findOrphan(world: World, squarePaymentId: string): Promise<KnownOrphan | undefined> {
  const [row] = await world.sql<{ stream_id: string }[]>`
    select stream_id from ledger.command where command_id = ${`orphan:${squarePaymentId}`}`;
  if (row === undefined) return undefined;
  const orderId = parseOrderId(row.stream_id.replace(/^order-/, ''));
  const place: Place =
    orderId === undefined
      ? { kind: 'own', events: await readOrphan(world.sql, squarePaymentId) }
      : { kind: 'order', stream: await readOrder(world.sql, orderId) };
  const orphan = orphanIn(place.kind === 'own' ? place.events : eventsOf(place.stream), squarePaymentId);
  return orphan === undefined ? undefined : { orphan, place };
}

/** A payment that belongs to no order has a stream of its own. */
export async function recordOrphanWithoutOrder(world: World, payment: CardPayment): Promise<void> {
  await appendToOwnStream(world, [], orphanFactOf(payment));
}

/** Records a completed refund of an orphan payment once. */
export async function recordReturn(
  world: World,
  { place }: KnownOrphan,
  { squarePaymentId, squareRefundId, amount, updatedAt: returnedAt }: CardRefund,
): Promise<Finding> {
  const fact = { type: 'OrphanReturn', squarePaymentId, squareRefundId, amount, returnedAt } as const;
  if (place.kind === 'own') return appendToOwnStream(world, place.events, fact);
  const { recorded } = await recordSquareFact(world, place.stream, fact);
  return recordedOrAgrees(recorded);
}

async function appendToOwnStream(
  world: World,
  events: readonly OrderEvent[],
  fact: SquareFact & { type: 'OrphanPayment' | 'OrphanReturn' },
): Promise<Finding> {
  const decision = decide(fact, events.reduce(evolve, nothingReconciled));
  if (!decision.ok) throw new Error(`The orphan payment ${fact.squarePaymentId} cannot be recorded`);
  const [first, ...rest] = decision.value.map(encodeEvent);
  if (first === undefined) return recordedOrAgrees([]);
  const commandId = commandIdOf(fact);
  const { outcome } = await appendToStream(world.sql, {
    streamId: `orphan-${fact.squarePaymentId}`,
    expectedVersion: events.length,
    commandId,
    requestHash: sha256(commandId),
    actor: 'reconciliation',
    requestId: undefined,
    occurredAt: world.now(),
    events: [first, ...rest],
  });
  // After a conflict the next look decides again.
  return outcome === 'conflict' ? inFlight : recordedOrAgrees(outcome === 'appended' ? decision.value : []);
}
