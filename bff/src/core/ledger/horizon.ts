import type { Horizon } from '@kilim/domain/accounting/books';
import { onlyRow, type Sql } from '../database/database.ts';

/** Every append that is not visible yet comes at or after this place. */
export async function readHorizon(sql: Sql): Promise<Horizon> {
  return await onlyRow(sql<Horizon[]>`
    select ledger.current_epoch()::int as epoch,
      pg_snapshot_xmin(pg_current_snapshot())::text as xid`);
}
