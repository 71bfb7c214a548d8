import type { Brand } from '@kilim/domain/brand';
import type { Sql } from '../database/database.ts';
import { newToken, newTokenHash, tokenHash } from './tokens.ts';

/**
 * Somebody who is signed in, as the database said just now. Only `proveSession` makes one, so whatever asks for one cannot be
 * reached without.
 */
export type ProvenSession = Brand<
  {
    readonly id: string;
    readonly username: string;
    /** Whether the password was given within the last ten minutes. */
    readonly isRecent: boolean;
  },
  'ProvenSession'
>;

/** A session that somebody else's browser may be holding, as its owner sees it. */
export type ListedSession = {
  readonly id: string;
  readonly createdAt: Date;
  readonly seenAt: Date;
  readonly address: string;
  readonly userAgent: string;
};

/** What the browser gets when the password was right: the cookie's token, and the proof that it was right just now. */
export type IssuedSession = { readonly token: string; readonly proof: string };

/** Where somebody signs in from, so that they recognise the session in a list. */
export type SignedInFrom = { readonly address: string; readonly userAgent: string };

// By the database's clock, like everything that several processes have to agree on.
const idle = '30 minutes';
const absolute = '12 hours';
const recent = '10 minutes';

const longestUserAgent = 300;

/** Starts a session, ends the one that this browser had, and forgets those that have expired. */
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

/** Whose session this token is, if it is one that has not ended. One statement, on every call of the back office. */
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
 * The password was given again: the session is as fresh as a new one, under a new token.
 * @returns undefined when the session ended meanwhile.
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

/** Whether this is the proof that the session was given when the password was, within the last ten minutes. */
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

/** Ends one session of this account. @returns whether there was one. */
export async function endSession(sql: Sql, username: string, id: string): Promise<boolean> {
  const ended = await sql`delete from admin.session where id = ${id}::uuid and username = ${username}`;
  return ended.count === 1;
}

export async function endAllSessions(sql: Sql, username: string): Promise<void> {
  await sql`delete from admin.session where username = ${username}`;
}
