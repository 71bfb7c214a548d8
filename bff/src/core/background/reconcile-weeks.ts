import { cents } from '@kilim/domain/money';
import { z } from 'zod';
import { readFinding, rememberComparison } from '../ledger/findings.ts';
import { readHorizon } from '../ledger/horizon.ts';
import { postponeJob } from '../ledger/jobs.ts';
import type { Span } from '../square/card-processor.ts';
import type { Difference } from '../use-case/finding.ts';
import type { PayoutsReport, World } from '../use-case/world.ts';
import { comparedLists, type ReconciliationReport, reconcile } from './reconcile.ts';
import type { ReconcileChoices } from './reconcile-payment.ts';

export type WeeksReport = ReconciliationReport & {
  /** Undefined when nothing records them, or Square did not list them: the token may lack the right. */
  readonly payouts: PayoutsReport | undefined;
};

export type ReconciledWeeks =
  | { readonly kind: 'reconciled'; readonly report: WeeksReport }
  | Exclude<Awaited<ReturnType<typeof reconcile>>, { kind: 'reconciled' }>;

/** What the last comparison of weeks found, as it is kept for people. */
const money = z.int().transform(cents);
const totals = z.object({ taken: money, refunded: money, fees: money, disputed: money });

export const reconciliation = z.object({
  span: z.object({ from: z.string(), to: z.string() }),
  payments: z.int(),
  refunds: z.int(),
  disputes: z.int(),
  unlisted: z.array(z.object({ list: z.enum(comparedLists), why: z.string() })),
  inFlight: z.int(),
  totals: z.object({ atSquare: totals, inLedger: totals, withoutFee: z.int() }),
  differing: z.int(),
  differences: z.array(
    z.object({
      code: z.string(),
      squareId: z.string(),
      orderId: z.string().optional(),
      amount: money,
      at: z.string().optional(),
    }),
  ),
  payouts: z
    .object({
      payouts: z.int(),
      inFlight: z.int(),
      differences: z.array(z.object({ code: z.string(), squarePayoutId: z.string(), amount: money, at: z.string() })),
    })
    .optional(),
});
export type RememberedReconciliation = z.output<typeof reconciliation>;

const mostRemembered = 200;

/** Compares some weeks and stores the result. Payouts come last, because they pay out the rest. */
export async function reconcileWeeks(
  world: World,
  span: Span,
  choices: ReconcileChoices = {},
): Promise<ReconciledWeeks> {
  const horizon = await readHorizon(world.sql);
  const reconciled = await reconcile(world, span, choices);
  if (reconciled.kind === 'unknown') return reconciled;
  const paidOut = await world.payouts?.record(world, span);
  if (paidOut?.kind === 'unknown') world.log.warn({ detail: paidOut.detail }, 'Square did not list its payouts');
  const report = { ...reconciled.report, payouts: paidOut?.kind === 'recorded' ? paidOut.report : undefined };
  const differences = report.differences.slice(0, mostRemembered);
  await rememberComparison(world.sql, 'reconciliation', {
    ...report,
    horizon,
    differences,
    differing: report.differences.length,
  });
  return { kind: 'reconciled', report };
}

/** Makes the comparison of weeks due now, unless it shows these differences already. */
export async function showNewDifferences(
  { sql }: Pick<World, 'sql'>,
  found: readonly Pick<Difference, 'code' | 'squareId'>[],
): Promise<void> {
  if (found.length === 0) return;
  const shown = await readFinding(sql, 'reconciliation', reconciliation);
  const isShown = ({ code, squareId }: (typeof found)[number]) =>
    shown?.report.differences.some((each) => each.code === code && each.squareId === squareId) === true;
  if (!found.every(isShown)) await postponeJob(sql, 'reconcile-weeks', 0);
}
