import type { AccountState, LinkPurpose } from '@kilim/domain/people/people';
import type { Role } from '@kilim/domain/people/permissions';
import type { Sql, Transaction } from '../../core/database/database.ts';
import { newToken, newTokenHash, tokenHash } from './tokens.ts';

export type Person = {
  readonly username: string;
  readonly displayName: string;
  readonly role: Role;
  readonly state: AccountState;
  readonly mustChangePassword: boolean;
  readonly createdAt: Date;
  /** The last use of a session that has not ended. */
  readonly seenAt: Date | null;
  readonly linkPurpose: LinkPurpose | null;
  readonly linkExpiresAt: Date | null;
};

export async function listPeople(sql: Sql): Promise<readonly Person[]> {
  return await sql<Person[]>`
    select username, display_name as "displayName", role, state, must_change_password as "mustChangePassword",
      created_at as "createdAt", seen_at as "seenAt", link_purpose as "linkPurpose", link_expires_at as "linkExpiresAt"
    from admin.list_people()`;
}

export type PersonName = { readonly username: string; readonly displayName: string };

export async function listNames(sql: Sql): Promise<readonly PersonName[]> {
  return await sql<PersonName[]>`select username, display_name as "displayName" from admin.list_names()`;
}

export async function changeDisplayName(sql: Sql, username: string, displayName: string): Promise<void> {
  await sql`select admin.change_display_name(${username}, ${displayName})`;
}

/** The token of a link is shown once and stored only as a hash. */
export type IssuedLink = { readonly token: string; readonly purpose: LinkPurpose };

/**
 * The link replaces an earlier one.
 * @returns undefined when the account is disabled or does not exist.
 */
export async function makeLink(sql: Transaction, username: string, by: string): Promise<IssuedLink | undefined> {
  const token = newToken();
  const [row] = await sql<{ purpose: LinkPurpose | null }[]>`
    select admin.make_link(${username}, ${newTokenHash(token)}, ${by}) as purpose`;
  return row === undefined || row.purpose === null ? undefined : { token, purpose: row.purpose };
}

export type FoundLink = PersonName & {
  readonly role: Role;
  readonly purpose: LinkPurpose;
  readonly expiresAt: Date;
};

/** @returns undefined when the link does not exist, has expired, was used or was replaced. */
export async function findLink(sql: Sql, token: string): Promise<FoundLink | undefined> {
  const hash = tokenHash(token);
  if (hash === undefined) return undefined;
  const [found] = await sql<FoundLink[]>`
    select username, display_name as "displayName", role, purpose, expires_at as "expiresAt"
    from admin.find_link(${hash})`;
  return found;
}

export type UsedLink = { readonly username: string; readonly purpose: LinkPurpose; readonly endedSessions: number };

/**
 * Also activates an invited account.
 * @returns undefined as `findLink` does.
 */
export async function useLink(
  sql: Transaction,
  token: string,
  { passwordHash, displayName }: { readonly passwordHash: string; readonly displayName: string | undefined },
): Promise<UsedLink | undefined> {
  const [used] = await sql<UsedLink[]>`
    select username, purpose, ended_sessions as "endedSessions"
    from admin.use_link(${tokenHash(token) ?? null}, ${passwordHash}, ${displayName ?? null})`;
  return used;
}
