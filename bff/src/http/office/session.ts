import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { TooBusy } from '../../server/limit-concurrency.ts';
import { endSession, type IssuedSession } from '../../sign-in/sessions.ts';
import { reauthenticate, type SignInWorld, signIn } from '../../use-case/sign-in.ts';
import { parseBody } from '../parse-body.ts';
import { answerProblem, type Problem } from '../problem.ts';
import type { AdminSessionAnswer, SignInAnswer } from '../shop/wire.ts';
import type { AdminCookies } from './cookies.ts';
import type { AdminGuard, AdminVariables } from './guard.ts';

export type AdminSessionOptions = {
  readonly world: SignInWorld;
  readonly guard: AdminGuard;
  readonly cookies: AdminCookies;
  readonly addressOf: (c: Context) => string;
};

const longestAsked = 1000;
const credentials = z.object({
  // The form marks no field as required (specification, section 2.5): nothing is simply wrong.
  username: z.string().max(longestAsked).default(''),
  password: z.string().max(longestAsked).default(''),
});

const invalidCredentials: Problem = { status: 401, code: 'InvalidCredentials', message: 'Invalid credentials' };

/** Signing in, giving the password again, and signing out. */
export function adminSession({ world, guard, cookies, addressOf }: AdminSessionOptions) {
  const from = (c: Context<AdminVariables>) => ({
    address: addressOf(c),
    userAgent: c.req.header('user-agent') ?? '',
    sessionToken: cookies.session.read(c),
    browserToken: cookies.browser.read(c),
    requestId: c.get('requestId'),
  });
  const answerIssued = (c: Context, issued: IssuedSession) => {
    cookies.session.write(c, issued.token);
    return c.json<SignInAnswer>({ token: issued.proof });
  };
  return (
    new Hono<AdminVariables>()
      // The one call of the back office that needs no session.
      .post('/login', async (c) => {
        const body = await parseBody(c, credentials);
        if (!body.ok) return answerProblem(c, body.rejection.status === 400 ? body.rejection : invalidCredentials);
        const signedIn = await unlessBusy(signIn(world, { ...from(c), ...body.value }));
        if (signedIn.kind === 'wait') return answerWait(c, signedIn.seconds);
        if (signedIn.kind === 'wrong') return answerProblem(c, invalidCredentials);
        cookies.browser.write(c, signedIn.browserToken);
        return answerIssued(c, signedIn.issued);
      })
      .post(
        '/reauthenticate',
        guard.signedIn(async (c, session) => {
          const body = await parseBody(c, credentials.pick({ password: true }));
          if (!body.ok) return answerProblem(c, body.rejection.status === 400 ? body.rejection : wrongPassword);
          const given = await unlessBusy(reauthenticate(world, session, { ...from(c), ...body.value }));
          if (given.kind === 'wait') return answerWait(c, given.seconds);
          return given.kind === 'wrong' ? answerProblem(c, wrongPassword) : answerIssued(c, given.issued);
        }),
      )
      .post(
        '/logout',
        guard.signedIn(async (c, session) => {
          await repeatWhileAway(() => endSession(world.sql, session.username, session.id));
          cookies.session.remove(c);
          return c.body(null, 204);
        }),
      )
      .get(
        '/session',
        guard.signedIn((c, { username, isRecent }) => c.json<AdminSessionAnswer>({ username, isRecent })),
      )
  );
}

/** Not 401: the session is fine, and the page must not take it for ended. */
const wrongPassword: Problem = { status: 403, code: 'WrongPassword', message: 'Current password is incorrect' };

const busySeconds = 5;

async function unlessBusy<Outcome>(work: Promise<Outcome>): Promise<Outcome | { kind: 'wait'; seconds: number }> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TooBusy) return { kind: 'wait', seconds: busySeconds };
    throw error;
  }
}

function answerWait(c: Context, seconds: number) {
  c.header('retry-after', String(seconds));
  const wait = seconds === 1 ? 'a second' : `${seconds} seconds`;
  return answerProblem(c, {
    status: 429,
    code: 'TooManyAttempts',
    message: `Too many attempts. Please wait ${wait} and try again.`,
  });
}
