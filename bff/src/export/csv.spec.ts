import { cents, decimalDollars } from '@kilim/domain/money';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTextBytes, makeRoom, type TextBytes } from '../database/copy/text-bytes.ts';
import { appendDollars, appendTextCell, textCell } from './csv.ts';

function written(append: (text: TextBytes) => void): string {
  const text = createTextBytes(0);
  makeRoom(text, 1000);
  append(text);
  return text.buffer.toString('utf8', 0, text.length);
}

function cellOf(value: string): string {
  const buffer = Buffer.from(`=,${value},=`);
  return written((text) => appendTextCell(text, { buffer, at: 2, end: buffer.length - 2 }));
}

test.each([
  '',
  'Kırk 毯',
  '=1+1',
  '-5',
  '@a',
  '+1',
  '\ta',
  'a,b',
  'say "so"',
  'two\nlines',
  'a=b',
  '"',
  '\r',
  '＝1+1',
  'ﬁn',
  '毯＝',
])('the cell of %j is the same from its bytes', (value) => {
  expect(cellOf(value)).toBe(textCell(value));
});

test.each(['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', '＝1+1', '＋1', '－1', '＠SUM(1)'])(
  'a spreadsheet shows %j as text',
  (value) => {
    expect(textCell(value).replaceAll('"', '')).toBe(`'${value}`);
  },
);

test('a cell made from bytes equals the cell made from text, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (value) => {
      expect(cellOf(value)).toBe(textCell(value));
    }),
  );
});

test('an amount is written as `decimalDollars` writes it', () => {
  fc.assert(
    fc.property(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -1000, max: 1000 })), (amount) => {
      expect(written((text) => appendDollars(text, cents(amount)))).toBe(decimalDollars(cents(amount)));
    }),
  );
});
