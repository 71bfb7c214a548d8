import { isTrue, type Sql } from '../../core/database/database.ts';
import type { ProvenSession } from '../../core/http/proven.ts';
import { requireRecordedAccess } from './recorded-access.ts';
import { isSealed, type Sealed, sealed } from './token-seal.ts';
import { newToken, newTokenHash, tokenHash } from './tokens.ts';

export type ListedSession = {
  readonly id: string;
  readonly createdAt: Date;
  readonly seenAt: Date;
  readonly address: string;
  readonly userAgent: string;
};

/** The cookie's token, and the proof that the password was entered just now. */
export type IssuedSession = { readonly token: string; readonly proof: string };

/** Helps the owner to recognise the session in the list. */
export type SignedInFrom = { readonly address: string; readonly userAgent: string };

const longestUserAgent = 300;

/** The proof stays valid only if the password was given too. */
export type GivenFactor = { readonly withPassword: boolean };

type StartingSession = SignedInFrom & {
  readonly replacing: string | undefined;
  readonly factor?: GivenFactor;
};

/**
 * Ends this browser's earlier session, and deletes expired ones.
 * @returns undefined when the account has just been disabled.
 * @throws AlteredAccount
 */
export async function startSession(
  sql: Sql,
  username: string,
  { address, userAgent, replacing, factor }: StartingSession,
): Promise<IssuedSession | undefined> {
  await requireRecordedAccess(sql, username);
  const issued: IssuedSession = { token: newToken(), proof: newToken() };
  const isStarted = await isTrue(sql`
    select admin.start_session(
      ${username}, ${newTokenHash(issued.token)}, ${newTokenHash(issued.proof)}, ${address},
      ${userAgent.slice(0, longestUserAgent)}, ${tokenHash(replacing) ?? null}
    )`);
  return isStarted ? await finish(sql, issued, factor) : undefined;
}

/**
 * Undefined also without the account's second factor.
 * @param isUse whether the call renews the session. An unattended page must not.
 */
export async function proveSession(
  sql: Sql,
  token: string | undefined,
  isUse: boolean,
): Promise<ProvenSession | undefined> {
  const hash = tokenHash(token);
  if (hash === undefined) return undefined;
  const [row] = await sql<(ProvenSession & SessionTimes)[]>`
    select proven.id, proven.username, proven.display_name as "displayName", proven.role,
      case when factor.has_factor then factor.is_recent else proven.is_recent end as "isRecent",
      factor.has_factor as "hasSecondFactor", proven.must_change_password as "mustChangePassword", times.*
    from ${isUse ? sql`admin.prove_session(${hash})` : sql`admin.look_at_session(${hash})`} proven,
      admin.session_factor(proven.id) factor, admin.session_times(proven.id) times
    where factor.is_proven or not factor.has_factor`;
  return row !== undefined && isSealed(sql, token ?? '', sessionFacts(row)) ? row : undefined;
}

/** Seconds since 1970, as the database writes them. */
type SessionTimes = { readonly authenticated: string; readonly factor: string | null };
type SessionFacts = Pick<ProvenSession, 'id' | 'username' | 'role'> & SessionTimes;

function sessionFacts({ id, username, role, authenticated, factor }: SessionFacts): Sealed {
  return { purpose: 'session', facts: [id, username, role, authenticated, factor] };
}

async function finish(
  sql: Sql,
  issued: IssuedSession,
  factor: GivenFactor | undefined,
): Promise<IssuedSession | undefined> {
  if (factor !== undefined) {
    const proof = newTokenHash(issued.proof);
    if (!(await isTrue(sql`select admin.mark_second_factor(${proof}, ${factor.withPassword})`))) return undefined;
  }
  const token = await sealSession(sql, issued.token);
  return token === undefined ? undefined : { ...issued, token };
}

/**
 * Right after a server changed the session.
 * @param token of the session, with or without an earlier seal
 * @returns the token with its seal; undefined when the session has just ended.
 */
export async function sealSession(sql: Sql, token: string): Promise<string | undefined> {
  const [plain = ''] = token.split('.');
  const [row] = await sql<SessionFacts[]>`
    select session.id, session.username, session.role, times.*
    from admin.look_at_session(${newTokenHash(plain)}) session, admin.session_times(session.id) times`;
  return row === undefined ? undefined : sealed(sql, plain, sessionFacts(row));
}

/** With the second factor if the account has one, else with the password. */
export async function hasProvenWithin(sql: Sql, sessionId: string, seconds: number): Promise<boolean> {
  return await isTrue(sql`select admin.has_proven_within(${sessionId}, ${seconds})`);
}

/**
 * A new token, after the person proved again who they are.
 * @returns undefined when the session has ended in the meantime.
 * @throws AlteredAccount
 */
export async function renewSession(
  sql: Sql,
  session: ProvenSession,
  factor?: GivenFactor,
): Promise<IssuedSession | undefined> {
  await requireRecordedAccess(sql, session.username);
  const issued: IssuedSession = { token: newToken(), proof: newToken() };
  const isRenewed = await isTrue(sql`
    select admin.renew_session(${session.id}::uuid, ${newTokenHash(issued.token)}, ${newTokenHash(issued.proof)})`);
  return isRenewed ? await finish(sql, issued, factor) : undefined;
}

/** The password and the second factor were given within the last ten minutes. */
export async function holdsProof(sql: Sql, session: ProvenSession, proof: string | undefined): Promise<boolean> {
  const hash = tokenHash(proof);
  if (hash === undefined || !session.isRecent) return false;
  return await isTrue(sql`select admin.holds_proof(${session.id}::uuid, ${hash})`);
}

export async function listSessions(sql: Sql, username: string): Promise<readonly ListedSession[]> {
  return await sql<ListedSession[]>`
    select id, created_at as "createdAt", seen_at as "seenAt", address, user_agent as "userAgent"
    from admin.list_sessions(${username})`;
}

/** @returns whether it existed. */
export async function endSession(sql: Sql, username: string, id: string): Promise<boolean> {
  return await isTrue(sql`select admin.end_session(${username}, ${id}::uuid)`);
}

export async function endAllSessions(sql: Sql, username: string): Promise<void> {
  await sql`select admin.end_all_sessions(${username})`;
}
