import type { SquareEntry } from '@kilim/domain/payout/events';
import type { World } from '../server/world.ts';
import { reconcilePayment } from './reconcile-payment.ts';
import { reconcileRefund } from './reconcile-refund.ts';

/**
 * Looks at Square at what a payout pays out and the ledger does not know, and records it if it ought to be there: reconciliation may not have come to it yet.
 * @returns the payments that were taken elsewhere, or undefined when Square did not tell: then nobody knows what the payout is made of.
 */
export async function learnOfEntries(
  world: World,
  entries: readonly SquareEntry[],
): Promise<ReadonlySet<string> | undefined> {
  const elsewhere = new Set<string>();
  const payments = new Set(entries.flatMap(({ squarePaymentId }) => squarePaymentId ?? []));
  for (const squarePaymentId of payments) {
    const looked = await world.card.get(squarePaymentId);
    if (looked.kind === 'unknown') return undefined;
    if (looked.kind === 'not-found') continue;
    if (!looked.payment.isOnline) elsewhere.add(squarePaymentId);
    else if ((await reconcilePayment(world, looked.payment)).kind === 'in-flight') return undefined;
  }
  // Payments first: a refund of a payment needs its capture in the ledger.
  for (const { squareRefundId, squarePaymentId = '' } of entries) {
    if (squareRefundId === undefined || elsewhere.has(squarePaymentId)) continue;
    const looked = await world.card.getRefund(squareRefundId);
    if (looked.kind === 'unknown') return undefined;
    if (looked.kind === 'found') await reconcileRefund(world, looked.refund);
  }
  return elsewhere;
}
