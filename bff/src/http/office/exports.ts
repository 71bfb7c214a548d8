import { createHash } from 'node:crypto';
import { type Books, closedThrough } from '@kilim/domain/accounting/books';
import { netOf } from '@kilim/domain/accounting/daily-takings';
import type { Day } from '@kilim/domain/accounting/day';
import { taxDue } from '@kilim/domain/accounting/sales-tax';
import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { type Contents as ContentsAnswer, contents, type ExportFormat } from '../../../contract/exports.ts';
import { contentsQuery } from '../../../contract/queries.ts';
import type { After } from '../../database/copy/event-pages.ts';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { type Contents, readContents } from '../../export/contents.ts';
import { streamOf } from '../../export/export-stream.ts';
import type { ProvenExportToken } from '../../export/export-tokens.ts';
import { exportKinds, fileNameOf, type Pieces } from '../../export/kinds.ts';
import { openScope, type Scope } from '../../export/scope.ts';
import { placeOf } from '../../export/selection.ts';
import { readBooks } from '../../ledger/read.ts';
import type { Logger } from '../../server/logger.ts';
import type { ProvenSession } from '../../sign-in/sessions.ts';
import { answerProblem, invalidFields, type Problem } from '../problem.ts';
import type { Throttles } from '../throttle.ts';
import { query } from '../validate.ts';
import { createExportAccess } from './export-access.ts';
import { type AdminGuard, type AdminVariables, checked } from './guard.ts';
import { ageHeader, type ListReading } from './list-reading.ts';
import type { SecurityOf } from './security-of.ts';

export type AdminExportsOptions = {
  readonly sql: Sql;
  /** With pools of its own, so that long reads never delay a payment. */
  readonly exports: ListReading;
  readonly log: Logger;
  readonly guard: AdminGuard;
  readonly throttles: Throttles;
  readonly securityOf: SecurityOf;
  readonly timeZone: string;
  /** A client that reads nothing for this long counts as gone. */
  readonly stalledAfterMs?: number;
};

/** Each read occupies a connection until it ends. */
const mostReadings = 3;
const tooManyReadings: Problem = {
  status: 429,
  code: 'TooManyExports',
  message: 'Other exports are running. Please try again in a moment.',
};

/** The exports for accountants, and a summary of their contents. */
export function adminExports(options: AdminExportsOptions) {
  const { sql, exports, log, guard, throttles, securityOf, timeZone, stalledAfterMs = 60_000 } = options;
  const { primary } = exports;
  const { downloads } = createExportAccess({ sql, guard, throttles, securityOf, timeZone });
  const readings = createReadings();
  return new Hono<AdminVariables>()
    .get(
      '/ledger/export',
      downloads(async (c, by) => {
        const { format, after: position, ...days } = c.req.valid('query');
        const after = position === undefined ? undefined : await afterOf(primary, format, position);
        if (after !== undefined && 'code' in after) return answerProblem(c, after);
        const scope = await repeatWhileAway(() => openScope(primary, timeZone, days));
        const tag = tagOf(scope, { format, position });
        if (tag !== undefined) c.header('etag', tag);
        if (tag !== undefined && c.req.header('if-none-match') === tag) return c.body(null, 304);
        if (readings.isFull()) return answerFull(c);
        const source = await sourceOf(c, exports, scope);
        await securityOf(c).note({
          kind: 'export-downloaded',
          ...downloadedBy(by),
          format,
          from: scope.from,
          to: scope.to,
        });
        c.header('content-type', exportKinds[format].contentType);
        c.header('content-disposition', `attachment; filename="${fileNameOf(format, scope)}"`);
        const pieces = readings.counted(exportKinds[format].pieces(source, { scope, after }));
        return c.body(streamOf(pieces, { log, requestId: c.get('requestId'), stalledAfterMs }));
      }),
    )
    .get(
      '/ledger/contents',
      guard.may(
        'export',
        checked(query(contentsQuery), async (c) => {
          if (readings.isFull()) return answerFull(c);
          const scope = await repeatWhileAway(() => openScope(primary, timeZone, c.req.valid('query')));
          const source = await sourceOf(c, exports, scope);
          const read = await readings.during(() => readContents(source, scope));
          return c.json(z.encode(contents, contentsAnswer(scope, timeZone, read)));
        }),
      ),
    );
}

/**
 * The pool for an export. The bytes of a closed period never change, so a replica answers only when it has the newest
 * closing: then it also has every event before that closing's horizon.
 */
async function sourceOf(c: Context, exports: ListReading, { books }: Scope): Promise<Sql> {
  const { sql, version } = await exports.read(c, async (source) => ({
    sql: source,
    version: (await readBooks(source)).version,
  }));
  if (version >= books.version) return sql;
  c.header(ageHeader, '0');
  return exports.primary;
}

/** The account, and the name of its export token if a script downloads. */
function downloadedBy(by: ProvenSession | ProvenExportToken) {
  return 'createdBy' in by ? { username: by.createdBy, token: by.name } : { username: by.username, token: null };
}

function createReadings() {
  let running = 0;
  return {
    isFull: () => running >= mostReadings,
    during: async <Answer>(read: () => Promise<Answer>): Promise<Answer> => {
      running += 1;
      try {
        return await read();
      } finally {
        running -= 1;
      }
    },
    /** Counted from its first piece to its end, also when it fails or is cut off. */
    counted: async function* counted(pieces: Pieces): Pieces {
      running += 1;
      try {
        yield* pieces;
      } finally {
        running -= 1;
      }
    },
  };
}

function answerFull(c: Context) {
  c.header('retry-after', '10');
  return answerProblem(c, tooManyReadings);
}

async function afterOf(sql: Sql, format: ExportFormat, position: number): Promise<After | Problem> {
  if (!exportKinds[format].goesOn) {
    return invalidFields({ after: 'This export is short: fetch it again from its beginning' });
  }
  const after = await repeatWhileAway(() => placeOf(sql, position));
  return after ?? invalidFields({ after: 'There is no event at this position' });
}

/** Rises when the format of an export changes. */
const edition = 1;

/** A closed range never changes, so its bytes have one entity tag. */
function tagOf(scope: Scope, asked: { readonly format: ExportFormat; readonly position: number | undefined }) {
  if (!isClosed(scope)) return undefined;
  const { from, to, books } = scope;
  const last = books.closings.findIndex(({ through }) => through >= to);
  const told = JSON.stringify([
    edition,
    asked.format,
    asked.position ?? 0,
    from,
    to,
    books.closings.slice(0, last + 1),
  ]);
  return `"${createHash('sha256').update(told).digest('base64url').slice(0, 27)}"`;
}

function isClosed({ to, books }: { readonly to: Day; readonly books: Books }): boolean {
  const through = closedThrough(books);
  return through !== undefined && to <= through;
}

function contentsAnswer(scope: Scope, timeZone: string, read: Contents): ContentsAnswer {
  const { takings, tax, debits, lateFacts, rows } = read;
  return {
    from: scope.from,
    to: scope.to,
    timeZone,
    closed: isClosed(scope),
    ...takings,
    net: netOf(takings),
    ...tax,
    taxDue: taxDue(tax),
    debits,
    lateFacts,
    rows,
  };
}
