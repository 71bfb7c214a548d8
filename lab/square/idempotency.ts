import { answerId, type Change, type State } from './state.ts';
import { type Answer, invalid } from './wire.ts';

export type KeyedRequest = { readonly endpoint: string; readonly key: string; readonly body: unknown };

/** @returns the stored answer, a refusal when the key was used for another request, or undefined. */
export function replay(state: State, request: KeyedRequest): Answer | undefined {
  const stored = state.answers.get(answerId(request.endpoint, request.key));
  if (stored === undefined) return undefined;
  if (stored.request === canonical(request.body)) return { status: stored.status, body: stored.body };
  const detail = `Different request parameters used for the same idempotency_key: ${request.key}`;
  return invalid('IDEMPOTENCY_KEY_REUSED', detail, 'idempotency_key');
}

/** In the operation's commit, before a fault can lose it. */
export function rememberAnswer(request: KeyedRequest, answer: Answer): Change {
  return { type: 'answer', endpoint: request.endpoint, key: request.key, request: canonical(request.body), ...answer };
}

/** The same fields in another order are the same request. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part === null || typeof part !== 'object' || Array.isArray(part)
      ? part
      : Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
}
