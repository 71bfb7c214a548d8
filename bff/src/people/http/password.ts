import { peopleTexts } from '@kilim/domain/people/people';
import { unreachable } from '@kilim/domain/unreachable';
import type { Context } from 'hono';
import * as z from 'zod/mini';
import { weakPassword } from '../../../contract/session.ts';
import { repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import { answerProblem, invalidFields, type Problem } from '../../core/http/problem.ts';
import { reauthenticationRequired, type SecurityOf } from '../../core/http/proven.ts';
import type { Serve } from '../../core/http/serve.ts';
import { type Throttles, throttle } from '../../core/http/throttle/throttle.ts';
import { limitConcurrency, TooBusy } from '../../core/runtime/limit-concurrency.ts';
import { strengthOf, whileAwaited } from '../sign-in/password-strength.ts';
import { findLink } from '../sign-in/people.ts';
import { type ChangePasswordRejection, changePassword, type PasswordWorld } from '../use-case/change-password.ts';
import { type ChoosePasswordRejection, choosePassword } from '../use-case/choose-password.ts';

/** A change needs the session, and as a bearer the token that signing in answered within ten minutes. */
export function servePassword(serve: Serve, world: PasswordWorld, securityOf: SecurityOf): void {
  serve('POST /api/admin/set-password', async (c, { by: session, body, answer }) => {
    const [, proof] = /^Bearer\s+(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    const asked = { ...body, proof, requestId: c.get('requestId'), security: securityOf(c) };
    const changed = await changePassword(world, session, asked);
    if (!changed.ok) return answerRejection(c, changed.rejection);
    const { endedSessions } = changed.value;
    return answer(200, { success: true, endedSessions });
  });
  serve('POST /api/admin/password-strength', async (c, { by: { username }, body, answer }) => {
    try {
      const ownWords = [username, ...world.ownWords()];
      const { password } = body;
      const { score, weakness } = await estimating(() => whileAwaited(strengthOf(password, ownWords)));
      const { message = null, suggestions = [] } = weakness ?? {};
      return answer(200, { score, message, suggestions: [...suggestions] });
    } catch (error) {
      if (error instanceof TooBusy) return answerProblem(c, tooBusy);
      throw error;
    }
  });
}

/** No session is needed, and each client is limited. */
export function servePasswordLink(
  serve: Serve,
  world: PasswordWorld,
  { throttles, securityOf }: { readonly throttles: Throttles; readonly securityOf: SecurityOf },
): void {
  const limit = throttle(throttles, { name: 'password-link', perSeconds: 60, mostPerAddress: 20, mostPerNetwork: 60 });
  serve(
    'POST /api/admin/password-link',
    async (c, { body, answer }) => {
      const found = await repeatWhileAway(() => findLink(world.sql, body.token));
      if (found === undefined) return answerProblem(c, linkInvalid);
      return answer(200, { ...found, expiresAt: found.expiresAt.toISOString() });
    },
    { limit },
  );
  serve(
    'POST /api/admin/password-link/use',
    async (c, { body, answer }) => {
      const { token, password, displayName } = body;
      const requestId = c.get('requestId');
      const chosen = await choosePassword(world, { token, password, displayName, requestId, security: securityOf(c) });
      return chosen.ok ? answer(200, { username: chosen.value.username }) : answerRejection(c, chosen.rejection);
    },
    { limit },
  );
}

function answerRejection(c: Context, rejection: ChangePasswordRejection | ChoosePasswordRejection): Response {
  switch (rejection.code) {
    case 'ProofRequired':
      return answerProblem(c, reauthenticationRequired);
    case 'AnotherAccount':
      return answerProblem(c, invalidFields({ username: 'This is not the account that is signed in' }));
    case 'LinkInvalid':
      return answerProblem(c, linkInvalid);
    case 'WeakPassword':
      return answerWeakPassword(c, rejection);
    default:
      return unreachable(rejection);
  }
}

function answerWeakPassword(
  c: Context,
  { message, suggestions }: { readonly message: string; readonly suggestions: readonly string[] },
): Response {
  const problem = { code: 'WeakPassword', message, fields: { password: message }, suggestions: [...suggestions] };
  return c.json(z.encode(weakPassword, problem), 422);
}

const linkInvalid: Problem = { status: 404, code: 'LinkInvalid', message: peopleTexts.linkInvalid };

/** An estimate occupies the processor, and a page asks while its user types: customers go first. */
const estimating = limitConcurrency(1);

const tooBusy: Problem = { status: 429, code: 'TooManyAttempts', message: 'Please wait a moment and try again.' };
