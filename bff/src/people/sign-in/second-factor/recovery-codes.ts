import { createHash } from 'node:crypto';
import { isTrue, type Sql, type Transaction } from '../../../core/database/database.ts';
import { generatePassword } from '../accounts.ts';

const count = 10;

/** Also in capitals or with blanks. A recovery code has 140 random bits, so a plain hash protects it (ASVS 6.5.2). */
function hashOf(code: string): Buffer {
  return createHash('sha256').update(code.toLowerCase().replaceAll(/[\s-]/g, '')).digest();
}

/** @returns the new codes, which are shown once. */
export async function makeRecoveryCodes(sql: Sql | Transaction, username: string): Promise<readonly string[]> {
  const codes = Array.from({ length: count }, generatePassword);
  const hashes = sql.typed.textArray(codes.map((code) => `\\x${hashOf(code).toString('hex')}`));
  await sql`select admin.replace_recovery_codes(${username}, ${hashes}::bytea[])`;
  return codes;
}

/** @returns whether it was right and unused. */
export async function spendRecoveryCode(sql: Sql, username: string, code: string): Promise<boolean> {
  return await isTrue(sql`select admin.use_recovery_code(${username}, ${hashOf(code)})`);
}

export async function recoveryCodesLeft(sql: Sql, username: string): Promise<number> {
  const [row] = await sql<{ left: number }[]>`select admin.recovery_codes_left(${username}) as left`;
  return row?.left ?? 0;
}
