import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import type { Logger } from '../server/logger.ts';
import { limitUpload, uploadPath } from './office/images.ts';
import { answerProblem } from './problem.ts';

const mostBodyBytes = 256 * 1024;

const limitJson = bodyLimit({
  maxSize: mostBodyBytes,
  onError: (c) =>
    answerProblem(c, {
      status: 413,
      code: 'TooLarge',
      message: 'The request is larger than 256 KiB.',
      fields: { body: 'At most 256 KiB' },
    }),
});

export const limitBody = createMiddleware((c, next) =>
  c.req.path === uploadPath ? limitUpload(c, next) : limitJson(c, next),
);

/**
 * Only pages of ours may change something. A browser names the site that a request comes from; an old one names at least its
 * origin; what names neither is no browser, and has no cookies of anybody's to misuse. JSON only, because a form of another site can
 * send anything else without asking; but for the one call that takes a file.
 */
export function refuseForeignWrites(origins: readonly string[]) {
  return createMiddleware(async (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD' || c.req.method === 'OPTIONS') return next();
    const site = c.req.header('sec-fetch-site');
    const origin = c.req.header('origin');
    const isOurs = site === undefined ? origin === undefined || origins.includes(origin) : site === 'same-origin';
    if (!isOurs) {
      return answerProblem(c, { status: 403, code: 'ForeignOrigin', message: 'This request came from another site.' });
    }
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

/** One line per answer: what was asked, what was answered, how long it took. No query, no body, no header. */
export function logAnswers(log: Logger) {
  return createMiddleware<{ Variables: { requestId: string } }>(async (c, next) => {
    const started = performance.now();
    await next();
    log[c.res.status >= 500 ? 'error' : 'info'](
      {
        requestId: c.get('requestId'),
        method: c.req.method,
        path: pathForLog(c.req.path),
        status: c.res.status,
        milliseconds: Math.round(performance.now() - started),
      },
      'answered',
    );
  });
}

/** A payment id or an attempt's key in a path opens a receipt, so only its beginning is logged. */
function pathForLog(path: string): string {
  return path.replaceAll(/[A-Za-z0-9_-]{16,}/g, (id) => `${id.slice(0, 8)}…`);
}
