import { usernamePattern } from '@kilim/domain/people/password';
import { isTrue, type Sql } from '../../core/database/database.ts';
import type { Trusted } from './sign-in-throttle.ts';
import { newToken, newTokenHash, tokenHash } from './tokens.ts';

/** This browser, if the account has signed in with it before. */
export async function findKnownBrowser(
  sql: Sql,
  username: string,
  token: string | undefined,
): Promise<Trusted | undefined> {
  const hash = tokenHash(token);
  const name = username.trim().toLowerCase();
  // The database cannot store every text that a stranger may type.
  if (hash === undefined || !usernamePattern.test(name)) return undefined;
  const isKnown = await isTrue(sql`select admin.is_known_browser(${name}, ${hash})`);
  return isKnown ? { kind: 'browser', tokenHash: hash } : undefined;
}

/** @returns the new token, which replaces the earlier one. */
export async function rememberBrowser(sql: Sql, username: string, earlier: string | undefined): Promise<string> {
  const token = newToken();
  await sql`select admin.remember_browser(${username}, ${newTokenHash(token)}, ${tokenHash(earlier) ?? null})`;
  return token;
}
