import { randomBytes } from 'node:crypto';
import type { OrderEvent } from '@kilim/domain/order/events';
import { parseIdempotencyKey, parsePaymentId } from '@kilim/domain/order/ids';
import {
  decide,
  evolve,
  nothingPaid,
  type PaymentCommand,
  type PaymentRejection,
  type PaymentState,
} from '@kilim/domain/order/payment';
import { ok, type Result } from '@kilim/domain/result';
import { confirmCluster, readCompleteSince } from '../database/cluster.ts';
import { sha256 } from '../ledger/hash.ts';
import type { OrderStream } from '../ledger/read.ts';
import type { CardPayment } from '../square/card-processor.ts';
import { type Finding, paymentDiffers, recordedOrAgrees } from './finding.ts';
import { recordFacts } from './record-facts.ts';
import { authorizationOf, captureOf } from './record-payment.ts';
import type { World } from './world.ts';

/**
 * Older than the restore of the ledger, and unknown to its attempts. The customer was probably told that it succeeded,
 * so it is not returned automatically. A payment that is back already is no question.
 */
export async function mayBeLost(world: World, { createdAt, amount, refunded }: CardPayment): Promise<boolean> {
  if (refunded >= amount) return false;
  // A promotion of this moment has to be recorded first.
  await confirmCluster(world.sql);
  const completeSince = await readCompleteSince(world.sql);
  return completeSince !== undefined && Date.parse(createdAt) < Date.parse(completeSince);
}

/**
 * The attempt gets a new id and key: the customer's are lost.
 * @returns a difference if the order does not fit: it was paid again, or costs another amount.
 */
export async function recordLostPayment(world: World, stream: OrderStream, payment: CardPayment): Promise<Finding> {
  const { squarePaymentId } = payment;
  const attempt = newAttempt(payment);
  const { recorded, rejection } = await recordFacts<PaymentRejection>(world, stream, {
    happenedAt: payment.capturedAt,
    commandId: `lost-payment:${squarePaymentId}`,
    actor: 'reconciliation',
    requestId: undefined,
    decide: (events) => {
      const state = events.reduce(evolve, nothingPaid);
      return isKnown(state, squarePaymentId) ? ok([]) : decideAll(attempt, state);
    },
  });
  if (rejection === undefined) return recordedOrAgrees(recorded);
  world.log.warn({ squarePaymentId, rejection: rejection.code }, 'a lost payment does not fit its order');
  return paymentDiffers('LostPayment', payment, stream.orderId);
}

function isKnown({ attempts, orphans }: PaymentState, squarePaymentId: string): boolean {
  return (
    orphans.has(squarePaymentId) ||
    [...attempts.values()].some(({ authorization }) => authorization?.squarePaymentId === squarePaymentId)
  );
}

function newAttempt(payment: CardPayment): readonly PaymentCommand[] {
  const { squarePaymentId, amount } = payment;
  const paymentId = parsePaymentId(randomBytes(16).toString('hex'));
  const digest = Buffer.from(sha256(`lost:${squarePaymentId}`)).toString('hex');
  const idempotencyKey = parseIdempotencyKey(`lost-${digest.slice(0, 32)}`);
  if (paymentId === undefined || idempotencyKey === undefined) throw new Error('The ids of an attempt are wrong');
  return [
    { type: 'StartPayment', paymentId, idempotencyKey, amount },
    authorizationOf(paymentId, payment),
    captureOf(paymentId, payment),
  ];
}

function decideAll(
  commands: readonly PaymentCommand[],
  before: PaymentState,
): Result<readonly OrderEvent[], PaymentRejection> {
  const events: OrderEvent[] = [];
  let state = before;
  for (const command of commands) {
    const decision = decide(command, state);
    if (!decision.ok) return decision;
    events.push(...decision.value);
    state = decision.value.reduce(evolve, state);
  }
  return ok(events);
}
