import { expect, test } from 'vitest';
import { securitySearch } from '../shared/list-search.ts';

test('a valid address keeps all its filters', () => {
  const search = { page: 3, kind: 'signed-in', person: 'ada' };
  expect(securitySearch(search)).toEqual(search);
});

test('an invalid filter in an address is dropped', () => {
  expect(securitySearch({ page: 0, kind: 'constructor', person: null, more: 1 })).toEqual({});
});

test('a name that looks like a number is still a name', () => {
  expect(securitySearch({ person: 7 })).toEqual({ person: '7' });
});
