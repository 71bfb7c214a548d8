import { secondFactorNeeded } from '@kilim/bff/contract/second-factor';
import { signedIn as signedInAnswer } from '@kilim/bff/contract/session';
import type { SecondFactorKind } from '@kilim/domain/people/second-factor';
import { ok, type Result, rejected } from '@kilim/domain/result';
import * as z from 'zod/mini';
import { request } from '../../../shared/api-client.ts';
import { call } from '../../../shared/call.ts';
import { showToast } from '../../../shared/toast/toast-store.ts';
import { isSignedOut, messageOf, renewingRequest } from '../api/admin-request.ts';
import { confirmWithPasskey } from '../second-factor/passkeys.ts';
import type { HandedSignIn } from './handed-sign-in.ts';
import { reauthenticated, signedIn, signedOut } from './session-store.ts';
import { sessionTexts } from './texts.ts';

/** What must follow the password. */
export type NeededFactors = readonly SecondFactorKind[];

/** @returns the message to show when it failed. */
export async function signIn(username: string, password: string): Promise<Result<HandedSignIn, string>> {
  const answer = await request(
    call('POST /api/admin/login', {
      body: { username, password },
      answer: z.union([signedInAnswer, secondFactorNeeded]),
    }),
  );
  if (answer.ok) {
    const { body } = answer.value;
    return ok(body);
  }
  const failure = answer.rejection;
  if (failure.kind === 'no-answer' || failure.status >= 500) return rejected(sessionTexts.authenticationFailed);
  // Only these say more: the time to wait, and that the account was altered.
  const saysMore = failure.status === 429 || failure.code === 'AccountAltered';
  return rejected(saysMore ? messageOf(failure, sessionTexts.invalidCredentials) : sessionTexts.invalidCredentials);
}

/** @returns the message to show when it failed. */
export async function giveSignInCode(code: string): Promise<Result<undefined, string>> {
  const answer = await request(call('POST /api/admin/login/code', { body: { code }, answer: signedInAnswer }));
  if (!answer.ok) return rejected(messageOf(answer.rejection, sessionTexts.authenticationFailed));
  signedIn(answer.value.body.token);
  return ok(undefined);
}

/** The code is empty without a second factor. */
export type Proving = 'passkey' | { readonly password: string; readonly code: string };

export type PasswordCheck =
  | 'right'
  | 'signed-out'
  /** `needsFactor`: the password was right, and the second factor was used too long ago. */
  | { readonly message: string; readonly needsFactor?: boolean };

/** For a call that needs a recent proof. */
export async function proveAgain(proving: Proving, signal?: AbortSignal): Promise<PasswordCheck> {
  if (proving === 'passkey') {
    const confirmed = await confirmWithPasskey();
    if (confirmed.ok) return 'right';
    const { failure, message } = confirmed.rejection;
    return failure !== undefined && isSignedOut(failure) ? 'signed-out' : { message };
  }
  const answer = await renewingRequest({
    ...call('POST /api/admin/reauthenticate', { body: proving, answer: signedInAnswer }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (answer.ok) {
    reauthenticated(answer.value.body.token);
    return 'right';
  }
  if (isSignedOut(answer.rejection)) return 'signed-out';
  const needsFactor = answer.rejection.kind === 'refused' && answer.rejection.code === 'SecondFactorNeeded';
  return { message: messageOf(answer.rejection, sessionTexts.authenticationFailed), needsFactor };
}

/** Stays on the page while the session may go on: the next page would be the office, opened by that session. */
export async function logOut(): Promise<void> {
  const answer = await request(call('POST /api/admin/logout'));
  if (!answer.ok && !isSignedOut(answer.rejection)) {
    showToast({ title: sessionTexts.logOutFailed, variant: 'destructive' });
    return;
  }
  signedOut();
  window.location.assign('/admin');
}
