import { peopleTexts } from '@kilim/domain/admin/people';
import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { linkedAccount, passwordChosen } from '../../../contract/people.ts';
import { choosePasswordRequest, passwordLinkRequest } from '../../../contract/people-requests.ts';
import { weakPassword } from '../../../contract/session.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { findLink } from '../../sign-in/people.ts';
import {
  type ChoosePasswordRejection,
  type ChoosePasswordWorld,
  choosePassword,
} from '../../use-case/choose-password.ts';
import { answerProblem, type Problem } from '../problem.ts';
import { type Throttles, throttle } from '../throttle.ts';
import { body } from '../validate.ts';
import type { AdminVariables } from './guard.ts';
import type { SecurityOf } from './security-of.ts';

/**
 * For the holder of a link: whose account it opens, and choosing the password. No session is
 * needed, and each client is limited.
 */
export function adminPasswordLink(world: ChoosePasswordWorld, throttles: Throttles, securityOf: SecurityOf) {
  const limit = throttle(throttles, { name: 'password-link', perSeconds: 60, mostPerAddress: 20, mostPerNetwork: 60 });
  return new Hono<AdminVariables>()
    .post('/password-link', limit, body(passwordLinkRequest), async (c) => {
      const found = await repeatWhileAway(() => findLink(world.sql, c.req.valid('json').token));
      if (found === undefined) return answerProblem(c, linkInvalid);
      return c.json(z.encode(linkedAccount, { ...found, expiresAt: found.expiresAt.toISOString() }));
    })
    .post('/password-link/use', limit, body(choosePasswordRequest), async (c) => {
      const { token, password, displayName } = c.req.valid('json');
      const requestId = c.get('requestId');
      const chosen = await choosePassword(world, { token, password, displayName, requestId, security: securityOf(c) });
      if (!chosen.ok) return answerRejection(c, chosen.rejection);
      return c.json(z.encode(passwordChosen, { username: chosen.value.username }));
    });
}

const linkInvalid: Problem = { status: 404, code: 'LinkInvalid', message: peopleTexts.linkInvalid };

function answerRejection(c: Context, rejection: ChoosePasswordRejection): Response {
  if (rejection.code === 'LinkInvalid') return answerProblem(c, linkInvalid);
  return answerWeakPassword(c, rejection);
}

/** The answer to a password that is too short or too easy. */
export function answerWeakPassword(
  c: Context,
  { message, suggestions }: { readonly message: string; readonly suggestions: readonly string[] },
): Response {
  const problem = { code: 'WeakPassword', message, fields: { password: message }, suggestions: [...suggestions] };
  return c.json(z.encode(weakPassword, problem), 422);
}
