import { notPermittedText, type Permission, permissions, type Right } from '@kilim/domain/admin/permissions';
import type { Context, Handler, Input, MiddlewareHandler } from 'hono';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import type { ProvenExportToken } from '../../export/export-tokens.ts';
import { type ProvenSession, proveSession, sessionMay } from '../../sign-in/sessions.ts';
import { answerProblem, type Problem } from '../problem.ts';
import type { AdminVariables } from './admin-variables.ts';
import type { AdminCookies } from './cookies.ts';
import type { UnknownTokens } from './unknown-tokens.ts';

export type { AdminVariables };

/**
 * Answers a call that needs a proven right. Only a guard, which has the proof, can make a Hono
 * handler of it, so an unguarded registration does not compile.
 */
export type GuardedHandler<Proof, Path extends string, Checked extends Input = Input> = (
  c: Context<AdminVariables, Path, Checked>,
  proof: Proof,
) => Response | Promise<Response>;

/** Answers a call of the back office for a signed-in administrator. */
export type AdminHandler<Path extends string, Checked extends Input = Input> = GuardedHandler<
  ProvenSession,
  Path,
  Checked
>;

/**
 * Reads the request with `body(schema)` or `query(schema)` before the handler. The guard of the
 * result runs first: an anonymous client never learns which fields are wrong.
 */
export function checked<
  Path extends string,
  Checked extends Input,
  Proof extends ProvenSession | ProvenExportToken = ProvenSession,
>(
  check: MiddlewareHandler<AdminVariables, Path, Checked>,
  handler: GuardedHandler<Proof, Path, Checked>,
): GuardedHandler<Proof, Path, Checked> {
  return async (c, proof) => {
    let answer: Response | undefined;
    const refusal = await check(c, async () => {
      answer = await handler(c, proof);
    });
    const given = refusal ?? answer;
    if (given === undefined) throw new Error('A check neither refused the request nor passed it on');
    return given;
  };
}

/** The only way from a request to an `AdminHandler`. */
export type AdminGuard = {
  /**
   * For people whose role has the permission. Without a session the answer is 401; other refusals
   * are 403 with a code: see `refusalOf`.
   */
  readonly may: <Path extends string, Checked extends Input = Input>(
    permission: Permission,
    handler: AdminHandler<Path, Checked>,
  ) => Handler<AdminVariables, Path, Checked>;
};

const notSignedIn: Problem = { status: 401, code: 'NotSignedIn', message: 'Please sign in.' };

/** The page asks for the password, sends it to `reauthenticate`, and repeats the call. */
export const reauthenticationRequired: Problem = {
  status: 403,
  code: 'ReauthenticationRequired',
  message: 'Please enter your password again.',
};

/** The page shows the form for a new password. */
const passwordChangeRequired: Problem = {
  status: 403,
  code: 'PasswordChangeRequired',
  message: 'Please choose a password of your own first.',
};

/** The page shows how to add a second factor. */
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

export function createAdminGuard({ sql, cookies, needsSecondFactor, unknownTokens }: AdminGuardOptions): AdminGuard {
  return {
    may: (permission, handler) => async (c) => {
      const token = cookies.session.read(c);
      const session = await repeatWhileAway(() => proveSession(sql, token, !isUnattended(c)));
      if (session === undefined) {
        return (token === undefined ? undefined : await unknownTokens(c)) ?? answerProblem(c, notSignedIn);
      }
      const refusal = refusalOf(session, permission, needsSecondFactor);
      return refusal === undefined ? handler(c, session) : answerProblem(c, refusal);
    },
  };
}

/** An open page, unused for a minute, loads its data again. This does not renew its session. */
function isUnattended({ req }: Context): boolean {
  return req.method === 'GET' && req.header('x-unattended') !== undefined;
}

/**
 * Why a session may not use a right now. The role comes first: a person whose call is refused
 * anyway is not asked for the password.
 */
function refusalOf(session: ProvenSession, permission: Permission, needsSecondFactor: boolean): Problem | undefined {
  const right: Right = permissions[permission];
  if (!sessionMay(session, permission)) return notPermitted(session.role, permission);
  if (session.mustChangePassword && right.whilePasswordIsTemporary !== true) return passwordChangeRequired;
  if (needsSecondFactor && !session.hasSecondFactor && right.withoutSecondFactor !== true) return secondFactorRequired;
  return right.needsRecentProof && !session.isRecent ? reauthenticationRequired : undefined;
}

/** The answer to a person, or to a token of a person, whose role lacks the right. */
export function notPermitted(role: ProvenSession['role'], permission: Permission): Problem {
  return { status: 403, code: 'NotPermitted', message: notPermittedText(role, permission) };
}

/**
 * Whether a path without a route belongs to the back office, in any spelling. Only a signed-in
 * administrator learns that it does not exist.
 */
export function namesBackOffice(path: string): boolean {
  let plain = path;
  // A path may have been encoded twice.
  for (let round = 0; round < 2; round += 1) {
    try {
      plain = decodeURIComponent(plain);
    } catch {
      break;
    }
  }
  return /^\/api\/admin(\/|$|[^a-z0-9_-])/i.test(plain.replaceAll(/[/\\]+/g, '/').replaceAll('/./', '/'));
}
