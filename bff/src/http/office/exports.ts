import { createHash } from 'node:crypto';
import { type Books, closedThrough } from '@kilim/domain/accounting/books';
import { netOf } from '@kilim/domain/accounting/daily-takings';
import { type Day, parseDay } from '@kilim/domain/accounting/day';
import { taxDue } from '@kilim/domain/accounting/sales-tax';
import { toDollars } from '@kilim/domain/money';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { After } from '../../database/copy/event-pages.ts';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { type Contents, readContents } from '../../export/contents.ts';
import { streamOf } from '../../export/export-stream.ts';
import { type ExportFormat, exportFormats, exportKinds, fileNameOf, type Pieces } from '../../export/kinds.ts';
import { openScope, type Scope } from '../../export/scope.ts';
import { placeOf } from '../../export/selection.ts';
import type { Logger } from '../../server/logger.ts';
import { daysOutOfOrder, inOrderOfDays, parseQuery } from '../list-query.ts';
import { answerProblem, invalidFields, type Problem } from '../problem.ts';
import type { Throttles } from '../throttle.ts';
import type { ContentsAnswer } from './accounting-wire.ts';
import { createExportAccess } from './export-access.ts';
import type { AdminGuard, AdminVariables } from './guard.ts';

export type AdminExportsOptions = {
  /** A pool of its own, so that long readings never wait in front of a payment. */
  readonly sql: Sql;
  readonly log: Logger;
  readonly guard: AdminGuard;
  readonly throttles: Throttles;
  readonly timeZone: string;
  /** How long a client may take nothing before it is taken for gone. */
  readonly stalledAfterMs?: number;
};

const requiredDay = z.string('Please give a day like 2026-11-21').transform((text, context): Day => {
  const day = parseDay(text);
  if (day !== undefined) return day;
  context.addIssue({ code: 'custom', message: 'Please give a day like 2026-11-21' });
  return z.NEVER;
});

const range = z.object({ from: requiredDay, to: requiredDay });
const contentsQuery = range.refine(inOrderOfDays, daysOutOfOrder);
const exportQuery = range
  .extend({
    format: z.enum(exportFormats, `Please give ${exportFormats.join(', ')}`),
    after: z.coerce.number('Please give a position').int().min(1).optional(),
  })
  .refine(inOrderOfDays, daysOutOfOrder);

/** Each reading has a connection for as long as it lasts. */
const mostReadings = 3;
const tooManyReadings: Problem = {
  status: 429,
  code: 'TooManyExports',
  message: 'Other exports are running. Please try again in a moment.',
};

/** What accountants download, and what is in it. */
export function adminExports(options: AdminExportsOptions) {
  const { sql, log, guard, throttles, timeZone, stalledAfterMs = 60_000 } = options;
  const { downloads } = createExportAccess({ sql, guard, throttles });
  const readings = createReadings();
  return new Hono<AdminVariables>()
    .get(
      '/ledger/export',
      downloads(async (c) => {
        const query = parseQuery(c, exportQuery);
        if (!query.ok) return answerProblem(c, query.rejection);
        const { format, after: position, ...days } = query.value;
        const after = position === undefined ? undefined : await afterOf(sql, format, position);
        if (after !== undefined && 'code' in after) return answerProblem(c, after);
        const scope = await repeatWhileAway(() => openScope(sql, timeZone, days));
        const tag = tagOf(scope, { format, position });
        if (tag !== undefined) c.header('etag', tag);
        if (tag !== undefined && c.req.header('if-none-match') === tag) return c.body(null, 304);
        if (readings.isFull()) return answerFull(c);
        c.header('content-type', exportKinds[format].contentType);
        c.header('content-disposition', `attachment; filename="${fileNameOf(format, scope)}"`);
        const pieces = readings.counted(exportKinds[format].pieces(sql, { scope, after }));
        return c.body(streamOf(pieces, { log, requestId: c.get('requestId'), stalledAfterMs }));
      }),
    )
    .get(
      '/ledger/contents',
      guard.signedIn(async (c) => {
        const query = parseQuery(c, contentsQuery);
        if (!query.ok) return answerProblem(c, query.rejection);
        if (readings.isFull()) return answerFull(c);
        const scope = await repeatWhileAway(() => openScope(sql, timeZone, query.value));
        return c.json<ContentsAnswer>(
          contentsAnswer(scope, timeZone, await readings.during(() => readContents(sql, scope))),
        );
      }),
    );
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
    /** Counted from its first piece to its end, however it ends. */
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

/** Rises when the same events are written in another way. */
const edition = 1;

/** What is closed never changes: the same range is the same bytes, which have one name. */
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

function contentsAnswer(
  scope: Scope,
  timeZone: string,
  { takings, tax, debits, lateFacts, rows }: Contents,
): ContentsAnswer {
  return {
    from: scope.from,
    to: scope.to,
    timeZone,
    closed: isClosed(scope),
    orders: takings.orders,
    takings: toDollars(takings.takings),
    refundCount: takings.refundCount,
    refunds: toDollars(takings.refunds),
    fees: toDollars(takings.fees),
    disputes: toDollars(takings.disputes),
    unidentified: toDollars(takings.unidentified),
    net: toDollars(netOf(takings)),
    taxableSales: toDollars(tax.taxableSales),
    taxCollected: toDollars(tax.taxCollected),
    taxRefunded: toDollars(tax.taxRefunded),
    taxDue: toDollars(taxDue(tax)),
    debits: toDollars(debits),
    lateFacts,
    rows,
  };
}
