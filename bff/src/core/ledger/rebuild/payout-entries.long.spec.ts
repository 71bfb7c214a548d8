import { cents } from '@kilim/domain/money';
import type { PayoutEntry, PayoutEvent } from '@kilim/domain/payout/events';
import { chargeEntry, payoutRecordedA, reserveEntry } from '@kilim/domain/testing/payouts';
import { cloneDatabase } from '@kilim/lab/testing/postgres';
import { beforeEach, expect, test } from 'vitest';
import { dumpSchema } from '../../../proof/dump-schema.ts';
import type { Sql } from '../../database/database.ts';
import { appendToStream } from '../append.ts';
import { payoutCodec } from '../codecs/payout.ts';
import { sha256 } from '../hash.ts';
import { compareProjections } from './compare.ts';
import { rebuildProjections } from './rebuild.ts';

// A rebuild covers the whole ledger, so each test has its own.
let appSql: Sql;
let ownerSql: Sql;
let url: string;
beforeEach(async () => {
  const database = await cloneDatabase();
  ({ appSql, ownerSql, url } = database);
  return database.drop;
});

const ofEverything: PayoutEntry = {
  entryId: 'entry-disputed',
  activity: 'DISPUTE',
  gross: cents(-700),
  fee: cents(0),
  net: cents(-700),
  squarePaymentId: 'square-payment-b',
  squareRefundId: 'square-refund-b',
  squareDisputeId: 'square-dispute-b',
  effectiveAt: '2026-11-21T23:59:59.999Z',
  standing: 'unknown',
};

/** The events and the list in one transaction, like `recordPayouts`. */
async function record(squarePayoutId: string, ...parts: readonly (readonly PayoutEntry[])[]): Promise<void> {
  const streamId = `payout-${squarePayoutId}`;
  const first: PayoutEvent = { ...payoutRecordedA, squarePayoutId };
  const listed = parts.map((part) => {
    const entries = part.map((entry) => ({ ...entry, entryId: `${squarePayoutId}-${entry.entryId}` }));
    return payoutCodec.encode({ type: 'PayoutEntriesRecorded', squarePayoutId, entries });
  });
  const command = {
    streamId,
    expectedVersion: 0,
    commandId: `payout:${squarePayoutId}:sent`,
    requestHash: sha256(streamId),
    actor: 'reconciliation',
    requestId: undefined,
    occurredAt: new Date('2026-11-22T08:00:00Z'),
  } as const;
  await appSql.begin(async (transaction) => {
    await appendToStream(transaction, { ...command, events: [payoutCodec.encode(first), ...listed] });
    await transaction`select ledger.list_payout_entries(${streamId})`;
  });
}

const rebuild = () => rebuildProjections({ url, onProgress: () => undefined });
const differences = async () => (await compareProjections(ownerSql, () => undefined)).differences;
const rows = () => ownerSql`select t::text as row from ledger.payout_entry t order by entry_id`;

test('the rebuilt entries of payouts equal the rows that were written with their events, in an equal table', async () => {
  await record('payout-a', [chargeEntry, reserveEntry], [ofEverything]);
  await record('payout-b', [{ ...reserveEntry, activity: 'SOMETHING_NEW' }]);
  expect(await differences()).toEqual([]);
  const before = { rows: await rows(), schema: await ownerSql.begin(dumpSchema) };
  expect(before.rows).toHaveLength(4);

  expect(await rebuild()).toMatchObject({ payoutEntries: 4, correctedEntries: 0 });

  expect({ rows: await rows(), schema: await ownerSql.begin(dumpSchema) }).toEqual(before);
  // A connection that records payouts continues with the new table.
  await record('payout-c', [chargeEntry]);
  expect(await rows()).toHaveLength(5);
  expect(await differences()).toEqual([]);
});

test('entries that are wrong, missing or without an event are named by their payout, and repaired', async () => {
  await record('payout-a', [chargeEntry, reserveEntry], [ofEverything]);
  const before = await rows();
  await ownerSql`update ledger.payout_entry set standing = 'order' where entry_id = 'payout-a-entry-disputed'`;
  await ownerSql`delete from ledger.payout_entry where entry_id = 'payout-a-entry-charge'`;
  await ownerSql`
    insert into ledger.payout_entry (entry_id, payout_id, activity, standing, gross_cents, fee_cents, net_cents)
    values ('of-nobody', 'payout-z', 'CHARGE', 'order', 1, 0, 1)`;
  const told = (await differences()).map(({ of, what }) => `${of}: ${what}`);
  expect(told.toSorted()).toEqual([
    'payout-a: Entry payout-a-entry-charge is missing',
    'payout-a: Entry payout-a-entry-disputed: standing is "order", and the ledger says "unknown"',
    'payout-z: Entry of-nobody is there, and the ledger knows nothing of it',
  ]);
  expect(await rebuild()).toMatchObject({ corrected: 0, correctedEntries: 3 });
  expect(await differences()).toEqual([]);
  expect(await rows()).toEqual(before);
});

test('payouts that are recorded during a rebuild are in the new table exactly once', async () => {
  let running = true;
  let recorded = 0;
  const recording = (async () => {
    for (; running; recorded += 1) await record(`payout-during-${recorded}`, [chargeEntry, reserveEntry]);
  })();
  const rebuilt = [await rebuild(), await rebuild()];
  running = false;
  await recording;
  expect(rebuilt.map(({ correctedEntries }) => correctedEntries)).toEqual([0, 0]);
  expect(recorded).toBeGreaterThan(1);
  const listed = await ownerSql`select from ledger.payout_entry where payout_id like 'payout-during-%'`;
  expect(listed).toHaveLength(recorded * 2);
  expect(await differences()).toEqual([]);
});
