import { payoutEntriesA, payoutFailedA, payoutPaidA, payoutRecordedA } from '@kilim/domain/testing/payouts';
import { storedPayload } from '@kilim/lab/testing/stored-events';
import { describe, expect, test } from 'vitest';
import { payoutCodec } from './payout.ts';

const oneOfEach = [payoutRecordedA, payoutEntriesA, payoutPaidA, payoutFailedA].map(
  (event) => [event.type, event] as const,
);

describe('an event of a payout in the table', () => {
  test.each(oneOfEach)('%s is decoded from version 1 and encoded to the same text', (type, event) => {
    expect(payoutCodec.decode({ type, schemaVersion: 1, payload: storedPayload(type, 1) })).toEqual(event);
    expect(payoutCodec.encode(event).payload).toBe(storedPayload(type, 1));
  });

  test('has its amount, or the unbooked change of its entries, in its own column', () => {
    expect(oneOfEach.map(([type, event]) => [type, payoutCodec.encode(event).amountCents])).toEqual([
      ['PayoutRecorded', 9180],
      ['PayoutEntriesRecorded', -500],
      ['PayoutPaid', 9180],
      ['PayoutFailed', 9180],
    ]);
  });

  test('is refused when it cannot be read', () => {
    const stored = payoutCodec.encode(payoutPaidA);
    expect(payoutCodec.knows('PayoutTeleported')).toBe(false);
    expect(() => payoutCodec.decode({ ...stored, type: 'PayoutTeleported' })).toThrow('does not know');
    expect(() => payoutCodec.decode({ ...stored, schemaVersion: 2 })).toThrow('does not know');
    expect(() => payoutCodec.decode({ ...stored, payload: stored.payload.replace('9180', '91.8') })).toThrow();
  });
});
