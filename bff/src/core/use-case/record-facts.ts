import type { OrderEvent } from '@kilim/domain/order/events';
import {
  decide,
  evolve,
  nothingReconciled,
  type ReconcileRejection,
  type SquareFact,
} from '@kilim/domain/order/reconcile';
import type { Result } from '@kilim/domain/result';
import type { Actor, NewEffect } from '../ledger/append.ts';
import { handle, orderTarget } from '../ledger/handle.ts';
import { eventsOf, type OrderStream } from '../ledger/read.ts';
import { instantOf } from '../ledger/reported-instant.ts';
import type { World } from './world.ts';

export type Facts<Rejection> = {
  /** So that the ledger records the fact at most once. */
  readonly commandId: string;
  readonly decide: (events: readonly OrderEvent[]) => Result<readonly OrderEvent[], Rejection>;
  readonly actor: Actor;
  readonly requestId: string | undefined;
  /** ISO 8601; absent for an answer of the moment. */
  readonly happenedAt?: string | undefined;
  readonly closeEffects?: readonly string[];
  readonly openEffects?: readonly NewEffect[];
};

export type RecordedFacts<Rejection> = {
  /** Answers to people are derived from this stream. */
  readonly stream: OrderStream;
  readonly recorded: readonly OrderEvent[];
  /** Why the facts could not be recorded: other events of the order came first. */
  readonly rejection: Rejection | undefined;
};

/**
 * A fact that is recorded already records nothing.
 * @param stream as the caller has read it.
 * @throws when the database cannot be reached: the settle worker asks Square again.
 */
export async function recordFacts<Rejection>(
  world: World,
  stream: OrderStream,
  { decide: decideFacts, openEffects = [], closeEffects = [], happenedAt, ...command }: Facts<Rejection>,
): Promise<RecordedFacts<Rejection>> {
  const target = orderTarget(world.sql, stream.orderId, { known: stream, openEffects, closeEffects });
  const notBefore = stream.events[0]?.occurredAt;
  const handled = await handle(world, target, {
    ...command,
    ...(happenedAt === undefined ? {} : { happenedAt: (now) => instantOf({ at: happenedAt, notBefore }, now) }),
    decide: (seen) => decideFacts(eventsOf(seen)),
  });
  return {
    stream: handled.stream,
    recorded: handled.outcome === 'recorded' ? handled.events : [],
    rejection: handled.outcome === 'refused' ? handled.rejection : undefined,
  };
}

/** `happenedAt` is Square's instant when the events do not hold one. */
export type DatedFact = SquareFact & { readonly happenedAt?: string | undefined };

export function recordSquareFact(
  world: World,
  stream: OrderStream,
  { happenedAt, ...fact }: DatedFact,
): Promise<RecordedFacts<ReconcileRejection>> {
  return recordFacts(world, stream, {
    happenedAt: happenedAt ?? instantIn(fact),
    commandId: commandIdOf(fact),
    actor: 'reconciliation',
    requestId: undefined,
    decide: (events) => decide(fact, events.reduce(evolve, nothingReconciled)),
  });
}

/** Queries find the events of a fact by its command. */
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

/** Square adds a fee to the payment later, and corrects it. */
export function instantIn(fact: SquareFact): string | undefined {
  switch (fact.type) {
    case 'ExternalRefund':
      return fact.refundedAt;
    case 'OrphanPayment':
      return fact.takenAt;
    case 'OrphanReturn':
      return fact.returnedAt;
    case 'Fee':
    case 'Dispute':
      return undefined;
  }
}
