import type { OrderEvent } from '@kilim/domain/order/events';
import { parseOrderId, parsePaymentId } from '@kilim/domain/order/ids';
import type { Sql } from '../database/database.ts';
import type { CardDispute, CardPayment, CardRefund, Listed, Span, UnknownOutcome } from '../square/card-processor.ts';
import { concludeAttempt } from '../use-case/conclude-attempt.ts';
import { type Difference, type Finding, inFlight, unreadable } from '../use-case/finding.ts';
import type { World } from '../use-case/world.ts';
import { type ComparedTotals, compareTotals } from './compare-totals.ts';
import { findMissingAtSquare, findMissingDisputes } from './find-missing-at-square.ts';
import { type ReconcileChoices, reconcilePayment } from './reconcile-payment.ts';
import { reconcileDispute, reconcileRefund } from './reconcile-refund.ts';

export type ReconciliationReport = {
  readonly span: Span;
  readonly payments: number;
  readonly refunds: number;
  readonly disputes: number;
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
 * finds nothing new.
 */
export async function reconcile(world: World, span: Span, choices: ReconcileChoices = {}): Promise<Reconciled> {
  const [payments, refunds, disputes] = await Promise.all([
    world.card.listPayments(span),
    world.card.listRefunds(span),
    world.card.listDisputes(),
  ]);
  const unknown = firstUnknown([payments, refunds, disputes]);
  if (unknown !== undefined) return unknown;
  if (payments.kind !== 'listed' || refunds.kind !== 'listed' || disputes.kind !== 'listed') throw new Error('No list');

  // An open attempt keeps reconciliation from its order.
  const findings: Finding[] = [...(await concludeParkedAttempts(world))];
  // Payments first: a refund of a payment needs its capture in the ledger.
  for (const payment of payments.items) findings.push(await comparePayment(world, payment, choices));
  // A sale at the counter is refunded there. A refund updates its payment, so both lists have them.
  const elsewhere = new Set(
    payments.items.flatMap(({ isOnline, squarePaymentId }) => (isOnline ? [] : [squarePaymentId])),
  );
  const ours = refunds.items.filter(({ squarePaymentId }) => !elsewhere.has(squarePaymentId));
  for (const refund of ours) findings.push(await compareRefund(world, refund));
  findings.push(...(await findMissingAtSquare(world, span, { payments: payments.items, refunds: refunds.items })));
  const compared = await compareDisputes(world, span, disputes);
  if (compared.kind === 'unknown') return compared;
  findings.push(...compared.findings);
  const unread = [payments, refunds, disputes].flatMap((list) => list.unreadable);
  findings.push(...unread.map(unreadable));

  const counts = {
    span,
    payments: payments.items.length,
    refunds: refunds.items.length,
    disputes: compared.disputes.length,
    elsewhere: payments.elsewhere + refunds.elsewhere + disputes.elsewhere,
  };
  const summary = summaryOf(findings);
  const listed = { payments: payments.items, refunds: ours, disputes: compared.disputes };
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

type ComparedDisputes =
  | { readonly kind: 'compared'; readonly disputes: readonly CardDispute[]; readonly findings: readonly Finding[] }
  | UnknownOutcome;

type ListedDisputes = Exclude<Listed<CardDispute>, UnknownOutcome>;

async function compareDisputes(world: World, span: Span, first: ListedDisputes): Promise<ComparedDisputes> {
  const compare = async (listed: ListedDisputes) => {
    const findings: Finding[] = [];
    for (const dispute of listed.items) findings.push(await reconcileDispute(world, dispute));
    return [...findings, ...(await findMissingDisputes(world, span, listed))];
  };
  const findings = await compare(first);
  if (!findings.some(mayBeOld)) return { kind: 'compared', disputes: first.items, findings };
  const again = await world.card.listDisputes();
  if (again.kind === 'unknown') return again;
  const recorded = findings.filter(({ kind }) => kind === 'recorded');
  return { kind: 'compared', disputes: again.items, findings: [...recorded, ...(await compare(again))] };
}

function firstUnknown(lists: readonly Listed<unknown>[]): UnknownOutcome | undefined {
  return lists.find((list): list is UnknownOutcome => list.kind === 'unknown');
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
