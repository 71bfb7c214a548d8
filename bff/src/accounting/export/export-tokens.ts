import type { Role } from '@kilim/domain/people/permissions';
import { type ExportFormat, exportFormats, type TokenEnd } from '../../../contract/exports.ts';
import type { Sql } from '../../core/database/database.ts';
import type { ProvenExportToken, TokenScope } from '../../core/http/proven.ts';
import { newToken, newTokenHash, tokenHash } from '../../people/sign-in/tokens.ts';

type KnownExportToken = {
  readonly id: string;
  readonly name: string;
  readonly createdBy: string;
};

export type EndedExportToken = KnownExportToken & { readonly ended: TokenEnd; readonly expiresAt: Date };

export type ListedExportToken = KnownExportToken &
  TokenScope & {
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
  readonly formats: readonly ExportFormat[];
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** 1 to 365. */
  readonly validDays: number;
};

/** @returns the token, stored only as a hash; undefined at the limit of tokens. */
export async function createExportToken(
  sql: Sql,
  { name, createdBy, formats, from, to, validDays }: NewExportToken,
): Promise<{ readonly id: string; readonly token: string } | undefined> {
  const secret = newToken();
  const [row] = await sql<{ id: string | null }[]>`
    select admin.create_export_token(
      ${newTokenHash(secret)}, ${name}, ${createdBy}, ${validDays}, ${sql.typed.textArray(formats)}::text[],
      ${from ?? null}::date, ${to ?? null}::date, ${mostLiveTokens}
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
  const [row] = await sql<(KnownExportToken & StoredScope & { role: Role; ended: TokenEnd | null; expiresAt: Date })[]>`
    select id, name, created_by as "createdBy", role, array_to_string(formats, ',') as formats, first_day as "from", last_day as "to",
      expires_at as "expiresAt", ended
    from admin.prove_export_token(${hash})`;
  if (row === undefined) return undefined;
  const { id, name, createdBy, role, ended, expiresAt } = row;
  return ended === null
    ? ({ id, name, createdBy, role, scope: scopeOf(row) } as ProvenExportToken)
    : { id, name, createdBy, ended, expiresAt };
}

/** Tokens in force first, newest first. */
export async function listExportTokens(sql: Sql): Promise<readonly ListedExportToken[]> {
  const rows = await sql<(Omit<ListedExportToken, keyof TokenScope> & StoredScope)[]>`
    select id, name, created_by as "createdBy", created_at as "createdAt", used_at as "usedAt",
      revoked_at as "revokedAt", expires_at as "expiresAt", array_to_string(formats, ',') as formats, first_day as "from", last_day as "to", ended
    from admin.list_export_tokens()`;
  return rows.map((row) => ({ ...row, ...scopeOf(row) }));
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

type Asked = { readonly format: ExportFormat; readonly from: string; readonly to: string };

export function isWithin({ formats, from, to }: TokenScope, asked: Asked): boolean {
  return formats.includes(asked.format) && (from === null || asked.from >= from) && (to === null || asked.to <= to);
}

type StoredScope = {
  readonly formats: string;
  readonly from: string | null;
  readonly to: string | null;
};

/** Formats of a later release, which shares the database during an upgrade, are left out. */
function scopeOf({ formats, from, to }: StoredScope): TokenScope {
  const stored = formats.split(',');
  return { formats: exportFormats.filter((format) => stored.includes(format)), from, to };
}
