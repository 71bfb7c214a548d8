import type { Brand } from '@kilim/domain/brand';
import type { Sql } from '../database/database.ts';
import { newToken, newTokenHash, tokenHash } from '../sign-in/tokens.ts';

/** A token that the database has just confirmed: it allows exports and nothing else. */
export type ProvenExportToken = Brand<{ readonly id: string; readonly name: string }, 'ProvenExportToken'>;

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
  const [row] = await sql<{ id: string }[]>`
    insert into admin.export_token (token_hash, name, created_by)
    select ${newTokenHash(secret)}, ${name}, ${createdBy}
    where (select count(*) from admin.export_token where revoked_at is null) < ${mostLiveTokens}
    returning id`;
  return row === undefined ? undefined : { id: row.id, token: `${prefix}${secret}` };
}

/** The owner of a token that is not revoked. Records its last use at most once a minute. */
export async function proveExportToken(sql: Sql, token: string): Promise<ProvenExportToken | undefined> {
  const hash = token.startsWith(prefix) ? tokenHash(token.slice(prefix.length)) : undefined;
  if (hash === undefined) return undefined;
  const [row] = await sql<{ id: string; name: string }[]>`
    with proven as (
      select id, name, used_at from admin.export_token where token_hash = ${hash} and revoked_at is null
    ), used as (
      update admin.export_token set used_at = clock_timestamp()
      where id in (select id from proven where used_at is null or used_at < clock_timestamp() - interval '1 minute')
    )
    select id, name from proven`;
  return row === undefined ? undefined : (row as ProvenExportToken);
}

/** Valid tokens first, newest first. */
export async function listExportTokens(sql: Sql): Promise<readonly ListedExportToken[]> {
  return await sql<ListedExportToken[]>`
    select id, name, created_by as "createdBy", created_at as "createdAt", used_at as "usedAt", revoked_at as "revokedAt"
    from admin.export_token order by revoked_at is not null, created_at desc, id limit 100`;
}

/** @returns whether the token exists; it is revoked now, or was before. */
export async function revokeExportToken(sql: Sql, id: string): Promise<boolean> {
  const revoked = await sql`
    update admin.export_token set revoked_at = coalesce(revoked_at, clock_timestamp()) where id = ${id}::uuid`;
  return revoked.count === 1;
}
