import { randomBytes } from 'node:crypto';
import { usernamePattern } from '@kilim/domain/admin/password';
import type { Sql } from '../database/database.ts';
import { weaknessOf } from './password-strength.ts';
import { hashPassword } from './passwords.ts';

export type Account = { readonly username: string; readonly passwordHash: string };

/** Names are compared in lower case, so that nobody is locked out by a telephone that begins words with a capital. */
export async function findAccount(sql: Sql, username: string): Promise<Account | undefined> {
  const name = username.trim().toLowerCase();
  if (!usernamePattern.test(name)) return undefined;
  const [account] = await sql<Account[]>`
    select username, password_hash as "passwordHash" from admin.account where username = ${name}`;
  return account;
}

export type FirstAdministrator = {
  readonly username: string;
  /** Absent: one is drawn. */
  readonly password: string | undefined;
  /** Then an easy password is refused, not only a missing one. */
  readonly production: boolean;
};

/**
 * Makes the first account, at the first start. Later starts find it and read none of this.
 * @returns the password that was drawn, to be shown once, if one was.
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
  const password = first.password ?? drawPassword();
  // Of several processes that start at once, one makes it.
  const made = await sql`
    insert into admin.account (username, password_hash) values (${username}, ${await hashPassword(password)})
    on conflict (username) do nothing`;
  return made.count === 1 && first.password === undefined ? password : undefined;
}

/** 80 random bits in letters and digits that nobody confuses, in groups that can be read out. */
export function drawPassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
  const drawn = [...randomBytes(16)].map((byte) => letters[byte % 32]).join('');
  return drawn.replaceAll(/(.{4})(?=.)/g, '$1-');
}
