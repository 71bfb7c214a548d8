import type { Context } from 'hono';
import * as z from 'zod/mini';
import { type Session, signedIn as signedInAnswer } from '../../../contract/session.ts';
import type { Sql } from '../../core/database/database.ts';
import { repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import { answerProblem, type Problem } from '../../core/http/problem.ts';
import type { ProvenSession, SecurityOf } from '../../core/http/proven.ts';
import type { RequestEnv } from '../../core/http/request-id.ts';
import type { Serve } from '../../core/http/serve.ts';
import type { Refuse } from '../../core/http/validate.ts';
import { type Client, subscriberOf } from '../../core/runtime/client-address.ts';
import { TooBusy } from '../../core/runtime/limit-concurrency.ts';
import { factorKinds } from '../sign-in/second-factor/factors.ts';
import { endSession, type IssuedSession } from '../sign-in/sessions.ts';
import { reauthenticate, type SignInWorld, signIn } from '../use-case/sign-in.ts';
import { type AdminCookies, clearStorage } from './cookies.ts';

export type AdminSessionOptions = {
  readonly world: SignInWorld;
  readonly cookies: AdminCookies;
  readonly clientOf: (c: Context) => Client;
  readonly securityOf: SecurityOf;
  readonly needsSecondFactor: boolean;
};

const invalidCredentials: Problem = { status: 401, code: 'InvalidCredentials', message: 'Invalid credentials' };

export function serveSession(
  serve: Serve,
  { world, cookies, clientOf, securityOf, needsSecondFactor }: AdminSessionOptions,
): void {
  const from = (c: Context<RequestEnv>) => ({
    address: clientOf(c).address,
    subscriber: subscriberOf(clientOf(c)),
    userAgent: c.req.header('user-agent') ?? '',
    sessionToken: cookies.session.read(c),
    browserToken: cookies.browser.read(c),
    security: securityOf(c),
  });
  const answerIssued = (c: Context, issued: IssuedSession) => {
    cookies.session.write(c, issued.token);
    return c.json(z.encode(signedInAnswer, { token: issued.proof }));
  };
  // The only call of the back office without a session.
  serve(
    'POST /api/admin/login',
    async (c, { body, answer }) => {
      const signedIn = await unlessBusy(signIn(world, { ...from(c), ...body }));
      if (signedIn.kind === 'wait') return answerWait(c, signedIn.seconds);
      if (signedIn.kind === 'wrong') return answerProblem(c, invalidCredentials);
      if (signedIn.kind === 'half-way') {
        cookies.pending.write(c, signedIn.pendingToken);
        return answer(202, { factors: [...signedIn.factors] });
      }
      cookies.browser.write(c, signedIn.browserToken);
      return answerIssued(c, signedIn.issued);
    },
    { refuse: unlessMalformed(invalidCredentials) },
  );
  serve(
    'POST /api/admin/reauthenticate',
    async (c, { by: session, body }) => {
      const asked = { ...from(c), ...body };
      const given = await unlessBusy(reauthenticate(world, session, asked));
      if (given.kind === 'wait') return answerWait(c, given.seconds);
      return given.kind === 'signed-in' ? answerIssued(c, given.issued) : answerProblem(c, refusals[given.kind]);
    },
    { refuse: unlessMalformed(wrongPassword) },
  );
  serve('POST /api/admin/logout', async (c, { by: session, answer }) => {
    await repeatWhileAway(() => endSession(world.sql, session.username, session.id));
    cookies.session.remove(c);
    await securityOf(c).note({ kind: 'signed-out', username: session.username });
    clearStorage(c);
    return answer(204);
  });
  serve('GET /api/admin/session', async (_, { by, answer }) =>
    answer(200, await repeatWhileAway(() => describeSession(by, world.sql, needsSecondFactor))),
  );
}

export async function describeSession(session: ProvenSession, sql: Sql, needsSecondFactor: boolean): Promise<Session> {
  const { username, displayName, role, isRecent, mustChangePassword, hasSecondFactor } = session;
  return {
    ...{ username, displayName, role, isRecent, mustChangePassword },
    secondFactors: hasSecondFactor ? [...(await factorKinds(sql, username))] : [],
    mustAddSecondFactor: needsSecondFactor && !hasSecondFactor,
  };
}

/** Not 401, which would tell the page that the session has ended. */
const wrongPassword: Problem = { status: 403, code: 'WrongPassword', message: 'Current password is incorrect' };

/** Not 401 either: the page asks again. */
export const wrongCode = 'This code is not correct. Check it, or use another one: each code works only once.';

const refusals = {
  wrong: wrongPassword,
  'wrong-code': { status: 403, code: 'WrongCode', message: wrongCode },
  'code-needed': { status: 403, code: 'SecondFactorNeeded', message: 'Please use your second factor, too.' },
} as const satisfies Record<string, Problem>;

function unlessMalformed(wrong: Problem): Refuse {
  return (c, problem) => answerProblem(c, problem.status === 400 ? problem : wrong);
}

const busySeconds = 5;

async function unlessBusy<Outcome>(work: Promise<Outcome>): Promise<Outcome | { kind: 'wait'; seconds: number }> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TooBusy) return { kind: 'wait', seconds: busySeconds };
    throw error;
  }
}

export function answerWait(c: Context, seconds: number) {
  c.header('retry-after', String(seconds));
  const wait = seconds === 1 ? 'a second' : `${seconds} seconds`;
  return answerProblem(c, {
    status: 429,
    code: 'TooManyAttempts',
    message: `Too many attempts. Please wait ${wait} and try again.`,
  });
}
