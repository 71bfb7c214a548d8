import type { Sql } from '../database/database.ts';

/** The approximate number of events, from PostgreSQL's statistics. */
export async function estimateEvents(sql: Sql): Promise<number> {
  const [size] = await sql<{ events: number }[]>`
    select greatest(reltuples, 0)::bigint as events from pg_class where oid = 'ledger.event'::regclass`;
  return size?.events ?? 0;
}
