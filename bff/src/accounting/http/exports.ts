import { createHash } from 'node:crypto';
import { type Books, closedThrough } from '@kilim/domain/accounting/books';
import { changeAtSquare, netOf } from '@kilim/domain/accounting/daily-takings';
import { taxDue } from '@kilim/domain/accounting/sales-tax';
import type { Day } from '@kilim/domain/day';
import type { Context } from 'hono';
import {
  type Contents as ContentsAnswer,
  type ExportFormat,
  type ImportFormat,
  importLimits,
  isImport,
} from '../../../contract/exports.ts';
import { type Pieces, streamOf } from '../../core/csv/export-stream.ts';
import type { Sql } from '../../core/database/database.ts';
import { repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import { answerProblem, invalidFields, type Problem } from '../../core/http/problem.ts';
import type { ProvenExportToken, ProvenSession, SecurityOf } from '../../core/http/proven.ts';
import type { Guard, Serve } from '../../core/http/serve.ts';
import type { Throttles } from '../../core/http/throttle/throttle.ts';
import type { Logger } from '../../core/runtime/logger.ts';
import { type Checkpoint, readLastCheckpoint } from '../../proof/checkpoint.ts';
import { fileOfNote } from '../../proof/witness/witness.ts';
import { type Contents, readContents } from '../export/contents.ts';
import { exportEdition, exportKinds, fileNameOf, readParts } from '../export/kinds.ts';
import { type DayRange, openScope, type Scope } from '../export/scope.ts';
import { type Place, placeOf } from '../export/selection.ts';
import { readReport } from '../export/tables/read-report.ts';
import { createExportGuard } from './export-access.ts';

export type AdminExportsOptions = {
  readonly sql: Sql;
  readonly exporting: Sql;
  readonly log: Logger;
  readonly guard: Guard<ProvenSession>;
  readonly throttles: Throttles;
  readonly securityOf: SecurityOf;
  readonly timeZone: string;
  readonly stalledAfterMs: number;
};

/** Each read occupies a connection until it ends. */
const mostReadings = 3;
const notSealed: Problem = {
  status: 404,
  code: 'NotSealed',
  message: 'The ledger is not sealed yet. Please try again in a few minutes.',
};
const tooManyReadings: Problem = {
  status: 429,
  code: 'TooManyExports',
  message: 'Other exports are running. Please try again in a moment.',
};

export function serveExports(serve: Serve, options: AdminExportsOptions): void {
  const { sql, exporting, log, guard, throttles, securityOf, timeZone, stalledAfterMs } = options;
  const orWithToken = { guard: createExportGuard({ sql, guard, throttles, securityOf, timeZone }) };
  const readings = createReadings();
  const onScreen = createScreenReading({ exporting, timeZone, readings });
  serve(
    'GET /api/admin/ledger/export',
    async (c, { by, query, answer }) => {
      const { format, after: position, ...days } = query;
      const after = position === undefined ? undefined : await afterOf(exporting, format, position);
      if (after !== undefined && 'code' in after) return answerProblem(c, after);
      const scope = await repeatWhileAway(() => openScope(exporting, timeZone, days));
      const tag = tagOf(scope, { format, position });
      if (tag !== undefined) c.header('etag', tag);
      if (tag !== undefined && c.req.header('if-none-match') === tag) return answer(304);
      if (readings.isFull()) return answerFull(c);
      if (isImport(format)) {
        const parts = await readings.during(() => readParts(exporting, { scope }, format));
        if (parts.length > 1) return answerProblem(c, tooManyLines(parts, format));
      }
      const { from, to } = scope;
      await securityOf(c).note({ kind: 'export-downloaded', ...downloadedBy(by), format, from, to });
      await nameCheckpoint(c, sql);
      // Before the answer begins: a reading that fails at once is an error, not a cut file.
      const pieces = readings.counted(exportKinds[format].pieces(exporting, { scope, after }));
      const first = await pieces.next();
      nameFile(c, exportKinds[format].contentType, fileNameOf(format, scope));
      return c.body(streamOf({ first, rest: pieces }, { log, requestId: c.get('requestId'), stalledAfterMs }));
    },
    orWithToken,
  );
  serve(
    'GET /api/admin/ledger/note',
    async (c) => {
      const newest = await nameCheckpoint(c, sql);
      if (newest === undefined) return answerProblem(c, notSealed);
      nameFile(c, 'text/plain; charset=utf-8', fileOfNote(newest.sequence));
      return c.body(newest.note);
    },
    orWithToken,
  );
  serve('GET /api/admin/ledger/contents', (c, { query, answer }) =>
    onScreen(c, query, async (scope) =>
      answer(200, contentsAnswer(scope, timeZone, await readContents(exporting, scope))),
    ),
  );
  serve('GET /api/admin/ledger/report', (c, { query, answer }) => {
    const { report: name, account, ...days } = query;
    return onScreen(c, days, async (scope) => {
      const { from, to } = scope;
      const read = await readReport(exporting, scope, { report: name, account });
      return answer(200, { report: name, from, to, timeZone, closed: isClosed(scope), ...read });
    });
  });
}

function createScreenReading({ exporting, timeZone, readings }: ScreenReadingOptions) {
  return async (c: Context, days: DayRange, read: (scope: Scope) => Promise<Response>): Promise<Response> => {
    if (readings.isFull()) return answerFull(c);
    const scope = await repeatWhileAway(() => openScope(exporting, timeZone, days));
    return readings.during(() => read(scope));
  };
}

type ScreenReadingOptions = Pick<AdminExportsOptions, 'exporting' | 'timeZone'> & {
  readonly readings: ReturnType<typeof createReadings>;
};

function nameFile(c: Context, contentType: string, name: string): void {
  c.header('content-type', contentType);
  c.header('content-disposition', `attachment; filename="${name}"`);
}

/** Every download names the newest checkpoint. */
async function nameCheckpoint(c: Context, sql: Sql): Promise<Checkpoint | undefined> {
  const newest = await repeatWhileAway(() => readLastCheckpoint(sql));
  if (newest !== undefined) c.header('ledger-checkpoint', `${newest.sequence} ${newest.root.toString('base64')}`);
  return newest;
}

/** With the name of the export token if a script downloads. */
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

function tooManyLines(parts: readonly DayRange[], format: ImportFormat): Problem {
  const { program, mostLines } = importLimits[format];
  const ranges = parts.map(({ from, to }) => `${from} to ${to}`).join(', ');
  return {
    status: 422,
    code: 'TooManyLines',
    message: `${program} takes at most ${mostLines.toLocaleString('en-US')} lines at a time. Fetch these days one after the other: ${ranges}.`,
  };
}

async function afterOf(sql: Sql, format: ExportFormat, position: number): Promise<Place | Problem> {
  if (!exportKinds[format].goesOn) {
    return invalidFields({ after: 'This export is short: fetch it again from its beginning' });
  }
  const after = await repeatWhileAway(() => placeOf(sql, position));
  return after ?? invalidFields({ after: 'There is no event at this position' });
}

/** A closed range never changes, so its bytes have one entity tag. */
function tagOf(scope: Scope, asked: { readonly format: ExportFormat; readonly position: number | undefined }) {
  if (!isClosed(scope)) return undefined;
  const { from, to, books } = scope;
  const last = books.closings.findIndex(({ through }) => through >= to);
  const told = JSON.stringify([
    exportEdition,
    asked.format,
    asked.position ?? 0,
    from,
    to,
    books.closings.slice(0, last + 1).map(({ version: _, ...closing }) => closing),
  ]);
  return `"${createHash('sha256').update(told).digest('base64url').slice(0, 27)}"`;
}

function isClosed({ to, books }: { readonly to: Day; readonly books: Books }): boolean {
  const through = closedThrough(books);
  return through !== undefined && to <= through;
}

function contentsAnswer(scope: Scope, timeZone: string, read: Contents): ContentsAnswer {
  const { takings, tax, debits, lateFacts, parts, rows } = read;
  return {
    from: scope.from,
    to: scope.to,
    timeZone,
    closed: isClosed(scope),
    ...takings,
    net: netOf(takings),
    changeAtSquare: changeAtSquare(takings),
    ...tax,
    taxDue: taxDue(tax),
    debits,
    lateFacts,
    parts: { 'quickbooks-csv': [...parts['quickbooks-csv']], 'xero-csv': [...parts['xero-csv']] },
    rows,
  };
}
