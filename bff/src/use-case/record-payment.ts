import { setTimeout } from 'node:timers/promises';
import type { PaymentId } from '@kilim/domain/order/ids';
import {
  decide,
  evolve,
  nothingPaid,
  type PaymentAttempt,
  type PaymentCommand,
  type PaymentRejection,
  type PaymentState,
} from '@kilim/domain/order/payment';
import type { CardProcessor } from '../card/card-processor.ts';
import { repeatWhileAway, type Sql } from '../database.ts';
import { type Actor, append, type NewEffect } from '../ledger/append.ts';
import { sha256 } from '../ledger/contact.ts';
import { eventsOf, type OrderStream, readOrder } from '../ledger/read.ts';
import type { Logger } from '../logger.ts';

/** What taking and settling payments need of the world. */
export type PaymentWorld = {
  readonly sql: Sql;
  readonly card: CardProcessor;
  readonly log: Logger;
  readonly now: () => Date;
};

export function paymentStateOf(stream: OrderStream): PaymentState {
  return eventsOf(stream).reduce(evolve, nothingPaid);
}

/** The attempt as the stream tells it. */
export function attemptOf(stream: OrderStream, paymentId: PaymentId): PaymentAttempt {
  const attempt = paymentStateOf(stream).attempts.get(paymentId);
  if (attempt === undefined) throw new Error(`Order ${stream.orderId} has no payment ${paymentId}`);
  return attempt;
}

/** A fact that Square told us, and the effects that it closes and opens. */
export type PaymentFact = {
  readonly command: Exclude<PaymentCommand, { type: 'StartPayment' }>;
  readonly actor: Actor;
  readonly requestId: string | undefined;
  readonly closeEffects: readonly string[];
  readonly openEffects?: readonly NewEffect[];
};

export type Recorded = {
  /** The stream after the append; what a person is told is derived from it. */
  readonly stream: OrderStream;
  /** Why the fact could not be recorded: the attempt ended otherwise meanwhile. */
  readonly rejection: PaymentRejection | undefined;
};

const mostConflicts = 5;

/**
 * Records what Square said, on the newest state of the order. When somebody else appended first, it reads again and decides again:
 * a fact that is already recorded records nothing.
 * @throws when the database cannot be reached; the effect stays open, and the settle worker asks Square again.
 */
export async function recordPayment(world: PaymentWorld, stream: OrderStream, fact: PaymentFact): Promise<Recorded> {
  return repeatWhileAway(() => recordOnce(world, stream, fact));
}

async function recordOnce(world: PaymentWorld, stream: OrderStream, fact: PaymentFact): Promise<Recorded> {
  let current = stream;
  for (let conflicts = 0; ; conflicts += 1) {
    const decision = decide(fact.command, paymentStateOf(current));
    if (!decision.ok) return { stream: current, rejection: decision.rejection };
    const [first, ...rest] = decision.value;
    if (first === undefined) return { stream: current, rejection: undefined };
    const commandId = `${fact.command.paymentId}:${fact.command.type}`;
    const result = await append(world.sql, current, {
      commandId,
      requestHash: sha256(commandId),
      actor: fact.actor,
      requestId: fact.requestId,
      occurredAt: world.now(),
      events: [first, ...rest],
      closeEffects: fact.closeEffects,
      ...(fact.openEffects === undefined ? {} : { openEffects: fact.openEffects }),
    });
    if (result.outcome === 'appended') return { stream: result.stream, rejection: undefined };
    if (conflicts === mostConflicts) throw new Error(`Order ${stream.orderId} changed ${conflicts} times meanwhile`);
    await setTimeout(Math.random() * 20 * 2 ** conflicts);
    current = await readOrder(world.sql, stream.orderId);
  }
}
