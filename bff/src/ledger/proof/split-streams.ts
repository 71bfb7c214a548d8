import { literal } from '../../database/copy/sql-literal.ts';
import type { Sql } from '../../database/database.ts';

/** Streams from one name to before another; all streams without names. */
export type StreamRange = { readonly from: string | undefined; readonly before: string | undefined };

/** The approximate number of events, from PostgreSQL's statistics. */
export async function estimateEvents(sql: Sql): Promise<number> {
  const [size] = await sql<{ events: number }[]>`
    select greatest(reltuples, 0)::bigint as events from pg_class where oid = 'ledger.event'::regclass`;
  return size?.events ?? 0;
}

/** Ranges of streams with about equal numbers of events, from a sample. */
export async function splitStreams(sql: Sql, parts: number): Promise<readonly StreamRange[]> {
  const sample =
    parts < 2
      ? []
      : await sql<{ stream_id: string }[]>`
          select stream_id from ledger.event tablesample system (1) order by stream_id`;
  const cuts = Array.from({ length: Math.max(parts - 1, 0) }, (_, index) => {
    return sample[Math.floor(((index + 1) * sample.length) / parts)]?.stream_id;
  });
  const bounds = [...new Set(cuts.filter((cut) => cut !== undefined))];
  return [undefined, ...bounds].map((from, index) => ({ from, before: bounds[index] }));
}

/** As an SQL condition, for statements without parameters. */
export function streamCondition({ from, before }: StreamRange): string {
  const bounds = [
    ...(from === undefined ? [] : [`stream_id >= ${literal(from)}`]),
    ...(before === undefined ? [] : [`stream_id < ${literal(before)}`]),
  ];
  return bounds.length === 0 ? 'true' : bounds.join(' and ');
}
