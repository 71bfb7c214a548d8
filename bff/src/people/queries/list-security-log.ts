import { type SecurityKind, securitySentence } from '@kilim/domain/people/security-log';
import * as z from 'zod/mini';
import type { Sql } from '../../core/database/database.ts';
import type { Page } from '../../core/queries/paging.ts';

export type SecurityLogRequest = {
  readonly page: number;
  readonly pageSize: number;
  readonly kind: SecurityKind | undefined;
  /** The account of the entry, or the one that acted. */
  readonly username: string | undefined;
};

export type ListedPerson = { readonly username: string; readonly displayName: string };

export type ListedSecurityEntry = {
  readonly id: number;
  readonly at: Date;
  readonly kind: string;
  readonly person: ListedPerson | null;
  readonly actor: ListedPerson | null;
  readonly network: string | null;
  readonly browser: string | null;
  readonly sentence: string;
};

/** Counting more takes longer than reading a page. */
const mostCounted = 10_000;

/** Newest first. */
export async function listSecurityLog(sql: Sql, request: SecurityLogRequest): Promise<Page<ListedSecurityEntry>> {
  const { page, pageSize, kind = null, username = null } = request;
  const [counted] = await sql<{ total: number }[]>`
    select admin.count_security_entries(${kind}, ${username}, ${mostCounted + 1}) as total`;
  const total = counted?.total ?? 0;
  const rows = await sql<Row[]>`
    select id, at, kind, username, display_name, actor, actor_name, network, browser, detail
    from admin.list_security_entries(${kind}, ${username}, ${(page - 1) * pageSize}::int, ${pageSize}::int)`;
  return { rows: rows.map(entryOf), total: Math.min(total, mostCounted), isLeast: total > mostCounted };
}

type Row = {
  readonly id: number;
  readonly at: Date;
  readonly kind: string;
  readonly username: string | null;
  readonly display_name: string | null;
  readonly actor: string | null;
  readonly actor_name: string | null;
  readonly network: string | null;
  readonly browser: string | null;
  readonly detail: string;
};

const facts = z.record(z.string(), z.unknown());

function entryOf({ id, at, kind, network, browser, detail, ...who }: Row): ListedSecurityEntry {
  return {
    ...{ id, at, kind, network, browser },
    person: personOf(who.username, who.display_name),
    actor: personOf(who.actor, who.actor_name),
    sentence: securitySentence(kind, facts.parse(JSON.parse(detail))),
  };
}

function personOf(username: string | null, displayName: string | null): ListedPerson | null {
  return username === null ? null : { username, displayName: displayName ?? username };
}
