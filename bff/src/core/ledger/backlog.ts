import type { Sql } from '../database/database.ts';
import { withinMs } from '../runtime/deadline.ts';

export type Waiting = { readonly count: number; readonly oldestSeconds: number };

export type Backlog = {
  readonly open: Waiting;
  readonly parked: Waiting;
  readonly hints: Waiting;
  readonly openMails: Waiting;
  readonly parkedMails: Waiting;
};

type Row = { kind: keyof Backlog; count: number; oldest_seconds: number };

/** @returns undefined when the database does not answer in time. */
export async function readBacklog(sql: Sql, timeoutMs: number): Promise<Backlog | undefined> {
  try {
    return await withinMs(timeoutMs, countBacklog(sql));
  } catch {
    return undefined;
  }
}

async function countBacklog(sql: Sql): Promise<Backlog> {
  // One select for each kind reads its own partial index.
  const rows = await sql<Row[]>`
    select kind, count, coalesce(extract(epoch from clock_timestamp() - since), 0)::float8 as oldest_seconds
    from (
      select 'open' as kind, count(*)::integer, min(opened_at) as since from ledger.effect where state = 'open'
      union all
      select 'parked', count(*)::integer, min(opened_at) from ledger.effect where state = 'parked'
      union all
      select 'hints', count(*)::integer, min(received_at) from ledger.square_hint where handled_at is null
      union all
      select 'openMails', count(*)::integer, min(opened_at) from ledger.mail where state = 'open'
      union all
      select 'parkedMails', count(*)::integer, min(opened_at) from ledger.mail where state = 'parked'
    ) waiting`;
  const waiting = (kind: Row['kind']): Waiting => {
    const row = rows.find((candidate) => candidate.kind === kind);
    return { count: row?.count ?? 0, oldestSeconds: row?.oldest_seconds ?? 0 };
  };
  return {
    open: waiting('open'),
    parked: waiting('parked'),
    hints: waiting('hints'),
    openMails: waiting('openMails'),
    parkedMails: waiting('parkedMails'),
  };
}
