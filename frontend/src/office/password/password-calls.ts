import {
  type PasswordStrength,
  passwordChanged,
  passwordStrength,
  session as sessionAnswer,
  sessions,
  weakPassword,
} from '@kilim/bff/contract/session';
import { passwordTexts, shortestPassword } from '@kilim/domain/people/password';
import { call } from '../../shared/call.ts';
import { adminQuery } from '../shared/api/admin-query.ts';
import { adminRequest, isSignedOut, messageOf, needsPassword } from '../shared/api/admin-request.ts';
import { type Outcome, outcomeOf } from '../shared/api/outcome.ts';
import { proveAgain } from '../shared/session/session-calls.ts';
import { currentProof } from '../shared/session/session-store.ts';
import { passwordPageTexts } from './texts.ts';

export type PasswordForm = {
  /** Undefined: the sign-in has just proven it. */
  readonly current: string | undefined;
  readonly next: string;
  readonly confirm: string;
};

/** Checked before the server is called (specification, section 5). */
export function problemOfPasswords({ current, next, confirm }: PasswordForm): string | undefined {
  if (current === '' || next === '' || confirm === '') return passwordPageTexts.allRequired;
  if ([...next].length < shortestPassword) return passwordTexts.tooShort;
  return next === confirm ? undefined : passwordPageTexts.mismatch;
}

export type PasswordOutcome =
  | { readonly kind: 'updated'; readonly endedSessions: number }
  /** The sign-in covers the page, and typed text stays. */
  | { readonly kind: 'signed-out' }
  /** The second factor was used too long ago. */
  | { readonly kind: 'factor-needed' }
  /** The sign-in was too long ago to prove the current one. */
  | { readonly kind: 'current-needed' }
  | { readonly kind: 'failed'; readonly message: string; readonly suggestions: readonly string[] };

export async function changePassword({ current, next }: PasswordForm): Promise<PasswordOutcome> {
  const proven = current === undefined ? 'right' : await proveAgain({ password: current, code: '' });
  if (proven === 'signed-out') return { kind: 'signed-out' };
  if (proven !== 'right' && proven.needsFactor === true) return { kind: 'factor-needed' };
  if (proven !== 'right') return { kind: 'failed', message: proven.message, suggestions: [] };
  const session = await adminRequest(call('GET /api/admin/session', { answer: sessionAnswer }));
  if (!session.ok) {
    return isSignedOut(session.rejection)
      ? { kind: 'signed-out' }
      : { kind: 'failed', message: passwordPageTexts.failed, suggestions: [] };
  }
  const answer = await adminRequest({
    ...call('POST /api/admin/set-password', {
      body: { username: session.value.body.username, password: next },
      answer: passwordChanged,
    }),
    headers: { Authorization: `Bearer ${currentProof() ?? ''}` },
  });
  if (answer.ok) return { kind: 'updated', endedSessions: answer.value.body.endedSessions };
  const failure = answer.rejection;
  if (isSignedOut(failure)) return { kind: 'signed-out' };
  if (current === undefined && needsPassword(failure)) return { kind: 'current-needed' };
  if (failure.kind === 'refused' && failure.status === 422) {
    const weak = weakPassword.safeParse(failure.body);
    const suggestions = weak.success ? weak.data.suggestions : [];
    return { kind: 'failed', message: messageOf(failure, passwordPageTexts.failed), suggestions };
  }
  return { kind: 'failed', message: passwordPageTexts.failed, suggestions: [] };
}

/** @returns the server's rating; undefined without an answer. */
export async function askStrength(password: string, signal: AbortSignal): Promise<PasswordStrength | undefined> {
  const answer = await adminRequest({
    ...call('POST /api/admin/password-strength', { body: { password }, answer: passwordStrength }),
    signal,
  });
  return answer.ok ? answer.value.body : undefined;
}

export const sessionsQuery = adminQuery(['admin', 'sessions'], call('GET /api/admin/sessions', { answer: sessions }));

/** Needs a recent password. A session that has ended before counts as ended. */
export async function endSession(id: string): Promise<Outcome<unknown>> {
  const outcome = await outcomeOf<unknown>(call('DELETE /api/admin/sessions/:id', { params: { id } }));
  return outcome.kind === 'failed' && outcome.code === 'NotFound' ? { kind: 'done', value: undefined } : outcome;
}

/** Needs a recent password. This session ends, too. */
export function endAllSessions(): Promise<Outcome<unknown>> {
  return outcomeOf(call('DELETE /api/admin/sessions'));
}
