import { randomBytes } from 'node:crypto';
import { usernamePattern } from '@kilim/domain/admin/password';
import type { Sql } from '../database/database.ts';
import { weaknessOf } from './password-strength.ts';
import { hashPassword } from './passwords.ts';

export type Account = { readonly username: string; readonly passwordHash: string };

/** Compares names in lower case, because phones begin words with a capital. */
export async function findAccount(sql: Sql, username: string): Promise<Account | undefined> {
  const name = username.trim().toLowerCase();
  if (!usernamePattern.test(name)) return undefined;
  const [account] = await sql<Account[]>`
    select username, password_hash as "passwordHash" from admin.account where username = ${name}`;
  return account;
}

export type FirstAdministrator = {
  readonly username: string;
  /** Absent: one is generated. */
  readonly password: string | undefined;
  /** In production an easy password is refused. */
  readonly production: boolean;
};

/**
 * Creates the first account at the first start. Later starts find an account and ignore `first`.
 * @returns the generated password, which must be shown once; undefined when none was generated.
 * @throws Error with a sentence for the operator.
 */
export async function ensureFirstAdministrator(sql: Sql, first: FirstAdministrator): Promise<string | undefined> {
  const [existing] = await sql`select 1 from admin.account limit 1`;
  if (existing !== undefined) return undefined;
  const username = first.username.toLowerCase();
  if (first.production && first.password !== undefined) {
    const weakness = await weaknessOf(first.password, [username]);
    if (weakness !== undefined)
      throw new Error(`ADMIN_PASSWORD: ${[weakness.message, ...weakness.suggestions].join('. ')}`);
  }
  const password = first.password ?? generatePassword();
  // If several processes start at the same time, only one inserts the account.
  const made = await sql`
    insert into admin.account (username, password_hash) values (${username}, ${await hashPassword(password)})
    on conflict (username) do nothing`;
  return made.count === 1 && first.password === undefined ? password : undefined;
}

/** 80 random bits, in groups of letters and digits that are hard to confuse. */
export function generatePassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
  const characters = [...randomBytes(16)].map((byte) => letters[byte % 32]).join('');
  return characters.replaceAll(/(.{4})(?=.)/g, '$1-');
}
