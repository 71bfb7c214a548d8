import type { Horizon } from '@kilim/domain/accounting/books';
import type { EventType } from '@kilim/domain/ledger-event';
import type { Sql } from '../../core/database/database.ts';
import { readAhead } from '../../core/database/read-ahead.ts';
import { literal } from '../../core/database/values.ts';
import { isOneOf } from '../../core/ledger/money-in-sql.ts';
import type { Scope } from './scope.ts';

/** The exported events: a range of days, or the part of it after an event. */
export type Selection = { readonly scope: Scope; readonly after?: Place | undefined };

export type Place = Horizon & { readonly position: number };
export const placeColumns = 'position, epoch, xid::text';

/** All types by default. */
export type RowKind = { readonly columns: string; readonly types?: readonly EventType[] };

/** ISO 8601 in Coordinated Universal Time, with no more digits than the instant has. */
export function instant(column: string): string {
  return `replace(replace(${column}::text, ' ', 'T'), '+00', 'Z')`;
}

const rowsAtOnce = 500;

/** Reads the selected events in ledger order, many at a time. */
export function readRows<Row extends object>(
  sql: Sql,
  selection: Selection,
  { columns, types }: RowKind,
): AsyncGenerator<readonly Row[], void> {
  const where = [isSelected(selection), ...(types === undefined ? [] : [isOneOf(types)])].join(' and ');
  return readAhead(sql, (reader) =>
    reader
      .unsafe<Row[]>(
        `select ${columns} from ledger.event where ${where}
        order by event.epoch, event.xid, event.position`,
      )
      .cursor(rowsAtOnce),
  );
}

export async function countEvents(sql: Sql, scope: Scope): Promise<number> {
  const [row] = await sql<{ events: number }[]>`
    select count(*) as events from ledger.event where ${sql.unsafe(isSelected({ scope }))}`;
  return row?.events ?? 0;
}

/** @returns undefined if there is no such event. */
export async function placeOf(sql: Sql, position: number): Promise<Place | undefined> {
  const [row] = await sql<Place[]>`select ${sql.unsafe(placeColumns)} from ledger.event where position = ${position}`;
  return row;
}

/**
 * No event is added before the oldest running transaction, so a reader that continues after the last event misses none.
 * Transaction ids of an earlier epoch, before a restore, do not count here.
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
    ...(after === undefined
      ? []
      : [
          `(event.epoch, event.xid, event.position) > (${after.epoch}::smallint, ${literal(after.xid)}::xid8, ${after.position}::bigint)`,
        ]),
  ].join(' and ');
}

/** Every event that `isSelected` does not select, with the help of indexes. */
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
