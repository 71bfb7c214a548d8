import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Problem } from './problem.ts';

/** @hono/node-server's; a request in a test has none. */
type NodeBindings = { readonly incoming?: { readonly destroyed?: boolean; readonly complete?: boolean } };

/** More than any upload that a person sends by mistake. The connection of a longer body is cut. */
const mostReadBytes = 32 * 1024 * 1024;

/**
 * Clients may read an answer only after sending their request. If the connection closes before, the person sees a
 * network error instead of the sentence.
 */
export const readToEnd = createMiddleware(async (c, next) => {
  await next();
  if (isArriving(c)) await discard(c.req.raw.body);
});

function isArriving(c: Context): boolean {
  const { incoming } = (c.env as NodeBindings | undefined) ?? {};
  return incoming?.complete === false && incoming.destroyed === false;
}

async function discard(body: ReadableStream<Uint8Array> | null): Promise<void> {
  // When a limit found a body without a length too large, it still holds the reader.
  if (body === null || body.locked) return;
  const reader = body.getReader();
  try {
    for (let bytes = 0; bytes < mostReadBytes; ) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.byteLength;
    }
  } catch {
    // The client has left, or was cut off as too slow.
  }
}

/**
 * Whether the client left, or was cut off as too slow, before its request had arrived. The error of
 * reading it is no fault of this server.
 */
export function isCutOff(c: Context): boolean {
  const { incoming } = (c.env as NodeBindings | undefined) ?? {};
  return incoming?.destroyed === true && incoming.complete === false;
}

/** For the log and the metrics; the client does not receive it. */
export const cutOff: Problem = { status: 400, code: 'CutOff', message: 'The request did not arrive as a whole.' };
