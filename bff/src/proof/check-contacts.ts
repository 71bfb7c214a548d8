import { isTrue, type Sql } from '../core/database/database.ts';
import { type ContactColumns, contactColumns, contactDigest, contactOf } from '../core/ledger/contact.ts';

export type ContactFault = {
  readonly code: /** The contact or its salt was changed. */
    | 'ContactDiffers'
    /** There is no contact, and no event says that it was erased. */
    | 'ContactMissing'
    /** An event says that the contact was erased, or there is no such order. */
    | 'ContactUnexplained';
  readonly streamId: string;
  readonly version: 1;
};

type Row = Partial<ContactColumns> & {
  readonly stream_id: string;
  readonly digest: string | null;
  readonly is_erased: boolean;
  readonly has_contact: boolean;
};

/** @returns undefined when this login may not read contacts. */
export async function checkContacts(sql: Sql): Promise<readonly ContactFault[] | undefined> {
  if (!(await isTrue(sql`select has_table_privilege('ledger.customer_contact', 'select')`))) return undefined;
  const faults: ContactFault[] = [];
  const rows = sql<Row[]>`
    select coalesce(e.stream_id, 'order-' || c.order_id) as stream_id, e.digest, c.order_id is not null as has_contact,
      exists (select from ledger.event r where r.stream_id = coalesce(e.stream_id, 'order-' || c.order_id) and r.type = 'ContactErased') as is_erased,
      ${sql(contactColumns.map((column) => `c.${column}`))}
    from (
      select stream_id, payload ->> 'contactDigest' as digest from ledger.event
      where type = 'OrderPlaced' and stream_id like 'order-%' and version = 1
        -- A supplement has the contact of its order.
        and payload ->> 'supplementOf' is null
    ) e
    full join ledger.customer_contact c on 'order-' || c.order_id = e.stream_id`;
  for await (const batch of rows.cursor(1000)) {
    for (const row of batch) {
      const code = faultOf(row);
      if (code !== undefined) faults.push({ code, streamId: row.stream_id, version: 1 });
    }
  }
  return faults;
}

function faultOf(row: Row): ContactFault['code'] | undefined {
  if (!row.has_contact) return row.is_erased ? undefined : 'ContactMissing';
  if (row.digest === null || row.is_erased) return 'ContactUnexplained';
  const { contact, salt } = contactOf(row as ContactColumns);
  return contactDigest(contact, salt) === row.digest ? undefined : 'ContactDiffers';
}
