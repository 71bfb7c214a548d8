import { expect, test } from 'vitest';
import {
  carryInches,
  countOf,
  inchesOf,
  isWholeNumber,
  noSizes,
  type SizeField,
  type TypedSizes,
  typedSizesOf,
} from './size-input.ts';

const sizes = (typed: Partial<TypedSizes>): TypedSizes => ({ ...noSizes, ...typed });

test.each([
  ['8', 8],
  [' 8 ', 8],
  ['', 0],
  ['abc', 0],
  ['5.5', 0],
  ['-5', 0],
  ['1e3', 0],
  ['٣', 0],
  ['99999999999999999999', 9999],
])('the text “%s” counts as %i', (typed, count) => {
  expect(countOf(typed)).toBe(count);
});

test('an empty field is valid, a word is not', () => {
  expect([isWholeNumber(''), isWholeNumber('  '), isWholeNumber('eight')]).toEqual([true, true, false]);
});

test('a side is the sum of its feet and inches', () => {
  expect(inchesOf(sizes({ widthFeet: '5', widthInches: '6' }), 'width')).toBe(66);
  expect(inchesOf(sizes({ lengthInches: '66' }), 'length')).toBe(66);
});

test('more than 11 inches become feet', () => {
  expect(carryInches(sizes({ widthFeet: '2', widthInches: '30' }), 'width')).toEqual(
    sizes({ widthFeet: '4', widthInches: '6' }),
  );
  expect(carryInches(sizes({ lengthInches: '24' }), 'length')).toEqual(sizes({ lengthFeet: '2', lengthInches: '0' }));
});

test.each([
  sizes({ widthFeet: '5', widthInches: '11' }),
  sizes({ widthFeet: 'abc', widthInches: '30' }),
  sizes({ widthFeet: '5', widthInches: '30 or so' }),
])('sizes with few inches or with an invalid text stay as typed', (typed) => {
  expect(carryInches(typed, 'width')).toBe(typed);
});

test.each([
  ['5\'6"', 'widthInches', { widthFeet: '5', widthInches: '6' }],
  ['66 in', 'lengthFeet', { lengthFeet: '5', lengthInches: '6' }],
  ['8x10', 'widthFeet', { widthFeet: '8', widthInches: '0', lengthFeet: '10', lengthInches: '0' }],
  ['8x10', 'lengthInches', { widthFeet: '8', widthInches: '0', lengthFeet: '10', lengthInches: '0' }],
  [' 5.5 ', 'widthFeet', { widthFeet: '5', widthInches: '6' }],
] satisfies [string, SizeField, Partial<TypedSizes>][])('“%s” typed into %s fills the fields', (text, field, boxes) => {
  expect(typedSizesOf(text, field)).toEqual(boxes);
});

test.each([
  ['8', 'widthFeet'],
  ['5.5', 'widthInches'],
  ['wide', 'widthFeet'],
] satisfies [string, SizeField][])('“%s” in %s is not a whole size', (text, field) => {
  expect(typedSizesOf(text, field)).toBeUndefined();
});
