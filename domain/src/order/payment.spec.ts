import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cents } from '../money.ts';
import { decider } from '../testing/given-when.ts';
import {
  authorizedA,
  capturedA,
  declinedA,
  keyA,
  keyB,
  orderAPlaced,
  paymentA,
  paymentB,
  startedA,
  totalA,
  voidedA,
} from '../testing/orders.ts';
import type { OrderEvent, VoidReason } from './events.ts';
import { capturedAttempt, decide, evolve, nothingPaid, openAttempt, type PaymentCommand } from './payment.ts';

const { given } = decider({ initial: nothingPaid, evolve, decide });

const start: PaymentCommand = { type: 'StartPayment', paymentId: paymentA, idempotencyKey: keyA, amount: totalA };
const startAgain: PaymentCommand = { type: 'StartPayment', paymentId: paymentB, idempotencyKey: keyB, amount: totalA };
const recordAuthorization: PaymentCommand = {
  type: 'RecordAuthorization',
  paymentId: paymentA,
  squarePaymentId: authorizedA.squarePaymentId,
  amount: totalA,
  cardBrand: 'VISA',
  cardLastFour: '1111',
  risk: 'normal',
};
const recordCapture: PaymentCommand = { ...capturedA, type: 'RecordCapture' };
const recordDecline: PaymentCommand = {
  type: 'RecordDecline',
  paymentId: paymentA,
  code: 'GENERIC_DECLINE',
  category: 'PAYMENT_METHOD_ERROR',
};
const recordVoid: PaymentCommand = { type: 'RecordVoid', paymentId: paymentA, reason: 'AuthorizationUnknown' };

const nothing = { ok: true, value: [] };

describe('starting to pay', () => {
  test('a placed order can be paid in full', () => {
    expect(given(orderAPlaced).when(start)).toEqual({ ok: true, value: [startedA] });
  });

  test('a payment needs a placed order', () => {
    expect(given().when(start)).toEqual({ ok: false, rejection: { code: 'OrderNotPlaced' } });
  });

  test('an amount that differs from the total is refused', () => {
    expect(given(orderAPlaced).when({ ...start, amount: cents(1) })).toEqual({
      ok: false,
      rejection: { code: 'AmountDiffers', expected: totalA, offered: 1 },
    });
  });

  test('the same key again starts nothing, whatever the outcome of the first attempt', () => {
    expect(given(orderAPlaced, startedA).when(start)).toEqual(nothing);
    expect(given(orderAPlaced, startedA, authorizedA, capturedA).when(start)).toEqual(nothing);
    expect(given(orderAPlaced, startedA, declinedA).when(start)).toEqual(nothing);
  });

  test('an open attempt blocks another one', () => {
    const refused = {
      ok: false,
      rejection: { code: 'PaymentInProgress', paymentId: paymentA, idempotencyKey: keyA },
    };
    expect(given(orderAPlaced, startedA).when(startAgain)).toEqual(refused);
    expect(given(orderAPlaced, startedA, authorizedA).when(startAgain)).toEqual(refused);
  });

  test('a paid order cannot be paid again', () => {
    expect(given(orderAPlaced, startedA, authorizedA, capturedA).when(startAgain)).toEqual({
      ok: false,
      rejection: { code: 'AlreadyPaid', paymentId: paymentA },
    });
  });

  test('another card may be tried after a decline or a void', () => {
    const started = { ok: true, value: [{ ...startedA, paymentId: paymentB, idempotencyKey: keyB }] };
    expect(given(orderAPlaced, startedA, declinedA).when(startAgain)).toEqual(started);
    expect(given(orderAPlaced, startedA, voidedA).when(startAgain)).toEqual(started);
  });
});

describe('recording answers of Square', () => {
  test('a hold, then a capture', () => {
    expect(given(orderAPlaced, startedA).when(recordAuthorization)).toEqual({ ok: true, value: [authorizedA] });
    expect(given(orderAPlaced, startedA, authorizedA).when(recordCapture)).toEqual({ ok: true, value: [capturedA] });
  });

  test('a repeated fact records nothing', () => {
    expect(given(orderAPlaced, startedA, authorizedA).when(recordAuthorization)).toEqual(nothing);
    expect(given(orderAPlaced, startedA, authorizedA, capturedA).when(recordAuthorization)).toEqual(nothing);
    expect(given(orderAPlaced, startedA, authorizedA, capturedA).when(recordCapture)).toEqual(nothing);
    expect(given(orderAPlaced, startedA, declinedA).when(recordDecline)).toEqual(nothing);
    expect(given(orderAPlaced, startedA, voidedA).when(recordVoid)).toEqual(nothing);
  });

  test('a hold after the attempt was given up is refused, so that the caller releases it', () => {
    const refused = { ok: false, rejection: { code: 'AttemptClosed', paymentId: paymentA, status: 'voided' } };
    expect(given(orderAPlaced, startedA, voidedA).when(recordAuthorization)).toEqual(refused);
    expect(given(orderAPlaced, startedA, authorizedA, voidedA).when(recordAuthorization)).toEqual(refused);
  });

  test('an attempt is given up only in the state that the reason is about', () => {
    const started = given(orderAPlaced, startedA);
    const authorized = given(orderAPlaced, startedA, authorizedA);
    const voidFor = (reason: VoidReason): PaymentCommand => ({ type: 'RecordVoid', paymentId: paymentA, reason });
    const movedOn = (status: string) => ({
      ok: false,
      rejection: { code: 'AttemptMovedOn', paymentId: paymentA, status },
    });
    for (const reason of ['AuthorizationUnknown', 'AmountDiffers', 'CredentialsRefused'] as const) {
      expect(started.when(voidFor(reason))).toEqual({ ok: true, value: [{ ...voidedA, reason }] });
      expect(authorized.when(voidFor(reason))).toEqual(movedOn('authorized'));
    }
    for (const reason of ['AuthorizationExpired', 'HoldReleased'] as const) {
      expect(authorized.when(voidFor(reason))).toEqual({ ok: true, value: [{ ...voidedA, reason }] });
      expect(started.when(voidFor(reason))).toEqual(movedOn('started'));
    }
  });

  test('a second hold for one attempt is refused', () => {
    expect(
      given(orderAPlaced, startedA, authorizedA).when({ ...recordAuthorization, squarePaymentId: 'another' }),
    ).toEqual({
      ok: false,
      rejection: { code: 'AttemptClosed', paymentId: paymentA, status: 'authorized' },
    });
  });

  test('a payment that goes back to the customer does not pay a later attempt', () => {
    const orphan: OrderEvent = {
      ...{ type: 'OrphanPaymentFound', squarePaymentId: authorizedA.squarePaymentId, amount: totalA },
      takenAt: '2026-11-21T12:30:00.000Z',
    };
    const rejection = { code: 'AmountDiffers', expected: totalA, offered: 0 };
    expect(given(orderAPlaced, orphan, startedA).when(recordAuthorization)).toEqual({ ok: false, rejection });
  });

  test('an amount that differs from the requested one is refused', () => {
    const amount = cents(100);
    const rejection = { code: 'AmountDiffers', expected: totalA, offered: 100 };
    expect(given(orderAPlaced, startedA).when({ ...recordAuthorization, amount })).toEqual({ ok: false, rejection });
    expect(given(orderAPlaced, startedA, authorizedA).when({ ...recordCapture, amount })).toEqual({
      ok: false,
      rejection,
    });
  });

  test('a captured payment can be neither declined nor voided', () => {
    const paid = given(orderAPlaced, startedA, authorizedA, capturedA);
    const rejection = { code: 'AttemptClosed', paymentId: paymentA, status: 'captured' };
    expect(paid.when(recordDecline)).toEqual({ ok: false, rejection });
    expect(paid.when(recordVoid)).toEqual({ ok: false, rejection });
  });

  test('nothing is captured without a hold', () => {
    expect(given(orderAPlaced, startedA).when(recordCapture)).toMatchObject({ rejection: { code: 'NotAuthorized' } });
    expect(given(orderAPlaced, startedA, voidedA).when(recordCapture)).toMatchObject({
      rejection: { code: 'AttemptClosed' },
    });
  });

  test('a payment that was never started is refused', () => {
    expect(given(orderAPlaced).when(recordCapture)).toEqual({
      ok: false,
      rejection: { code: 'UnknownPayment', paymentId: paymentA },
    });
  });
});

test('a stream that tells of an attempt without its start is a bug, and the error names the attempt', () => {
  expect(() => given(orderAPlaced, authorizedA).when(start)).toThrow(`payment ${paymentA}`);
});

test('for all orders of commands, an order is captured at most once and at most one attempt is open', () => {
  const commands = fc.array(
    fc.record({
      which: fc.constantFrom(start, recordAuthorization, recordCapture, recordDecline, recordVoid),
      second: fc.boolean(),
    }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(commands, (list) => {
      let history: readonly OrderEvent[] = [orderAPlaced];
      for (const { which, second } of list) {
        const command: PaymentCommand = second
          ? which.type === 'StartPayment'
            ? startAgain
            : { ...which, paymentId: paymentB }
          : which;
        const state = history.reduce(evolve, nothingPaid);
        const decision = decide(command, state);
        if (decision.ok) history = [...history, ...decision.value];
      }
      const state = history.reduce(evolve, nothingPaid);
      const attempts = [...state.attempts.values()];
      const open = attempts.filter(({ status }) => status === 'started' || status === 'authorized');
      const captures = history.filter(({ type }) => type === 'PaymentCaptured');
      expect(captures.length).toBeLessThanOrEqual(1);
      expect(open.length).toBeLessThanOrEqual(captures.length === 1 ? 0 : 1);
      expect(openAttempt(state)).toEqual(open[0]);
      expect(capturedAttempt(state) !== undefined).toBe(captures.length === 1);
    }),
    { numRuns: 500 },
  );
});
