import { everyEvent, isOrderSample } from '@kilim/domain/testing/every-event';
import { startedA } from '@kilim/domain/testing/orders';
import { storedPayload } from '@kilim/lab/testing/stored-events';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../hash.ts';
import { orderCodec } from './order.ts';

const oneOfEach = Object.values(everyEvent)
  .flatMap(([event]) => (isOrderSample(event) ? [event] : []))
  .filter(
    // Its line in stored-events.txt has a reason, which some lack.
    ({ type }) => type !== 'RefundSplitCorrected',
  );

describe('an event in the table', () => {
  test.each(oneOfEach.map((event) => [event.type, event] as const))(
    '%s is decoded to the encoded event',
    (_type, event) => {
      expect(orderCodec.decode(orderCodec.encode(event))).toEqual(event);
    },
  );

  test.each(oneOfEach.map((event) => [event.type, event] as const))('%s of version 1 is decoded', (type, event) => {
    expect(orderCodec.decode({ type, schemaVersion: 1, payload: storedPayload(type, 1) })).toEqual(event);
  });

  test.each(oneOfEach.map((event) => [event.type, event] as const))(
    '%s is encoded in a version that has a golden file',
    (type, event) => {
      const encoded = orderCodec.encode(event);
      expect(storedPayload(type, encoded.schemaVersion)).toBe(encoded.payload);
    },
  );

  test('amounts have their own column', () => {
    const amounts = oneOfEach.map((event) => [event.type, orderCodec.encode(event).amountCents]);
    expect(Object.fromEntries(amounts)).toEqual({
      OrderPlaced: 75_822,
      PaymentStarted: 75_822,
      PaymentAuthorized: null,
      PaymentCaptured: 75_822,
      CustomerPaid: 75_822,
      PaymentDeclined: null,
      PaymentVoided: null,
      ProcessingFeeAssessed: 2229,
      RefundRequested: 51_600,
      RefundSubmitted: null,
      RefundCompleted: 51_600,
      RefundFailed: 51_600,
      ExternalRefundRecorded: 1000,
      CustomerReimbursed: 1000,
      ExcessRefundFound: 2500,
      DisputeOpened: 75_822,
      DisputeClosed: 75_822,
      OrphanPaymentFound: 5000,
      OrphanPaymentReturned: 5000,
      PickupAgreed: null,
      RugsReceived: null,
      SupplementRequested: 3120,
      SupplementWithdrawn: null,
      DifferenceWaived: 3120,
      OrderReady: null,
      OrderHandedOver: null,
      StepUndone: null,
      ContactErased: null,
    });
  });

  test('each event of a refund has the refund id in its own column', () => {
    const named = oneOfEach.filter((event) => orderCodec.encode(event).refundId !== null).map(({ type }) => type);
    expect(named).toEqual(['RefundRequested', 'RefundSubmitted', 'RefundCompleted', 'RefundFailed']);
  });
});

describe('an unreadable event stops the stream:', () => {
  const stored = orderCodec.encode(startedA);

  test.each([
    ['an unknown type', { ...stored, type: 'OrderTeleported' }],
    ['a type that only JavaScript knows', { ...stored, type: 'constructor' }],
    ['a version that is newer than this program', { ...stored, schemaVersion: 2 }],
    ['a payload that lacks a field', { ...stored, payload: '{}' }],
    ['a fraction of a cent', { ...stored, payload: stored.payload.replace('75822', '758.22') }],
    ['a payment id of another shape', { ...stored, payload: stored.payload.replace(/a{32}/, 'pay-a') }],
    ['text that is not JSON', { ...stored, payload: '{' }],
  ])('%s', (_what, broken) => {
    expect(() => orderCodec.decode(broken)).toThrow();
  });
});

test('equal values have equal texts for any order of their keys', () => {
  expect(canonicalJson({ b: [{ z: 1, a: 'ü' }, null], a: undefined, c: true })).toBe(
    '{"b":[{"a":"ü","z":1},null],"c":true}',
  );
  expect(canonicalJson({ c: true, b: [{ a: 'ü', z: 1 }, null] })).toBe(
    canonicalJson({ b: [{ z: 1, a: 'ü' }, null], c: true }),
  );
});

test('keys with special names are kept', () => {
  const text = '{"__proto__":{"a":1},"constructor":2}';
  expect(canonicalJson(JSON.parse(text))).toBe(text);
});

test('a date has the text of its `toJSON`', () => {
  expect(canonicalJson([{ at: new Date(0) }])).toBe('[{"at":"1970-01-01T00:00:00.000Z"}]');
});
