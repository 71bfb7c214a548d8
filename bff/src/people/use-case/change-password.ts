import type { PasswordChanged } from '@kilim/domain/people/password';
import { peopleTexts } from '@kilim/domain/people/people';
import { ok, type Result, rejected } from '@kilim/domain/result';
import type { Sql } from '../../core/database/database.ts';
import { repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import type { ProvenSession, SecurityNotes } from '../../core/http/proven.ts';
import type { HandleWorld } from '../../core/ledger/handle.ts';
import { findAccount } from '../sign-in/accounts.ts';
import { type WeakPassword, weaknessOf, whileAwaited } from '../sign-in/password-strength.ts';
import { hashPassword, isPassword } from '../sign-in/passwords.ts';
import { noteStolen } from '../sign-in/security-log.ts';
import { holdsProof } from '../sign-in/sessions.ts';
import type { IsStolen } from '../sign-in/stolen-passwords.ts';
import { byOperator, type Commanded, changingAccount } from './record-admin-events.ts';

export type PasswordWorld = HandleWorld & {
  /** Besides the account's own name. */
  readonly ownWords: () => readonly string[];
  /** Absent: only the built-in list is compared. */
  readonly isStolen?: IsStolen | undefined;
};

export type ChangePassword = {
  /** Answered to signing in, or to giving the password again, within the last ten minutes. */
  readonly proof: string | undefined;
  readonly username: string;
  readonly password: string;
  readonly requestId: string;
  readonly security?: SecurityNotes | undefined;
};

export type ChangePasswordRejection =
  | { readonly code: 'ProofRequired' }
  | { readonly code: 'AnotherAccount' }
  | ({ readonly code: 'WeakPassword' } & WeakPassword);

/** The proof and every other session end. */
export async function changePassword(
  world: PasswordWorld,
  session: ProvenSession,
  request: ChangePassword,
): Promise<Result<PasswordChanged, ChangePasswordRejection>> {
  const { username } = session;
  if (request.username.trim().toLowerCase() !== username) return rejected({ code: 'AnotherAccount' });
  if (!(await repeatWhileAway(() => holdsProof(world.sql, session, request.proof))))
    return rejected({ code: 'ProofRequired' });
  const weakness = await whileAwaited(weaknessOf(request.password, [username, ...world.ownWords()], world.isStolen));
  await noteStolen(request.security, username, weakness);
  if (weakness !== undefined) return rejected({ code: 'WeakPassword', ...weakness });
  if (session.mustChangePassword && (await isPresentPassword(world.sql, username, request.password))) {
    return rejected({ code: 'WeakPassword', message: peopleTexts.samePassword, suggestions: [] });
  }
  return ok(
    await setPassword(world, {
      username,
      password: request.password,
      how: 'changed',
      keepSession: session.id,
      actor: `admin:${username}`,
      requestId: request.requestId,
      security: request.security,
    }),
  );
}

/** Only another password replaces a temporary one. */
async function isPresentPassword(sql: Sql, username: string, password: string): Promise<boolean> {
  const account = await repeatWhileAway(() => findAccount(sql, username));
  return account !== undefined && (await isPassword(password, account.passwordHash));
}

export type ResetPassword = { readonly username: string; readonly password: string };

/**
 * For the operator, without the old password. The new one must be replaced at the next sign-in.
 * @returns undefined when there is no such account.
 */
export async function resetPassword(
  world: HandleWorld,
  { username, password }: ResetPassword,
): Promise<PasswordChanged | undefined> {
  const account = await findAccount(world.sql, username);
  if (account === undefined) return undefined;
  return await setPassword(world, {
    username: account.username,
    password,
    how: 'reset',
    keepSession: undefined,
    ...byOperator,
  });
}

type NewPassword = ResetPassword &
  Commanded & {
    readonly how: PasswordChanged['how'];
    readonly keepSession: string | undefined;
  };

async function setPassword(
  world: HandleWorld,
  { username, password, how, keepSession, ...commanded }: NewPassword,
): Promise<PasswordChanged> {
  const passwordHash = await hashPassword(password);
  return await changingAccount(world, { username, ...commanded }, async (transaction, record) => {
    const [row] = await transaction<{ ended: number | null }[]>`
      select admin.set_password(${username}, ${passwordHash}, ${how === 'reset'}, ${keepSession ?? null}::uuid)
        as ended`;
    if (typeof row?.ended !== 'number') throw new Error(`There is no active account ${username}`);
    const event: PasswordChanged = { type: 'PasswordChanged', username, how, endedSessions: row.ended };
    await record(event);
    return event;
  });
}
