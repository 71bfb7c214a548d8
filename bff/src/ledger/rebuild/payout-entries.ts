import type { PayoutEntry } from '@kilim/domain/payout/events';
import type { Sql, Transaction } from '../../database/database.ts';
import { payoutCodec } from '../codecs/payout.ts';
import { canonicalJson } from '../hash.ts';
import { type Difference, differencesOf } from './fold-in-domain.ts';
import { differingEntries, entries, entryColumns, type KeyedEntry } from './payout-entries-in-sql.ts';

// Compares the entries of payouts with the domain's reading of the events.

type EntryRow = Readonly<Record<(typeof entryColumns)[number], string | number | Date | null>>;

/** Rows as text, by entry id. */
type Texts = ReadonlyMap<string, string>;

function textOf(row: EntryRow): string {
  return canonicalJson(JSON.parse(JSON.stringify(row)));
}

function rowOf(payoutId: string, entry: PayoutEntry): EntryRow {
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
    effective_at: entry.effectiveAt === undefined ? null : new Date(entry.effectiveAt),
  };
}

const payoutsAtOnce = 50;

async function entriesInDomain(sql: Sql | Transaction, payouts: readonly string[]): Promise<Texts> {
  const streams = sql.typed.textArray(payouts.map((payoutId) => `payout-${payoutId}`));
  const rows = await sql<{ type: string; schema_version: number; payload: string }[]>`
    select type, schema_version, payload::text as payload from ledger.event
    where stream_id = any(${streams}::text[]) and type = 'PayoutEntriesRecorded' order by stream_id, version`;
  const texts = new Map<string, string>();
  for (const row of rows) {
    const event = payoutCodec.decode({ ...row, schemaVersion: row.schema_version });
    if (event.type !== 'PayoutEntriesRecorded') continue;
    for (const entry of event.entries) {
      if (!texts.has(entry.entryId)) texts.set(entry.entryId, textOf(rowOf(event.squarePayoutId, entry)));
    }
  }
  return texts;
}

async function storedEntries(sql: Sql | Transaction, table: string, keys: readonly string[]): Promise<Texts> {
  const rows = await sql<(EntryRow & KeyedEntry)[]>`
    select ${sql(entryColumns)} from ${sql(`${table}.payout_entry`)}
    where entry_id = any(${sql.typed.textArray(keys)}::text[])`;
  return new Map(rows.map((row) => [row.entry_id, textOf(row)]));
}

/** Compares every stored entry with the domain, and all entries with those of a rebuild. */
export async function comparePayoutEntries(transaction: Transaction): Promise<readonly Difference[]> {
  const payouts = await transaction<{ id: string }[]>`
    select distinct substr(stream_id, length('payout-') + 1) as id from ledger.event where type = 'PayoutEntriesRecorded'`;
  const differences = new Map<string, Difference>();
  for (let at = 0; at < payouts.length; at += payoutsAtOnce) {
    const ids = payouts.slice(at, at + payoutsAtOnce).map(({ id }) => id);
    const expected = await entriesInDomain(transaction, ids);
    const live = await storedEntries(transaction, 'ledger', [...expected.keys()]);
    for (const [entryId, text] of expected) {
      const difference = differenceOf(entryId, live.get(entryId), text);
      if (difference !== undefined) differences.set(entryId, difference);
    }
  }
  const rebuilt = await differingEntries(transaction, `(${entries('true')})`);
  for (const { entry_id: entryId, payout_id: of } of rebuilt) {
    if (differences.has(entryId)) continue;
    differences.set(entryId, { of, what: `What a rebuild makes of entry ${entryId} is not what is stored` });
  }
  return [...differences.values()];
}

function differenceOf(entryId: string, live: string | undefined, expected: string): Difference | undefined {
  if (live === expected) return undefined;
  const { payout_id: of } = JSON.parse(expected) as KeyedEntry;
  if (live === undefined) return { of, what: `Entry ${entryId} is missing` };
  return { of, what: `Entry ${entryId}: ${differencesOf(live, expected)}` };
}

/** The domain reads so many differing entries. A wrong statement would show in the first one. */
const mostProven = 1000;

/**
 * Runs before the live table is replaced: the domain decides which of two differing entries is
 * right.
 * @returns the number of wrong live entries among the differing ones.
 * @throws if a rebuilt entry is wrong; then nothing has changed.
 */
export async function proveEntries(sql: Sql, found: readonly KeyedEntry[]): Promise<number> {
  const proven = found.slice(0, mostProven);
  const keys = proven.map(({ entry_id: entryId }) => entryId);
  const made = await storedEntries(sql, 'rebuild', keys);
  const live = await storedEntries(sql, 'ledger', keys);
  // Read last, to include entries recorded since. They reach the shadow table before the swap.
  const expected = await entriesInDomain(sql, [...new Set(proven.map(({ payout_id: payoutId }) => payoutId))]);
  const wrong = keys.filter((key) => made.has(key) && made.get(key) !== expected.get(key));
  if (wrong.length > 0) {
    throw new Error(`The rebuilt entry ${wrong[0]} of a payout is not what the ledger says, so nothing was changed.`);
  }
  const right = keys.filter((key) => live.get(key) === expected.get(key));
  return found.length - right.length;
}
