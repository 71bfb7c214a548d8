import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import type { Client } from '../runtime/client-address.ts';
import type { Logger } from '../runtime/logger.ts';
import { thinOut } from '../runtime/thin-out.ts';
import { isProbe } from './health.ts';
import { limitUpload, uploadPath } from './office/images.ts';
import { answerProblem, type Problem, unavailable } from './problem.ts';
import type { RequestVariables } from './request-id.ts';

const mostBodyBytes = 256 * 1024;

const tooLarge: Problem = {
  status: 413,
  code: 'TooLarge',
  message: 'The request is larger than 256 KiB.',
  fields: { body: 'At most 256 KiB' },
};
const countBytes = bodyLimit({ maxSize: mostBodyBytes, onError: (c) => answerProblem(c, tooLarge) });

/** Counting makes a stream of the body, which costs more than the rest of a small request. Most have a length. */
const limitJson = createMiddleware(async (c, next) => {
  if (!isWrite(c.req.method)) return next();
  const length = c.req.header('content-length');
  if (length === undefined || c.req.header('transfer-encoding') !== undefined) return countBytes(c, next);
  return Number(length) > mostBodyBytes ? answerProblem(c, tooLarge) : next();
});

export const limitBody = createMiddleware((c, next) =>
  c.req.path === uploadPath ? limitUpload(c, next) : limitJson(c, next),
);

/** A payment that begins here could not be finished here. */
export function refuseWritesDuring(problem: () => string | undefined) {
  return createMiddleware(async (c, next) => {
    if (!isWrite(c.req.method) || problem() === undefined) return next();
    return answerProblem(c, unavailable);
  });
}

/**
 * `same-site` is another host of the domain, or another port. Old browsers send only the origin. A request with neither
 * is not from a browser, so it carries no cookies. Bodies must be JSON, which a form of another site cannot send
 * without a preflight, except for an upload.
 */
export function refuseForeignWrites(ownOrigin: (c: Context) => string) {
  return createMiddleware(async (c, next) => {
    if (!isWrite(c.req.method)) return next();
    if (!isFromOrigin(c, ownOrigin(c))) return answerProblem(c, foreignOrigin);
    const expected = c.req.path === uploadPath ? /^multipart\/form-data\s*;/i : /^application\/json\s*(;|$)/i;
    if (!expected.test(c.req.header('content-type') ?? '')) {
      return answerProblem(c, {
        status: 415,
        code: 'NotJson',
        message: 'Send JSON, with the content type application/json.',
      });
    }
    return next();
  });
}

/**
 * Cookies of the same site would be sent, and an image or a frame could measure the answer's time. A typed address
 * comes from no page.
 */
export function refuseForeignReads(ownOrigin: (c: Context) => string) {
  return createMiddleware(async (c, next) => {
    if (c.req.header('sec-fetch-site') === 'none' || isFromOrigin(c, ownOrigin(c))) return next();
    return answerProblem(c, foreignOrigin);
  });
}

const foreignOrigin: Problem = {
  status: 403,
  code: 'ForeignOrigin',
  message: 'This request came from another site.',
};

function isFromOrigin(c: Context, own: string): boolean {
  const site = c.req.header('sec-fetch-site');
  const origin = c.req.header('origin');
  return site === undefined ? origin === undefined || origin === own : site === 'same-origin';
}

/**
 * Never the query, body or headers. A successful probe is logged at the level debug, because load balancers send one
 * each second. A network causes one line with 429 a minute for each route, and one with their number.
 */
export function logAnswers(log: Logger, clientOf: (c: Context) => Client) {
  const thinned = thinOut();
  return createMiddleware<{ Variables: RequestVariables }>(async (c, next) => {
    const started = performance.now();
    await next();
    const { status } = c.res;
    const line = {
      requestId: c.get('requestId'),
      clientRequestId: c.get('clientRequestId'),
      method: c.req.method,
      ...placeOf(c),
      status,
      milliseconds: Math.round(performance.now() - started),
    };
    if (status !== 429) return log[levelOf(c.req.path, status)](line, 'answered');
    const { network } = clientOf(c);
    thinned(`${network} ${line.route}`, (more) => log.info({ ...line, ...more }, 'answered'));
  });
}

function levelOf(path: string, status: number): 'debug' | 'info' | 'error' {
  if (status >= 500) return 'error';
  return isProbe(path) && status < 400 ? 'debug' : 'info';
}

function placeOf(c: Context): { readonly route: string; readonly path?: string } {
  const route = routePath(c);
  return route.endsWith('*') ? { route, path: pathForLog(c.req.path) } : { route };
}

const longestPath = 100;

/** A payment id or an attempt's key in a path grants access to a receipt, so only its beginning is logged. */
export function pathForLog(path: string): string {
  const ids = /[A-Za-z0-9_-]{16,}/g;
  const short = path.slice(0, 2 * longestPath).replaceAll(ids, (id) => `${id.slice(0, 8)}…`);
  return short.length > longestPath ? `${short.slice(0, longestPath)}…` : short;
}

function isWrite(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}
