import type { Horizon } from '@kilim/domain/accounting/books';
import type { PayoutEntry } from '@kilim/domain/payout/events';
import type { Sql, Transaction } from '../../database/database.ts';
import { payoutCodec } from '../codecs/payout.ts';
import { type Difference, differenceOf } from './difference.ts';

// An entry never changes: the first report counts.

type EntryRow = { readonly entry_id: string; readonly payout_id: string };

function rowOf(payoutId: string, entry: PayoutEntry) {
  return {
    entry_id: entry.entryId,
    payout_id: payoutId,
    activity: entry.activity,
    standing: entry.standing,
    square_payment_id: entry.squarePaymentId ?? null,
    square_refund_id: entry.squareRefundId ?? null,
    square_dispute_id: entry.squareDisputeId ?? null,
    gross_cents: entry.gross,
    fee_cents: entry.fee,
    net_cents: entry.net,
    effective_at: entry.effectiveAt ?? null,
  };
}

const payoutsAtOnce = 50;

type FoldedEntry = ReturnType<typeof rowOf>;

/**
 * Some payouts at a time.
 * @param since only payouts with entries that were recorded from this place on
 * @throws Error with a sentence when the ledger holds entries in a version that this program does not know.
 */
export async function* readPayoutEntries(
  sql: Sql | Transaction,
  { epoch, xid }: Horizon = { epoch: 0, xid: '0' },
): AsyncGenerator<readonly FoldedEntry[], void> {
  const streams = await sql<{ id: string }[]>`
    select distinct stream_id as id from ledger.event
    where type = 'PayoutEntriesRecorded' and (epoch, xid) >= (${epoch}::smallint, ${xid}::text::xid8) order by 1`;
  for (let at = 0; at < streams.length; at += payoutsAtOnce) {
    const ids = streams.slice(at, at + payoutsAtOnce).map(({ id }) => id);
    const events = await sql<{ type: string; schema_version: number; payload: string }[]>`
      select type, schema_version, payload::text as payload from ledger.event
      where stream_id = any(${sql.typed.textArray(ids)}::text[]) and type = 'PayoutEntriesRecorded'
      order by stream_id, version`;
    const rows = new Map<string, FoldedEntry>();
    for (const { type, schema_version: schemaVersion, payload } of events) {
      const event = payoutCodec.decode({ type, schemaVersion, payload });
      if (event.type !== 'PayoutEntriesRecorded') continue;
      for (const entry of event.entries) {
        if (!rows.has(entry.entryId)) rows.set(entry.entryId, rowOf(event.squarePayoutId, entry));
      }
    }
    yield [...rows.values()];
  }
}

export async function comparePayoutEntries(transaction: Transaction): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  for await (const rows of readPayoutEntries(transaction)) {
    const payouts = [...new Set(rows.map((row) => row.payout_id))];
    const stored = await transaction<EntryRow[]>`
      select * from ledger.payout_entry where payout_id = any(${transaction.typed.textArray(payouts)}::text[])`;
    const live = new Map(stored.map((row) => [row.entry_id, row]));
    const folded = new Map(rows.map((row) => [row.entry_id, row]));
    for (const id of new Set([...live.keys(), ...folded.keys()])) {
      const [one, other] = [live.get(id), folded.get(id)];
      differences.push(...differenceOf((other ?? one)?.payout_id ?? '', `Entry ${id}`, { live: one, folded: other }));
    }
  }
  const strange = await transaction<EntryRow[]>`
    select entry_id, payout_id from ledger.payout_entry entry where not exists (
      select from ledger.event
      where type = 'PayoutEntriesRecorded' and payload ->> 'squarePayoutId' = entry.payout_id
    )`;
  return [
    ...differences,
    ...strange.flatMap((row) => differenceOf(row.payout_id, `Entry ${row.entry_id}`, { live: row, folded: undefined })),
  ];
}
