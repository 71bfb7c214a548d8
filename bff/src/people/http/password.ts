import { unreachable } from '@kilim/domain/unreachable';
import type { Context } from 'hono';
import { answerProblem, invalidFields, type Problem } from '../../core/http/problem.ts';
import { reauthenticationRequired, type SecurityOf } from '../../core/http/proven.ts';
import type { Serve } from '../../core/http/serve.ts';
import { limitConcurrency, TooBusy } from '../../core/runtime/limit-concurrency.ts';
import { strengthOf, whileAwaited } from '../sign-in/password-strength.ts';
import { type ChangePasswordRejection, type ChangePasswordWorld, changePassword } from '../use-case/change-password.ts';
import { answerWeakPassword } from './password-link.ts';

/** A change needs the session, and as a bearer the token that signing in answered within ten minutes. */
export function servePassword(serve: Serve, world: ChangePasswordWorld, securityOf: SecurityOf): void {
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

function answerRejection(c: Context, rejection: ChangePasswordRejection): Response {
  switch (rejection.code) {
    case 'ProofRequired':
      return answerProblem(c, reauthenticationRequired);
    case 'AnotherAccount':
      return answerProblem(c, invalidFields({ username: 'This is not the account that is signed in' }));
    case 'WeakPassword':
      return answerWeakPassword(c, rejection);
    default:
      return unreachable(rejection);
  }
}

/** An estimate occupies the processor, and a page asks while its user types: customers go first. */
const estimating = limitConcurrency(1);

const tooBusy: Problem = { status: 429, code: 'TooManyAttempts', message: 'Please wait a moment and try again.' };
