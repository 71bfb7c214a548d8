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
import type { Actor } from '../ledger/append.ts';
import { effectKey } from '../ledger/effects.ts';
import { eventsOf, type OrderStream } from '../ledger/read.ts';
import type { CardPayment } from '../square/card-processor.ts';
import { type RecordedFacts, recordFacts } from './record-facts.ts';
import type { World } from './world.ts';

export function paymentStateOf(stream: OrderStream): PaymentState {
  return eventsOf(stream).reduce(evolve, nothingPaid);
}

export function attemptOf(stream: OrderStream, paymentId: PaymentId): PaymentAttempt {
  const attempt = paymentStateOf(stream).attempts.get(paymentId);
  if (attempt === undefined) throw new Error(`Order ${stream.orderId} has no payment ${paymentId}`);
  return attempt;
}

export type PaymentFact = {
  readonly command: Exclude<PaymentCommand, { type: 'StartPayment' }>;
  readonly actor: Actor;
  readonly requestId: string | undefined;
  /** The fact ends the attempt. */
  readonly closesEffect?: boolean;
};

type Recorded = RecordedFacts<PaymentRejection>;

type Authorized = Pick<PaymentFact, 'actor' | 'requestId'> & {
  readonly paymentId: PaymentId;
  readonly payment: CardPayment;
};

export function recordAuthorization(
  world: World,
  stream: OrderStream,
  { paymentId, payment, actor, requestId }: Authorized,
): Promise<Recorded> {
  return recordPayment(world, stream, { command: authorizationOf(paymentId, payment), actor, requestId });
}

/** The command that records Square's hold. */
export function authorizationOf(paymentId: PaymentId, { squarePaymentId, amount, card, risk }: CardPayment) {
  return {
    type: 'RecordAuthorization',
    ...{ paymentId, squarePaymentId, amount, cardBrand: card.brand, cardLastFour: card.lastFour },
    ...(risk === undefined ? {} : { risk }),
  } as const;
}

/** The command that records that Square took the money. */
export function captureOf(paymentId: PaymentId, { amount, capturedAt, receipt: { url, number } }: CardPayment) {
  return {
    type: 'RecordCapture',
    ...{ paymentId, amount, capturedAt },
    ...(url === undefined ? {} : { receiptUrl: url }),
    ...(number === undefined ? {} : { receiptNumber: number }),
  } as const;
}

/** Records an answer of Square about an attempt; see `recordFacts`. */
export async function recordPayment(world: World, stream: OrderStream, fact: PaymentFact): Promise<Recorded> {
  const { command, actor, requestId, closesEffect = false } = fact;
  return recordFacts(world, stream, {
    actor,
    requestId,
    happenedAt: command.type === 'RecordCapture' ? command.capturedAt : undefined,
    commandId: `${command.paymentId}:${command.type}`,
    closeEffects: closesEffect ? [effectKey(command.paymentId, 'charge')] : [],
    decide: (events) => decide(command, events.reduce(evolve, nothingPaid)),
  });
}
