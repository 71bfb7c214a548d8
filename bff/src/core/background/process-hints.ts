import { unreachable } from '@kilim/domain/unreachable';
import {
  type OpenHint,
  readOpenHints,
  releaseHint,
  type SquareHint,
  settleHint,
  takeHint,
} from '../ledger/square-hints.ts';
import type { LookupOutcome, RefundLookupOutcome } from '../square/card-processor.ts';
import type { Finding } from '../use-case/finding.ts';
import type { World } from '../use-case/world.ts';
import { reconcilePayment } from './reconcile-payment.ts';
import { reconcileDispute, reconcileRefund } from './reconcile-refund.ts';
import { showNewDifferences } from './reconcile-weeks.ts';
import type { WorkQueue } from './work-queue.ts';

/** A hint only makes reconciliation sooner, so it may be given up. */
const mostTries = 8;

/** A webhook proves nothing: only Square's answer to a question is recorded. */
export function hintQueue(world: World): WorkQueue<OpenHint> {
  return { name: 'process-hints', readOpen: readOpenHints, take: takeHint, work: (hint) => processHint(world, hint) };
}

async function processHint(world: World, hint: SquareHint): Promise<void> {
  let isOver = hint.tries >= mostTries;
  try {
    isOver = (await reconcileSubject(world, hint)) || isOver;
  } finally {
    if (isOver) await settleHint(world.sql, hint.eventId);
    else await releaseHint(world.sql, hint.eventId, 2 ** hint.tries);
  }
}

/** @returns false when Square did not answer, or another process works on the order: try again later. */
async function reconcileSubject(world: World, { subject, squareId }: SquareHint): Promise<boolean> {
  switch (subject) {
    case 'payment': {
      const looked = await world.card.get(squareId);
      if (looked.kind !== 'found') return isAbsent(world, looked, squareId);
      return isDone(world, await reconcilePayment(world, looked.payment));
    }
    case 'refund': {
      const looked = await world.card.getRefund(squareId);
      if (looked.kind !== 'found') return isAbsent(world, looked, squareId);
      return isDone(world, await reconcileRefund(world, looked.refund));
    }
    case 'dispute': {
      const listed = await world.card.listDisputes();
      if (listed.kind !== 'listed') return false;
      const named = listed.items.filter(({ squareDisputeId }) => squareDisputeId === squareId);
      for (const dispute of named) await isDone(world, await reconcileDispute(world, dispute));
      return true;
    }
    case 'payout':
      return (await world.payouts?.recordNow(world, squareId)) ?? true;
    default:
      return unreachable(subject);
  }
}

type Missed = Exclude<LookupOutcome | RefundLookupOutcome, { kind: 'found' }>;

/** Unreadable: the comparison that people see runs now, and names it. */
async function isAbsent(world: World, missed: Missed, squareId: string): Promise<boolean> {
  if (missed.kind === 'unknown' && missed.word !== undefined)
    await showNewDifferences(world, [{ code: 'Unreadable', squareId }]);
  return missed.kind === 'not-found';
}

/** On a difference the comparison that people see runs now, unless it shows it already. */
async function isDone(world: World, finding: Finding): Promise<boolean> {
  if (finding.kind === 'differs') await showNewDifferences(world, [finding.difference]);
  return finding.kind !== 'in-flight';
}
