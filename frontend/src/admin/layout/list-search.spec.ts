import { expect, test } from 'vitest';
import { orderSearch, refundSearch } from './list-search.ts';

test('an address that makes sense lists what it says', () => {
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

test('what makes no sense in an address is left out, and the list shows all the same', () => {
  expect(orderSearch({ page: -1, status: 'lost', from: 'yesterday', to: '2026-13-45', sort: 'name', more: 1 })).toEqual(
    {},
  );
  expect(orderSearch({ page: 1, search: '   ' })).toEqual({});
  expect(refundSearch({ page: 'two', status: 'partial' })).toEqual({});
});

test('a search that looks like a number is still a text', () => {
  expect(orderSearch({ search: 3105550142 })).toEqual({ search: '3105550142' });
});
