import type { Role } from '@kilim/domain/people/permissions';
import type { TokenEnd } from '../../../contract/exports.ts';
import type { Sql } from '../../core/database/database.ts';
import type { ProvenExportToken } from '../../core/http/proven.ts';
import { newToken, newTokenHash, tokenHash } from '../../people/sign-in/tokens.ts';

type KnownExportToken = {
  readonly id: string;
  readonly name: string;
  readonly createdBy: string;
};

export type EndedExportToken = KnownExportToken & { readonly ended: TokenEnd; readonly expiresAt: Date };

export type ListedExportToken = KnownExportToken & {
  readonly createdAt: Date;
  readonly usedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly expiresAt: Date;
  readonly ended: TokenEnd | null;
};

/** The prefix tells people and secret scanners what a leaked token is. */
const prefix = 'kilim_export_';

const mostLiveTokens = 20;

export type NewExportToken = {
  readonly name: string;
  readonly createdBy: string;
  /** 1 to 365. */
  readonly validDays: number;
};

/** @returns the token, stored only as a hash; undefined at the limit of tokens. */
export async function createExportToken(
  sql: Sql,
  { name, createdBy, validDays }: NewExportToken,
): Promise<{ readonly id: string; readonly token: string } | undefined> {
  const secret = newToken();
  const [row] = await sql<{ id: string | null }[]>`
    select admin.create_export_token(
      ${newTokenHash(secret)}, ${name}, ${createdBy}, ${validDays}, ${mostLiveTokens}
    ) as id`;
  return typeof row?.id === 'string' ? { id: row.id, token: `${prefix}${secret}` } : undefined;
}

/** Also finds ended tokens. Records the use of a token in force at most once an hour. */
export async function proveExportToken(
  sql: Sql,
  token: string,
): Promise<ProvenExportToken | EndedExportToken | undefined> {
  const hash = token.startsWith(prefix) ? tokenHash(token.slice(prefix.length)) : undefined;
  if (hash === undefined) return undefined;
  const [row] = await sql<(KnownExportToken & { role: Role; ended: TokenEnd | null; expiresAt: Date })[]>`
    select id, name, created_by as "createdBy", role, expires_at as "expiresAt", ended
    from admin.prove_export_token(${hash})`;
  if (row === undefined) return undefined;
  const { id, name, createdBy, role, ended, expiresAt } = row;
  return ended === null
    ? ({ id, name, createdBy, role } as ProvenExportToken)
    : { id, name, createdBy, ended, expiresAt };
}

/** Tokens in force first, newest first. */
export async function listExportTokens(sql: Sql): Promise<readonly ListedExportToken[]> {
  return await sql<ListedExportToken[]>`
    select id, name, created_by as "createdBy", created_at as "createdAt", used_at as "usedAt",
      revoked_at as "revokedAt", expires_at as "expiresAt", ended
    from admin.list_export_tokens()`;
}

/** @returns whether the token exists. */
export async function revokeExportToken(sql: Sql, id: string): Promise<boolean> {
  const [row] = await sql<{ revoked: boolean }[]>`select admin.revoke_export_token(${id}::uuid) as revoked`;
  return row?.revoked === true;
}

/** Empty when there is no such token. */
export async function exportTokenName(sql: Sql, id: string): Promise<string> {
  const [row] = await sql<{ name: string | null }[]>`select admin.export_token_named(${id}::uuid) as name`;
  return row?.name ?? '';
}
