import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Account, Posting } from '../accounting/chart.ts';
import { nothingBooked, postingsOf } from '../accounting/journal.ts';
import { type Cents, cents, sumCents } from '../money.ts';
import type { OrderEvent } from '../order/events.ts';
import { disputeOpenedA, feeA, orphanA, orphanReturnedA } from '../testing/orders.ts';
import {
  chargeEntry,
  payoutA,
  payoutEntriesA,
  payoutFailedA,
  payoutPaidA,
  payoutRecordedA,
  reserveEntry,
} from '../testing/payouts.ts';
import type { EntryStanding, PayoutEntry, PayoutEvent } from './events.ts';
import { decide, evolve, noPayout } from './payout.ts';

const asTable = (postings: readonly Posting[]) =>
  Object.fromEntries(postings.map(({ account, amount }) => [account, amount]));
const booked = (event: PayoutEvent) => asTable(postingsOf(event, nothingBooked));
const entriesOf = (...entries: readonly PayoutEntry[]): PayoutEvent => ({
  type: 'PayoutEntriesRecorded',
  squarePayoutId: 'payout-a',
  entries,
});

describe('a payout', () => {
  test('moves money to the bank only when it has arrived', () => {
    expect(booked(payoutRecordedA)).toEqual({});
    expect(booked(payoutPaidA)).toEqual({ bank: 9180, clearing: -9180 });
  });

  test('that debits the bank moves money the other way', () => {
    expect(booked({ ...payoutPaidA, amount: cents(-100) } as PayoutEvent)).toEqual({ bank: -100, clearing: 100 });
  });

  test('that the bank returns is reversed if it was paid', () => {
    expect(booked(payoutFailedA)).toEqual({ bank: -9180, clearing: 9180 });
    expect(booked({ ...payoutFailedA, wasPaid: false } as PayoutEvent)).toEqual({});
  });
});

test('an entry that an order has booked is not booked again: only the reserve is new', () => {
  expect(booked(payoutEntriesA)).toEqual({ squareReserve: 500, clearing: -500 });
});

const entry = (activity: string, standing: EntryStanding): PayoutEntry => ({ ...chargeEntry, activity, standing });

test.each([
  [entry('CHARGE', 'elsewhere'), { otherSales: -10_000, squareFees: 320, clearing: 9680 }],
  [entry('CHARGE', 'orphan'), { squareFees: 320, clearing: -320 }],
  [entry('CHARGE', 'unknown'), { unidentifiedReceipts: -10_000, squareFees: 320, clearing: 9680 }],
  [entry('REFUND', 'orphan'), { unidentifiedReceipts: -10_000, squareFees: 320, clearing: 9680 }],
  [entry('REFUND', 'returned'), { squareFees: 320, clearing: -320 }],
  [entry('DISPUTE', 'order'), { squareFees: 320, clearing: -320 }],
  [entry('DISPUTE', 'unknown'), { disputes: -10_000, squareFees: 320, clearing: 9680 }],
  [entry('DEPOSIT_FEE_REVERSED', 'square'), { squareFees: -9680, clearing: 9680 }],
  [entry('TAX_ON_FEE', 'square'), { squareFees: -9680, clearing: 9680 }],
  [entry('SQUARE_CAPITAL_PAYMENT', 'square'), { squareAdjustments: -10_000, squareFees: 320, clearing: 9680 }],
  [entry('FEE', 'order'), {}],
])('$activity of standing $standing', (line, expected) => {
  expect(booked(entriesOf(line))).toEqual(expected);
});

const amount = fc.integer({ min: -100_000, max: 100_000 });
const activities = ['CHARGE', 'REFUND', 'DISPUTE', 'FEE', 'RESERVE_HOLD', 'RESERVE_RELEASE', 'ADJUSTMENT', 'TELEPORT'];
const standings = ['order', 'orphan', 'returned', 'elsewhere', 'square', 'unknown'] as const;
const line = fc.record({
  activity: fc.constantFrom(...activities),
  standing: fc.constantFrom(...standings),
  gross: amount,
  fee: fc.integer({ min: -500, max: 500 }),
});
const batches = fc.array(
  fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 6 }),
    end: fc.constantFrom('paid', 'failed', 'paid then failed'),
  }),
  { maxLength: 6 },
);

/** By the events of orders and orphans. */
function bookedBefore({ standing, activity, gross, fee }: PayoutEntry): readonly OrderEvent[] {
  const orphan = { ...orphanA, amount: gross } as OrderEvent;
  if (standing === 'orphan') return activity === 'CHARGE' ? [orphan] : [];
  if (standing === 'returned') return [{ ...orphanReturnedA, amount: cents(-gross) } as OrderEvent];
  if (standing !== 'order') return [];
  // Any event that moves the clearing account by this amount will do.
  if (activity === 'DISPUTE') return [{ ...disputeOpenedA, amount: cents(-gross) } as OrderEvent];
  return [orphan, { ...feeA, amount: fee } as OrderEvent];
}

test('for all payouts, debits equal credits, and nothing is left at Square once everything has arrived', () => {
  fc.assert(
    fc.property(batches, (payouts) => {
      const balance = new Map<Account, Cents>();
      const book = (event: OrderEvent | PayoutEvent) => {
        const postings = postingsOf(event, nothingBooked);
        expect(sumCents(postings.map((posting) => posting.amount))).toBe(0);
        for (const { account, amount: moved } of postings) {
          balance.set(account, cents((balance.get(account) ?? 0) + moved));
        }
      };
      let returned: readonly PayoutEntry[] = [];
      const last = { lines: [], end: 'paid' } as const;
      for (const [index, { lines, end }] of [...payouts, last].entries()) {
        const entries = [...lines.map((found, place) => entryOf(found, `${index}-${place}`)), ...returned];
        for (const found of entries) bookedBefore(found).forEach(book);
        const events = lifeOf(entries, end);
        events.forEach(book);
        const total = sumCents(entries.map(({ net }) => net));
        returned = end === 'paid' ? [] : [returnedEntry(total, index)];
      }
      expect(balance.get('clearing') ?? 0).toBe(0);
    }),
  );
});

type Line = {
  readonly activity: string;
  readonly standing: EntryStanding;
  readonly gross: number;
  readonly fee: number;
};

function entryOf({ activity, standing, gross, fee }: Line, entryId: string): PayoutEntry {
  return { entryId, activity, standing, gross: cents(gross), fee: cents(fee), net: cents(gross - fee) };
}

function returnedEntry(total: Cents, index: number): PayoutEntry {
  return {
    ...reserveEntry,
    entryId: `returned-${index}`,
    activity: 'RETURNED_PAYOUT',
    standing: 'payout',
    gross: total,
    net: total,
  };
}

/** As the decider records them. */
function lifeOf(entries: readonly PayoutEntry[], end: string): readonly PayoutEvent[] {
  const payout = { ...payoutA, amount: sumCents(entries.map(({ net }) => net)) };
  const statuses = end === 'paid then failed' ? (['sent', 'paid', 'failed'] as const) : (['sent', end] as const);
  const events: PayoutEvent[] = [];
  for (const status of statuses) {
    const said = { payout: { ...payout, status: status as typeof payout.status }, entries };
    const decision = decide(said, events.reduce(evolve, noPayout));
    if (!decision.ok) throw new Error(decision.rejection.code);
    events.push(...decision.value);
  }
  return events;
}
