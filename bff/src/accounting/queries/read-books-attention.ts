import type { Sql } from '../../core/database/database.ts';
import { readFinding } from '../../core/ledger/findings.ts';
import { readResolutions } from '../../core/queries/resolutions.ts';
import { readLastSettings } from '../../core/queries/saved-settings.ts';
import { explainRefusal } from '../../proof/checkpoint.ts';
import { verificationFinding } from '../../proof/remember-verification.ts';
import type { LedgerSigner } from '../../proof/signing-key.ts';
import type { WitnessPlace } from '../../proof/witness/witness.ts';
import { readWitnessAges } from '../../proof/witness/witnessed.ts';
import { booksComparison } from './compare-books.ts';
import type { ClearingAlarm } from './compare-clearing.ts';
import { openDifferences } from './open-differences.ts';
import { reconciliation } from './read-books.ts';

export type BooksAttention =
  | { readonly kind: 'books-differ' | 'verification-faults'; readonly count: number }
  | { readonly kind: 'clearing-alarm'; readonly alarm: ClearingAlarm }
  | { readonly kind: 'seal-refused'; readonly why: string }
  | { readonly kind: 'witness-late'; readonly witness: WitnessPlace }
  | { readonly kind: 'witness-missing' | 'limits-unproven' };

export type ProofPlaces = {
  readonly witnesses: readonly WitnessPlace[];
  readonly signer: LedgerSigner | undefined;
  /** Real money: only a witness can prove the ledger to others. */
  readonly needsWitness: boolean;
};

export async function readBooksAttention(
  sql: Sql,
  { witnesses, signer, needsWitness }: ProofPlaces,
): Promise<readonly BooksAttention[]> {
  const [comparison, compared, resolutions, verification, ages, settings, refusal] = await Promise.all([
    readFinding(sql, 'books', booksComparison),
    readFinding(sql, 'reconciliation', reconciliation),
    readResolutions(sql),
    readFinding(sql, 'verification', verificationFinding),
    readWitnessAges(sql, witnesses),
    readLastSettings(sql),
    signer === undefined ? undefined : explainRefusal(sql, signer),
  ]);
  const { differing, unmatched } = openDifferences(
    { comparison: comparison?.report, reconciliation: compared?.report },
    resolutions,
  );
  const differences = differing + unmatched + (comparison?.report.differing ?? 0);
  const faults = verification?.report.faults ?? 0;
  const isMissing = needsWitness && signer !== undefined && witnesses.length === 0;
  return [
    ...(differences > 0 ? [{ kind: 'books-differ' as const, count: differences }] : []),
    ...(comparison?.report.clearing.alarms ?? []).map((alarm) => ({ kind: 'clearing-alarm' as const, alarm })),
    ...(faults > 0 ? [{ kind: 'verification-faults' as const, count: faults }] : []),
    ...(refusal === undefined ? [] : [{ kind: 'seal-refused' as const, why: refusal }]),
    ...ages.filter(({ isLate }) => isLate).map((witness) => ({ kind: 'witness-late' as const, witness })),
    ...(isMissing ? [{ kind: 'witness-missing' as const }] : []),
    ...(settings?.isUnproven === true ? [{ kind: 'limits-unproven' as const }] : []),
  ];
}
