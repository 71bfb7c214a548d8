import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { every } from 'hono/combine';
import { z } from 'zod';
import type { Logger } from '../../runtime/logger.ts';
import { thinOut } from '../../runtime/thin-out.ts';
import { answerProblem, type Problem } from '../problem.ts';
import type { OpenName, Serve } from '../serve.ts';
import { type Throttles, throttle } from '../throttle/throttle.ts';
import { jsonOf } from '../validate.ts';

/** Browsers report to the page's origin, so each origin answers it. */
const cspReportsPath = '/api/csp-reports';

/**
 * Not `report-to`: browsers that know it ignore `report-uri`, and Chromium then delays a report by a minute, or does
 * not send it.
 */
export const reportDirectives = { 'report-uri': [cspReportsPath] } as const;

const reported = { name: 'csp-report', perSeconds: 60, mostPerAddress: 30, mostPerNetwork: 120 };
const mostBytes = 16 * 1024;
/** Browsers send several reports together. */
const mostReports = 10;

type CspReportsOptions = { readonly throttles: Throttles; readonly log: Logger };

/**
 * Anyone can send one, so it is only counted and logged: the directive, the page and the blocked origin. Equal ones are
 * one line a minute, and one with their number.
 */
export function serveCspReports(serve: Serve<OpenName>, { throttles, log }: CspReportsOptions): void {
  const thinned = thinOut();
  const tooLarge = bodyLimit({ maxSize: mostBytes, onError: (c) => answerProblem(c, tooLargeReport) });
  serve(
    `POST ${cspReportsPath}`,
    async (c, { answer }) => {
      if (!/^application\/(?:csp-report|reports\+json|json)\s*(?:;|$)/i.test(c.req.header('content-type') ?? ''))
        return answerProblem(c, otherType);
      const violations = parseReports(await textOf(c));
      if (violations === undefined) return answerProblem(c, malformed);
      for (const violation of violations) {
        throttles.metrics.cspReports.inc({ directive: violation.directive });
        const line = { requestId: c.get('requestId'), ...violation };
        thinned(Object.values(violation).join(' '), (more) =>
          log.warn({ ...line, ...more }, 'a content security policy blocked a resource'),
        );
      }
      return answer(204);
    },
    { limit: every(throttle(throttles, reported), tooLarge) },
  );
}

const tooLargeReport: Problem = { status: 413, code: 'TooLarge', message: 'The report is larger than 16 KiB.' };
const otherType: Problem = { status: 415, code: 'NotAReport', message: 'Send application/reports+json.' };
const malformed: Problem = { status: 400, code: 'Malformed', message: 'This is not a report of a browser.' };

async function textOf(c: Context): Promise<string> {
  return Buffer.from(await c.req.arrayBuffer()).toString('utf8');
}

type Violation = {
  readonly directive: string;
  /** The page without its query and without ids. */
  readonly page: string;
  /** An origin, or a keyword such as `inline`. */
  readonly blocked: string;
  readonly enforced: boolean;
};

const text = z.string().max(mostBytes).default('');
/** `report-uri`: one report, with names in kebab case. */
const single = z.object({
  'csp-report': z
    .object({
      'effective-directive': text,
      'violated-directive': text,
      'document-uri': text,
      'blocked-uri': text,
      disposition: text,
    })
    .transform((report) => ({
      directive: report['effective-directive'] || report['violated-directive'],
      page: report['document-uri'],
      blocked: report['blocked-uri'],
      disposition: report.disposition,
    })),
});
/** `report-to`: several reports, also of other kinds. */
const several = z.array(
  z.object({
    type: text,
    body: z
      .object({ effectiveDirective: text, documentURL: text, blockedURL: text, disposition: text })
      .transform(({ effectiveDirective, documentURL, blockedURL, disposition }) => ({
        directive: effectiveDirective,
        page: documentURL,
        blocked: blockedURL,
        disposition,
      }))
      .optional(),
  }),
);

/** @returns undefined when the text is no report of a browser */
export function parseReports(json: string): readonly Violation[] | undefined {
  const parsed = z.union([single, several]).safeParse(jsonOf(json));
  if (!parsed.success) return undefined;
  const found = Array.isArray(parsed.data)
    ? parsed.data.flatMap(({ type, body }) => (type === 'csp-violation' && body !== undefined ? [body] : []))
    : [parsed.data['csp-report']];
  return found.slice(0, mostReports).map(({ directive, page, blocked, disposition }) => ({
    directive: knownDirectives.find((known) => directive.split(' ', 1)[0] === known) ?? 'other',
    page: pageOf(page),
    blocked: blockedOf(blocked),
    enforced: disposition !== 'report',
  }));
}

/** The labels of the metric, a closed set. */
const knownDirectives = [
  ...['script-src', 'script-src-elem', 'script-src-attr', 'style-src', 'style-src-elem', 'style-src-attr'],
  ...['default-src', 'connect-src', 'img-src', 'font-src', 'frame-src', 'object-src', 'worker-src', 'media-src'],
  ...['frame-ancestors', 'form-action', 'base-uri', 'manifest-src', 'require-trusted-types-for', 'trusted-types'],
];

const pages = ['/', '/checkout', '/payment-success', '/difference', '/admin'];

function pageOf(url: string): string {
  if (!URL.canParse(url)) return 'other';
  const { pathname } = new URL(url);
  return pages.find((page) => pathname === page || (page !== '/' && pathname.startsWith(`${page}/`))) ?? 'other';
}

const keywords = ['inline', 'eval', 'wasm-eval', 'data', 'blob', 'trusted-types-sink', 'trusted-types-policy'];

function blockedOf(uri: string): string {
  if (keywords.includes(uri)) return uri;
  const origin = URL.canParse(uri) ? new URL(uri).origin : '';
  return /^(?:https?|wss?):\/\/[a-z0-9.:-]{1,100}$/.test(origin) ? origin : 'other';
}
