import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Day, dayAfter, daysBetween, lastMonthEnd } from '../day.ts';
import {
  type Books,
  type BooksEvent,
  decideClosing,
  decideReopening,
  evolve,
  newBooks,
  proposedClosing,
  withReopenings,
} from './books.ts';
import { postingDay } from './calendar.ts';
import type { ClosingsEvent } from './closings.ts';

const timeZone = 'America/Los_Angeles';
const today = '2026-12-15' as Day;
const days = daysBetween('2026-10-01' as Day, '2026-10-12' as Day);

/** In memory: each action takes the next transaction id. */
function openLedger() {
  const closed: BooksEvent[] = [];
  const after: ClosingsEvent[] = [];
  const facts: { readonly day: Day; readonly xid: number }[] = [];
  let xid = 100;
  const nextXid = () => {
    xid += 1;
    return xid;
  };
  const books = () => withReopenings(closed.reduce<Books>(evolve, newBooks), after);
  return {
    books,
    record: (day: Day) => void facts.push({ day, xid: nextXid() }),
    close: (through: Day) => {
      const horizon = { epoch: 1, xid: String(nextXid()) };
      const decision = decideClosing({ through, timeZone, endsAt: '', horizon, today, by: 'ada' }, books());
      if (decision.ok && decision.value !== undefined) closed.push(decision.value);
      return decision;
    },
    reopen: (closing: number) => {
      const decision = decideReopening({ closing, reason: 'correction', by: 'ada' }, books());
      if (decision.ok && decision.value !== undefined) after.push(decision.value);
      return decision;
    },
    posted: () =>
      facts.map((fact) => ({
        ...fact,
        postedOn: postingDay(fact.day, { epoch: 1, xid: String(fact.xid) }, books().closings),
      })),
    postedThrough(through: Day) {
      return this.posted().filter(({ postedOn }) => postedOn <= through);
    },
  };
}

const [first = today, second = today, third = today] = days;

describe('reopening', () => {
  test('opens the days of the latest closing, and late facts go back to their own day', () => {
    const ledger = openLedger();
    ledger.close(second);
    ledger.record(first);
    expect(ledger.posted()).toMatchObject([{ day: first, postedOn: third }]);
    expect(ledger.reopen(1).ok).toBe(true);
    expect(ledger.books().closings).toEqual([]);
    expect(ledger.posted()).toMatchObject([{ day: first, postedOn: first }]);
  });

  test('lets the same days, or fewer, be closed again with the facts that came late', () => {
    const ledger = openLedger();
    ledger.close(third);
    ledger.record(first);
    ledger.reopen(1);
    expect(ledger.close(second).ok).toBe(true);
    expect(ledger.books().closings.map(({ version, through }) => [version, through])).toEqual([[2, second]]);
    expect(ledger.postedThrough(second)).toMatchObject([{ day: first, postedOn: first }]);
  });

  test('is possible for the latest closing in force only', () => {
    const ledger = openLedger();
    expect(ledger.reopen(1)).toEqual({ ok: false, rejection: { code: 'NotLatestClosing', through: undefined } });
    ledger.close(first);
    ledger.close(second);
    expect(ledger.reopen(1)).toEqual({ ok: false, rejection: { code: 'NotLatestClosing', through: second } });
    expect(ledger.reopen(2).ok).toBe(true);
    expect(ledger.reopen(1).ok).toBe(true);
  });

  test('a second time changes nothing', () => {
    const ledger = openLedger();
    ledger.close(first);
    ledger.reopen(1);
    expect(ledger.reopen(1)).toEqual({ ok: true, value: undefined });
  });
});

const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('record' as const), day: fc.constantFrom(...days) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('close' as const), day: fc.constantFrom(...days) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const), day: fc.constant(today) }) },
);

test('a closed period never changes while its closing is in force, through random facts, closings and reopenings', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      const ledger = openLedger();
      const atClosing = new Map<number, unknown>();
      for (const { do: what, day } of actions) {
        if (what === 'record') ledger.record(day);
        else if (what === 'close') ledger.close(day);
        else ledger.reopen(ledger.books().closings.at(-1)?.version ?? 0);
        for (const { version, through } of ledger.books().closings) {
          const now = ledger.postedThrough(through);
          if (!atClosing.has(version)) atClosing.set(version, now);
          expect(now).toEqual(atClosing.get(version));
        }
        // On its day, or after the last closing that was in force before it.
        for (const { day: happened, xid, postedOn } of ledger.posted()) {
          const before = ledger.books().closings.filter(({ horizon }) => Number(horizon.xid) <= xid);
          const last = before.at(-1)?.through;
          expect(postedOn).toBe(last !== undefined && happened <= last ? dayAfter(last) : happened);
        }
      }
    }),
  );
});

test.each([
  ['2026-11-01', '2026-10-31'],
  ['2026-11-30', '2026-10-31'],
  ['2026-03-15', '2026-02-28'],
  ['2028-03-01', '2028-02-29'],
  ['2026-01-02', '2025-12-31'],
])('on %s the last full month ends on %s', (day, end) => {
  expect(lastMonthEnd(day as Day)).toBe(end);
  expect(proposedClosing(day as Day, newBooks)).toBe(end);
});

test('a month that is closed is not proposed', () => {
  const ledger = openLedger();
  ledger.close('2026-11-30' as Day);
  expect(proposedClosing(today, ledger.books())).toBeUndefined();
});
