import { Hono } from 'hono';
import * as z from 'zod/mini';
import { changes } from '../../../contract/changes.ts';
import type { Sql } from '../../database/database.ts';
import type { AdminGuard, AdminVariables } from './guard.ts';
import type { ListReading } from './list-reading.ts';

/** Transactions may commit in another order than that of their positions, but never this many later. */
const mostInFlight = 500;

export type AdminChangesOptions = { readonly lists: ListReading; readonly guard: AdminGuard };

/**
 * Tells open pages whether anything has changed. It reads where the lists are read, so the lists have what this
 * answer announces.
 */
export function adminChanges({ lists, guard }: AdminChangesOptions) {
  return new Hono<AdminVariables>().get(
    '/changes',
    guard.may('readOrders', async (c) => {
      return c.json(z.encode(changes, { version: await lists.read(c, readVersion) }));
    }),
  );
}

async function readVersion(sql: Sql): Promise<string> {
  const [newest] = await sql<{ version: string }[]>`
    select concat(max(position), '-', sum(position)) as version
    from (select position from ledger.event order by epoch desc, xid desc, position desc limit ${mostInFlight}) newest`;
  return newest?.version ?? '';
}
