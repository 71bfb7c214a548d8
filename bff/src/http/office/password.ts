import { Hono } from 'hono';
import { z } from 'zod';
import { limitConcurrency, TooBusy } from '../../server/limit-concurrency.ts';
import { strengthOf } from '../../sign-in/password-strength.ts';
import { type ChangePasswordWorld, changePassword } from '../../use-case/change-password.ts';
import { parseBody } from '../parse-body.ts';
import { answerProblem, invalidFields, type Problem } from '../problem.ts';
import type { WeakPasswordAnswer } from '../shop/wire.ts';
import { type AdminGuard, type AdminVariables, reauthenticationRequired } from './guard.ts';
import type { PasswordStrengthAnswer } from './wire.ts';

const newPassword = z.object({
  username: z.string('The username is missing').max(1000, 'This is too long'),
  password: z.string('The new password is missing').max(1000, 'Password must be at most 128 characters long'),
});

/** Needs the session, and as a bearer the token that signing in answered within the last ten minutes. */
export function adminPassword(world: ChangePasswordWorld, guard: AdminGuard) {
  return new Hono<AdminVariables>()
    .post(
      '/set-password',
      guard.signedIn(async (c, session) => {
        const body = await parseBody(c, newPassword);
        if (!body.ok) return answerProblem(c, body.rejection);
        const [, proof] = /^Bearer\s+(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
        const changed = await changePassword(world, session, { ...body.value, proof, requestId: c.get('requestId') });
        if (changed.ok) return c.json({ success: true, endedSessions: changed.value.endedSessions });
        const { rejection } = changed;
        if (rejection.code === 'ProofRequired') return answerProblem(c, reauthenticationRequired);
        if (rejection.code === 'AnotherAccount') {
          return answerProblem(c, invalidFields({ username: 'This is not the account that is signed in' }));
        }
        const { message, suggestions } = rejection;
        return c.json<WeakPasswordAnswer>(
          { code: 'WeakPassword', message, fields: { password: message }, suggestions },
          422,
        );
      }),
    )
    .post(
      '/password-strength',
      guard.signedIn(async (c, { username }) => {
        const body = await parseBody(c, newPassword.pick({ password: true }));
        if (!body.ok) return answerProblem(c, body.rejection);
        try {
          const ownWords = [username, ...world.ownWords()];
          const { score, weakness } = await estimating(() => strengthOf(body.value.password, ownWords));
          const { message = null, suggestions = [] } = weakness ?? {};
          return c.json<PasswordStrengthAnswer>({ score, message, suggestions });
        } catch (error) {
          if (error instanceof TooBusy) return answerProblem(c, tooBusy);
          throw error;
        }
      }),
    );
}

/** An estimate keeps the process busy for a moment: somebody who types asks for many, and customers must not wait for them. */
const estimating = limitConcurrency(1);

const tooBusy: Problem = { status: 429, code: 'TooManyAttempts', message: 'Please wait a moment and try again.' };
