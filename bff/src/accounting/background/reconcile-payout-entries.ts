import type { SquareEntry } from '@kilim/domain/payout/events';
import { reconcilePayment } from '../../core/background/reconcile-payment.ts';
import { reconcileRefund } from '../../core/background/reconcile-refund.ts';
import type { Finding } from '../../core/use-case/finding.ts';
import type { World } from '../../core/use-case/world.ts';

/**
 * Reconciles the payments and refunds of payout entries that the ledger does not know.
 * @returns the payments that were taken elsewhere; undefined when Square did not answer.
 */
export async function reconcilePayoutEntries(
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
    else if (isUndecided(await reconcilePayment(world, looked.payment))) return undefined;
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

/** An entry is recorded once, so it waits until an administrator has decided about a lost payment. */
function isUndecided(finding: Finding): boolean {
  return finding.kind === 'in-flight' || (finding.kind === 'differs' && finding.difference.code === 'LostPayment');
}
