import type { Horizon } from '@kilim/domain/accounting/books';
import type { CopiedRow } from '../database/copy/copied-row.ts';
import { type After, isAfter, type PageMaker, readPages } from '../database/copy/event-pages.ts';
import { literal } from '../database/copy/sql-literal.ts';
import { createTextBytes, type TextBytes } from '../database/copy/text-bytes.ts';
import type { Sql, Transaction } from '../database/database.ts';
import { readAhead } from './read-ahead.ts';
import type { Scope } from './scope.ts';

/** The exported events: a range of days, or the part of it after an event. */
export type Selection = { readonly scope: Scope; readonly after?: After | undefined };

/** The columns and types of the events (all types by default), and what a row becomes. */
export type RowKind<Row> = {
  readonly columns: readonly string[];
  readonly types?: readonly string[];
  /** Large or slow rows come in small pages. */
  readonly rowsPerPage: number;
  readonly rowOf: (row: CopiedRow) => Row;
};

export type SelectedRows<Row> = { readonly selection: Selection; readonly kind: RowKind<Row> };

/** The lines of the selected events in ledger order, many at a time. */
export function readLines<Row>(
  sql: Sql,
  selected: SelectedRows<Row>,
  append: (lines: TextBytes, row: Row) => void,
): AsyncGenerator<Uint8Array, void> {
  let lines = createTextBytes(0);
  return readSelected(sql, selected, {
    add: (row) => append(lines, selected.kind.rowOf(row)),
    finish: () => {
      const { buffer, length } = lines;
      lines = createTextBytes(buffer.length);
      return buffer.subarray(0, length);
    },
  });
}

/** Passes the selected events to `take` in ledger order. */
export async function eachSelected<Row>(
  sql: Sql,
  selected: SelectedRows<Row>,
  take: (row: Row) => void,
): Promise<void> {
  const pages = readSelected(sql, selected, {
    add: (row) => take(selected.kind.rowOf(row)),
    finish: () => undefined,
  });
  while ((await pages.next()).done !== true);
}

function readSelected<Row, Page>(
  sql: Sql,
  selected: SelectedRows<Row>,
  maker: PageMaker<Page>,
): AsyncGenerator<Page, void> {
  return readAhead(sql, (reader) => pagesOf(reader, selected, maker));
}

async function* pagesOf<Row, Page>(
  reader: Transaction,
  { selection, kind: { columns, types, rowsPerPage } }: SelectedRows<Row>,
  maker: PageMaker<Page>,
): AsyncGenerator<Page, void> {
  const ofTypes = types === undefined ? [] : [`type in (${types.map(literal).join(', ')})`];
  const always = [await boundsOf(reader, selection), ...ofTypes];
  const where = (after: After | undefined) => [isSelected({ ...selection, after }), ...always].join(' and ');
  yield* readPages(reader, { columns, where, after: selection.after, rowsPerPage }, maker);
}

/**
 * Found once for all pages: a page searches from the end of the last one, and the selected events
 * may be few among many. Without bounds if they are all events.
 */
async function boundsOf(reader: Transaction, { scope, after }: Selection): Promise<string> {
  const { startsAt, endsAt } = scope.window;
  const [range] = await reader<{ whole: boolean }[]>`
    select ${startsAt}::text::timestamptz <= occurred_at and ${endsAt}::text::timestamptz > now() as whole
    from ledger.event order by epoch, xid, position limit 1`;
  if (range === undefined || range.whole) return 'true';
  const [bounds] = await reader<{ first: string | null; last: string | null }[]>`
    select min(epoch) || '::smallint, ''' || min(xid) || '''::xid8' as first, max(epoch) || '::smallint, ''' || max(xid) || '''::xid8' as last
    from ledger.event where ${reader.unsafe(isSelected({ scope, after }))}`;
  return bounds?.first == null
    ? 'false'
    : `(event.epoch, event.xid) >= (${bounds.first}) and (event.epoch, event.xid) <= (${bounds.last})`;
}

/** The number of events, with or without money. */
export async function countEvents(sql: Sql, scope: Scope): Promise<number> {
  const [row] = await sql<{ events: number }[]>`
    select count(*) as events from ledger.event where ${sql.unsafe(isSelected({ scope }))}`;
  return row?.events ?? 0;
}

/** @returns undefined if there is no such event. */
export async function placeOf(sql: Sql, position: number): Promise<After | undefined> {
  const [row] = await sql<After[]>`select position, epoch, xid::text from ledger.event where position = ${position}`;
  return row;
}

/**
 * No event is added before the oldest running transaction, so a reader that continues after the
 * last event misses none. Transaction ids of an earlier epoch, before a restore, do not count here.
 * A closed period ends at its horizon.
 */
export function isSelected({ scope: { window }, after }: Selection): string {
  const { startsAt, endsAt, writtenBefore, orWrittenFrom } = window;
  const happenedFrom = `occurred_at >= ${literal(startsAt)}::timestamptz`;
  return [
    `occurred_at < ${literal(endsAt)}::timestamptz`,
    orWrittenFrom === undefined
      ? happenedFrom
      : `(${happenedFrom} or (event.epoch, event.xid) >= ${placeIn(orWrittenFrom)})`,
    writtenBefore === undefined
      ? `(event.xid < pg_snapshot_xmin(pg_current_snapshot())
          or event.epoch < (select ledger.current_epoch()))`
      : isBefore(writtenBefore),
    ...(after === undefined ? [] : [isAfter(after)]),
  ].join(' and ');
}

/** Selects every event that `isSelected` does not, of a scope from before the first event. It uses indexes. */
export function isAfterScope({ window: { endsAt, writtenBefore } }: Scope): string {
  const happenedLater = `occurred_at >= ${literal(endsAt)}::timestamptz`;
  const writtenLater =
    writtenBefore === undefined
      ? `(event.epoch, event.xid) >= ((select ledger.current_epoch()), pg_snapshot_xmin(pg_current_snapshot()))`
      : `(event.epoch, event.xid) >= ${placeIn(writtenBefore)}`;
  return `(${happenedLater} or ${writtenLater})`;
}

/** A comparison of rows would be estimated by the epochs alone: PostgreSQL would expect no event before the horizon. */
function isBefore({ epoch, xid }: Horizon): string {
  return `event.epoch <= ${epoch} and (event.epoch < ${epoch} or event.xid < ${literal(xid)}::xid8)`;
}

function placeIn({ epoch, xid }: Horizon): string {
  return `(${epoch}::smallint, ${literal(xid)}::xid8)`;
}
