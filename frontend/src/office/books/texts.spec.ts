import { expect, test } from 'vitest';
import { booksTexts } from './texts.ts';

test.each([
  [booksTexts.orderList(3032), 'List of orders (3,032)'],
  [booksTexts.more(100, 2928), 'The first 100 of 2,928 are shown.'],
  [booksTexts.differ(1204), '1,204 things differ'],
  [booksTexts.notPaidOut(1204), 'Not paid out after a week (1,204 items)'],
  [booksTexts.atLeast(10_000), '10,000 or more'],
])('a count of thousands has separators: %s', (written, expected) => {
  expect(written).toBe(expected);
});
