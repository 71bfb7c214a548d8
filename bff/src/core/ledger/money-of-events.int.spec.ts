import { movedBy } from '@kilim/domain/accounting/booking';
import { evolve, nothingBooked, postingsOf } from '@kilim/domain/accounting/journal';
import {
  eventTypes,
  type Figure,
  isBooked,
  moves,
  refundsOfOrders,
  salesOfOrders,
  sumOf,
} from '@kilim/domain/accounting/money-of-events';
import { parseDay } from '@kilim/domain/day';
import { type Cents, cents, decimalDollars, sumCents } from '@kilim/domain/money';
import { eventSamples, historyBefore, isOrderSample } from '@kilim/domain/testing/every-event';
import { appendLife } from '@kilim/lab/testing/order-lives';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { beforeAll, expect, test } from 'vitest';
import { exportKinds } from '../../accounting/export/kinds.ts';
import { openScope } from '../../accounting/export/scope.ts';
import { compareBooks } from '../../accounting/queries/compare-books.ts';
import { readBooksAtAGlance } from '../../accounting/queries/read-books.ts';
import { readStatistics } from '../queries/read-statistics.ts';
import { appendToStream } from './append.ts';
import type { EncodedEvent } from './codecs/codec.ts';
import { payoutCodec } from './codecs/payout.ts';
import { resolutionsCodec, resolutionsStream } from './codecs/resolutions.ts';
import { canonicalJson, sha256 } from './hash.ts';
import { rareMoneyTypes, typesOfDays } from './money-in-sql.ts';
import { compareProjections } from './rebuild/compare.ts';
import { rebuildProjections } from './rebuild/rebuild.ts';

// A sample of each type of event is appended, with every outcome that decides about money. SQL in migrations cannot be
// made from the table of money, so this spec compares both.

const { appSql, ownerSql, url } = await testDatabase();
const timeZone = 'America/Los_Angeles';
const at = new Date('2026-11-21T20:00:00.000Z');
const today = '2026-11-21';

type Sample = (typeof eventSamples)[number][1];

/** The stream is for samples that are not of an order. Resolutions share one. */
const samples = eventSamples.map(([name, event], index) => {
  const history = isOrderSample(event) ? [...historyBefore(event), event] : [event];
  const stream = resolutionsCodec.knows(event.type) ? resolutionsStream : `payout-sample-${index}`;
  return { name, event, history, stream };
});

/** With the change that the journal books. */
const booked: readonly { readonly event: Sample; readonly moved: Cents }[] = samples.flatMap(({ history }) => {
  let state = nothingBooked;
  return history.map((event) => {
    const moved = movedBy(postingsOf(event, state));
    if (isOrderSample(event)) state = evolve(state, event);
    return { event, moved };
  });
});

beforeAll(async () => {
  for (const { event, history, stream } of samples) {
    if (isOrderSample(event)) await appendLife(appSql, history.filter(isOrderSample), at);
    else await appendSample(stream, event);
  }
  await settled(appSql);
});

const versions = new Map<string, number>();

async function appendSample(streamId: string, event: Sample): Promise<void> {
  const expectedVersion = versions.get(streamId) ?? 0;
  versions.set(streamId, expectedVersion + 1);
  await appendToStream(appSql, {
    streamId,
    expectedVersion,
    commandId: `test:${streamId}:${expectedVersion}`,
    requestHash: sha256(streamId),
    actor: 'reconciliation',
    requestId: undefined,
    occurredAt: at,
    events: [encoded(event)],
  });
  await appSql`select ledger.list_payout_entries(${streamId})`;
}

function encoded(event: Sample): EncodedEvent {
  switch (event.type) {
    case 'PayoutRecorded':
    case 'PayoutEntriesRecorded':
    case 'PayoutPaid':
    case 'PayoutFailed':
      return payoutCodec.encode(event);
    case 'DifferenceExplained':
    case 'OrphanRefundRequested':
    case 'OrphanAssigned':
    case 'OrphanWrittenOff':
    case 'ClearingItemWrittenOff':
    case 'ExplanationUndone':
    case 'OrphanBookingUndone':
    case 'ItemWriteOffUndone':
      return resolutionsCodec.encode(event);
    default: {
      const { type, ...payload } = event;
      return { type, schemaVersion: 1, payload: canonicalJson(payload), amountCents: null, refundId: null };
    }
  }
}

/** By the journal. */
function figure(name: Figure): Cents {
  const { adds, subtracts } = sumOf(name);
  const types = [...adds, ...subtracts];
  const moved = sumCents(booked.flatMap((row) => (types.includes(row.event.type) ? [row.moved] : [])));
  return cents(Math.abs(moved));
}

const amountOf = (...types: readonly string[]) =>
  sumCents(booked.flatMap(({ event }) => ('amount' in event && types.includes(event.type) ? [event.amount] : [])));

const countOf = (...types: readonly string[]) => booked.filter(({ event }) => types.includes(event.type)).length;

async function logLines(): Promise<readonly (readonly string[])[]> {
  const [from, to] = [parseDay('2026-11-01'), parseDay('2026-11-30')];
  if (from === undefined || to === undefined) throw new Error('November has no such day');
  const scope = await openScope(appSql, timeZone, { from, to });
  let text = '';
  for await (const piece of exportKinds.csv.pieces(appSql, { scope })) {
    text += typeof piece === 'string' ? piece : Buffer.from(piece).toString();
  }
  return text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
}

test('the event log says `moved` for exactly the events that the journal books, with the same amount', async () => {
  const [header = [], ...lines] = await logLines();
  const [type, amount, moved] = ['type', 'amount', 'moved'].map((name) => header.indexOf(name)) as [
    number,
    number,
    number,
  ];
  const logged = lines.map((cells) => [cells[type], cells[moved]]);
  const expected = booked.map((row) => [
    row.event.type,
    isBooked(row.event) && moves(row.event) ? decimalDollars(row.moved) : '',
  ]);
  expect(logged.toSorted()).toEqual(expected.toSorted());
  expect(new Set(logged.map(([of]) => of))).toEqual(new Set(eventTypes));
  for (const cells of lines) if (cells[moved] !== '') expect(cells[moved]).toBe(cells[amount]);
});

test('the Books page adds up what the journal moves', async () => {
  const { now } = await readBooksAtAGlance(appSql, timeZone);
  expect(now.atSquare).toBe(sumCents(booked.map(({ moved }) => moved)));
  expect([now.taken, now.cardRefunds, now.fees]).toEqual([figure('takings'), figure('refunds'), figure('fees')]);
  const { disputes, unidentified, onlyInPayouts, writtenOff } = now;
  expect([disputes, unidentified, onlyInPayouts, writtenOff].map(Math.abs)).toEqual([
    ...[figure('disputes'), figure('unidentified'), figure('payoutEntries'), figure('writeOffs')],
  ]);
  expect(now.atSquare + now.atBank).toBe(
    now.taken - now.cardRefunds - now.fees - disputes + unidentified + onlyInPayouts + writtenOff,
  );
});

test('statistics count what was paid, given back and disputed as the table of money has it', async () => {
  const { total } = await readStatistics(appSql, { timeZone, from: today, to: today, today });
  expect(total).toEqual({
    orders: countOf(...sumOf('takings').adds),
    takings: amountOf(...salesOfOrders.adds),
    refundCount: countOf(...refundsOfOrders.adds),
    refunds: amountOf(...refundsOfOrders.adds),
    fees: figure('fees'),
    disputes: figure('disputes'),
  });
});

test('the comparison of the books, and the rebuild, find the rows that appends wrote', async () => {
  expect(await compareBooks(ownerSql, at)).toMatchObject({ differing: 0, differingOrders: [] });
  const compare = async () => (await compareProjections(ownerSql, () => undefined)).differences;
  expect(await compare()).toEqual([]);
  expect(await rebuildProjections({ url, onProgress: () => undefined })).toMatchObject({ corrected: 0 });
  expect(await compare()).toEqual([]);
});

function typesIn(definition: string | undefined): readonly string[] {
  return eventTypes.filter((type) => definition?.includes(`'${type}'`)).toSorted();
}

test('`ledger.money_between` names the types whose figures are counted by day, and no other', async () => {
  const [row] = await ownerSql<{ definition: string }[]>`
    select pg_get_functiondef(oid) as definition from pg_proc
    where proname = 'money_between' and pronamespace = 'ledger'::regnamespace`;
  expect(typesIn(row?.definition)).toEqual(typesOfDays.toSorted());
});

test('the index `event_rare_money` holds every rare type that moves money', async () => {
  const [row] = await ownerSql<{ definition: string }[]>`
    select pg_get_indexdef('ledger.event_rare_money'::regclass) as definition`;
  expect(typesIn(row?.definition)).toEqual(rareMoneyTypes.toSorted());
});
