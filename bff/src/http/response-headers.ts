import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';

/** Of everything that is not a page: it loads nothing, and no page may frame it. ASVS 3.4.3 asks for each directive. */
export const closedPolicy = "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'";

/**
 * Sets the headers of every answer, also of refusals and errors. A route that set one of them keeps
 * its own: pages have their own policies, and other sites may load the embed script.
 *
 * @param origin the address of the origin that the request was sent to; HSTS needs https
 */
export function setHeaders(origin: (c: Context) => string) {
  return createMiddleware(async (c, next) => {
    await next();
    const { headers } = c.res;
    const everywhere = origin(c).startsWith('https:') ? { ...ofEveryAnswer, ...ofHttps } : ofEveryAnswer;
    for (const [name, value] of Object.entries(everywhere)) if (!headers.has(name)) c.header(name, value);
  });
}

/** Without the one that needs https. */
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
  c.header('cache-control', 'no-store');
});
