import type { PasswordChanged } from '@kilim/domain/admin/password';
import { ok, type Result, rejected } from '@kilim/domain/result';
import { inTime, repeatWhileAway, type Sql, type Transaction, tooManyConflictsError } from '../database/database.ts';
import type { Actor } from '../ledger/append.ts';
import { appendToStream } from '../ledger/append-to-stream.ts';
import { encodeAdminEvent } from '../ledger/codecs/admin.ts';
import { sha256 } from '../ledger/contact.ts';
import { findAccount } from '../sign-in/accounts.ts';
import { type WeakPassword, weaknessOf } from '../sign-in/password-strength.ts';
import { hashPassword } from '../sign-in/passwords.ts';
import { holdsProof, type ProvenSession } from '../sign-in/sessions.ts';

export type ChangePasswordWorld = {
  readonly sql: Sql;
  readonly now: () => Date;
  /** Words that must not make a password strong, beside the account's own name. */
  readonly ownWords: () => readonly string[];
};

export type ChangePassword = {
  /** What signing in, or giving the password again, answered within the last ten minutes. */
  readonly proof: string | undefined;
  readonly username: string;
  readonly password: string;
  readonly requestId: string;
};

export type ChangePasswordRejection =
  | { readonly code: 'ProofRequired' }
  | { readonly code: 'AnotherAccount' }
  | ({ readonly code: 'WeakPassword' } & WeakPassword);

/** Sets one's own password. Every other session of the account ends with it, and so does the proof. */
export async function changePassword(
  world: ChangePasswordWorld,
  session: ProvenSession,
  request: ChangePassword,
): Promise<Result<PasswordChanged, ChangePasswordRejection>> {
  const { username } = session;
  if (request.username.trim().toLowerCase() !== username) return rejected({ code: 'AnotherAccount' });
  if (!(await repeatWhileAway(() => holdsProof(world.sql, session, request.proof))))
    return rejected({ code: 'ProofRequired' });
  const weakness = await weaknessOf(request.password, [username, ...world.ownWords()]);
  if (weakness !== undefined) return rejected({ code: 'WeakPassword', ...weakness });
  return ok(
    await setPassword(world, {
      username,
      password: request.password,
      how: 'changed',
      keepSession: session.id,
      actor: `admin:${username}`,
      requestId: request.requestId,
    }),
  );
}

export type ResetPassword = { readonly username: string; readonly password: string };

/** For the operator of the server, who needs no old password: there is no e-mail to recover one by. Undefined: no such account. */
export async function resetPassword(
  world: Omit<ChangePasswordWorld, 'ownWords'>,
  { username, password }: ResetPassword,
): Promise<PasswordChanged | undefined> {
  const account = await findAccount(world.sql, username);
  if (account === undefined) return undefined;
  return await setPassword(world, {
    username: account.username,
    password,
    how: 'reset',
    keepSession: undefined,
    actor: 'admin:operator',
    requestId: undefined,
  });
}

type NewPassword = ResetPassword & {
  readonly how: PasswordChanged['how'];
  readonly keepSession: string | undefined;
  readonly actor: Actor;
  readonly requestId: string | undefined;
};

/** The password, the sessions that end with it and the event that says so: all or nothing. */
async function setPassword(
  { sql, now }: Pick<ChangePasswordWorld, 'sql' | 'now'>,
  { username, password, how, keepSession, actor, requestId }: NewPassword,
): Promise<PasswordChanged> {
  const passwordHash = await hashPassword(password);
  const commandId = `password-${crypto.randomUUID()}`;
  const set = sql.begin(async (transaction) => {
    // Held until the end: two changes at once come one after the other.
    await transaction`
      update admin.account set password_hash = ${passwordHash}, password_changed_at = clock_timestamp()
      where username = ${username}`;
    const ended = await transaction`
      delete from admin.session where username = ${username} and id is distinct from ${keepSession ?? null}::uuid`;
    await transaction`update admin.session set proof_hash = null where username = ${username}`;
    // Whoever knew the old password may have signed in from a browser of theirs.
    await transaction`delete from admin.known_browser where username = ${username}`;
    const event: PasswordChanged = { type: 'PasswordChanged', username, how, endedSessions: ended.count };
    const { outcome } = await appendToStream(transaction, {
      streamId: `admin-${username}`,
      expectedVersion: await headOf(transaction, `admin-${username}`),
      commandId,
      requestHash: sha256(commandId),
      actor,
      requestId,
      occurredAt: now(),
      events: [encodeAdminEvent(event)],
    });
    if (outcome !== 'appended') throw tooManyConflictsError(`the account ${username}`, 1);
    return event;
  });
  return await inTime(set);
}

async function headOf(transaction: Transaction, streamId: string): Promise<number> {
  const [head] = await transaction<{ version: number }[]>`
    select coalesce(max(version), 0) as version from ledger.event where stream_id = ${streamId}`;
  return head?.version ?? 0;
}
