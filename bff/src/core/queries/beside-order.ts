import type { OrderMail } from '../../../contract/mails.ts';
import type { Sql } from '../database/database.ts';
import type { AdminOrderFound } from './find-admin-order.ts';
import { type ListedOrder, orderOf, type Row, selectRows } from './list-orders.ts';
import { readOrderMails } from './order-mails.ts';
import { type OrderNote, readOrderNotes } from './order-notes.ts';

export type BesideOrder = {
  readonly notes: readonly OrderNote[];
  readonly others: readonly ListedOrder[];
  readonly mails: OrderMail[];
};

export const nothingBeside: BesideOrder = { notes: [], others: [], mails: [] };

export async function readBesideOrder(sql: Sql, { summary, kept }: AdminOrderFound): Promise<BesideOrder> {
  const { orderId } = summary;
  const [notes, others, mails] = await Promise.all([
    readOrderNotes(sql, orderId),
    kept === undefined ? [] : readOtherOrders(sql, { orderId, email: kept.contact.email, phone: kept.contact.phone }),
    readOrderMails(sql, orderId),
  ]);
  return { notes, others, mails };
}

const mostOthers = 20;
/** Matches of the words, before they are compared as a whole. */
const mostLookedAt = 500;

/** An area code and an exchange begin with 2 to 9. Who hides a number types `0000000000` or `5555555555`. */
function canBeCalled(phone: string): boolean {
  return /^[2-9]\d{2}[2-9]\d{6}$/.test(phone) && !/^(\d)\1{9}$/.test(phone);
}

type Customer = { readonly orderId: string; readonly email: string; readonly phone: string };

/** The index of words finds the orders. */
async function readOtherOrders(sql: Sql, { orderId, email, phone }: Customer): Promise<readonly ListedOrder[]> {
  const rows = await sql<Row[]>`
    with found as materialized (
      select ledger.orders_with_words(ledger.search_query(${email}), ${mostLookedAt}) as order_id
      union
      select ledger.orders_with_words(ledger.search_query(${phone}), ${mostLookedAt})
    ), same as materialized (
      select order_id from found join ledger.customer_contact contact using (order_id)
      where order_id <> ${orderId}::uuid and (lower(contact.email) = lower(${email}) or contact.phone = ${canBeCalled(phone) ? phone : null})
    )
    ${selectRows(sql)}
    from (select order_summary.* from same join ledger.order_summary using (order_id)) listed
    left join ledger.customer_contact contact using (order_id)
    order by placed_at desc, listed.order_id desc limit ${mostOthers}`;
  return rows.map(orderOf);
}
