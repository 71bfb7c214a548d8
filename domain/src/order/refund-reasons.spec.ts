import { expect, test } from 'vitest';
import { refundReasons, sortReason } from './refund-reasons.ts';

test('each reason of the list is recorded as it stands there, however it was typed', () => {
  for (const reason of refundReasons) {
    expect(sortReason({ reason: ` ${reason.toUpperCase()} `, notes: ' ' })).toEqual({ reason, text: undefined });
  }
});

test('other words are recorded as Other, and stand beside the ledger with the notes', () => {
  expect(sortReason({ reason: ' Spilled tea', notes: 'On the phone ' })).toEqual({
    reason: 'Other',
    text: { reason: 'Spilled tea', notes: 'On the phone' },
  });
  expect(sortReason({ reason: 'Delay', notes: 'A week' })).toEqual({ reason: 'Delay', text: { notes: 'A week' } });
});

test('a missing reason is not recorded as Other', () => {
  expect(sortReason({ reason: ' ', notes: undefined })).toEqual({ reason: '', text: undefined });
});
