import type { Role } from '@kilim/domain/admin/permissions';
import type { Brand } from '@kilim/domain/brand';
import type { Sql } from '../database/database.ts';
import { newToken, newTokenHash, tokenHash } from '../sign-in/tokens.ts';

/** A token that the database has just confirmed: it allows exports and nothing else. */
export type ProvenExportToken = Brand<
  {
    readonly id: string;
    readonly name: string;
    readonly createdBy: string;
    /** The present role of its creator, whose rights it has. */
    readonly role: Role;
  },
  'ProvenExportToken'
>;

export type ListedExportToken = {
  readonly id: string;
  readonly name: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly usedAt: Date | null;
  readonly revokedAt: Date | null;
};

/** The prefix tells people and secret scanners what a leaked token is. */
const prefix = 'kilim_export_';

const mostLiveTokens = 20;

export type NewExportToken = { readonly name: string; readonly createdBy: string };

/**
 * @returns the token, which is shown once and stored only as a hash; undefined at the limit of
 * tokens.
 */
export async function createExportToken(
  sql: Sql,
  { name, createdBy }: NewExportToken,
): Promise<{ readonly id: string; readonly token: string } | undefined> {
  const secret = newToken();
  const [row] = await sql<{ id: string | null }[]>`
    select admin.create_export_token(${newTokenHash(secret)}, ${name}, ${createdBy}, ${mostLiveTokens}) as id`;
  return typeof row?.id === 'string' ? { id: row.id, token: `${prefix}${secret}` } : undefined;
}

/** A token that is not revoked, of an active account. Records its last use at most once a minute. */
export async function proveExportToken(sql: Sql, token: string): Promise<ProvenExportToken | undefined> {
  const hash = token.startsWith(prefix) ? tokenHash(token.slice(prefix.length)) : undefined;
  if (hash === undefined) return undefined;
  const [row] = await sql<ProvenExportToken[]>`
    select id, name, created_by as "createdBy", role from admin.prove_export_token(${hash})`;
  return row;
}

/** Valid tokens first, newest first. */
export async function listExportTokens(sql: Sql): Promise<readonly ListedExportToken[]> {
  return await sql<ListedExportToken[]>`
    select id, name, created_by as "createdBy", created_at as "createdAt", used_at as "usedAt", revoked_at as "revokedAt"
    from admin.list_export_tokens()`;
}

/** @returns whether the token exists; it is revoked now, or was before. */
export async function revokeExportToken(sql: Sql, id: string): Promise<boolean> {
  const [row] = await sql<{ revoked: boolean }[]>`select admin.revoke_export_token(${id}::uuid) as revoked`;
  return row?.revoked === true;
}

/** A token that `proveExportToken` refuses because it, or the account of its creator, has ended. */
export type EndedExportToken = {
  readonly name: string;
  readonly createdBy: string;
  readonly reason: 'revoked' | 'ended';
};

/** @returns undefined for a token that never existed. */
export async function findEndedExportToken(sql: Sql, token: string): Promise<EndedExportToken | undefined> {
  const hash = token.startsWith(prefix) ? tokenHash(token.slice(prefix.length)) : undefined;
  if (hash === undefined) return undefined;
  const [row] = await sql<EndedExportToken[]>`
    select name, created_by as "createdBy", case when is_revoked then 'revoked' else 'ended' end as reason
    from admin.find_export_token(${hash})`;
  return row;
}

/** The name of a token, also of a revoked one; empty when there is none. */
export async function exportTokenName(sql: Sql, id: string): Promise<string> {
  const [row] = await sql<{ name: string | null }[]>`select admin.export_token_named(${id}::uuid) as name`;
  return row?.name ?? '';
}
