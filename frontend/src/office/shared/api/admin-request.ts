import type { Result } from '@kilim/domain/result';
import { type ApiAnswer, ApiError, type ApiFailure, type ApiRequest, request } from '../../../shared/api-client.ts';
import { isUnattended } from '../session/attendance.ts';
import { sessionEnded } from '../session/session-store.ts';

type Answered<Body> = Promise<Result<ApiAnswer<Body>, ApiFailure>>;

let renewal: Promise<unknown> = Promise.resolve();

/**
 * After a 401 the sign-in covers the page. A new proof replaces the session's cookie in all tabs, so a request sent
 * with the earlier cookie gets a 401 too: it is sent once more first.
 */
export function adminRequest<Body>(call: ApiRequest<Body>): Answered<Body> {
  return sendAgain(call, () => renewal);
}

/** For a call that replaces the session's cookie. */
export function renewingRequest<Body>(call: ApiRequest<Body>): Answered<Body> {
  const answered = sendAgain(call, () => Promise.resolve());
  renewal = answered;
  return answered;
}

async function sendAgain<Body>(call: ApiRequest<Body>, isReady: () => Promise<unknown>): Answered<Body> {
  const answer = await send(call);
  if (!hasNoSession(answer)) return answer;
  await isReady();
  const again = await send(call);
  if (hasNoSession(again)) sessionEnded();
  return again;
}

function send<Body>(call: ApiRequest<Body>): Answered<Body> {
  const headers = isUnattended() ? { 'X-Unattended': '1' } : {};
  return request({ ...call, headers: { ...call.headers, ...headers } });
}

function hasNoSession(answer: Result<unknown, ApiFailure>): boolean {
  return !answer.ok && isSignedOut(answer.rejection);
}

/** @throws ApiError */
export async function adminLoad<Body>(call: ApiRequest<Body>): Promise<ApiAnswer<Body>> {
  const answer = await adminRequest(call);
  if (!answer.ok) throw new ApiError(answer.rejection);
  return answer.value;
}

export function isSignedOut(failure: ApiFailure): boolean {
  return failure.kind === 'refused' && failure.status === 401;
}

export function needsPassword(failure: ApiFailure): boolean {
  return failure.kind === 'refused' && failure.code === 'ReauthenticationRequired';
}

/** The server's message, or else the given text. */
export function messageOf(failure: ApiFailure, otherwise: string): string {
  return failure.kind === 'refused' && failure.message !== '' ? failure.message : otherwise;
}
