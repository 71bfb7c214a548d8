import type { Sql } from '../database/database.ts';
import { newToken, newTokenHash, tokenHash } from './tokens.ts';

/** The hash of this browser's token, if the account has signed in with this browser before. */
export async function findKnownBrowser(
  sql: Sql,
  username: string,
  token: string | undefined,
): Promise<Uint8Array | undefined> {
  const hash = tokenHash(token);
  if (hash === undefined) return undefined;
  const [known] = await sql`
    select 1 from admin.known_browser where token_hash = ${hash} and username = ${username.trim().toLowerCase()}`;
  return known === undefined ? undefined : hash;
}

/**
 * Remembers the browser after a sign-in. @returns its new token, which replaces the earlier one.
 */
export async function rememberBrowser(sql: Sql, username: string, earlier: string | undefined): Promise<string> {
  const token = newToken();
  await sql`
    with forgotten as (
      delete from admin.known_browser
      where token_hash = ${tokenHash(earlier) ?? null} or used_at < clock_timestamp() - interval '1 year'
    )
    insert into admin.known_browser (token_hash, username) values (${newTokenHash(token)}, ${username})`;
  return token;
}
