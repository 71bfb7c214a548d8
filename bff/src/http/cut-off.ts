import type { Context } from 'hono';
import type { Problem } from './problem.ts';

/** The bindings of @hono/node-server; a request in a test may have none. */
type NodeBindings = { readonly incoming?: { readonly destroyed?: boolean; readonly complete?: boolean } };

/**
 * Whether the client left, or was cut off as too slow, before its request had arrived. The error of
 * reading such a request is no fault of this server.
 */
export function isCutOff(c: Context): boolean {
  const { incoming } = (c.env as NodeBindings | undefined) ?? {};
  return incoming?.destroyed === true && incoming.complete === false;
}

/** For the log and the metrics; the client does not receive it. */
export const cutOff: Problem = { status: 400, code: 'CutOff', message: 'The request did not arrive as a whole.' };
