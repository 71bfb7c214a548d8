import { ok, type Result, rejected } from '@kilim/domain/result';
import type * as z from 'zod/mini';
import { problemSchema } from './wire.ts';

/**
 * What went wrong with a call. The difference that matters is between knowing and not knowing: after `no-answer` the server may
 * or may not have done what was asked; after `refused` it has answered.
 */
export type ApiFailure =
  | {
      readonly kind: 'no-answer';
      /** `unreadable`: it answered with success, but not with anything this page understands. */
      readonly cause: 'network' | 'timeout' | 'aborted' | 'unreadable';
    }
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** The problem's code, or `Http<status>` when the answer was no problem of ours (a proxy's error page). */
      readonly code: string;
      /** Fit to show; empty when the answer was no problem of ours. */
      readonly message: string;
      /** Each wrong field's message, by its path (`rugs.0.widthFeet`). */
      readonly fields: Readonly<Record<string, string>>;
      /** The parsed body, for refusals that carry more (`PriceChanged` has a quote); undefined when it was not JSON. */
      readonly body: unknown;
      /** The status code, a colon, and the response text or else the status text (specification, section 7). */
      readonly text: string;
    };

export type ApiAnswer<Body> = { readonly status: number; readonly body: Body; readonly headers: Headers };

export type ApiRequest<Body> = {
  readonly path: string;
  readonly schema: z.ZodMiniType<Body>;
  /** Sent as JSON. A request with a body is a POST, unless `method` says otherwise. */
  readonly body?: unknown;
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeoutMilliseconds?: number;
};

const defaultTimeoutMilliseconds = 20_000;

/** Calls the server, with cookies. Never throws for anything the network or the server does. */
export async function request<Body>(call: ApiRequest<Body>): Promise<Result<ApiAnswer<Body>, ApiFailure>> {
  const timeout = AbortSignal.timeout(call.timeoutMilliseconds ?? defaultTimeoutMilliseconds);
  try {
    const response = await fetch(call.path, {
      method: call.method ?? (call.body === undefined ? 'GET' : 'POST'),
      credentials: 'include',
      headers: { ...call.headers, ...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      signal: call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]),
    });
    // Reading can fail as well: an answer that was cut off is no answer.
    return understand(response, await response.text(), call.schema);
  } catch {
    const cause = call.signal?.aborted === true ? 'aborted' : timeout.aborted ? 'timeout' : 'network';
    return rejected({ kind: 'no-answer', cause });
  }
}

function understand<Body>(
  response: Response,
  text: string,
  schema: z.ZodMiniType<Body>,
): Result<ApiAnswer<Body>, ApiFailure> {
  const body = parseJson(text);
  if (!response.ok) return rejected(refusalOf(response, text, body));
  const parsed = schema.safeParse(body);
  if (!parsed.success) return rejected({ kind: 'no-answer', cause: 'unreadable' });
  return ok({ status: response.status, body: parsed.data, headers: response.headers });
}

function refusalOf(response: Response, text: string, body: unknown): ApiFailure {
  const problem = problemSchema.safeParse(body);
  return {
    kind: 'refused',
    status: response.status,
    code: problem.success ? problem.data.code : `Http${response.status}`,
    message: problem.success ? problem.data.message : '',
    fields: (problem.success ? problem.data.fields : undefined) ?? {},
    body,
    text: `${response.status}: ${text === '' ? response.statusText : text}`,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** For data loading, where a failure goes to the nearest error page. */
export class ApiError extends Error {
  readonly failure: ApiFailure;

  constructor(failure: ApiFailure) {
    super(failure.kind === 'refused' ? failure.text : `No answer (${failure.cause})`);
    this.name = 'ApiError';
    this.failure = failure;
  }
}

/** The body alone. @throws ApiError */
export async function load<Body>(call: ApiRequest<Body>): Promise<Body> {
  const answer = await request(call);
  if (!answer.ok) throw new ApiError(answer.rejection);
  return answer.value.body;
}
