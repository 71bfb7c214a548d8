import { expect, test } from 'vitest';
import { cents } from '../money.ts';
import { type DifferenceExplained, decide, evolve, isExplained, nothingResolved } from './resolutions.ts';

const explained: DifferenceExplained = {
  type: 'DifferenceExplained',
  code: 'RefundNotAtSquare',
  squareId: 'refund-a',
  stated: cents(700),
  reason: 'SettledAtSquare',
  by: 'ada',
};

test('a difference is explained once', () => {
  expect(decide(explained, nothingResolved)).toEqual({ ok: true, value: [explained] });
  expect(decide({ ...explained, by: 'ben' }, evolve(nothingResolved, explained))).toEqual({ ok: true, value: [] });
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
  expect(decide(refund, state)).toEqual({ ok: true, value: [] });
  expect(decide({ ...refund, stated: cents(400) }, state).ok).toBe(true);
});
