import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import type { Serve } from '../serve.ts';

/** Transactions may commit in another order than that of their positions, but never this many later. */
const mostInFlight = 500;
/** A page notices that one of these notes was deleted. Of an earlier one it learns at the next visit. */
const mostNotes = 100;

export function serveChanges(serve: Serve, sql: Sql): void {
  serve('GET /api/admin/changes', async (_, { answer }) =>
    answer(200, { version: await repeatWhileAway(() => readVersion(sql)) }),
  );
}

/** Events, and what is stored beside them. */
export async function readVersion(sql: Sql): Promise<string> {
  const [newest] = await sql<{ version: string }[]>`
    select concat_ws(
      '-',
      (
        select concat_ws('-', max(position), sum(position))
        from (select position from ledger.event order by epoch desc, xid desc, position desc limit ${mostInFlight}) newest
      ),
      (select concat_ws('-', max(id), sum(id)) from (select id from ledger.order_note order by id desc limit ${mostNotes}) newest),
      (select count(*) from ledger.effect where state = 'parked'),
      (
        select concat_ws('-', count(*), floor(extract(epoch from max(settled_at)) * 1000))
        from ledger.mail where state = 'parked'
      ),
      (select floor(extract(epoch from max(made_at)) * 1000) from ledger.finding)
    ) as version`;
  return newest?.version ?? '';
}
