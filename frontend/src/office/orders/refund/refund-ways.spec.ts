import type { OrderDetail } from '@kilim/bff/contract/orders';
import { cents } from '@kilim/domain/money';
import { describe, expect, test } from 'vitest';
import { refundWays } from './refund-ways.ts';

type Person = Parameters<typeof refundWays>[1];

const owner: Person = { mayRefund: true, allowance: undefined, isOutcomeOpen: false };
const spentClerk: Person = {
  ...owner,
  allowance: { allowed: cents(0), limits: { perRefund: cents(1), perPersonAndDay: cents(1), perShopAndDay: cents(1) } },
};

type Given = {
  readonly block?: string;
  readonly message?: string;
  readonly remaining?: number;
  readonly pending?: number;
  /** Newest first. */
  readonly failed?: readonly { readonly amount: number; readonly isFinal: boolean }[];
};

/** Only what decides. */
function order({ block, message = 'Why not.', remaining = 100_00, pending = 0, failed = [] }: Given): OrderDetail {
  return {
    order: {
      payment: {},
      remainingRefundable: cents(remaining),
      refundPending: cents(pending),
      refundBlock: block === undefined ? null : { code: block, message },
      owedRefund: cents(failed.reduce((sum, { amount }) => sum + amount, 0)),
    },
    refunds: failed.map(({ amount, isFinal }) => ({
      status: 'failed',
      amount: cents(amount),
      failure: { code: 'X', message: 'It failed.', advice: 'Do this.', isFinal },
    })),
  } as unknown as OrderDetail;
}

describe('a sentence replaces the button', () => {
  const sentenceOf = (given: Given, person = owner) => refundWays(order(given), person).noRefund;

  test('when the server tells of a block, and only then', () => {
    expect(sentenceOf({})).toBeUndefined();
    expect(sentenceOf({ block: 'TooManyRefunds' })).toBe('Why not.');
  });

  test('while the rest is on its way', () => {
    const sentence = sentenceOf({ block: 'FullyRefunded', remaining: 0, pending: 50_00 });
    expect(sentence).toBe('A refund of everything that was left of this order is under way.');
  });

  test('above the limit of the day', () => expect(sentenceOf({}, spentClerk)).toContain('your limit'));

  test('not while this browser asks for an outcome', () => {
    expect(sentenceOf({ block: 'FullyRefunded' }, { ...owner, isOutcomeOpen: true })).toBeUndefined();
  });
});

test('money is paid back another way, unless the bank gives it back, a limit is reached or nothing is left', () => {
  const may = (given: Given, person = owner) => refundWays(order(given), person).mayReimburse;
  expect(may({ block: 'EarlierRefundFailed' })).toBe(true);
  expect([may({ block: 'Disputed' }), may({ block: 'DisputeLost' })]).toEqual([false, false]);
  expect([may({ remaining: 0 }), may({}, spentClerk)]).toEqual([false, false]);
  expect(may({}, { ...owner, mayRefund: false })).toBe(false);
});

describe('a failed refund has one instruction', () => {
  const once = [{ amount: 316_00, isFinal: false }];
  const told = (given: Given, person = owner) => refundWays(order(given), person).failed;
  const title = 'The $316.00 refund did not reach the customer.';

  test('to refund it again, or to pay it another way', () => {
    expect(told({ failed: once })).toEqual({ title, advice: 'Do this.', way: 'refund' });
    const final = [{ amount: 316_00, isFinal: true }];
    expect(told({ failed: final })).toEqual({ title, advice: 'Do this.', way: 'reimburse' });
  });

  test('that of the block, when there is one', () => {
    const block = { title, advice: 'Why not.' };
    expect(told({ failed: once, block: 'EarlierRefundFailed' })).toEqual({ ...block, way: 'reimburse' });
    expect(told({ failed: once, block: 'Disputed' })).toEqual({ ...block, way: undefined });
  });

  test('but none for an accountant', () => {
    expect(told({ failed: once }, { ...owner, mayRefund: false })).toEqual({ title, advice: '', way: undefined });
  });

  test('for several together', () => {
    const two = told({ failed: [{ amount: 10_00, isFinal: false }, ...once] });
    expect(two?.title).toBe('Refunds of $326.00 did not reach the customer.');
  });
});
