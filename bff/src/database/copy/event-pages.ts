import type { Transaction } from '../database.ts';
import { type CopiedRow, openRow, readInteger } from './copied-row.ts';
import { copyOut } from './copy-out.ts';
import { literal } from './sql-literal.ts';

/** Where a reading goes on: after the event at this position. */
export type After = { readonly position: number; readonly epoch: number; readonly xid: string };

/** Where an event stands, which comes first in a row: the columns, and what `readPlace` makes of them. */
export const placeColumns = ['epoch', 'xid', 'position'] as const;
export type Place = { readonly epoch: number; readonly xid: number; readonly position: number };

export function readPlace(row: CopiedRow): Place {
  return { epoch: readInteger(row) ?? 0, xid: readInteger(row) ?? 0, position: readInteger(row) ?? 0 };
}

export type PageRequest = {
  /** What is read of each event, behind its place. */
  readonly columns: readonly string[];
  /** Which events are read, as a condition; from here on, once a page was read. */
  readonly where: (after: After | undefined) => string;
  readonly after?: After | undefined;
  /** With more of them at once only memory grows, with much fewer the time until the next page comes counts. */
  readonly rowsPerPage: number;
};

/** What becomes of events, which are added one by one and are gone with the next one. */
export type PageMaker<Page> = {
  readonly add: (row: CopiedRow) => void;
  /** What was made of those that were added since the last page. */
  readonly finish: () => Page;
};

/**
 * Events of all streams in the order in which the ledger is read, a page at a time, by binary COPY: at half of what a cursor costs PostgreSQL,
 * and at a fraction of what it costs us. Whoever stops early waits until the page was read to its end: some milliseconds.
 */
export async function* readPages<Page>(
  reader: Transaction,
  { columns, where, rowsPerPage, ...request }: PageRequest,
  maker: PageMaker<Page>,
): AsyncGenerator<Page, void> {
  const all = [...placeColumns, ...columns];
  let { after } = request;
  for (;;) {
    let [read, last]: [number, Buffer | undefined] = [0, undefined];
    const statement = `copy (
        select ${all.join(', ')} from ledger.event where ${where(after)}
        order by event.epoch, event.xid, event.position limit ${rowsPerPage}
      ) to stdout (format binary)`;
    await copyOut(reader, statement, (bytes) => {
      maker.add(openRow(bytes, all.length));
      read += 1;
      last = bytes;
    });
    if (last === undefined) return;
    yield maker.finish();
    if (read < rowsPerPage) return;
    const place = readPlace(openRow(last, all.length));
    after = { ...place, xid: String(place.xid) };
  }
}

export function isAfter({ epoch, xid, position }: After): string {
  return `(event.epoch, event.xid, event.position) > (${epoch}::smallint, ${literal(xid)}::xid8, ${position}::bigint)`;
}
