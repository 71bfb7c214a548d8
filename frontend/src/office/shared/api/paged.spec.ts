import { expect, test } from 'vitest';
import { rangeOf } from './paged.ts';

test('the rows of a long list are counted with separators', () => {
  const paged = { rows: ['', ''], before: 3030, pageSize: 10, total: 3032, isAtLeast: false };
  expect(rangeOf(paged)).toEqual(['3,031', '3,032', '3,032']);
  expect(rangeOf({ ...paged, before: 10, total: 1000, isAtLeast: true })).toEqual(['11', '12', '1,000+']);
});
