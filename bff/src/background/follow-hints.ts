import { unreachable } from '@kilim/domain/unreachable';
import {
  type OpenHint,
  readOpenHints,
  releaseHint,
  type SquareHint,
  settleHint,
  takeHint,
} from '../ledger/square-hints.ts';
import type { World } from '../server/world.ts';
import { reconcilePayment } from './reconcile-payment.ts';
import { reconcileDispute, reconcileRefund } from './reconcile-refund.ts';
import { recordPayoutNow } from './record-payouts.ts';
import type { Backlog } from './work-off.ts';

/** Reconciliation looks at everything anyway; a hint only makes it sooner. */
const mostTries = 8;

/** What webhooks pointed to. A webhook proves nothing: what is recorded is what Square answers when it is asked. */
export function openHints(world: World): Backlog<OpenHint> {
  return { what: 'hints', readOpen: readOpenHints, take: takeHint, work: (hint) => follow(world, hint) };
}

async function follow(world: World, hint: SquareHint): Promise<void> {
  const isFollowed = (await lookAt(world, hint)) || hint.tries >= mostTries;
  if (isFollowed) await settleHint(world.sql, hint.eventId);
  else await releaseHint(world.sql, hint.eventId, 2 ** hint.tries);
}

/** @returns false when Square, or somebody at work on the order, has to be waited for. */
async function lookAt(world: World, { subject, squareId }: SquareHint): Promise<boolean> {
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
