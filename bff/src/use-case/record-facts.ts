import { setTimeout } from 'node:timers/promises';
import type { OrderEvent } from '@kilim/domain/order/events';
import {
  decide,
  evolve,
  nothingReconciled,
  type ReconcileRejection,
  type SquareFact,
} from '@kilim/domain/order/reconcile';
import type { Result } from '@kilim/domain/result';
import { repeatWhileAway, tooManyConflictsError } from '../database/database.ts';
import { type Actor, append, type NewEffect } from '../ledger/append.ts';
import { sha256 } from '../ledger/contact.ts';
import { eventsOf, type OrderStream, readOrder } from '../ledger/read.ts';
import type { World } from '../server/world.ts';

/** Facts that Square told us, as a decision on whatever the order's events are by then. */
export type Facts<Rejection> = {
  /** Names the fact, so that it stands in the ledger at most once. */
  readonly commandId: string;
  readonly decide: (events: readonly OrderEvent[]) => Result<readonly OrderEvent[], Rejection>;
  readonly actor: Actor;
  readonly requestId: string | undefined;
  readonly closeEffects?: readonly string[];
  readonly openEffects?: readonly NewEffect[];
};

export type RecordedFacts<Rejection> = {
  /** The stream after the append; what a person is told is derived from it. */
  readonly stream: OrderStream;
  readonly recorded: readonly OrderEvent[];
  /** Why the facts could not be recorded: the order went on otherwise meanwhile. */
  readonly rejection: Rejection | undefined;
};

const mostConflicts = 5;

/**
 * Records what Square said, on the newest state of the order. When somebody else appended first, it reads again and decides again:
 * a fact that is already recorded records nothing.
 * @throws when the database cannot be reached; the effect stays open, and the settle worker asks Square again.
 */
export async function recordFacts<Rejection>(
  world: World,
  stream: OrderStream,
  facts: Facts<Rejection>,
): Promise<RecordedFacts<Rejection>> {
  return repeatWhileAway(() => recordOnce(world, stream, facts));
}

async function recordOnce<Rejection>(
  world: World,
  stream: OrderStream,
  facts: Facts<Rejection>,
): Promise<RecordedFacts<Rejection>> {
  let current = stream;
  for (let conflicts = 0; ; conflicts += 1) {
    const decision = facts.decide(eventsOf(current));
    if (!decision.ok) return { stream: current, recorded: [], rejection: decision.rejection };
    const [first, ...rest] = decision.value;
    if (first === undefined) return { stream: current, recorded: [], rejection: undefined };
    const { decide: _, commandId, ...said } = facts;
    const result = await append(world.sql, current, {
      ...said,
      commandId,
      requestHash: sha256(commandId),
      occurredAt: world.now(),
      events: [first, ...rest],
    });
    if (result.outcome === 'appended') return { stream: result.stream, recorded: decision.value, rejection: undefined };
    if (conflicts === mostConflicts) throw tooManyConflictsError(`order ${stream.orderId}`, conflicts);
    await setTimeout(Math.random() * 20 * 2 ** conflicts);
    current = await readOrder(world.sql, stream.orderId);
  }
}

/** Records one fact about an order's money that was not asked for here. */
export function recordSquareFact(
  world: World,
  stream: OrderStream,
  fact: SquareFact,
): Promise<RecordedFacts<ReconcileRejection>> {
  return recordFacts(world, stream, {
    commandId: commandIdOf(fact),
    actor: 'reconciliation',
    requestId: undefined,
    decide: (events) => decide(fact, events.reduce(evolve, nothingReconciled)),
  });
}

/** Other queries find what a fact recorded by its command. */
export function commandIdOf(fact: SquareFact): string {
  switch (fact.type) {
    case 'Fee':
      return `fee:${fact.squareId}:${fact.total}`;
    case 'ExternalRefund':
      return `external-refund:${fact.squareRefundId}`;
    case 'Dispute':
      return `dispute:${fact.squareDisputeId}:${fact.outcome ?? 'open'}`;
    case 'OrphanPayment':
      return `orphan:${fact.squarePaymentId}`;
    case 'OrphanReturn':
      return `orphan-return:${fact.squareRefundId}`;
  }
}
