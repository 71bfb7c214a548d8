import {
  type DifferenceKey,
  decide,
  type ResolutionEvent,
  type ResolutionReason,
} from '@kilim/domain/accounting/resolutions';
import type { Cents } from '@kilim/domain/money';
import { parseRefundId, type RefundId } from '@kilim/domain/order/ids';
import { isReturned, leftOf } from '@kilim/domain/order/orphan';
import { ok, type Result, rejected } from '@kilim/domain/result';
import { handle, streamTarget } from '../ledger/handle.ts';
import { canonicalJson, sha256 } from '../ledger/hash.ts';
import { readResolutions, resolutionsKind } from '../queries/resolutions.ts';
import type { World } from '../server/world.ts';
import { findOrphan } from './known-orphan.ts';
import { askForReturn } from './return-orphan.ts';

/** The person who resolves a difference. */
export type Resolving = {
  readonly reason: ResolutionReason;
  /** The sign-in name. */
  readonly by: string;
  readonly requestId: string;
};

/** Takes a difference off the list. The caller knows that it is on the list. */
export async function explainDifference(
  world: World,
  { code, squareId, stated }: DifferenceKey,
  { reason, by, requestId }: Resolving,
): Promise<void> {
  await record(world, { type: 'DifferenceExplained', code, squareId, stated, reason, by }, requestId);
}

export type RefundOrphanRejection =
  /** No payment with this id waits for a person. */
  | { readonly code: 'NoSuchOrphan' }
  /** Square did not make the refund; the log says why. */
  | { readonly code: 'RefusedBySquare' };

/**
 * Has Square refund the rest of an orphan payment. The intent is recorded before the call, and a
 * repeated request asks Square for the same refund, so the money goes back at most once.
 * @returns `pending` while Square has not decided, or its answer was lost: reconciliation records
 * the outcome.
 */
export async function refundOrphan(
  world: World,
  squarePaymentId: string,
  { reason, by, requestId }: Resolving,
): Promise<Result<'refunded' | 'pending', RefundOrphanRejection>> {
  const known = await findOrphan(world, squarePaymentId);
  if (known === undefined || isReturned(known.orphan)) return rejected({ code: 'NoSuchOrphan' });
  const looked = await world.card.get(squarePaymentId);
  if (looked.kind === 'unknown') return ok('pending');
  if (looked.kind === 'not-found') return rejected({ code: 'NoSuchOrphan' });
  const stated = leftOf(known.orphan);
  await record(world, { type: 'OrphanRefundRequested', squarePaymentId, stated, reason, by }, requestId);
  const refundId = refundIdOfRest(squarePaymentId, stated);
  const asked = await askForReturn(world, known, { payment: looked.payment, refundId, amount: stated });
  if (asked.kind === 'differs') return rejected({ code: 'RefusedBySquare' });
  return ok(asked.kind === 'recorded' ? 'refunded' : 'pending');
}

async function record(world: World, event: ResolutionEvent, requestId: string): Promise<void> {
  const { by, reason: _, ...about } = event;
  await handle(
    world,
    streamTarget(world.sql, resolutionsKind, () => readResolutions(world.sql)),
    {
      commandId: `resolve:${sha256(canonicalJson(about)).toString('hex')}`,
      actor: `admin:${by}`,
      requestId,
      decide: (state) => decide(event, state),
    },
  );
}

/** Two clicks ask for one refund: the id depends on the payment and on the rest that goes back. */
function refundIdOfRest(squarePaymentId: string, rest: Cents): RefundId {
  const digest = sha256(`return:${squarePaymentId}:${rest}`).toString('hex').slice(0, 32);
  const refundId = parseRefundId(`return-${digest}`);
  if (refundId === undefined) throw new Error('The id of a return is not a refund id');
  return refundId;
}
