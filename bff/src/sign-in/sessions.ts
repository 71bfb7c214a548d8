import type { Brand } from '@kilim/domain/brand';
import type { Sql } from '../database/database.ts';
import { newToken, newTokenHash, tokenHash } from './tokens.ts';

/**
 * A session that the database has just confirmed. Only `proveSession` creates this type, so a
 * function that requires it cannot run without that check.
 */
export type ProvenSession = Brand<
  {
    readonly id: string;
    readonly username: string;
    /** Whether the password was entered within the last ten minutes. */
    readonly isRecent: boolean;
  },
  'ProvenSession'
>;

/** A session as it is listed to its account's owner. */
export type ListedSession = {
  readonly id: string;
  readonly createdAt: Date;
  readonly seenAt: Date;
  readonly address: string;
  readonly userAgent: string;
};

/**
 * After a correct password: the cookie's token, and the proof that the password was entered just
 * now.
 */
export type IssuedSession = { readonly token: string; readonly proof: string };

/** Where a sign-in came from, so that its owner recognises the session in the list. */
export type SignedInFrom = { readonly address: string; readonly userAgent: string };

// Intervals by the database's clock, because all processes must agree on them.
const idle = '30 minutes';
const absolute = '12 hours';
const recent = '10 minutes';

const longestUserAgent = 300;

/** Starts a session, ends this browser's earlier session, and deletes expired ones. */
export async function startSession(
  sql: Sql,
  username: string,
  { address, userAgent, replacing }: SignedInFrom & { readonly replacing: string | undefined },
): Promise<IssuedSession> {
  const issued: IssuedSession = { token: newToken(), proof: newToken() };
  await sql`
    with ended as (
      delete from admin.session
      where token_hash = ${tokenHash(replacing) ?? null}
        or created_at < clock_timestamp() - ${absolute}::interval
        or seen_at < clock_timestamp() - ${idle}::interval
    )
    insert into admin.session (token_hash, proof_hash, username, address, user_agent) values (
      ${newTokenHash(issued.token)}, ${newTokenHash(issued.proof)}, ${username}, ${address},
      ${userAgent.slice(0, longestUserAgent)}
    )`;
  return issued;
}

type SessionRow = { readonly id: string; readonly username: string; readonly is_recent: boolean };

/**
 * Finds the session of this token, unless it has ended. One statement on every back-office call.
 */
export async function proveSession(sql: Sql, token: string | undefined): Promise<ProvenSession | undefined> {
  const hash = tokenHash(token);
  if (hash === undefined) return undefined;
  const [row] = await sql<SessionRow[]>`
    with proven as (
      select id, username, seen_at, authenticated_at > clock_timestamp() - ${recent}::interval as is_recent
      from admin.session
      where token_hash = ${hash}
        and created_at > clock_timestamp() - ${absolute}::interval
        and seen_at > clock_timestamp() - ${idle}::interval
    ), seen as (
      update admin.session set seen_at = clock_timestamp()
      where id in (select id from proven where seen_at < clock_timestamp() - interval '1 minute')
    )
    select id, username, is_recent from proven`;
  if (row === undefined) return undefined;
  return { id: row.id, username: row.username, isRecent: row.is_recent } as ProvenSession;
}

/**
 * Renews the session under a new token after the password was entered again.
 * @returns undefined when the session has ended in the meantime.
 */
export async function renewSession(sql: Sql, session: ProvenSession): Promise<IssuedSession | undefined> {
  const issued: IssuedSession = { token: newToken(), proof: newToken() };
  const renewed = await sql`
    update admin.session set
      token_hash = ${newTokenHash(issued.token)},
      proof_hash = ${newTokenHash(issued.proof)},
      authenticated_at = clock_timestamp(),
      seen_at = clock_timestamp()
    where id = ${session.id}`;
  return renewed.count === 1 ? issued : undefined;
}

/**
 * Whether this proof belongs to the session, and the password was entered within the last ten
 * minutes.
 */
export async function holdsProof(sql: Sql, session: ProvenSession, proof: string | undefined): Promise<boolean> {
  const hash = tokenHash(proof);
  if (hash === undefined) return false;
  const [row] = await sql`
    select 1 from admin.session
    where id = ${session.id} and proof_hash = ${hash}
      and authenticated_at > clock_timestamp() - ${recent}::interval`;
  return row !== undefined;
}

export async function listSessions(sql: Sql, username: string): Promise<readonly ListedSession[]> {
  return await sql<ListedSession[]>`
    select id, created_at as "createdAt", seen_at as "seenAt", address, user_agent as "userAgent"
    from admin.session
    where username = ${username}
      and created_at > clock_timestamp() - ${absolute}::interval
      and seen_at > clock_timestamp() - ${idle}::interval
    order by seen_at desc, id`;
}

/** Ends one session of this account. @returns whether it existed. */
export async function endSession(sql: Sql, username: string, id: string): Promise<boolean> {
  const ended = await sql`delete from admin.session where id = ${id}::uuid and username = ${username}`;
  return ended.count === 1;
}

export async function endAllSessions(sql: Sql, username: string): Promise<void> {
  await sql`delete from admin.session where username = ${username}`;
}
