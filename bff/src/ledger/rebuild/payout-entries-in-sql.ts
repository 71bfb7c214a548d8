import type { Sql, Transaction } from '../../database/database.ts';

// The entries of payouts, rebuilt in SQL. An entry never changes, so nothing is folded.

export const entryColumns = [
  'entry_id',
  'payout_id',
  'activity',
  'standing',
  'square_payment_id',
  'square_refund_id',
  'square_dispute_id',
  'gross_cents',
  'fee_cents',
  'net_cents',
  'effective_at',
] as const;

/**
 * Rows of `ledger.payout_entry` for the events that satisfy a condition. The first report of an
 * entry counts. The id is null when an event cannot be read.
 */
export function entries(events: string): string {
  return `
    select distinct on (1) case event.schema_version when 1 then entry ->> 'entryId' end, event.payload ->> 'squarePayoutId', entry ->> 'activity', entry ->> 'standing',
      entry ->> 'squarePaymentId', entry ->> 'squareRefundId', entry ->> 'squareDisputeId',
      (entry ->> 'gross')::bigint, (entry ->> 'fee')::bigint, (entry ->> 'net')::bigint, (entry ->> 'effectiveAt')::timestamptz
    from ledger.event, json_array_elements(event.payload -> 'entries') with ordinality listed (entry, place)
    where event.type = 'PayoutEntriesRecorded' and ${events}
    order by 1, event.epoch, event.xid, event.position, place`;
}

/** Inserts into the shadow table. Once it has its key, existing rows stay. */
export async function insertPayoutEntries(sql: Sql | Transaction, events: string): Promise<void> {
  await sql.unsafe(`
    insert into rebuild.payout_entry (${entryColumns.join(', ')}) ${entries(events)}
    on conflict do nothing`);
}

export type KeyedEntry = { readonly entry_id: string; readonly payout_id: string };

/** The entries in which the live table and another list differ. */
export async function differingEntries(sql: Sql | Transaction, made: string): Promise<readonly KeyedEntry[]> {
  const row = (name: string) => `row(${entryColumns.map((column) => `${name}.${column}`).join(', ')})`;
  return await sql.unsafe<KeyedEntry[]>(`
    select coalesce(live.entry_id, made.entry_id) as entry_id, coalesce(live.payout_id, made.payout_id) as payout_id
    from ledger.payout_entry live full join ${made} made (${entryColumns.join(', ')}) on live.entry_id = made.entry_id
    where ${row('live')} is distinct from ${row('made')}`);
}
