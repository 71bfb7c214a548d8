import { signedIn as signedInAnswer } from '@kilim/bff/contract/session';
import { ok, type Result, rejected } from '@kilim/domain/result';
import * as z from 'zod/mini';
import { request } from '../../shared/api-client.ts';
import { adminRequest, isSignedOut, messageOf } from '../api/admin-request.ts';
import { reauthenticated, signedIn, signedOut } from './session-store.ts';
import { sessionTexts } from './texts.ts';

/** @returns the message to show when it failed */
export async function signIn(username: string, password: string): Promise<Result<undefined, string>> {
  const answer = await request({ path: '/api/admin/login', schema: signedInAnswer, body: { username, password } });
  if (answer.ok) {
    signedIn(answer.value.body.token);
    return ok(undefined);
  }
  const failure = answer.rejection;
  if (failure.kind === 'no-answer' || failure.status >= 500) return rejected(sessionTexts.authenticationFailed);
  // Only a throttle has a message of its own: the time to wait.
  return rejected(
    failure.status === 429 ? messageOf(failure, sessionTexts.invalidCredentials) : sessionTexts.invalidCredentials,
  );
}

export type PasswordCheck = 'right' | 'signed-out' | { readonly message: string };

/** Gives the password again, for a call that needs a recent one. */
export async function givePasswordAgain(password: string, signal?: AbortSignal): Promise<PasswordCheck> {
  const answer = await adminRequest({
    path: '/api/admin/reauthenticate',
    schema: signedInAnswer,
    body: { password },
    ...(signal === undefined ? {} : { signal }),
  });
  if (answer.ok) {
    reauthenticated(answer.value.body.token);
    return 'right';
  }
  if (isSignedOut(answer.rejection)) return 'signed-out';
  return { message: messageOf(answer.rejection, sessionTexts.authenticationFailed) };
}

/** Forgets the hint first: even without an answer this browser shows the sign-in again. */
export async function logOut(): Promise<void> {
  signedOut();
  await request({ path: '/api/admin/logout', schema: z.unknown(), body: {} });
  window.location.assign('/admin');
}
