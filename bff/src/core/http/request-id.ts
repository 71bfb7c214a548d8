import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';

export type RequestVariables = {
  /** Only this id enters the ledger. */
  readonly requestId: string;
  readonly clientRequestId?: string | undefined;
};

export type RequestEnv = { readonly Variables: RequestVariables };

/**
 * Other ids are ignored: they could hide personal data, or forge another request's trail.
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
