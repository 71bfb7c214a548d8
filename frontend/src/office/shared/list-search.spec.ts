import { expect, test } from 'vitest';
import { orderSearch, payoutSearch, refundSearch } from './list-search.ts';

test('a valid address keeps all its filters', () => {
  const search = {
    page: 3,
    search: 'ada',
    status: 'partial',
    payment: 'all',
    delivery: 'pickup',
    from: '2026-11-01',
    to: '2026-11-30',
    sort: 'createdAt',
  };
  expect(orderSearch(search)).toEqual(search);
});

test('an invalid filter in an address is dropped', () => {
  expect(orderSearch({ page: -1, status: 'lost', from: 'yesterday', to: '2026-13-45', sort: 'name', more: 1 })).toEqual(
    {},
  );
  expect(orderSearch({ page: 1, search: '   ' })).toEqual({});
  expect(refundSearch({ page: 'two', status: 'partial' })).toEqual({});
  expect(orderSearch({ page: 10_000_001 })).toEqual({});
  expect(payoutSearch({ state: 'lost', search: 'ada', from: '2026-11-01' })).toEqual({ from: '2026-11-01' });
});

test('a search that looks like a number is still a text', () => {
  expect(orderSearch({ search: 3105550142 })).toEqual({ search: '3105550142' });
});

test('days of an address in the wrong order change places', () => {
  const days = { from: '2026-11-30', to: '2026-11-01' };
  for (const search of [orderSearch, refundSearch, payoutSearch]) {
    expect(search(days)).toEqual({ from: '2026-11-01', to: '2026-11-30' });
  }
});
