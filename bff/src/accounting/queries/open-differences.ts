import {
  type DifferenceKey,
  isExplained,
  isWrittenOffSince,
  type Resolutions,
} from '@kilim/domain/accounting/resolutions';
import { type Cents, cents } from '@kilim/domain/money';
import type { WayToResolve } from '../../../contract/glance.ts';
import { type RememberedReconciliation, reconciliation } from '../../core/background/reconcile-weeks.ts';
import { allowLongStatements, type Sql } from '../../core/database/database.ts';
import { readFinding } from '../../core/ledger/findings.ts';
import { readResolutions } from '../../core/queries/resolutions.ts';
import { kindsOfPayments, readClearingItems } from './clearing-items.ts';
import { type BooksComparison, booksComparison } from './compare-books.ts';

export type OpenDifferences = {
  readonly unmatchedEntries: BooksComparison['payouts']['unmatchedEntries'];
  readonly unmatched: number;
  readonly differences: RememberedReconciliation['differences'];
  readonly ofPayouts: NonNullable<RememberedReconciliation['payouts']>['differences'];
  readonly differing: number;
  /** The open items of the clearing account that nobody has written off since the comparison. */
  readonly openItems: readonly OpenItem[];
};

export type OpenItem = BooksComparison['clearing']['openItems'][number];

export type Compared = {
  readonly comparison: BooksComparison | undefined;
  readonly reconciliation: RememberedReconciliation | undefined;
};

/** Without what people have explained or booked. The counts include differences without a name. */
export function openDifferences(compared: Compared, resolutions: Resolutions): OpenDifferences {
  const isOpen = (difference: DifferenceKey) => !isExplained(resolutions, difference);
  const entries = compared.comparison?.payouts.unmatchedEntries ?? [];
  const differences = compared.reconciliation?.differences ?? [];
  const ofPayouts = compared.reconciliation?.payouts?.differences ?? [];
  const open = {
    unmatchedEntries: entries.filter((entry) => isOpen(keyOfEntry(entry))),
    differences: differences.filter(
      ({ amount: stated, ...difference }) =>
        isOpen({ ...difference, stated }) &&
        !(waysToResolve(difference.code).includes('assign') && resolutions.booked.has(difference.squareId)),
    ),
    ofPayouts: ofPayouts.filter((difference) => isOpen(keyOfPayout(difference))),
  };
  const unmatched = (compared.comparison?.payouts.unmatched ?? 0) - entries.length + open.unmatchedEntries.length;
  const named = (compared.reconciliation?.differing ?? 0) - differences.length + open.differences.length;
  const openItems = compared.comparison === undefined ? [] : itemsOf(compared.comparison, resolutions);
  return { ...open, unmatched, differing: named + open.ofPayouts.length, openItems };
}

/** Undefined when the difference is not on the list. */
export async function findOpenDifference(
  sql: Sql,
  { code, squareId }: Pick<DifferenceKey, 'code' | 'squareId'>,
): Promise<DifferenceKey | undefined> {
  const [books, found, resolutions] = await Promise.all([
    readFinding(sql, 'books', booksComparison),
    readFinding(sql, 'reconciliation', reconciliation),
    readResolutions(sql),
  ]);
  const open = openDifferences({ comparison: books?.report, reconciliation: found?.report }, resolutions);
  const owed = await sql<{ refund_id: string; amount_cents: number }[]>`
    select refund_id, amount_cents from ledger.owed_refund where refund_id = ${squareId}`;
  const keys: readonly DifferenceKey[] = [
    ...owed.map((row) => ({ code: 'RefundFailed', squareId: row.refund_id, stated: cents(row.amount_cents) })),
    ...open.unmatchedEntries.map(keyOfEntry),
    ...open.differences.map(({ amount, ...difference }) => ({ ...difference, stated: amount })),
    ...open.ofPayouts.map(keyOfPayout),
  ];
  return keys.find((key) => key.code === code && key.squareId === squareId);
}

function itemsOf({ clearing }: BooksComparison, resolutions: Resolutions): readonly OpenItem[] {
  return clearing.openItems.filter(
    ({ squareId, kind }) => !isOfPayment(kind) || !isWrittenOffSince(resolutions, squareId, clearing.resolutions),
  );
}

/** Whether no payout is expected to settle the item any more. */
export function canBeWrittenOff({ kind, state, onItsWayIn }: Pick<OpenItem, 'kind' | 'state' | 'onItsWayIn'>): boolean {
  return isOfPayment(kind) && state !== 'recent' && onItsWayIn === null;
}

function isOfPayment(kind: OpenItem['kind']): boolean {
  return kindsOfPayments.some((each) => each === kind);
}

export type ItemToWriteOff =
  /** @param seenAt the version of the stream of resolutions that the amount is of */
  | { readonly kind: 'standing'; readonly amount: Cents; readonly seenAt: number }
  /** The amount differs from that of the last comparison, or a payout may still settle the item. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'settled' };

const longestReadSeconds = 60;

/** As it is now: a payout may have settled it since the books were compared. */
export async function findItemToWriteOff(
  { sql, now }: { readonly sql: Sql; readonly now: () => Date },
  squarePaymentId: string,
): Promise<ItemToWriteOff> {
  const books = await readFinding(sql, 'books', booksComparison);
  const shown = books?.report.clearing.openItems.find(({ squareId }) => squareId === squarePaymentId);
  return await sql.begin('isolation level repeatable read read only', async (reader) => {
    await allowLongStatements(reader, longestReadSeconds);
    const { version: seenAt } = await readResolutions(reader);
    const [item] = await readClearingItems(reader, { events: 'true', now: now(), of: squarePaymentId, most: 1 });
    if (item === undefined) return { kind: 'settled' };
    const isAsShown = item.amount === shown?.amount && canBeWrittenOff(item);
    return isAsShown ? { kind: 'standing', amount: item.amount, seenAt } : { kind: 'changed' };
  });
}

const waysOf: Readonly<Record<string, readonly WayToResolve[]>> = {
  OrphanPayment: ['refund', 'assign', 'writeOff'],
  TakenAfterItWasGivenUp: ['refund', 'assign', 'writeOff'],
  BookedOrphanReturned: ['writeOff'],
};

/** What a person can do about a difference of this kind, besides explaining it. */
export function waysToResolve(code: string): readonly WayToResolve[] {
  return waysOf[code] ?? [];
}

type Entry = OpenDifferences['unmatchedEntries'][number];

function keyOfEntry({ code, squareId, atSquare, inLedger }: Entry): DifferenceKey {
  return { code, squareId, stated: cents((inLedger ?? 0) - (atSquare ?? 0)) };
}

type OfPayout = { readonly code: string; readonly squarePayoutId: string; readonly amount: Cents };

function keyOfPayout({ code, squarePayoutId: squareId, amount: stated }: OfPayout): DifferenceKey {
  return { code, squareId, stated };
}
