import { describe, expect, test } from 'vitest';
import { type CheckedInstants, createInstantCheck } from './check-instants.ts';
import type { EventRow } from './event-row.ts';
import { noHash } from './hash-text.ts';

const hour = 3600 * 1_000_000;

type Recorded = { readonly type?: string; readonly hoursEarly?: number; readonly atHour?: number };

function check(events: readonly Recorded[], isDoubtful: boolean): CheckedInstants {
  const instants = createInstantCheck();
  for (const [index, { type = 'OrderPlaced', hoursEarly = 0, atHour = 10_000 + index }] of events.entries()) {
    const row: EventRow = {
      ...{ streamId: 'note', version: index + 1, type, previousHash: noHash, hash: noHash },
      ...{ fault: undefined, authenticated: '' },
      occurredAt: (atHour - hoursEarly) * hour,
      recordedAt: atHour * hour,
    };
    instants.follow(row, isDoubtful);
  }
  return instants.end();
}

const named = (code: string, version: number) => ({ code, streamId: 'note', version });

describe('an instant before its recording', () => {
  test.each([
    ['OrderPlaced', 1],
    ['PaymentCaptured', 400],
    ['ExcessRefundFound', 400],
    ['PayoutPaid', 400],
    ['CustomerReimbursed', 4000],
  ])('of %s is plausible within %i days, which the next hour may not exceed', (type, days) => {
    const atHour = 200_000;
    expect(check([{ type, hoursEarly: days * 24, atHour }], true).faults).toEqual([]);
    const isLimited = type !== 'CustomerReimbursed';
    const beyond = check([{ type, hoursEarly: days * 24 + 25, atHour }], true).faults;
    expect(beyond).toEqual(isLimited ? [named('InstantImplausible', 1)] : []);
  });
});

describe('an instant after its recording', () => {
  test.each([
    ['CustomerReimbursed', 1],
    ['OrderPlaced', 1],
    ['PayoutPaid', 8 * 24],
  ])('of %s is plausible within %i hours', (type, hours) => {
    expect(check([{ type, hoursEarly: -hours }], true).faults).toEqual([]);
    expect(check([{ type, hoursEarly: -hours - 1 }], true).faults).toEqual([named('InstantImplausible', 1)]);
  });
});

describe('a clock that was wrong', () => {
  const clockOfDatabase = [{ atHour: 12 }, { atHour: 9 }, { atHour: 10 }, { atHour: 14 }];
  const clockOfServer = [{ hoursEarly: -2 }, { hoursEarly: 0 }];

  test('is a warning for events that servers with the key appended', () => {
    expect(check(clockOfDatabase, false)).toEqual({ faults: [], warnings: [named('RecordedOutOfOrder', 2)] });
    expect(check(clockOfServer, false)).toEqual({ faults: [], warnings: [named('InstantImplausible', 1)] });
  });

  test('is a fault of all other events', () => {
    expect(check(clockOfDatabase, true)).toEqual({ faults: [named('RecordedOutOfOrder', 2)], warnings: [] });
    expect(check(clockOfServer, true)).toEqual({ faults: [named('InstantImplausible', 1)], warnings: [] });
  });
});
