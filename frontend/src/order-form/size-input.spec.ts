import { beforeAll, describe, expect, test } from 'vitest';
import {
  carryInches,
  countOf,
  doubtfulField,
  inchesOf,
  isWholeNumber,
  loadSizeReader,
  noSizes,
  readField,
  type SizeField,
  sizeChoices,
  type TypedSizes,
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
  ['9999', 9999],
  // Not read as another number.
  ['99999', 0],
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
  sizes({ widthInches: '99999' }),
])('sizes with few inches or with an invalid text stay as typed', (typed) => {
  expect(carryInches(typed, 'width')).toBe(typed);
});

beforeAll(async () => void (await loadSizeReader()));

const eightByTen = { widthFeet: '8', widthInches: '0', lengthFeet: '10', lengthInches: '0' };

test.each([
  ['5\'6"', 'widthInches', { widthFeet: '5', widthInches: '6' }],
  ['66 in', 'lengthFeet', { lengthFeet: '5', lengthInches: '6' }],
  ['8x10', 'widthFeet', eightByTen],
  ['8x10', 'lengthInches', eightByTen],
  [' 5.5 ', 'widthFeet', { widthFeet: '5', widthInches: '6' }],
  ['8 ft', 'widthFeet', { widthFeet: '8', widthInches: '0' }],
  ['6½', 'widthInches', { widthInches: '7' }],
] satisfies [string, SizeField, Partial<TypedSizes>][])('“%s” typed into %s fills the fields', (text, field, boxes) => {
  expect(readField(sizes({ [field]: text }), field)).toEqual({ sizes: boxes, choices: [] });
});

test('the one half of a side leaves the other half as it is', () => {
  expect(readField(sizes({ widthFeet: '8 ft', widthInches: '6' }), 'widthFeet').sizes).toEqual({
    widthFeet: '8',
    widthInches: '6',
  });
  expect(readField(sizes({ widthFeet: '5', widthInches: '6 in' }), 'widthInches').sizes).toEqual({ widthInches: '6' });
});

test.each([
  ['8', 'widthFeet'],
  ['wide', 'widthFeet'],
] satisfies [string, SizeField][])('“%s” in %s is not a whole size', (text, field) => {
  expect(readField(sizes({ [field]: text }), field)).toEqual({ choices: [] });
});

test('a text with two readings gives the sizes of each', () => {
  const { choices } = readField(sizes({ lengthFeet: '96x120' }), 'lengthFeet');
  expect(choices.map((choice) => choice.sizes)).toEqual([
    eightByTen,
    { widthFeet: '3', widthInches: '2', lengthFeet: '3', lengthInches: '11' },
  ]);
});

describe('feet that are hardly feet', () => {
  test('are in doubt without inches, the other side with them', () => {
    expect(doubtfulField(sizes({ widthFeet: '40', lengthFeet: '10' }))).toBeUndefined();
    expect(doubtfulField(sizes({ widthFeet: '66', widthInches: '0', lengthFeet: '30' }))).toBeUndefined();
    const typed = sizes({ widthFeet: '30', lengthFeet: '66' });
    expect(doubtfulField(typed)).toBe('lengthFeet');
    expect(sizeChoices(typed, 'lengthFeet').map((choice) => choice.sizes)).toEqual([
      { widthFeet: '2', widthInches: '6', lengthFeet: '5', lengthInches: '6' },
      { widthFeet: '1', widthInches: '0', lengthFeet: '2', lengthInches: '2' },
      { widthFeet: '30', widthInches: '0', lengthFeet: '66', lengthInches: '0' },
    ]);
  });

  test('are asked about alone if the other side is known', () => {
    const typed = sizes({ widthFeet: '5', widthInches: '6', lengthFeet: '90' });
    expect(sizeChoices(typed, 'lengthFeet').map((choice) => choice.sizes)).toEqual([
      { lengthFeet: '7', lengthInches: '6' },
      { lengthFeet: '2', lengthInches: '11' },
      { lengthFeet: '90', lengthInches: '0' },
    ]);
  });
});
