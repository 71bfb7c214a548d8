import { peopleTexts } from '@kilim/domain/people/people';
import type { Context } from 'hono';
import * as z from 'zod/mini';
import { weakPassword } from '../../../contract/session.ts';
import { repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import { answerProblem, type Problem } from '../../core/http/problem.ts';
import type { SecurityOf } from '../../core/http/proven.ts';
import type { Serve } from '../../core/http/serve.ts';
import { type Throttles, throttle } from '../../core/http/throttle/throttle.ts';
import { findLink } from '../sign-in/people.ts';
import { type ChoosePasswordRejection, type ChoosePasswordWorld, choosePassword } from '../use-case/choose-password.ts';

export type PasswordLinkOptions = ChoosePasswordWorld & {
  readonly throttles: Throttles;
  readonly securityOf: SecurityOf;
};

/** No session is needed, and each client is limited. */
export function servePasswordLink(serve: Serve, options: PasswordLinkOptions): void {
  const { throttles, securityOf, ...world } = options;
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
      if (!chosen.ok) return answerRejection(c, chosen.rejection);
      return answer(200, { username: chosen.value.username });
    },
    { limit },
  );
}

const linkInvalid: Problem = { status: 404, code: 'LinkInvalid', message: peopleTexts.linkInvalid };

function answerRejection(c: Context, rejection: ChoosePasswordRejection): Response {
  if (rejection.code === 'LinkInvalid') return answerProblem(c, linkInvalid);
  return answerWeakPassword(c, rejection);
}

export function answerWeakPassword(
  c: Context,
  { message, suggestions }: { readonly message: string; readonly suggestions: readonly string[] },
): Response {
  const problem = { code: 'WeakPassword', message, fields: { password: message }, suggestions: [...suggestions] };
  return c.json(z.encode(weakPassword, problem), 422);
}
