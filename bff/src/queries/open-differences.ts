import { type DifferenceKey, isExplained, type Resolutions } from '@kilim/domain/accounting/resolutions';
import { type Cents, cents } from '@kilim/domain/money';
import type { Sql } from '../database/database.ts';
import { readFinding } from '../ledger/findings.ts';
import { type BooksComparison, booksComparison } from './compare-books.ts';
import { type RememberedReconciliation, reconciliation } from './read-books.ts';
import { readResolutions } from './resolutions.ts';

/** The differences of the last comparisons that are not explained. */
export type OpenDifferences = {
  readonly unmatchedEntries: BooksComparison['payouts']['unmatchedEntries'];
  readonly unmatched: number;
  readonly differences: RememberedReconciliation['differences'];
  readonly ofPayouts: NonNullable<RememberedReconciliation['payouts']>['differences'];
  /** Of both lists of the reconciliation. */
  readonly differing: number;
};

export type Compared = {
  readonly comparison: BooksComparison | undefined;
  readonly reconciliation: RememberedReconciliation | undefined;
};

/** Leaves out what people have explained. The counts include differences that are not named. */
export function openDifferences(compared: Compared, resolutions: Resolutions): OpenDifferences {
  const isOpen = (difference: DifferenceKey) => !isExplained(resolutions, difference);
  const entries = compared.comparison?.payouts.unmatchedEntries ?? [];
  const differences = compared.reconciliation?.differences ?? [];
  const ofPayouts = compared.reconciliation?.payouts?.differences ?? [];
  const open = {
    unmatchedEntries: entries.filter((entry) => isOpen(keyOfEntry(entry))),
    differences: differences.filter((difference) => isOpen({ ...difference, stated: difference.amount })),
    ofPayouts: ofPayouts.filter((difference) => isOpen(keyOfPayout(difference))),
  };
  const unmatched = (compared.comparison?.payouts.unmatched ?? 0) - entries.length + open.unmatchedEntries.length;
  const named = (compared.reconciliation?.differing ?? 0) - differences.length + open.differences.length;
  return { ...open, unmatched, differing: named + open.ofPayouts.length };
}

/** The named difference, with its amount; undefined when it is not on the list. */
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
  const keys: readonly DifferenceKey[] = [
    ...open.unmatchedEntries.map(keyOfEntry),
    ...open.differences.map(({ amount, ...difference }) => ({ ...difference, stated: amount })),
    ...open.ofPayouts.map(keyOfPayout),
  ];
  return keys.find((key) => key.code === code && key.squareId === squareId);
}

type Entry = OpenDifferences['unmatchedEntries'][number];

function keyOfEntry({ code, squareId, atSquare, inLedger }: Entry): DifferenceKey {
  return { code, squareId, stated: cents((inLedger ?? 0) - (atSquare ?? 0)) };
}

type OfPayout = { readonly code: string; readonly squarePayoutId: string; readonly amount: Cents };

function keyOfPayout({ code, squarePayoutId: squareId, amount: stated }: OfPayout): DifferenceKey {
  return { code, squareId, stated };
}
