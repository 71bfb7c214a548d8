import type { Sql } from '../core/database/database.ts';
import { readFinding } from '../core/ledger/findings.ts';
import type { RoomAttention } from '../core/queries/read-all-attention.ts';
import { explainRefusal } from './checkpoint.ts';
import { verificationFinding } from './remember-verification.ts';
import type { LedgerSigner } from './signing-key.ts';
import type { WitnessPlace } from './witness/witness.ts';
import { readWitnessAges } from './witness/witnessed.ts';

export type ProofPlaces = {
  readonly witnesses: readonly WitnessPlace[];
  readonly signer: LedgerSigner | undefined;
  /** Real money: only a witness can prove the ledger to others. */
  readonly needsWitness: boolean;
};

export async function readProofAttention(
  sql: Sql,
  { witnesses, signer, needsWitness }: ProofPlaces,
): Promise<readonly RoomAttention[]> {
  const [verification, check, ages, refusal] = await Promise.all([
    readFinding(sql, 'verification', verificationFinding),
    readFinding(sql, 'server-check', verificationFinding),
    readWitnessAges(sql, witnesses),
    signer === undefined ? undefined : explainRefusal(sql, signer),
  ]);
  // The check of a server does not take away what the proof has found.
  const faults = Math.max(verification?.report.faults ?? 0, check?.report.faults ?? 0);
  const isMissing = needsWitness && signer !== undefined && witnesses.length === 0;
  const one = (kind: RoomAttention['kind'], detail: string | null): RoomAttention => ({ kind, count: 1, detail });
  return [
    ...(faults > 0
      ? [
          {
            kind: 'verification-faults',
            count: faults,
            detail: `${faults.toLocaleString('en-US')} ${faults === 1 ? 'fault' : 'faults'}.`,
          } as const,
        ]
      : []),
    ...(refusal === undefined ? [] : [one('seal-refused', null)]),
    ...ages.filter(({ isLate }) => isLate).map(({ to }) => one('witness-late', `It goes to ${to}.`)),
    ...(isMissing ? [one('witness-missing', null)] : []),
  ];
}
