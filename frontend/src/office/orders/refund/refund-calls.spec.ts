import { describe, expect, test } from 'vitest';
import type { ApiFailure } from '../../../shared/api-client.ts';
import { outcomeOf, refusalOf } from './refund-calls.ts';

const refused = (status: number, code: string, message = ''): ApiFailure => ({
  ...{ kind: 'refused', status, code, message },
  ...{ fields: {}, body: undefined, text: `${status}` },
});

describe('the status of a refund', () => {
  test.each([
    ['completed', { type: 'refund.completed' }],
    ['COMPLETED', { type: 'refund.completed' }],
    ['pending', { type: 'refund.pending' }],
    ['a word of a later version', { type: 'refund.pending' }],
    ['failed', { type: 'refund.failed', message: 'An error occurred while processing the refund.' }],
  ])('%s', (status, outcome) => {
    expect(outcomeOf({ status, failure: null })).toEqual(outcome);
  });

  test('failed, with the reason and the advice', () => {
    const failure = {
      code: 'REFUND_DECLINED',
      message: 'Square declined the refund.',
      advice: 'Please send a check.',
      isFinal: true,
    };
    expect(outcomeOf({ status: 'failed', failure })).toEqual({
      type: 'refund.failed',
      message: 'Square declined the refund. Please send a check.',
    });
  });
});

describe('a failed call', () => {
  test('that this server refused shows its message', () => {
    const message = '$600.00 is more than can still be refunded: $242.22.';
    expect(refusalOf(refused(409, 'ExceedsRefundable', message))).toEqual({ type: 'refund.refused', message });
    expect(refusalOf(refused(422, 'InvalidAmount'))).toEqual({
      type: 'refund.refused',
      message: 'An error occurred while processing the refund.',
    });
  });

  test('without a session or a recent password asks for them', () => {
    expect(refusalOf(refused(401, 'NotSignedIn'))).toEqual({ type: 'session.ended' });
    expect(refusalOf(refused(403, 'ReauthenticationRequired'))).toEqual({ type: 'password.needed' });
  });

  test.each<[string, ApiFailure]>([
    ['no answer at all', { kind: 'no-answer', cause: 'network' }],
    ['silence', { kind: 'no-answer', cause: 'timeout' }],
    ['an answer that cannot be read', { kind: 'no-answer', cause: 'unreadable' }],
    ['a crash', refused(500, 'InternalError')],
    ['a database that was away', refused(503, 'Unavailable')],
    ['a proxy that gave up', refused(408, 'Timeout')],
    ['a proxy that knows no such address', refused(404, 'Http404')],
  ])('%s leaves the refund unsure', (_, failure) => {
    expect(refusalOf(failure)).toEqual({ type: 'refund.unsure' });
  });
});
