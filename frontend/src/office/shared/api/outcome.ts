import type * as z from 'zod/mini';
import type { ApiFailure, ApiRequest } from '../../../shared/api-client.ts';
import { adminRequest, isSignedOut, messageOf, needsPassword } from './admin-request.ts';

export type Failed = {
  readonly kind: 'failed';
  /** Empty without an answer. */
  readonly code: string;
  /** Empty without an answer. */
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
};

/** Of a call that needs a recent password. */
export type Outcome<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'password-needed' }
  /** The sign-in covers the page, and typed text stays. */
  | { readonly kind: 'signed-out' }
  | Failed;

/** @param send `renewingRequest` for a call that replaces the session's cookie. */
export async function outcomeOf<Body>(call: ApiRequest<Body>, send = adminRequest<Body>): Promise<Outcome<Body>> {
  const answer = await send(call);
  return answer.ok ? { kind: 'done', value: answer.value.body } : failureOf(answer.rejection);
}

/** The server's own check of a request that is not sent yet, by path. */
export function problemsOf(shape: z.ZodMiniType, body: unknown): Failed['fields'] {
  const issues = shape.safeParse(body).error?.issues ?? [];
  return Object.fromEntries(issues.toReversed().map(({ path, message }) => [path.join('.'), message]));
}

/** Without a call. */
export function failedWith(message: string, fields: Failed['fields'] = {}): Failed {
  return { kind: 'failed', code: '', message, fields };
}

export function failureOf(failure: ApiFailure): Outcome<never> {
  if (isSignedOut(failure)) return { kind: 'signed-out' };
  if (needsPassword(failure)) return { kind: 'password-needed' };
  const { code, fields } = failure.kind === 'refused' ? failure : { code: '', fields: {} };
  return { kind: 'failed', code, message: Object.values(fields)[0] ?? messageOf(failure, ''), fields };
}
