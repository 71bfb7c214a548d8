import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSize } from './size-text.ts';

describe('one side', () => {
  test.each([
    [`5'6"`, 66],
    [`5' 6`, 66],
    [`5'6`, 66],
    [`5’6”`, 66],
    ['5′ 6″', 66],
    [`5'6''`, 66],
    ['5 ft 6 in', 66],
    ['5ft6in', 66],
    ['5 feet, 6 inches', 66],
    ['5 FT. 6 IN.', 66],
    ['1 foot 1 inch', 13],
    ['66 in', 66],
    ['66"', 66],
    ['66in.', 66],
    ['5.5 ft', 66],
    ['5.5 feet', 66],
    ["8'", 96],
    ['  8   ft ', 96],
    ['8\n', undefined],
    ['65.5 in', 66],
    ['5.46 ft', 66],
    ['2 m', 79],
    ['2m', 79],
    ['2.5 meters', 98],
    ['2,5 m', 98],
    ['1 metre', 39],
    ['200 cm', 79],
    ['200cm.', 79],
    ['90 centimeters', 35],
    ["0'", 0],
  ])('“%s” is %s inches', (text, inches) => {
    expect(readSize(text)).toEqual(inches === undefined ? undefined : { first: inches });
  });
});

describe('width and length', () => {
  test.each([
    ['8x10', 96, 120],
    ['8 x 10', 96, 120],
    ['8 X 10', 96, 120],
    ['8×10', 96, 120],
    ['8*10', 96, 120],
    ['8 by 10', 96, 120],
    ['8 x 10 ft', 96, 120],
    ['8ft x 10ft', 96, 120],
    [`8'2" x 10'`, 98, 120],
    [`5'6"x7'`, 66, 84],
    [`5'6" x 7`, 66, 84],
    ['5 ft 6 in by 7 ft 3 in', 66, 87],
    ['66 x 90 in', 66, 90],
    ['66" x 90"', 66, 90],
    ['66in x 90', 66, 90],
    ['2.5x8', 30, 96],
    ['5 6 x 7 0', 66, 84],
    ['2m x 3m', 79, 118],
    ['2 x 3 m', 79, 118],
    ['2m x 3', 79, 118],
    ['1,7 x 2,4 m', 67, 94],
    ['240 cm x 300 cm', 94, 118],
    ['240 x 300 cm', 94, 118],
    ['2 m by 9 ft', 79, 108],
    ['2m*3m', 79, 118],
  ])('“%s” is %i by %i inches', (text, first, second) => {
    expect(readSize(text)).toEqual({ first, second });
  });
});

describe('texts that are not a size', () => {
  test.each([
    '',
    ' ',
    '8',
    '5.5',
    '8 10',
    'eight by ten',
    '8x',
    'x10',
    'x',
    '8x10x12',
    '-5 ft',
    '5 ft -6 in',
    '5,5 ft 6 in 7',
    '5 ft 14 in',
    '5.5 ft 6 in',
    '5.5.5 ft',
    '1e3 ft',
    '٣ ft',
    '99999 ft',
    '5 mm',
    '5 miles',
    'm',
    '2 m 50 cm',
    '2 m x',
    '$8x10',
    '<img src=x onerror=alert(1)>',
    '__proto__',
    'NaN ft',
    'Infinity x Infinity',
  ])('“%s”', (text) => {
    expect(readSize(text)).toBeUndefined();
  });

  test.each([
    ['digits', '8'.repeat(1_000_000)],
    ['spaces before a unit', `8${' '.repeat(1_000_000)}ft`],
    ['crosses', 'x'.repeat(1_000_000)],
    ['sides', '8x'.repeat(1_000_000)],
  ])('a megabyte of %s is rejected within 50 ms', (_, text) => {
    const before = performance.now();
    expect(readSize(text)).toBeUndefined();
    expect(performance.now() - before).toBeLessThan(50);
  });

  test('every parsed side is a whole number and not negative', () => {
    const bits = fc.constantFrom(...'0123456789.\'"x ×', ' ft', ' in', 'feet', 'by', ',', '-', 'e', 'm', ' cm');
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 14 }), (parts) => {
        const { first, second } = readSize(parts.join('')) ?? {};
        for (const side of [first, second]) {
          if (side !== undefined) expect(Number.isSafeInteger(side) && side >= 0).toBe(true);
        }
      }),
    );
  });
});

test('every size in whole inches is parsed from its written forms', () => {
  fc.assert(
    fc.property(fc.nat(100), fc.nat(11), fc.nat(100), fc.nat(11), (...[wf, wi, lf, li]) => {
      const read = { first: wf * 12 + wi, second: lf * 12 + li };
      expect(readSize(`${wf}'${wi}" x ${lf}'${li}"`)).toEqual(read);
      expect(readSize(`${wf} ft ${wi} in by ${lf} ft ${li} in`)).toEqual(read);
    }),
  );
});
