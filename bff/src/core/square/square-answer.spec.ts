import { expect, test } from 'vitest';
import { classifyFailure, isPlainAnswer, parsePayment, type SquareFailure, unrecognized } from './square-answer.ts';

function failure(status: number | undefined, code: string, category = 'INVALID_REQUEST_ERROR'): SquareFailure {
  return { status, code, category, transport: 'ECONNRESET' };
}

test.each([
  [400, 'GENERIC_DECLINE', 'PAYMENT_METHOD_ERROR'],
  [402, 'CARD_DECLINED_VERIFICATION_REQUIRED', 'PAYMENT_METHOD_ERROR'],
  [400, 'CARD_TOKEN_USED', 'INVALID_REQUEST_ERROR'],
  [400, 'CARD_TOKEN_EXPIRED', 'INVALID_REQUEST_ERROR'],
  [400, 'VALUE_TOO_LONG', 'INVALID_REQUEST_ERROR'],
  [404, 'NOT_FOUND', 'INVALID_REQUEST_ERROR'],
])('%i %s proves that nothing happened', (status, code, category) => {
  expect(classifyFailure(failure(status, code, category))).toEqual({ kind: 'refused', code, category });
});

test.each([
  [undefined, unrecognized, 'INVALID_REQUEST_ERROR'],
  [408, 'REQUEST_TIMEOUT', 'API_ERROR'],
  [409, 'CONFLICT', 'INVALID_REQUEST_ERROR'],
  [429, 'RATE_LIMITED', 'RATE_LIMIT_ERROR'],
  [500, 'INTERNAL_SERVER_ERROR', 'API_ERROR'],
  [504, 'GATEWAY_TIMEOUT', 'API_ERROR'],
  [200, unrecognized, 'INVALID_REQUEST_ERROR'],
  // Its category means declined, but the code asks for a retry with the same key.
  [400, 'TEMPORARY_ERROR', 'PAYMENT_METHOD_ERROR'],
  [400, 'IDEMPOTENCY_KEY_REUSED', 'INVALID_REQUEST_ERROR'],
  // A bare 400 may come from a proxy.
  [400, unrecognized, unrecognized],
])('%s %s leaves the outcome open', (status, code, category) => {
  expect(classifyFailure(failure(status, code, category)).kind).toBe('unknown');
});

test.each([
  [401, 'UNAUTHORIZED'],
  [401, 'ACCESS_TOKEN_REVOKED'],
  [403, 'APPLICATION_DISABLED'],
])('%i %s means that Square refuses the token for every call', (status, code) => {
  const detail = expect.stringContaining('Square refuses our access token');
  const outcome = { kind: 'unknown', detail, refusedCredentials: code };
  expect(classifyFailure(failure(status, code, 'AUTHENTICATION_ERROR'))).toEqual(outcome);
});

test.each(['INSUFFICIENT_SCOPES', 'FORBIDDEN', unrecognized])('403 %s is a missing right for this call', (code) => {
  const detail = expect.stringContaining('lacks the right for this call');
  const outcome = { kind: 'unknown', detail, refusedCredentials: code, isMissingRight: true };
  expect(classifyFailure(failure(403, code, 'AUTHENTICATION_ERROR'))).toEqual(outcome);
});

const approved = {
  id: 'DzDT7uzlKeWvWdjnFw9JvGqfCu5YY',
  status: 'APPROVED',
  amountMoney: { amount: 12_500n, currency: 'USD' },
  createdAt: '2026-11-21T12:00:00.000Z',
  updatedAt: '2026-11-21T12:00:00.000Z',
};

test('a payment without a card is still a payment', () => {
  expect(parsePayment(approved)).toMatchObject({ amount: 12_500, card: { brand: 'OTHER_BRAND', lastFour: '' } });
});

test.each([
  ['without an id', { ...approved, id: undefined }],
  ['with the amount as text', { ...approved, amountMoney: { amount: '12500', currency: 'USD' } }],
  [
    'with an amount that a number cannot hold exactly',
    { ...approved, amountMoney: { amount: 2n ** 53n, currency: 'USD' } },
  ],
  ['with an unknown status', { ...approved, status: 'SETTLING' }],
])('a payment %s is not trusted', (_, payment) => {
  expect(parsePayment(payment)).toBeUndefined();
});

test("an empty object is an answer; the SDK's value for HTML and bare errors are not", () => {
  expect(isPlainAnswer({})).toBe(true);
  expect(isPlainAnswer({ ok: false, error: { reason: 'non-json' } })).toBe(false);
  expect(isPlainAnswer({ errors: [{ code: 'INTERNAL_SERVER_ERROR' }] })).toBe(false);
  expect(isPlainAnswer(undefined)).toBe(false);
});
