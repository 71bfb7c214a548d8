import type { Horizon } from '@kilim/domain/accounting/books';
import { z } from 'zod';
import type { Sql } from '../core/database/database.ts';

export const verificationFinding = z.object({
  events: z.int(),
  checkpoints: z.int(),
  signaturesChecked: z.boolean(),
  faults: z.int(),
  /** The newest checkpoint that a note from elsewhere confirmed. Absent: the ledger is not proven. */
  keptNote: z.object({ sequence: z.int(), at: z.string().nullable() }).optional(),
  firstFaults: z.array(z.string()),
});
export type VerificationFinding = z.output<typeof verificationFinding>;

export type Verification = Omit<VerificationFinding, 'faults' | 'firstFaults'> & {
  readonly horizon: Horizon;
  readonly faults: readonly string[];
};

const mostTold = 20;

export function findingOf({ faults, ...verified }: Verification): VerificationFinding & Pick<Verification, 'horizon'> {
  return { ...verified, faults: faults.length, firstFaults: faults.slice(0, mostTold) };
}

/**
 * @returns false if this login is neither the owner nor a member of `kilim_verifier`: then the page
 *   continues to show the earlier finding.
 */
export async function rememberVerification(sql: Sql, verified: Verification): Promise<boolean> {
  const finding = findingOf(verified);
  try {
    await sql`select ledger.remember_verification(${JSON.stringify(finding)}::text::jsonb)`;
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === '42501' || code === '25006') return false;
    throw error;
  }
}
