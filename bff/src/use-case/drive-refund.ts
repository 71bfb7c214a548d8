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
import type { Actor, NewEffect } from '../ledger/append.ts';
import { effectKey, leaseSeconds, type OpenEffect } from '../ledger/effects.ts';
import type { Hold } from '../ledger/hold-effect.ts';
import { eventsOf, type OrderStream, readOrder } from '../ledger/read.ts';
import type { World } from '../server/world.ts';
import type { CardRefund, RefundOutcome } from '../square/card-processor.ts';
import type { Driven } from './drive-attempt.ts';
import { type RecordedFacts, recordFacts } from './record-facts.ts';

/** One refund, and who is driving it on. */
export type DriveRefund = {
  readonly refundId: RefundId;
  readonly actor: Actor;
  readonly requestId: string | undefined;
};

/** A drive that may also ask Square for the money, as long as it holds the refund's effect. */
export type HoldingDriveRefund = DriveRefund & {
  readonly hold: Hold;
  /** Square was never asked for this refund: a refusal of our credentials then proves that nothing was given back. */
  readonly isFirstTry: boolean;
};

export function refundStateOf(stream: OrderStream): RefundState {
  return eventsOf(stream).reduce(evolve, nothingRefunded);
}

/** The refund as the stream tells it. */
function refundOf(stream: OrderStream, refundId: RefundId): Refund {
  const refund = refundStateOf(stream).refunds.get(refundId);
  if (refund === undefined) throw new Error(`Order ${stream.orderId} has no refund ${refundId}`);
  return refund;
}

/**
 * Asks Square for a requested refund and records its answer. While the answer is unknown the identical request is sent again: under
 * one key Square gives back at most once.
 */
export async function driveRefund(
  world: World,
  stream: OrderStream,
  { hold, isFirstTry, ...drive }: HoldingDriveRefund,
): Promise<Driven> {
  const { request, status, squareRefundId } = refundOf(stream, drive.refundId);
  const { captured } = refundStateOf(stream);
  if (captured === undefined) throw new Error(`Refund ${drive.refundId} is of a payment that was never taken`);
  if (status === 'submitted') return followRefund(world, stream, { ...drive, squareRefundId });
  if (status !== 'requested') return { stream, status: 'settled' };

  const { refundId, amount, reason } = request;
  const terms = { refundId, squarePaymentId: captured.squarePaymentId, amount, reason };
  if (!(await hold.isHeld())) return { stream, status: 'unknown' };
  const first = await world.card.refund(terms);
  if (first.kind === 'unknown' && first.refusedCredentials !== undefined && isFirstTry) {
    const command = { type: 'RecordFailure', refundId, code: first.refusedCredentials } as const;
    return concluded(world, await record(world, stream, { ...drive, command }), refundId);
  }
  const outcome = first.kind === 'unknown' ? await world.card.refund(terms) : first;
  return recordOutcome(world, stream, { ...drive, outcome });
}

/** The settle worker's way: the refund's owner gives no sign of life any more, or Square has not decided yet. */
export async function settleOpenRefund(
  world: World,
  effect: OpenEffect & { readonly refundId: RefundId },
  hold: Hold,
): Promise<Driven> {
  const stream = await readOrder(world.sql, effect.orderId);
  const drive = { refundId: effect.refundId, actor: 'settle-worker', requestId: undefined } as const;
  return driveRefund(world, stream, { ...drive, hold, isFirstTry: false });
}

/** Records what Square says of a refund of ours, whoever learned it. */
export async function recordRefund(
  world: World,
  stream: OrderStream,
  { found, ...drive }: DriveRefund & { readonly found: CardRefund },
): Promise<Driven> {
  const { squareRefundId } = found;
  const { refundId } = drive;
  switch (found.status) {
    case 'pending':
      return concluded(
        world,
        await record(world, stream, {
          ...drive,
          command: { type: 'RecordSubmission', refundId, squareRefundId },
          openEffects: [followed(stream, refundId)],
        }),
        refundId,
      );
    case 'completed':
      return concluded(
        world,
        await record(world, stream, {
          ...drive,
          command: {
            type: 'RecordCompletion',
            refundId,
            squareRefundId,
            amount: found.amount,
            completedAt: found.updatedAt,
          },
        }),
        refundId,
      );
    default:
      return concluded(
        world,
        await record(world, stream, {
          ...drive,
          command: { type: 'RecordFailure', refundId, squareRefundId, code: found.status.toUpperCase() },
        }),
        refundId,
      );
  }
}

async function recordOutcome(
  world: World,
  stream: OrderStream,
  { outcome, ...drive }: DriveRefund & { readonly outcome: RefundOutcome },
): Promise<Driven> {
  const { refundId } = drive;
  if (outcome.kind === 'unknown') {
    world.log.warn({ refundId, detail: outcome.detail }, 'refund unknown');
    return { stream, status: 'unknown' };
  }
  if (outcome.kind === 'accepted') return recordRefund(world, stream, { ...drive, found: outcome.refund });

  // Square forgets keys one day; a refund that an earlier, unanswered call made would then be refused as too much.
  const earlier = await findAtSquare(world, stream, refundId);
  if (earlier === 'unknown') return { stream, status: 'unknown' };
  if (earlier !== undefined) return recordRefund(world, stream, { ...drive, found: earlier });
  world.log.warn({ refundId, code: outcome.code }, 'a refund was refused');
  const command = { type: 'RecordFailure', refundId, code: outcome.code } as const;
  return concluded(world, await record(world, stream, { ...drive, command }), refundId);
}

async function findAtSquare(
  world: World,
  stream: OrderStream,
  refundId: RefundId,
): Promise<CardRefund | 'unknown' | undefined> {
  const requested = stream.events.find(
    ({ event }) => event.type === 'RefundRequested' && event.refundId === refundId,
  )?.occurredAt;
  if (requested === undefined) throw new Error(`Refund ${refundId} was never requested`);
  // Square stamps by its own clock, which may be behind ours, or ahead of it.
  const from = new Date(Date.parse(requested) - 5 * 60_000).toISOString();
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
    return { stream, status: 'unknown' };
  }
  if (looked.refund.status === 'pending') return { stream, status: 'unknown' };
  return recordRefund(world, stream, { ...drive, found: looked.refund });
}

export function refundEffect(paymentId: PaymentId, refundId: RefundId): NewEffect {
  return { key: effectKey(refundId, 'refund'), paymentId, refundId, kind: 'refund', waitSeconds: leaseSeconds };
}

/** Looked at for the first time soon: most refunds are through within seconds. */
function followed(stream: OrderStream, refundId: RefundId): NewEffect {
  const { paymentId } = refundOf(stream, refundId).request;
  return { key: effectKey(refundId, 'follow_refund'), paymentId, refundId, kind: 'follow_refund', waitSeconds: 2 };
}

type RefundFact = DriveRefund & {
  readonly command: Exclude<RefundCommand, { type: 'RequestRefund' }>;
  readonly openEffects?: readonly NewEffect[];
};

function record(world: World, stream: OrderStream, fact: RefundFact): Promise<RecordedFacts<RefundRejection>> {
  const { command, refundId, ...said } = fact;
  const asked = effectKey(refundId, 'refund');
  return recordFacts(world, stream, {
    ...said,
    commandId: `${refundId}:${command.type}`,
    decide: (events) => decide(command, events.reduce(evolve, nothingRefunded)),
    closeEffects: command.type === 'RecordSubmission' ? [asked] : [asked, effectKey(refundId, 'follow_refund')],
  });
}

/** `settled` closes the effect that was driven: a submitted refund has another one that follows it. */
function concluded(world: World, recorded: RecordedFacts<RefundRejection>, refundId: RefundId): Driven {
  const { stream, rejection } = recorded;
  if (rejection !== undefined) {
    // Square and the ledger contradict each other: a person must look. The effect stays open and keeps reporting.
    world.log.fatal({ refundId, rejection: rejection.code }, "Square's answer to a refund cannot be recorded");
    return { stream, status: 'unknown' };
  }
  return { stream, status: 'settled' };
}
