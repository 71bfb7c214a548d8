import type { OrderEvent } from '@kilim/domain/order/events';
import { parseOrderId, parsePaymentId } from '@kilim/domain/order/ids';
import type { Sql } from '../database/database.ts';
import type { CardDispute, CardPayment, CardRefund, Listed, Span, UnknownOutcome } from '../square/card-processor.ts';
import { explainUnlisted } from '../square/token-rights.ts';
import { concludeAttempt } from '../use-case/conclude-attempt.ts';
import { type Difference, type Finding, inFlight, unreadable } from '../use-case/finding.ts';
import type { World } from '../use-case/world.ts';
import { type ComparedTotals, compareTotals } from './compare-totals.ts';
import { findMissingAtSquare, findMissingDisputes } from './find-missing-at-square.ts';
import { type ReconcileChoices, reconcilePayment } from './reconcile-payment.ts';
import { reconcileDispute, reconcileRefund } from './reconcile-refund.ts';

export const comparedLists = ['payments', 'refunds', 'disputes'] as const;
type List = (typeof comparedLists)[number];

export type ReconciliationReport = {
  readonly span: Span;
  readonly payments: number;
  readonly refunds: number;
  readonly disputes: number;
  /** They were not compared. */
  readonly unlisted: readonly { readonly list: List; readonly why: string }[];
  /** Unreadable, and certainly not ours. */
  readonly elsewhere: number;
  readonly recorded: Readonly<Partial<Record<OrderEvent['type'], number>>>;
  readonly released: number;
  /** The next reconciliation looks again. */
  readonly inFlight: number;
  readonly differences: readonly Difference[];
  readonly totals: ComparedTotals;
};

export type Reconciled = { readonly kind: 'reconciled'; readonly report: ReconciliationReport } | UnknownOutcome;

/**
 * Compares both directions, records missing facts, cancels unneeded holds, and reports every difference. A second run
 * finds nothing new. Unknown only if Square gives no list at all.
 */
export async function reconcile(world: World, span: Span, choices: ReconcileChoices = {}): Promise<Reconciled> {
  const [payments, refunds, disputes] = await Promise.all([
    world.card.listPayments(span),
    world.card.listRefunds(span),
    world.card.listDisputes(),
  ]);
  if (payments.kind === 'unknown' && refunds.kind === 'unknown' && disputes.kind === 'unknown') return payments;

  // An open attempt keeps reconciliation from its order.
  const findings: Finding[] = [...(await concludeParkedAttempts(world))];
  // Payments first: a refund of a payment needs its capture in the ledger.
  for (const payment of itemsOf(payments)) findings.push(await comparePayment(world, payment, choices));
  // A sale at the counter is refunded there. A refund updates its payment, so both lists have them.
  const elsewhere = new Set(
    itemsOf(payments).flatMap(({ isOnline, squarePaymentId }) => (isOnline ? [] : [squarePaymentId])),
  );
  const ours: CardRefund[] = [];
  for (const refund of itemsOf(refunds)) {
    if (elsewhere.has(refund.squarePaymentId)) continue;
    const finding = await compareRefund(world, refund);
    findings.push(finding);
    if (finding.kind !== 'elsewhere') ours.push(refund);
  }
  findings.push(...(await findMissingAtSquare(world, span, { payments, refunds })));
  const compared = await compareDisputes(world, span, disputes);
  findings.push(...compared.findings);
  const lists = { payments, refunds, disputes: compared.disputes };
  const all = Object.values(lists).flatMap((list) => (list.kind === 'listed' ? [list] : []));
  findings.push(...all.flatMap((list) => list.unreadable.map(unreadable)));

  const counts = {
    span,
    payments: itemsOf(payments).length,
    refunds: itemsOf(refunds).length,
    disputes: itemsOf(compared.disputes).length,
    unlisted: comparedLists.flatMap((list) => {
      const { [list]: outcome } = lists;
      return outcome.kind === 'unknown' ? [{ list, why: explainUnlisted(list, outcome) }] : [];
    }),
    elsewhere: all.reduce((sum, list) => sum + list.elsewhere, 0),
  };
  const summary = summaryOf(payments.kind === 'listed' ? findings : findings.map(openIfOfUnknownPayment));
  const listed = { payments: itemsOf(payments), refunds: ours, disputes: itemsOf(compared.disputes) };
  const totals = await compareTotals(world.sql, listed, summary.differences);
  return { kind: 'reconciled', report: { ...counts, ...summary, totals } };
}

/** Parked attempts are rare. The next reconciliation looks at the rest. */
const mostAtOnce = 100;

/** No worker takes a parked effect, so the order would stay in processing. */
async function concludeParkedAttempts(world: World): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { orderId, paymentId } of await readParked(world.sql)) {
    const driven = await concludeAttempt(world, { orderId, paymentId, actor: 'reconciliation', requestId: undefined });
    if (driven === undefined) continue;
    findings.push(driven.status === 'settled' ? { kind: 'recorded', types: [] } : inFlight);
  }
  return findings;
}

async function readParked(sql: Sql) {
  const rows = await sql<{ order_id: string; payment_id: string }[]>`
    select order_id, payment_id from ledger.effect
    where state = 'parked' and kind = 'charge' order by opened_at limit ${mostAtOnce}`;
  return rows.flatMap((row) => {
    const [orderId, paymentId] = [parseOrderId(row.order_id), parsePaymentId(row.payment_id)];
    return orderId === undefined || paymentId === undefined ? [] : [{ orderId, paymentId }];
  });
}

/** Old lists cause these differences too. They count only when Square, asked again, still says otherwise. */
const ofOldLists: readonly Difference['code'][] = [
  'CaptureNotAtSquare',
  'FeeNotAtSquare',
  'RefundDiffers',
  'DisputeDiffers',
  'DisputeNotAtSquare',
];

function mayBeOld(finding: Finding): boolean {
  return finding.kind === 'differs' && ofOldLists.includes(finding.difference.code);
}

async function comparePayment(world: World, payment: CardPayment, choices: ReconcileChoices): Promise<Finding> {
  const finding = await reconcilePayment(world, payment, choices);
  if (!mayBeOld(finding)) return finding;
  const looked = await world.card.get(payment.squarePaymentId);
  if (looked.kind === 'unknown') return inFlight;
  return looked.kind === 'found' ? reconcilePayment(world, looked.payment, choices) : finding;
}

async function compareRefund(world: World, refund: CardRefund): Promise<Finding> {
  const finding = await reconcileRefund(world, refund);
  if (!mayBeOld(finding)) return finding;
  const looked = await world.card.getRefund(refund.squareRefundId);
  if (looked.kind === 'unknown') return inFlight;
  return looked.kind === 'found' ? reconcileRefund(world, looked.refund) : finding;
}

/** The payment may be in the list that Square did not give. */
function openIfOfUnknownPayment(finding: Finding): Finding {
  return finding.kind === 'differs' && finding.difference.code === 'OfUnknownPayment' ? inFlight : finding;
}

type ComparedDisputes = { readonly disputes: Listed<CardDispute>; readonly findings: readonly Finding[] };

type ListedDisputes = Exclude<Listed<CardDispute>, UnknownOutcome>;

async function compareDisputes(world: World, span: Span, first: Listed<CardDispute>): Promise<ComparedDisputes> {
  if (first.kind === 'unknown') return { disputes: first, findings: [] };
  const compare = async (listed: ListedDisputes) => {
    const findings: Finding[] = [];
    for (const dispute of listed.items) findings.push(await reconcileDispute(world, dispute));
    return [...findings, ...(await findMissingDisputes(world, span, listed))];
  };
  const findings = await compare(first);
  if (!findings.some(mayBeOld)) return { disputes: first, findings };
  const again = await world.card.listDisputes();
  const recorded = findings.filter(({ kind }) => kind === 'recorded');
  return { disputes: again, findings: [...recorded, ...(again.kind === 'listed' ? await compare(again) : [])] };
}

function itemsOf<Item>(list: Listed<Item>): readonly Item[] {
  return list.kind === 'listed' ? list.items : [];
}

function summaryOf(findings: readonly Finding[]) {
  const recorded: Partial<Record<OrderEvent['type'], number>> = {};
  for (const finding of findings) {
    if (finding.kind !== 'recorded') continue;
    for (const type of finding.types) recorded[type] = (recorded[type] ?? 0) + 1;
  }
  return {
    recorded,
    released: findings.filter(({ kind }) => kind === 'released').length,
    inFlight: findings.filter(({ kind }) => kind === 'in-flight').length,
    differences: findings.flatMap((finding) => (finding.kind === 'differs' ? [finding.difference] : [])),
  };
}
