import type { Day } from '@kilim/domain/day';
import { cents } from '@kilim/domain/money';
import { cloneDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Sql } from '../../core/database/database.ts';
import { appendToStream } from '../../core/ledger/append.ts';
import { orderCodec } from '../../core/ledger/codecs/order.ts';
import { sha256 } from '../../core/ledger/hash.ts';
import { booksOf, eventsOf, readBooks, readBooksHistory } from '../../core/ledger/read.ts';
import { createLogger } from '../../core/runtime/logger.ts';
import { certifyExports } from '../export/certify.ts';
import { readCertificate } from '../queries/read-certificate.ts';
import { certifyClosings } from './certify-closings.ts';
import { closePeriod } from './close-period.ts';
import { reopenPeriod } from './reopen-period.ts';

const timeZone = 'America/Los_Angeles';
const log = createLogger({ level: 'silent' });
const asked = { by: 'ada', requestId: 'closing' };

/** At noon of a day in October 2026. */
async function appendReceipt(sql: Sql, number: number, date: number): Promise<void> {
  const at = new Date(Date.UTC(2026, 9, date, 19));
  const squarePaymentId = `sq-receipt-${number}`;
  const events = [
    orderCodec.encode({
      type: 'OrphanPaymentFound',
      squarePaymentId,
      amount: cents(100 + number),
      takenAt: at.toISOString(),
    }),
  ] as const;
  await appendToStream(sql, {
    streamId: `orphan-${squarePaymentId}`,
    expectedVersion: 0,
    commandId: `orphan:${squarePaymentId}`,
    requestHash: sha256(squarePaymentId),
    actor: 'reconciliation',
    requestId: undefined,
    occurredAt: at,
    events,
  });
}

const dates = fc.integer({ min: 1, max: 8 });
const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('record' as const), date: dates }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('close' as const), date: dates }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const), date: dates }) },
);

test('a certificate can be computed again at any time while its closing is in force, and comes out the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 6, maxLength: 14 }), async (actions) => {
      const { appSql: sql, drop } = await cloneDatabase();
      const world = { sql, log, now: () => new Date('2026-12-15T20:00:00Z'), timeZone };
      for (const [number, { do: what, date }] of actions.entries()) {
        if (what === 'record') await appendReceipt(sql, number, date);
        else if (what === 'close') await closePeriod(world, `2026-10-0${date}` as Day, asked);
        else {
          const closing = (await readBooks(sql)).closings.at(-1)?.version ?? 0;
          await reopenPeriod(world, { ...asked, closing, reason: 'correction' });
        }
        await certifyClosings(world);
      }
      await settled(sql);
      await expectCertificatesHold(sql);
      await drop();
    }),
    { numRuns: 5 },
  );
  // Each closing waits for other specs' transactions on the same server.
}, 180_000);

async function expectCertificatesHold(sql: Sql): Promise<void> {
  const history = await readBooksHistory(sql);
  const books = booksOf(history);
  const certified = eventsOf(history.closings).flatMap((event) => (event.type === 'PeriodCertified' ? [event] : []));
  for (const closing of books.closings) {
    const {
      type: _,
      openPoints: __,
      ...kept
    } = certified.find((event) => event.closing === closing.version) ?? {
      ...{ type: undefined, openPoints: [] },
    };
    expect(await certifyExports(sql, books, { closing, timeZone })).toEqual(kept);
    expect(await readCertificate(sql, closing.version)).toMatchObject({ state: 'in-force', reopened: null });
  }
  for (const closing of books.reopened) {
    expect(await readCertificate(sql, closing)).toMatchObject({
      state: 'superseded',
      reopened: { by: 'ada', reason: 'correction' },
    });
  }
}

test('the sums are those of the journal, and each closing is certified once', async () => {
  const { appSql: sql, drop } = await cloneDatabase();
  const world = { sql, log, now: () => new Date('2026-12-15T20:00:00Z'), timeZone };
  await appendReceipt(sql, 1, 3);
  await appendReceipt(sql, 2, 5);
  await settled(sql);
  await closePeriod(world, '2026-10-31' as Day, asked);
  await settled(sql);
  expect([await certifyClosings(world), await certifyClosings(world)]).toEqual([1, 0]);
  const certificate = await readCertificate(sql, 1);
  expect(certificate).toMatchObject({
    ...{ from: '2026-10-01', through: '2026-10-31', closedBy: 'ada', events: 2, bookings: 2, lateBookings: 0 },
    ...{ debits: 203, credits: 203, checkpoint: null },
    balances: [
      { account: 'clearing', name: 'Square Clearing', debit: 203, credit: 0 },
      { account: 'unidentifiedReceipts', debit: 0, credit: 203 },
    ],
  });
  await drop();
});
