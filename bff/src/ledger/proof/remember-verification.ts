import { z } from 'zod';
import type { Sql } from '../../database/database.ts';
import { rememberFinding } from '../findings.ts';

/** What the last proof of the whole ledger found, for people to look at without proving it again. */
export const verificationFinding = z.object({
  events: z.int(),
  checkpoints: z.int(),
  /** Whether there was a key to check the checkpoints' signatures with. */
  signaturesChecked: z.boolean(),
  faults: z.int(),
  /** A sentence for each of the first. */
  firstFaults: z.array(z.string()),
});
export type VerificationFinding = z.output<typeof verificationFinding>;

export type Verification = Omit<VerificationFinding, 'faults' | 'firstFaults'> & { readonly faults: readonly string[] };

const mostTold = 20;

/** @returns false when this login may only read, as an auditor's: then the page goes on showing what was found before. */
export async function rememberVerification(sql: Sql, { faults, ...verified }: Verification): Promise<boolean> {
  const finding: VerificationFinding = { ...verified, faults: faults.length, firstFaults: faults.slice(0, mostTold) };
  try {
    await rememberFinding(sql, 'verification', finding);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // No right to write, or a replica that nobody can write to.
    if (code === '42501' || code === '25006') return false;
    throw error;
  }
}
