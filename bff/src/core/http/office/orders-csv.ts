import { streamOf } from '../../csv/export-stream.ts';
import type { Sql } from '../../database/database.ts';
import { eachListedOrder } from '../../queries/each-listed-order.ts';
import { orderListPieces } from '../../queries/order-list.ts';
import type { Logger } from '../../runtime/logger.ts';
import { type SecurityOf, sessionMay } from '../proven.ts';
import type { Serve } from '../serve.ts';
import { maskedContact } from '../shop/wire-mapping.ts';
import { listRequest } from './orders.ts';

export type AdminOrdersCsvOptions = {
  readonly exporting: Sql;
  readonly log: Logger;
  readonly securityOf: SecurityOf;
  readonly timeZone: string;
  readonly stalledAfterMs: number;
};

export function serveOrdersCsv(
  serve: Serve,
  { exporting, log, securityOf, timeZone, stalledAfterMs }: AdminOrdersCsvOptions,
): void {
  serve('GET /api/admin/orders.csv', async (c, { by: session, query }) => {
    const request = listRequest(query, session, timeZone);
    await securityOf(c).note({ kind: 'orders-downloaded', username: session.username });
    const orders = eachListedOrder(exporting, request);
    const shown = sessionMay(session, 'readContacts') ? orders : masked(orders);
    const rest = orderListPieces(shown, timeZone);
    const first = await rest.next();
    c.header('content-type', 'text/csv; charset=utf-8');
    c.header('content-disposition', 'attachment; filename="kilim-orders.csv"');
    return c.body(streamOf({ first, rest }, { log, requestId: c.get('requestId'), stalledAfterMs }));
  });
}

async function* masked(batches: ReturnType<typeof eachListedOrder>) {
  for await (const orders of batches) {
    yield orders.map(({ contact, ...order }) => ({
      ...order,
      contact: contact === undefined ? undefined : maskedContact(contact),
    }));
  }
}
