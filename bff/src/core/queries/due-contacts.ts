import type { OrderId } from '@kilim/domain/order/ids';
import type { Sql } from '../database/database.ts';

/** Contacts in the order of their ids. */
export type ContactPage = {
  readonly due: readonly OrderId[];
  /** Undefined after the last page. */
  readonly last: string | undefined;
};

const contactsPerPage = 1000;

/**
 * The contacts after `after`, and which of them are due: nothing happened to the order after `since`, its payment and
 * refunds are decided, no dispute is open, and no call to Square is waiting.
 */
export async function readDueContacts(sql: Sql, after: string | undefined, since: Date): Promise<ContactPage> {
  const [row] = await sql<{ due: string | null; last: string | null }[]>`
    with page as materialized (
      select order_id from ledger.customer_contact
      where order_id > ${after ?? '00000000-0000-0000-0000-000000000000'}::uuid
      order by order_id limit ${contactsPerPage}
    )
    select (select order_id from page order by order_id desc limit 1)::text as last,
      string_agg(page.order_id::text, ' ' order by page.order_id) as due
    from page join ledger.order_summary summary using (order_id)
    where summary.updated_at < ${since.toISOString()}::timestamptz
      and summary.payment_status <> 'processing' and summary.refund_pending_cents = 0
      and summary.dispute_status <> 'open'
      and page.order_id not in (
        select order_id from ledger.effect where state = 'open'
        union all select order_id from ledger.effect where state = 'parked'
      )`;
  return { due: (row?.due ?? '').split(' ').filter((id) => id !== '') as OrderId[], last: row?.last ?? undefined };
}
