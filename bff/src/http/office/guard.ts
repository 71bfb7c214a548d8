import type { Context, Handler, Input, MiddlewareHandler } from 'hono';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import type { ProvenExportToken } from '../../export/export-tokens.ts';
import { type ProvenSession, proveSession } from '../../sign-in/sessions.ts';
import { answerProblem, type Problem } from '../problem.ts';
import type { AdminCookies } from './cookies.ts';

export type AdminVariables = { readonly Variables: { requestId: string } };

/**
 * Answers a call that needs a proven right. Hono cannot call it, because Hono has no proof to give. Only a guard can
 * make a Hono handler of it, so an unguarded registration does not compile.
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
 * Reads the request with `body(schema)` or `query(schema)` before the handler. The result needs a guard as well, so the
 * guard runs first: an anonymous client never learns which fields are wrong.
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
  /** For a signed-in administrator. Any other client is answered 401. */
  readonly signedIn: Guarded;
  /** For a change of money or prices: the password was given within ten minutes, else 403 `ReauthenticationRequired`. */
  readonly recently: Guarded;
};

type Guarded = <Path extends string, Checked extends Input = Input>(
  handler: AdminHandler<Path, Checked>,
) => Handler<AdminVariables, Path, Checked>;

const notSignedIn: Problem = { status: 401, code: 'NotSignedIn', message: 'Please sign in.' };

/** The page asks for the password, sends it to `reauthenticate`, and repeats the call. */
export const reauthenticationRequired: Problem = {
  status: 403,
  code: 'ReauthenticationRequired',
  message: 'Please enter your password again.',
};

export function createAdminGuard(sql: Sql, cookies: AdminCookies): AdminGuard {
  const prove = (c: Context) => repeatWhileAway(() => proveSession(sql, cookies.session.read(c)));
  return {
    signedIn: (handler) => async (c) => {
      const session = await prove(c);
      return session === undefined ? answerProblem(c, notSignedIn) : handler(c, session);
    },
    recently: (handler) => async (c) => {
      const session = await prove(c);
      if (session === undefined) return answerProblem(c, notSignedIn);
      return session.isRecent ? handler(c, session) : answerProblem(c, reauthenticationRequired);
    },
  };
}

/**
 * Whether a path without a route belongs to the back office, in any spelling. Only a signed-in administrator learns that
 * such a path does not exist.
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
