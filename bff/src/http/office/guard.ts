import type { Context, Handler, Input, MiddlewareHandler } from 'hono';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { type ProvenSession, proveSession } from '../../sign-in/sessions.ts';
import { answerProblem, type Problem } from '../problem.ts';
import type { AdminCookies } from './cookies.ts';

export type AdminVariables = { readonly Variables: { requestId: string } };

/** What answers a call of the back office. It cannot be called without a session, and only the guard has one to give. */
export type AdminHandler<Path extends string, Checked extends Input = Input> = (
  c: Context<AdminVariables, Path, Checked>,
  session: ProvenSession,
) => Response | Promise<Response>;

/**
 * Reads the request with `body(schema)` or `query(schema)` before the handler. As an `AdminHandler` it runs behind the
 * guard, so only a signed-in client learns which fields are wrong.
 */
export function checked<Path extends string, Checked extends Input>(
  check: MiddlewareHandler<AdminVariables, Path, Checked>,
  handler: AdminHandler<Path, Checked>,
): AdminHandler<Path, Checked> {
  return async (c, session) => {
    let answer: Response | undefined;
    const refusal = await check(c, async () => {
      answer = await handler(c, session);
    });
    const told = refusal ?? answer;
    if (told === undefined) throw new Error('A check neither refused the request nor passed it on');
    return told;
  };
}

/** The only way from a request to an `AdminHandler`. */
export type AdminGuard = {
  /** For whoever is signed in; anybody else is answered 401. */
  readonly signedIn: Guarded;
  /** For what moves money or changes prices: the password was given within ten minutes, else 403 `ReauthenticationRequired`. */
  readonly recently: Guarded;
};

type Guarded = <Path extends string, Checked extends Input = Input>(
  handler: AdminHandler<Path, Checked>,
) => Handler<AdminVariables, Path, Checked>;

const notSignedIn: Problem = { status: 401, code: 'NotSignedIn', message: 'Please sign in.' };

/** The page asks for the password in its dialog, sends it to `reauthenticate`, and repeats the call. */
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
 * Whether a path that no route answers means the back office, however it is spelled. Such a path is answered to nobody who is not signed in, not even that it
 * does not exist.
 */
export function namesBackOffice(path: string): boolean {
  let plain = path;
  // Twice, because a path may have been encoded twice.
  for (let round = 0; round < 2; round += 1) {
    try {
      plain = decodeURIComponent(plain);
    } catch {
      break;
    }
  }
  return /^\/api\/admin(\/|$|[^a-z0-9_-])/i.test(plain.replaceAll(/[/\\]+/g, '/').replaceAll('/./', '/'));
}
