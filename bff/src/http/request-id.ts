import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';

export type RequestVariables = {
  /** Made by this server. Only this id enters the ledger. */
  readonly requestId: string;
  /** The id that a trusted proxy gave the request. */
  readonly clientRequestId?: string | undefined;
};

/** What each request carries through Hono. */
export type RequestEnv = { readonly Variables: RequestVariables };

/**
 * Gives each request an id of this server, and answers it in `X-Request-Id`. The log also has the
 * id of a trusted proxy. Other ids are ignored: they could hide personal data, or forge another
 * request's trail.
 *
 * @param trustedProxies `TRUST_PROXY`; above 0, the proxies are responsible for the header
 */
export function identifyRequests(trustedProxies: number) {
  return createMiddleware<{ Variables: RequestVariables }>(async (c, next) => {
    const requestId = crypto.randomUUID();
    c.set('requestId', requestId);
    c.set('clientRequestId', trustedProxies > 0 ? givenId(c) : undefined);
    c.header('x-request-id', requestId);
    await next();
  });
}

function givenId(c: Context): string | undefined {
  const given = c.req.header('x-request-id') ?? '';
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(given)
    ? given.toLowerCase()
    : undefined;
}
