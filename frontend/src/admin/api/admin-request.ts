import type { Result } from '@kilim/domain/result';
import * as z from 'zod/mini';
import { type ApiAnswer, ApiError, type ApiFailure, type ApiRequest, request } from '../../shared/api-client.ts';
import { isUnattended } from '../session/attendance.ts';
import { sessionEnded } from '../session/session-store.ts';

/** A call of the back office. After a 401 the sign-in covers the page. */
export async function adminRequest<Body>(call: ApiRequest<Body>): Promise<Result<ApiAnswer<Body>, ApiFailure>> {
  const headers = isUnattended() ? { 'X-Unattended': '1' } : {};
  const answer = await request({ ...call, headers: { ...call.headers, ...headers } });
  if (!answer.ok && isSignedOut(answer.rejection)) sessionEnded();
  return answer;
}

export function adminDelete(path: string): Promise<Result<ApiAnswer<unknown>, ApiFailure>> {
  return adminRequest(deletion(path));
}

export function deletion(path: string): ApiRequest<unknown> {
  // The server refuses a change without this header, which a form of another site cannot send.
  const headers = { 'Content-Type': 'application/json' };
  return { path, method: 'DELETE', schema: z.unknown(), headers };
}

/** For data loading. @throws ApiError */
export async function adminLoad<Body>(call: ApiRequest<Body>): Promise<ApiAnswer<Body>> {
  const answer = await adminRequest(call);
  if (!answer.ok) throw new ApiError(answer.rejection);
  return answer.value;
}

export function isSignedOut(failure: ApiFailure): boolean {
  return failure.kind === 'refused' && failure.status === 401;
}

/** The call needs a more recent password. */
export function needsPassword(failure: ApiFailure): boolean {
  return failure.kind === 'refused' && failure.code === 'ReauthenticationRequired';
}

/** The message of the server, or else the given text. */
export function messageOf(failure: ApiFailure, otherwise: string): string {
  return failure.kind === 'refused' && failure.message !== '' ? failure.message : otherwise;
}
