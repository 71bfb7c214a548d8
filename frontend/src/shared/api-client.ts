import { problem } from '@kilim/bff/contract/problem';
import { ok, type Result, rejected } from '@kilim/domain/result';
import { parseJson } from './parse-json.ts';

/** After `no-answer` the outcome is unknown: the server may have processed the request. */
export type ApiFailure =
  | {
      readonly kind: 'no-answer';
      /** `unreadable`: success, but the body does not match the schema. */
      readonly cause: 'network' | 'timeout' | 'aborted' | 'unreadable';
    }
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** `Http<status>` if the response has none (a proxy's error page). */
      readonly code: string;
      /** For the customer. Empty if the response did not come from our server. */
      readonly message: string;
      /** By the field's path (`rugs.0.widthFeet`). */
      readonly fields: Readonly<Record<string, string>>;
      /** For refusals with more data (`PriceChanged` has a quote). Undefined if it was not JSON. */
      readonly body: unknown;
      /** The status code, a colon, and the response text or else the status text (specification, section 7). */
      readonly text: string;
    };

export type ApiAnswer<Body> = { readonly status: number; readonly body: Body; readonly headers: Headers };

/** A schema, or what ignores the body. */
type Reader<Body> = {
  readonly safeParse: (body: unknown) => { readonly success: true; readonly data: Body } | { readonly success: false };
};

export type ApiRequest<Body> = {
  readonly path: string;
  readonly schema: Reader<Body>;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeoutMilliseconds?: number;
};

const defaultTimeoutMilliseconds = 20_000;

/** With cookies. Never throws: network and server errors are results. */
export async function request<Body>(call: ApiRequest<Body>): Promise<Result<ApiAnswer<Body>, ApiFailure>> {
  const timeout = AbortSignal.timeout(call.timeoutMilliseconds ?? defaultTimeoutMilliseconds);
  try {
    const response = await fetch(call.path, {
      method: call.method,
      credentials: 'include',
      // The server refuses a change without this header, which a form of another site cannot send.
      headers: { ...call.headers, ...(call.method === 'GET' ? {} : { 'Content-Type': 'application/json' }) },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      signal: call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]),
    });
    // Throws if the connection breaks, so it belongs inside the `try`.
    return parseResponse(response, await response.text(), call.schema);
  } catch {
    const cause = call.signal?.aborted === true ? 'aborted' : timeout.aborted ? 'timeout' : 'network';
    return rejected({ kind: 'no-answer', cause });
  }
}

function parseResponse<Body>(
  response: Response,
  text: string,
  schema: Reader<Body>,
): Result<ApiAnswer<Body>, ApiFailure> {
  const body = parseJson(text);
  if (!response.ok) return rejected(refusalOf(response, text, body));
  const parsed = schema.safeParse(body);
  if (!parsed.success) return rejected({ kind: 'no-answer', cause: 'unreadable' });
  return ok({ status: response.status, body: parsed.data, headers: response.headers });
}

function refusalOf(response: Response, text: string, body: unknown): ApiFailure {
  const told = problem.safeParse(body);
  return {
    kind: 'refused',
    status: response.status,
    code: told.success ? told.data.code : `Http${response.status}`,
    message: told.success ? told.data.message : '',
    fields: (told.success ? told.data.fields : undefined) ?? {},
    body,
    text: `${response.status}: ${text === '' ? response.statusText : text}`,
  };
}

/** For the nearest error page. */
export class ApiError extends Error {
  readonly failure: ApiFailure;

  constructor(failure: ApiFailure) {
    super(failure.kind === 'refused' ? failure.text : `No answer (${failure.cause})`);
    this.name = 'ApiError';
    this.failure = failure;
  }
}

/** @throws ApiError */
export async function load<Body>(call: ApiRequest<Body>): Promise<Body> {
  const answer = await request(call);
  if (!answer.ok) throw new ApiError(answer.rejection);
  return answer.value.body;
}
