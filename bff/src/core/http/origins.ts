import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { answerProblem, noSuchCall } from './problem.ts';

/** Two origins keep scripts on a customer's page from acting for a signed-in administrator. */
export type Origins = {
  readonly shop: string;
  readonly office: string;
  /** Absent in production, where the host name decides. */
  readonly officePort?: number | undefined;
};

type OriginName = 'shop' | 'office';

/** @returns undefined for a host that is neither; with a port for the office, any host is the shop */
export function originOf(c: Context, { shop, office, officePort }: Origins): OriginName | undefined {
  if (officePort !== undefined && localPortOf(c) === officePort) return 'office';
  const host = hostOf(c.req.url);
  if (host === hostOf(office)) return 'office';
  return officePort !== undefined || host === hostOf(shop) ? 'shop' : undefined;
}

export function addressOfOrigin(c: Context, origins: Origins): string {
  return new URL(originOf(c, origins) === 'office' ? origins.office : origins.shop).origin;
}

/**
 * Pages of the office redirect from the shop's origin. Another host gets the shop, because a proxy that rewrites the
 * host must not stop payments, but nothing of the back office.
 */
export function keepOriginsApart(origins: Origins) {
  return createMiddleware(async (c, next) => {
    const { path } = c.req;
    const owner = ownerOf(path);
    const origin = originOf(c, origins);
    if (owner === 'both' || owner === (origin ?? 'shop')) return next();
    c.header('cache-control', 'no-store');
    c.header('x-content-type-options', 'nosniff');
    const isPage = !path.startsWith('/api') && (c.req.method === 'GET' || c.req.method === 'HEAD');
    if (origin === undefined) return answerProblem(c, unknownHost);
    if (origin === 'office') return isPage && path === '/' ? c.redirect('/admin') : answerProblem(c, noSuchCall);
    if (!isPage || namesBackOffice(path)) return answerProblem(c, noSuchCall);
    // `path` is decoded, and a header cannot hold every character.
    const { pathname, search } = new URL(c.req.url);
    return c.redirect(`${new URL(origins.office).origin}${pathname}${search}`);
  });
}

const unknownHost = {
  status: 421,
  code: 'UnknownHost',
  message: 'The back office is not at this host name. The proxy must pass on the Host header, and OFFICE_URL name it.',
} as const;

const pathsOfBoth =
  /^\/(assets\/|images\/|favicon\.ico$|apple-touch-icon\.png$|api\/csp-reports$|\.well-known\/security\.txt$)/;

function ownerOf(path: string): OriginName | 'both' {
  if (pathsOfBoth.test(path)) return 'both';
  return path === '/admin' || path.startsWith('/admin/') || namesBackOffice(path) ? 'office' : 'shop';
}

/** Some proxies name the port that https implies. */
function hostOf(url: string): string {
  return new URL(url).host.replace(/:443$/, '');
}

/** The bindings of @hono/node-server; a request without a socket has none. */
type NodeBindings = { readonly incoming?: { readonly socket?: { readonly localPort?: number } } };

function localPortOf(c: Context): number | undefined {
  return (c.env as NodeBindings | undefined)?.incoming?.socket?.localPort;
}

/**
 * Whether a path without a route belongs to the back office, in any spelling. Only a signed-in
 * administrator learns that it does not exist.
 */
export function namesBackOffice(path: string): boolean {
  let plain = path;
  // A path may have been encoded twice.
  for (let round = 0; round < 2; round += 1) {
    try {
      plain = decodeURIComponent(plain);
    } catch {
      break;
    }
  }
  return /^\/api\/admin(\/|$|[^a-z0-9_-])/i.test(plain.replaceAll(/[/\\]+/g, '/').replaceAll('/./', '/'));
}
