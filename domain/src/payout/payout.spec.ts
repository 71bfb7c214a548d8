import { describe, expect, test } from 'vitest';
import { cents } from '../money.ts';
import {
  chargeEntry,
  payoutA,
  payoutEntriesA,
  payoutFailedA,
  payoutPaidA,
  payoutRecordedA,
  reserveEntry,
} from '../testing/payouts.ts';
import type { PayoutEvent } from './events.ts';
import { decide, evolve, noPayout, type RecordPayout, type SquarePayout } from './payout.ts';

const entries = [chargeEntry, reserveEntry];
const given = (...events: readonly PayoutEvent[]) => events.reduce(evolve, noPayout);
const said = (changed: Partial<SquarePayout> = {}, of: RecordPayout['entries'] = entries): RecordPayout => ({
  payout: { ...payoutA, ...changed },
  entries: of,
});
const paidAt = { status: 'paid', updatedAt: '2026-11-23T09:00:00.000Z' } as const;
const failedAt = { status: 'failed', updatedAt: '2026-11-25T09:00:00.000Z' } as const;
const recorded = (value: readonly PayoutEvent[]) => ({ ok: true, value });

describe('a payout', () => {
  test('is recorded with all its entries, and as paid only after it arrived', () => {
    expect(decide(said(), given())).toEqual(recorded([payoutRecordedA, payoutEntriesA]));
  });

  test('that is first seen after it arrived is recorded completely', () => {
    expect(decide(said(paidAt), given())).toEqual(recorded([payoutRecordedA, payoutEntriesA, payoutPaidA]));
  });

  test('that arrives is recorded as paid once', () => {
    const sent = given(payoutRecordedA, payoutEntriesA);
    expect(decide(said(paidAt, []), sent)).toEqual(recorded([payoutPaidA]));
    expect(decide(said(paidAt, []), given(payoutRecordedA, payoutEntriesA, payoutPaidA))).toEqual(recorded([]));
    expect(decide(said({}, []), sent)).toEqual(recorded([]));
  });

  test('that the bank sends back after it had arrived has failed', () => {
    const paid = given(payoutRecordedA, payoutEntriesA, payoutPaidA);
    expect(decide(said(failedAt, []), paid)).toEqual(recorded([payoutFailedA]));
    expect(decide(said(failedAt, []), given(payoutRecordedA, payoutEntriesA))).toEqual(
      recorded([{ ...payoutFailedA, wasPaid: false } as PayoutEvent]),
    );
  });

  test('that failed cannot arrive later', () => {
    const failed = given(payoutRecordedA, payoutEntriesA, payoutFailedA);
    expect(decide(said(failedAt, []), failed)).toEqual(recorded([]));
    expect(decide(said(paidAt, []), failed)).toMatchObject({ rejection: { code: 'PaidAfterItFailed' } });
  });

  test('cannot change its amount', () => {
    expect(decide(said({ amount: cents(1) }), given(payoutRecordedA))).toMatchObject({
      rejection: { code: 'AmountDiffers', recorded: 9180, said: 1 },
    });
  });

  test('is not recorded while its entries do not add up to it', () => {
    expect(decide(said({}, [chargeEntry]), given())).toMatchObject({
      rejection: { code: 'EntriesDoNotAddUp', amount: 9180, entries: 9680 },
    });
  });

  test('without entries is recorded if it is a simple payout', () => {
    expect(decide(said({ kind: 'simple' }, []), given())).toEqual(
      recorded([{ ...payoutRecordedA, kind: 'simple', totals: [] } as PayoutEvent]),
    );
  });

  test('of many entries is recorded in parts of at most 200', () => {
    const many = Array.from({ length: 401 }, (_, index) => ({ ...chargeEntry, entryId: `entry-${index}` }));
    const decision = decide(said({ amount: cents(401 * 9680) }, many), given());
    const parts = decision.ok ? decision.value : [];
    expect(parts.map((part) => (part.type === 'PayoutEntriesRecorded' ? part.entries.length : part.type))).toEqual([
      'PayoutRecorded',
      200,
      200,
      1,
    ]);
    expect(parts.flatMap((part) => (part.type === 'PayoutEntriesRecorded' ? part.entries : []))).toEqual(many);
  });
});
