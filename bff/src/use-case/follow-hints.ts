import { unreachable } from '@kilim/domain/unreachable';
import { leaseHints, releaseHint, type SquareHint, settleHint } from '../ledger/square-hints.ts';
import { reconcilePayment } from './reconcile-payment.ts';
import { reconcileDispute, reconcileRefund } from './reconcile-refund.ts';
import type { PaymentWorld } from './record-payment.ts';
import { recordPayoutNow } from './record-payouts.ts';

const mostAtOnce = 4;
const leaseSeconds = 30;
/** Reconciliation looks at everything anyway; a hint only makes it sooner. */
const mostTries = 8;

/**
 * Looks at what webhooks pointed to. A webhook proves nothing: what is recorded is what Square answers when it is asked.
 * @returns how many hints were taken up.
 */
export async function followHints(world: PaymentWorld): Promise<number> {
  const hints = await leaseHints(world.sql, { most: mostAtOnce, leaseSeconds });
  await Promise.all(hints.map((hint) => follow(world, hint)));
  return hints.length;
}

async function follow(world: PaymentWorld, hint: SquareHint): Promise<void> {
  try {
    const isFollowed = (await lookAt(world, hint)) || hint.tries >= mostTries;
    if (isFollowed) await settleHint(world.sql, hint.eventId);
    else await releaseHint(world.sql, hint.eventId, 2 ** hint.tries);
  } catch (error) {
    // The lease ends by itself, and then somebody looks again.
    world.log.error({ err: error, subject: hint.subject, squareId: hint.squareId }, 'a hint could not be followed');
  }
}

/** @returns false when Square, or somebody at work on the order, has to be waited for. */
async function lookAt(world: PaymentWorld, { subject, squareId }: SquareHint): Promise<boolean> {
  switch (subject) {
    case 'payment': {
      const looked = await world.card.get(squareId);
      if (looked.kind !== 'found') return looked.kind === 'not-found';
      return (await reconcilePayment(world, looked.payment)).kind !== 'in-flight';
    }
    case 'refund': {
      const looked = await world.card.getRefund(squareId);
      if (looked.kind !== 'found') return looked.kind === 'not-found';
      return (await reconcileRefund(world, looked.refund)).kind !== 'in-flight';
    }
    case 'dispute': {
      const listed = await world.card.listDisputes();
      if (listed.kind !== 'listed') return false;
      for (const dispute of listed.items) {
        if (dispute.squareDisputeId === squareId) await reconcileDispute(world, dispute);
      }
      return true;
    }
    case 'payout':
      return recordPayoutNow(world, squareId);
    default:
      return unreachable(subject);
  }
}
