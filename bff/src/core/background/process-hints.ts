import { unreachable } from '@kilim/domain/unreachable';
import {
  type OpenHint,
  readOpenHints,
  releaseHint,
  type SquareHint,
  settleHint,
  takeHint,
} from '../ledger/square-hints.ts';
import type { DisputeLookupOutcome, LookupOutcome, RefundLookupOutcome } from '../square/card-processor.ts';
import type { Finding } from '../use-case/finding.ts';
import type { World } from '../use-case/world.ts';
import { reconcilePayment } from './reconcile-payment.ts';
import { reconcileDispute, reconcileRefund } from './reconcile-refund.ts';
import { showNewDifferences } from './reconcile-weeks.ts';
import type { WorkQueue } from './work-queue.ts';

/** A hint only makes reconciliation sooner, so it may be given up. */
const mostTries = 8;
/** After about ten seconds Square no longer lags behind its own notification. */
const lateTries = 4;

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
async function reconcileSubject(world: World, hint: SquareHint): Promise<boolean> {
  const { subject, squareId } = hint;
  switch (subject) {
    case 'payment': {
      const looked = await world.card.get(squareId);
      if (looked.kind !== 'found') return isAbsent(world, looked, hint);
      return isDone(world, await reconcilePayment(world, looked.payment));
    }
    case 'refund': {
      const looked = await world.card.getRefund(squareId);
      if (looked.kind !== 'found') return isAbsent(world, looked, hint);
      return isDone(world, await reconcileRefund(world, looked.refund));
    }
    case 'dispute': {
      const looked = await world.card.getDispute(squareId);
      if (looked.kind !== 'found') return isAbsent(world, looked, hint);
      return isDone(world, await reconcileDispute(world, looked.dispute));
    }
    case 'payout':
      return world.payouts === undefined || ((await world.payouts.recordNow(world, squareId)) ?? isLate(hint));
    default:
      return unreachable(subject);
  }
}

type Missed = Exclude<LookupOutcome | RefundLookupOutcome | DisputeLookupOutcome, { kind: 'found' }>;

/** Unreadable: the comparison that people see runs now, and names it. Absent: Square may only be late. */
async function isAbsent(world: World, missed: Missed, hint: SquareHint): Promise<boolean> {
  if (missed.kind === 'unknown' && missed.word !== undefined)
    await showNewDifferences(world, [{ code: 'Unreadable', squareId: hint.squareId }]);
  return missed.kind === 'not-found' && isLate(hint);
}

function isLate({ tries }: SquareHint): boolean {
  return tries >= lateTries;
}

/** On a difference the comparison that people see runs now, unless it shows it already. */
async function isDone(world: World, finding: Finding): Promise<boolean> {
  if (finding.kind === 'differs') await showNewDifferences(world, [finding.difference]);
  return finding.kind !== 'in-flight';
}
