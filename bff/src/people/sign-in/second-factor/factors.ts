import type { SecondFactorKind } from '@kilim/domain/people/second-factor';
import { isTrue, type Sql, type Transaction } from '../../../core/database/database.ts';
import { isSealed, sealed } from '../token-seal.ts';
import { newToken, newTokenHash, tokenHash } from '../tokens.ts';

export type ListedFactor = {
  readonly id: string;
  readonly kind: SecondFactorKind;
  readonly name: string;
  readonly createdAt: Date;
  readonly usedAt: Date | null;
};

/** Oldest first. */
export async function listFactors(sql: Sql | Transaction, username: string): Promise<readonly ListedFactor[]> {
  return await sql<ListedFactor[]>`
    select id, kind, name, created_at as "createdAt", used_at as "usedAt"
    from admin.list_second_factors(${username})`;
}

/** Empty: the password suffices. */
export async function factorKinds(sql: Sql, username: string): Promise<readonly SecondFactorKind[]> {
  return [...new Set((await listFactors(sql, username)).map(({ kind }) => kind))];
}

export async function renameFactor(sql: Sql, username: string, { id, name }: Pick<ListedFactor, 'id' | 'name'>) {
  return await isTrue(sql`select admin.rename_second_factor(${username}, ${id}::uuid, ${name})`);
}

/**
 * For five minutes.
 * @returns the token for the browser's cookie.
 */
export async function keepSignIn(sql: Sql, username: string): Promise<string> {
  const token = newToken();
  await sql`select admin.keep_sign_in(${newTokenHash(token)}, ${username})`;
  return sealed(sql, token, { purpose: 'sign-in', facts: [username] });
}

/** The account whose password this browser gave within the last five minutes. */
export async function pendingSignInOf(sql: Sql, token: string | undefined): Promise<string | undefined> {
  const hash = tokenHash(token);
  if (hash === undefined) return undefined;
  const [row] = await sql<{ username: string | null }[]>`select admin.pending_sign_in_of(${hash}) as username`;
  const username = row?.username ?? undefined;
  if (username === undefined || !isSealed(sql, token ?? '', { purpose: 'sign-in', facts: [username] }))
    return undefined;
  return username;
}

/** @returns whether it was pending: of two concurrent calls, only one gets true. */
export async function endPendingSignIn(sql: Sql, token: string | undefined): Promise<boolean> {
  const hash = tokenHash(token);
  if (hash === undefined) return false;
  return await isTrue(sql`select admin.end_pending_sign_in(${hash})`);
}
