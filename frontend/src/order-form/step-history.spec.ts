import { expect, test } from 'vitest';
import { newDraft } from './draft.ts';
import { draftAt, placeOf } from './step-history.ts';

test.each([
  ['#cart', 'cart'],
  ['#rug-0', 0],
  ['#rug-12', 12],
  ['', undefined],
  ['#order', undefined],
  ['#rug--1', undefined],
  ['#rug-1e9', undefined],
  ['#rug-99999', undefined],
  ['#__proto__', undefined],
])('the hash “%s” names the place %s', (hash, place) => {
  expect(placeOf(hash)).toBe(place);
});

test('a saved draft opens at the place in the URL, limited to its last rug', () => {
  expect(draftAt(newDraft, 'cart').step).toBe('cart');
  expect(draftAt({ ...newDraft, step: 'cart' }, 7)).toMatchObject({ step: 'rugs', activeRugIndex: 0 });
  expect(draftAt(newDraft, undefined)).toBe(newDraft);
});
