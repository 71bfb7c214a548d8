import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';

/** No page may frame it, and it loads nothing. ASVS 3.4.3 asks for each directive. */
export const closedPolicy = "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'";

/**
 * Also on refusals and errors. A route that set one of these headers keeps its own. After `next`, `c.header`
 * would make another response for each header, which is sent as a stream.
 */
export function setHeaders(origin: (c: Context) => string) {
  return createMiddleware(async (c, next) => {
    await next();
    const { headers } = c.res;
    const everywhere = origin(c).startsWith('https:') ? { ...ofEveryAnswer, ...ofHttps } : ofEveryAnswer;
    for (const [name, value] of Object.entries(everywhere)) if (!headers.has(name)) headers.set(name, value);
  });
}

export const ofEveryAnswer = {
  'content-security-policy': closedPolicy,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** One year, as ASVS 3.4.1 asks. */
const ofHttps = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };

/** The answer to a call may hold a customer's data, and is true only now. */
export const forbidCaching = createMiddleware(async (c, next) => {
  await next();
  c.res.headers.set('cache-control', 'no-store');
});
