import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cents, noCents, sumCents } from '../money.ts';
import type { OrderId } from '../order/ids.ts';
import { orderA } from '../testing/orders.ts';
import {
  type DifferenceExplained,
  decideBooking,
  decideExplanation,
  decideRefund,
  decideUndo,
  decideWriteOff,
  evolve,
  isExplained,
  isWrittenOffSince,
  nothingResolved,
  type Resolutions,
  unbookedOf,
} from './resolutions.ts';

const orderB = orderA.replace(/a$/, 'b') as OrderId;

const explained: DifferenceExplained = {
  type: 'DifferenceExplained',
  code: 'RefundNotAtSquare',
  squareId: 'refund-a',
  stated: cents(700),
  reason: 'SettledAtSquare',
  by: 'ada',
};

test('a difference is explained once', () => {
  expect(decideExplanation(explained, nothingResolved)).toEqual({ ok: true, value: [explained] });
  expect(decideExplanation({ ...explained, by: 'ben' }, evolve(nothingResolved, explained))).toEqual({
    ok: true,
    value: [],
  });
});

test('a difference of another amount, kind or id is another difference', () => {
  const state = evolve(nothingResolved, explained);
  expect(isExplained(state, explained)).toBe(true);
  expect(isExplained(state, { ...explained, stated: cents(701) })).toBe(false);
  expect(isExplained(state, { ...explained, code: 'RefundDiffers' })).toBe(false);
  expect(isExplained(state, { ...explained, squareId: 'refund-b' })).toBe(false);
});

test('the refund of the rest of an orphan payment is requested once', () => {
  const refund = {
    type: 'OrphanRefundRequested',
    squarePaymentId: 'payment-a',
    stated: cents(500),
    reason: 'TestPayment',
    by: 'ada',
  } as const;
  const state = evolve(nothingResolved, refund);
  expect(decideRefund(refund, state)).toEqual({ ok: true, value: [] });
  expect(decideRefund({ ...refund, stated: cents(400) }, state).ok).toBe(true);
});

describe('the rest of an orphan payment', () => {
  const about = { squarePaymentId: 'payment-a', reason: 'AgreedWithCustomer', by: 'ada' } as const;
  const assignment = { ...about, type: 'OrphanAssigned', orderId: orderA } as const;
  const writeOff = { ...about, type: 'OrphanWrittenOff' } as const;
  const assigned = evolve(nothingResolved, { ...assignment, amount: cents(500) });

  test('is assigned once, and a second click records nothing', () => {
    expect(decideBooking(assignment, cents(500), nothingResolved)).toEqual({
      ok: true,
      value: [{ ...assignment, amount: 500 }],
    });
    expect(decideBooking(assignment, cents(500), assigned)).toEqual({ ok: true, value: [] });
  });

  test('is booked by one of two people', () => {
    const nothingToBook = { ok: false, rejection: { code: 'NothingToBook' } };
    expect(decideBooking(writeOff, cents(500), assigned)).toEqual(nothingToBook);
    expect(decideBooking({ ...assignment, by: 'ben' }, cents(500), assigned)).toEqual(nothingToBook);
    expect(decideBooking({ ...assignment, orderId: orderB }, cents(500), assigned)).toEqual(nothingToBook);
    expect(decideBooking(writeOff, noCents, nothingResolved)).toEqual(nothingToBook);
  });

  test('is not refunded after it was booked', () => {
    const refund = { ...about, type: 'OrphanRefundRequested', stated: cents(500) } as const;
    expect(decideRefund(refund, assigned)).toEqual({ ok: false, rejection: { code: 'AlreadyBooked' } });
  });

  test('that Square returned after all is written off, and belongs to no order', () => {
    expect(unbookedOf(assigned, 'payment-a', cents(200))).toBe(-300);
    expect(decideBooking(assignment, cents(200), assigned).ok).toBe(false);
    const corrected = decideBooking(writeOff, cents(200), assigned);
    expect(corrected).toEqual({ ok: true, value: [{ ...writeOff, amount: -300 }] });
    const after = evolve(assigned, { ...writeOff, amount: cents(-300) });
    expect(unbookedOf(after, 'payment-a', cents(200))).toBe(0);
  });

  test('is never booked twice, in whatever order people and Square act', () => {
    const act = fc.oneof(
      fc.record({ what: fc.constantFrom('assign' as const, 'write off' as const), by: fc.constantFrom('ada', 'ben') }),
      fc.record({ what: fc.constant('undo' as const) }),
      fc.record({ what: fc.constant('return' as const), amount: fc.integer({ min: 1, max: 400 }) }),
    );
    fc.assert(
      fc.property(fc.array(act, { maxLength: 12 }), (acts) => {
        let [left, state] = [1000, nothingResolved];
        for (const each of acts) {
          if (each.what === 'return') {
            left -= Math.min(left, each.amount);
            continue;
          }
          if (each.what === 'undo') {
            state = undoneLast(state);
            continue;
          }
          const booking = { ...(each.what === 'assign' ? assignment : writeOff), by: each.by };
          const decided = decideBooking(booking, cents(left), state);
          if (!decided.ok || decided.value.length === 0) continue;
          state = decided.value.reduce(evolve, state);
          expect(unbookedOf(state, 'payment-a', cents(left))).toBe(0);
        }
        const bookings = state.booked.get('payment-a') ?? [];
        for (const { type, amount } of bookings) if (type === 'OrphanAssigned') expect(amount).toBeGreaterThan(0);
        expect(sumCents(bookings.map(({ amount }) => amount))).toBeLessThanOrEqual(1000);
      }),
    );
  });
});

function undoneLast(state: Resolutions): Resolutions {
  const [undoes = 0] = [...state.standing].at(-1) ?? [];
  const decided = decideUndo({ undoes, by: 'ada' }, state);
  return decided.ok ? decided.value.reduce(evolve, state) : state;
}

describe('what a person undoes', () => {
  const about = { squarePaymentId: 'payment-a', reason: 'TooSmall', by: 'ada' } as const;
  const ofSquare = { squarePaymentId: 'payment-a', amount: cents(500), by: 'ben' };
  const assigned = { ...about, type: 'OrphanAssigned', orderId: orderA, amount: cents(500) } as const;
  const writtenOff = { ...about, type: 'OrphanWrittenOff', amount: cents(-300) } as const;
  const itemWrittenOff = { ...about, type: 'ClearingItemWrittenOff', amount: cents(-70) } as const;
  const refund = { ...about, type: 'OrphanRefundRequested', stated: cents(500) } as const;
  const undoBy = (by: string, undoes: number, state: Resolutions) => decideUndo({ undoes, by }, state);

  test('stands no longer, and can be decided again', () => {
    const state = [explained, assigned, itemWrittenOff].reduce(evolve, nothingResolved);
    const decided = [1, 2, 3].map((undoes) => undoBy('ben', undoes, state));
    const { type: _, reason: __, ...difference } = explained;
    expect(decided.map((each) => each.ok && each.value)).toEqual([
      [{ ...difference, type: 'ExplanationUndone', undoes: 1, by: 'ben' }],
      [{ ...ofSquare, type: 'OrphanBookingUndone', undoes: 2, orderId: orderA }],
      [{ ...ofSquare, type: 'ItemWriteOffUndone', undoes: 3, amount: -70 }],
    ]);
    const after = decided.flatMap((each) => (each.ok ? each.value : [])).reduce(evolve, state);
    expect(after).toEqual({ ...nothingResolved, version: 6, undone: new Set([1, 2, 3]) });
  });

  test('is undone once, however often it is asked for', () => {
    const state = undoneLast(evolve(nothingResolved, assigned));
    expect(undoBy('ben', 1, state)).toEqual({ ok: true, value: [] });
  });

  test('is a resolution of this stream that stands, and no refund', () => {
    const state = undoneLast([explained, refund, assigned].reduce(evolve, nothingResolved));
    expect(undoBy('ben', 2, state)).toEqual({ ok: false, rejection: { code: 'RefundRequested' } });
    for (const version of [0, 4, 5, Number.NaN]) {
      expect(undoBy('ben', version, state)).toEqual({ ok: false, rejection: { code: 'NoSuchResolution' } });
    }
  });

  test('is the newest booking of its payment', () => {
    const state = [assigned, writtenOff].reduce(evolve, nothingResolved);
    expect(undoBy('ben', 1, state)).toEqual({ ok: false, rejection: { code: 'BookedSince' } });
    expect(undoBy('ben', 1, undoneLast(state)).ok).toBe(true);
  });

  test('leaves an earlier write-off of the same item', () => {
    const state = undoneLast([itemWrittenOff, itemWrittenOff].reduce(evolve, nothingResolved));
    expect(isWrittenOffSince(state, 'payment-a', 0)).toBe(true);
    expect(isWrittenOffSince(state, 'payment-a', 1)).toBe(false);
  });
});

test('an open item is written off once after a comparison, and again when a later one still shows it', () => {
  const about = { squarePaymentId: 'payment-a', reason: 'TooSmall', by: 'ada' } as const;
  const event = { ...about, type: 'ClearingItemWrittenOff', amount: cents(-70) } as const;
  const state = evolve(nothingResolved, event);
  expect(decideWriteOff(event, 0, nothingResolved)).toEqual({ ok: true, value: [event] });
  expect(decideWriteOff(event, 0, state)).toEqual({ ok: true, value: [] });
  expect(decideWriteOff(event, 1, state)).toEqual({ ok: true, value: [event] });
  expect(isWrittenOffSince(state, 'payment-b', 0)).toBe(false);
});
