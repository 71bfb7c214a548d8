import { type Permission, permissions, type Right } from '@kilim/domain/people/permissions';
import { ok, rejected } from '@kilim/domain/result';
import type { Context } from 'hono';
import type { Sql } from '../../core/database/database.ts';
import { repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import { answerProblem, type Problem } from '../../core/http/problem.ts';
import { notPermitted, type ProvenSession, reauthenticationRequired, sessionMay } from '../../core/http/proven.ts';
import type { Guard } from '../../core/http/serve.ts';
import { proveSession } from '../sign-in/sessions.ts';
import type { AdminCookies } from './cookies.ts';
import type { UnknownTokens } from './unknown-tokens.ts';

const notSignedIn: Problem = { status: 401, code: 'NotSignedIn', message: 'Please sign in.' };

const passwordChangeRequired: Problem = {
  status: 403,
  code: 'PasswordChangeRequired',
  message: 'Please choose a password of your own first.',
};

const secondFactorRequired: Problem = {
  status: 403,
  code: 'SecondFactorRequired',
  message: 'Please add a second factor first.',
};

export type AdminGuardOptions = {
  readonly sql: Sql;
  readonly cookies: AdminCookies;
  /** Whether an account without a second factor may only add one, as in production. */
  readonly needsSecondFactor: boolean;
  readonly unknownTokens: UnknownTokens;
};

/** Without a session the answer is 401; other refusals are 403 with a code: see `refusalOf`. */
export function createAdminGuard(options: AdminGuardOptions): Guard<ProvenSession> {
  const { sql, cookies, needsSecondFactor, unknownTokens } = options;
  return async (c, permission) => {
    const token = cookies.session.read(c);
    const session = await repeatWhileAway(() => proveSession(sql, token, !isUnattended(c)));
    if (session === undefined) {
      return rejected((token === undefined ? undefined : await unknownTokens(c)) ?? answerProblem(c, notSignedIn));
    }
    const refusal = refusalOf(session, permission, needsSecondFactor);
    return refusal === undefined ? ok(session) : rejected(answerProblem(c, refusal));
  };
}

/** An open page, unused for a minute, loads its data again. This does not renew its session. */
function isUnattended({ req }: Context): boolean {
  return req.method === 'GET' && req.header('x-unattended') !== undefined;
}

/** The role comes first: a person whose call is refused anyway is not asked for the password. */
function refusalOf(session: ProvenSession, permission: Permission, needsSecondFactor: boolean): Problem | undefined {
  const right: Right = permissions[permission];
  if (!sessionMay(session, permission)) return notPermitted(session.role, permission);
  if (session.mustChangePassword && right.whilePasswordIsTemporary !== true) return passwordChangeRequired;
  if (needsSecondFactor && !session.hasSecondFactor && right.withoutSecondFactor !== true) return secondFactorRequired;
  return right.needsRecentProof && !session.isRecent ? reauthenticationRequired : undefined;
}
