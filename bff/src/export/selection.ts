import type { Horizon } from '@kilim/domain/accounting/books';
import type { CopiedRow } from '../database/copy/copied-row.ts';
import { type After, isAfter, type PageMaker, readPages } from '../database/copy/event-pages.ts';
import { literal } from '../database/copy/sql-literal.ts';
import { createTextBytes, type TextBytes } from '../database/copy/text-bytes.ts';
import type { Sql, Transaction } from '../database/database.ts';
import { readAhead } from './read-ahead.ts';
import type { Scope } from './scope.ts';

/** Which events are exported: those in a range of days, or of these the ones that come after an event. */
export type Selection = { readonly scope: Scope; readonly after?: After | undefined };

/** What is read of events, of which types (without any: of all), and what is made of a row. */
export type RowKind<Row> = {
  readonly columns: readonly string[];
  readonly types?: readonly string[];
  /** Rows that are large, or take long, come in small pages. */
  readonly rowsPerPage: number;
  readonly rowOf: (row: CopiedRow) => Row;
};

export type SelectedRows<Row> = { readonly selection: Selection; readonly kind: RowKind<Row> };

/** The lines of the selected events in the order in which the ledger is read, many at a time. */
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

/** Hands the selected events over in the order in which the ledger is read. */
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
  const where = (after: After | undefined) => [within({ ...selection, after }), ...always].join(' and ');
  yield* readPages(reader, { columns, where, after: selection.after, rowsPerPage }, maker);
}

/**
 * Every page looks for its rows from where the last one ended, so where the first and the last of them are is looked up once: they may be few
 * among many. Not when they are all there are.
 */
async function boundsOf(reader: Transaction, { scope, after }: Selection): Promise<string> {
  const { startsAt, endsAt } = scope.window;
  const [range] = await reader<{ whole: boolean }[]>`
    select ${startsAt}::text::timestamptz <= occurred_at and ${endsAt}::text::timestamptz > now() as whole
    from ledger.event order by epoch, xid, position limit 1`;
  if (range === undefined || range.whole) return 'true';
  const [bounds] = await reader<{ first: string | null; last: string | null }[]>`
    select min(epoch) || '::smallint, ''' || min(xid) || '''::xid8' as first, max(epoch) || '::smallint, ''' || max(xid) || '''::xid8' as last
    from ledger.event where ${reader.unsafe(within({ scope, after }))}`;
  return bounds?.first == null
    ? 'false'
    : `(event.epoch, event.xid) >= (${bounds.first}) and (event.epoch, event.xid) <= (${bounds.last})`;
}

/** How many events there are, money or not. */
export async function countEvents(sql: Sql, scope: Scope): Promise<number> {
  const [row] = await sql<{ events: number }[]>`
    select count(*) as events from ledger.event where ${sql.unsafe(within({ scope }))}`;
  return row?.events ?? 0;
}

/** @returns undefined when there is no such event. */
export async function placeOf(sql: Sql, position: number): Promise<After | undefined> {
  const [row] = await sql<After[]>`select position, epoch, xid::text from ledger.event where position = ${position}`;
  return row;
}

/**
 * Which events are selected, as a condition. Below the oldest transaction that still runs nothing is added any more, so who reads on from the last
 * event misses none. A transaction counter of before a restore says nothing about those that run now. A closed period ends where nothing was added
 * any more when it was closed.
 */
function within({ scope: { window }, after }: Selection): string {
  const { startsAt, endsAt, writtenBefore, orWrittenFrom } = window;
  const happenedFrom = `occurred_at >= ${literal(startsAt)}::timestamptz`;
  return [
    `occurred_at < ${literal(endsAt)}::timestamptz`,
    orWrittenFrom === undefined
      ? happenedFrom
      : `(${happenedFrom} or (event.epoch, event.xid) >= ${placeIn(orWrittenFrom)})`,
    writtenBefore === undefined
      ? `(event.xid < pg_snapshot_xmin(pg_current_snapshot())
          or event.epoch < (select max(last.epoch) from ledger.event last))`
      : `(event.epoch, event.xid) < ${placeIn(writtenBefore)}`,
    ...(after === undefined ? [] : [isAfter(after)]),
  ].join(' and ');
}

function placeIn({ epoch, xid }: Horizon): string {
  return `(${epoch}::smallint, ${literal(xid)}::xid8)`;
}
