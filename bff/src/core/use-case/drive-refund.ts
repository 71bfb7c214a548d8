import type { RefundRequested } from '@kilim/domain/order/events';
import type { PaymentId, RefundId } from '@kilim/domain/order/ids';
import {
  decide,
  evolve,
  nothingRefunded,
  type Refund,
  type RefundCommand,
  type RefundRejection,
  type RefundState,
} from '@kilim/domain/order/refund';
import { repeatWhileAway } from '../database/repeat-while-away.ts';
import type { Actor, NewEffect } from '../ledger/append.ts';
import { readAuthenticity } from '../ledger/authenticity.ts';
import { effectKey, leaseSeconds, type OpenEffect, requestNotProven } from '../ledger/effects.ts';
import type { Hold } from '../ledger/hold-effect.ts';
import { eventsOf, type OrderStream, orderStreamId, readOrder } from '../ledger/read.ts';
import type { CardRefund, RefundCard, RefundOutcome } from '../square/card-processor.ts';
import type { Driven } from './drive-attempt.ts';
import { type RecordedFacts, recordFacts } from './record-facts.ts';
import type { World } from './world.ts';

export type DriveRefund = {
  readonly refundId: RefundId;
  readonly actor: Actor;
  readonly requestId: string | undefined;
};

/** May ask Square for the money, as long as it holds the refund's effect. */
export type HoldingDriveRefund = DriveRefund & {
  readonly hold: Hold;
  /** Square was never asked for this refund: a refusal of the credentials then proves that no money moved. */
  readonly isFirstTry: boolean;
};

/** Square has no such refund, and none is sent, because no server requested it. */
type Unproven = { readonly stream: OrderStream; readonly status: 'unproven'; readonly word?: undefined };
export type DrivenRefund = Driven | Unproven;

export function refundStateOf(stream: OrderStream): RefundState {
  return eventsOf(stream).reduce(evolve, nothingRefunded);
}

function refundOf(stream: OrderStream, refundId: RefundId): Refund {
  const refund = refundStateOf(stream).refunds.get(refundId);
  if (refund === undefined) throw new Error(`Order ${stream.orderId} has no refund ${refundId}`);
  return refund;
}

/**
 * While the answer is unknown, the identical request is sent again: Square refunds at most once per key. A refund that
 * no server requested is only looked up, because everybody who can send SQL can append a request.
 */
export async function driveRefund(
  world: World,
  stream: OrderStream,
  { hold, isFirstTry, ...drive }: HoldingDriveRefund,
): Promise<DrivenRefund> {
  const { refundId } = drive;
  const { status, squareRefundId } = refundOf(stream, refundId);
  const { captured } = refundStateOf(stream);
  if (captured === undefined) throw new Error(`Refund ${refundId} is of a payment that was never taken`);
  if (status === 'submitted') return followRefund(world, stream, { ...drive, squareRefundId });
  if (status !== 'requested') return { stream, status: 'settled' };

  const terms = await provenTerms(world, stream, refundId);
  // Square forgets keys after a day or later, and a restored ledger may ask for an old refund.
  const mayBeAtSquare = terms === undefined || (!isFirstTry && isOld(world, stream, refundId));
  const earlier = mayBeAtSquare ? await findAtSquare(world, stream, refundId) : undefined;
  if (earlier === 'unknown') return { stream, status: 'unknown' };
  if (earlier !== undefined) return recordRefund(world, stream, { ...drive, found: earlier });
  if (terms === undefined) return { stream, status: 'unproven' };
  if (!(await hold.isHeld())) return { stream, status: 'unknown' };
  const first = await world.card.refund(terms);
  if (first.kind === 'unknown' && first.refusedCredentials !== undefined && isFirstTry) {
    const command = { type: 'RecordFailure', refundId, code: first.refusedCredentials } as const;
    return conclude(world, stream, { ...drive, command });
  }
  const outcome = first.kind === 'unknown' ? await world.card.refund(terms) : first;
  return recordOutcome(world, stream, { ...drive, outcome });
}

/**
 * After the first event of servers with the key in the order, an event of anybody else changes nothing.
 * @returns undefined when no server with the key requested the refund, or one recorded Square's answer.
 */
async function provenTerms(world: World, stream: OrderStream, refundId: RefundId): Promise<RefundCard | undefined> {
  const isAuthentic = await repeatWhileAway(() => readAuthenticity(world.sql, orderStreamId(stream.orderId)));
  const begin = stream.events.find(({ version }) => isAuthentic(version))?.version ?? 0;
  const squarePaymentIds = new Map<PaymentId, string>();
  let request: RefundRequested | undefined;
  for (const { event, version } of stream.events) {
    if (version >= begin && !isAuthentic(version)) continue;
    // The first one is the hold that was captured.
    if (event.type === 'PaymentAuthorized' && !squarePaymentIds.has(event.paymentId))
      squarePaymentIds.set(event.paymentId, event.squarePaymentId);
    if (version >= begin && 'refundId' in event && event.refundId === refundId)
      request = event.type === 'RefundRequested' ? event : undefined;
  }
  const squarePaymentId = request && squarePaymentIds.get(request.paymentId);
  if (request === undefined || squarePaymentId === undefined) return undefined;
  return { refundId, squarePaymentId, amount: request.amount, reason: request.reason };
}

export async function endUnproven(world: World, stream: OrderStream, drive: DriveRefund): Promise<Driven> {
  const { refundId } = drive;
  const command = { type: 'RecordFailure', refundId, code: requestNotProven } as const;
  return conclude(world, stream, { ...drive, command });
}

/** The refund has no owner any more, or Square has not decided yet. */
export async function settleOpenRefund(
  world: World,
  effect: OpenEffect & { readonly refundId: RefundId },
  hold: Hold,
): Promise<DrivenRefund> {
  const stream = await readOrder(world.sql, effect.orderId);
  const drive = { refundId: effect.refundId, actor: 'settle-worker', requestId: undefined } as const;
  return driveRefund(world, stream, { ...drive, hold, isFirstTry: false });
}

export async function recordRefund(
  world: World,
  stream: OrderStream,
  { found, ...drive }: DriveRefund & { readonly found: CardRefund },
): Promise<Driven> {
  const { refundId } = drive;
  const followUp = found.status === 'pending' ? { openEffects: [followed(stream, refundId)] } : {};
  return conclude(world, stream, { ...drive, command: commandOf(refundId, found), ...followUp });
}

function commandOf(refundId: RefundId, found: CardRefund): RefundFact['command'] {
  const { squareRefundId, status, amount, updatedAt: completedAt } = found;
  switch (status) {
    case 'pending':
      return { type: 'RecordSubmission', refundId, squareRefundId };
    case 'completed':
      return { type: 'RecordCompletion', refundId, squareRefundId, amount, completedAt };
    default:
      return { type: 'RecordFailure', refundId, squareRefundId, code: status.toUpperCase() };
  }
}

async function recordOutcome(
  world: World,
  stream: OrderStream,
  { outcome, ...drive }: DriveRefund & { readonly outcome: RefundOutcome },
): Promise<Driven> {
  const { refundId } = drive;
  if (outcome.kind === 'unknown') {
    world.log.warn({ refundId, detail: outcome.detail }, 'the outcome of a refund is unknown');
    return { stream, status: 'unknown', word: outcome.word };
  }
  if (outcome.kind === 'accepted') return recordRefund(world, stream, { ...drive, found: outcome.refund });

  // Square forgets keys after a time. It then refuses a refund that an earlier, unanswered call has
  // made as too much.
  const earlier = await findAtSquare(world, stream, refundId);
  if (earlier === 'unknown') return { stream, status: 'unknown' };
  if (earlier !== undefined) return recordRefund(world, stream, { ...drive, found: earlier });
  world.log.warn({ refundId, code: outcome.code }, 'a refund was refused');
  const command = { type: 'RecordFailure', refundId, code: outcome.code } as const;
  return conclude(world, stream, { ...drive, command });
}

/** Long enough that Square lists the refund, and far shorter than Square remembers a key. */
const oldMs = 60 * 60_000;

function isOld(world: World, stream: OrderStream, refundId: RefundId): boolean {
  return world.now().getTime() - requestedAtMs(stream, refundId) > oldMs;
}

function requestedAtMs(stream: OrderStream, refundId: RefundId): number {
  const requested = stream.events.find(({ event }) => event.type === 'RefundRequested' && event.refundId === refundId);
  if (requested === undefined) throw new Error(`Refund ${refundId} was never requested`);
  return Date.parse(requested.occurredAt);
}

async function findAtSquare(
  world: World,
  stream: OrderStream,
  refundId: RefundId,
): Promise<CardRefund | 'unknown' | undefined> {
  // Square's clock may be behind the server's, or ahead of it.
  const from = new Date(requestedAtMs(stream, refundId) - 5 * 60_000).toISOString();
  const to = new Date(world.now().getTime() + 24 * 60 * 60_000).toISOString();
  const listed = await world.card.listRefunds({ from, to });
  if (listed.kind === 'unknown') return 'unknown';
  return listed.items.find((refund) => refund.refundId === refundId);
}

async function followRefund(
  world: World,
  stream: OrderStream,
  { squareRefundId, ...drive }: DriveRefund & { readonly squareRefundId: string | undefined },
): Promise<Driven> {
  if (squareRefundId === undefined) throw new Error(`Refund ${drive.refundId} was submitted without an id`);
  const looked = await world.card.getRefund(squareRefundId);
  if (looked.kind !== 'found') {
    world.log.warn({ refundId: drive.refundId, answer: looked.kind }, 'a submitted refund could not be looked up');
    return { stream, status: 'unknown', word: looked.kind === 'unknown' ? looked.word : 'NOT_FOUND' };
  }
  if (looked.refund.status === 'pending') return { stream, status: 'unknown' };
  return recordRefund(world, stream, { ...drive, found: looked.refund });
}

export function refundEffect(paymentId: PaymentId, refundId: RefundId): NewEffect {
  return { key: effectKey(refundId, 'refund'), paymentId, refundId, kind: 'refund', waitSeconds: leaseSeconds };
}

/** Most refunds are decided within seconds. */
function followed(stream: OrderStream, refundId: RefundId): NewEffect {
  const { paymentId } = refundOf(stream, refundId).request;
  return { key: effectKey(refundId, 'follow_refund'), paymentId, refundId, kind: 'follow_refund', waitSeconds: 2 };
}

type RefundFact = DriveRefund & {
  readonly command: Exclude<RefundCommand, { type: 'RequestRefund' }>;
  readonly openEffects?: readonly NewEffect[];
};

/** Another effect follows a submitted refund. */
async function conclude(world: World, stream: OrderStream, fact: RefundFact): Promise<Driven> {
  const { command, refundId, ...said } = fact;
  const asked = effectKey(refundId, 'refund');
  const recorded: RecordedFacts<RefundRejection> = await recordFacts(world, stream, {
    ...said,
    happenedAt: command.type === 'RecordCompletion' ? command.completedAt : undefined,
    commandId: `${refundId}:${command.type}`,
    decide: (events) => decide(command, events.reduce(evolve, nothingRefunded)),
    closeEffects: command.type === 'RecordSubmission' ? [asked] : [asked, effectKey(refundId, 'follow_refund')],
  });
  const { rejection } = recorded;
  if (rejection === undefined) return { stream: recorded.stream, status: 'settled' };
  // Square and the ledger contradict each other: a person must look.
  world.log.fatal({ refundId, rejection: rejection.code }, "Square's answer to a refund cannot be recorded");
  return { stream: recorded.stream, status: 'unknown' };
}
