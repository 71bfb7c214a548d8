import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSize } from './size-text.ts';
import { read } from './testing/read-words.ts';

describe('a text with more than one reading asks', () => {
  test.each([
    ['1,7 x 2,4', '1,7 × 2,4 meters (5 ft 7 in × 7 ft 10 in) | 1,7 × 2,4 feet (1 ft 8 in × 2 ft 5 in)'],
    [
      '5.3 x 7.6',
      '5 ft 3 in × 7 ft 6 in | 5.3 × 7.6 feet (5 ft 4 in × 7 ft 7 in) | 5.3 × 7.6 meters (17 ft 5 in × 24 ft 11 in)',
    ],
    ['5.3 x 7.6 ft', '5 ft 3 in × 7 ft 6 in | 5 ft 4 in × 7 ft 7 in'],
    ["5' x 7.3", '5 ft × 7 ft 3 in | 5 ft × 7 ft 4 in'],
    ["7.10' x 9.10'", '7 ft 10 in × 9 ft 10 in | 7 ft 1 in × 9 ft 1 in'],
    ['2.44 x 3.05', '2.44 × 3.05 feet (2 ft 5 in × 3 ft 1 in) | 2.44 × 3.05 meters (8 × 10 ft)'],
    ['66x90', '66 × 90 inches (5 ft 6 in × 7 ft 6 in) | 66 × 90 centimeters (2 ft 2 in × 2 ft 11 in) | 66 × 90 feet'],
    ['96x120', '96 × 120 inches (8 × 10 ft) | 96 × 120 centimeters (3 ft 2 in × 3 ft 11 in)'],
    ['200x300', '200 × 300 inches (16 ft 8 in × 25 ft) | 200 × 300 centimeters (6 ft 7 in × 9 ft 10 in)'],
    ['1700x2400', '1700 × 2400 millimeters (5 ft 7 in × 7 ft 10 in)'],
    ['24x36', '24 × 36 inches (2 × 3 ft) | 24 × 36 feet'],
    ['8x50', '8 × 50 feet'],
    [`5'6" x 70`, '5 ft 6 in × 5 ft 10 in | 5 ft 6 in × 2 ft 4 in | 5 ft 6 in × 70 ft'],
    ['66" x 7', '5 ft 6 in × 7 ft | 5 ft 6 in × 23 ft'],
    ['8 10', '8 ft 10 in | 8 × 10 ft'],
    ['8-10', '8 ft 10 in | 8 × 10 ft'],
    ['8 and 10 1/2', '8 ft 11 in | 8 ft × 10 ft 6 in'],
    [`round 8'`, '8 × 8 ft'],
    ['8 ft diameter', '8 × 8 ft'],
    [`8x10 (actual size 7'9" x 9'9")`, '8 × 10 feet | 7 ft 9 in × 9 ft 9 in'],
  ])('“%s”: %s', (text, words) => {
    expect(read(text)).toBe(words);
  });

  test('unless the same size stands beside it in another unit', () => {
    expect(read('7.10 x 9.10 (239 x 300 cm)')).toBe('94 x 118');
    expect(read('66x90 (168 x 229 cm)')).toBe('66 x 90');
  });
});

describe('a number alone', () => {
  test('takes the unit of its field', () => {
    expect(['5.5', '5 1/2', '5½'].map((text) => read(text, 'feet'))).toEqual(['66', '66', '66']);
    expect(['6.4', '6,4', '6 1/4', '6¼'].map((text) => read(text, 'inches'))).toEqual(['6', '6', '6', '6']);
  });

  test('asks at feet that may be feet and inches, or meters', () => {
    expect(read('5.3', 'feet')).toBe('5 ft 3 in | 5.3 feet (5 ft 4 in) | 5.3 meters (17 ft 5 in)');
    expect(read('7.10', 'feet')).toBe('7 ft 10 in | 7.10 feet (7 ft 1 in) | 7.10 meters (23 ft 4 in)');
    expect(read('1,7', 'feet')).toBe('1,7 meters (5 ft 7 in) | 1,7 feet (1 ft 8 in)');
  });

  test('asks in doubt', () => {
    expect(read('66', 'doubt')).toBe('66 inches (5 ft 6 in) | 66 centimeters (2 ft 2 in) | 66 feet');
    expect(read('30x66', 'doubt')).toBe(
      '30 × 66 inches (2 ft 6 in × 5 ft 6 in) | 30 × 66 centimeters (1 ft × 2 ft 2 in) | 30 × 66 feet',
    );
  });
});

describe('texts that are not a size', () => {
  test.each([
    ...[
      '',
      ' ',
      '8',
      '5.5',
      'eight by ten',
      'six by nine',
      '8x',
      'x10',
      'x',
      '8x10x12',
      '8x10x½"',
      '-5 ft',
      '5 ft -6 in',
    ],
    ...['5,5 ft 6 in 7', '5 ft 14 in', '5.5 ft 6 in', '5.5.5 ft', '1e3 ft', '٣ ft', '99999 ft', '5 miles', 'm'],
    ...['2 m 50 cm', '2 m x', '$8x10', '<img src=x onerror=alert(1)>', '__proto__', 'NaN ft', 'Infinity x Infinity'],
    ...[
      '8/10',
      "8' / 10'",
      '51/4 ft',
      '11/4 ft',
      '5 4/0 ft',
      '80 sq ft',
      '8 square feet',
      '8x120',
      '8x10 (#1234)',
      '8 to 10',
    ],
    ...['8x10 to 9x12', 'Size 8x10, code 77', '1,700,000 mm', '8 x 10 x'],
  ])('“%s”', (text) => {
    expect(readSize(text)).toEqual({ choices: [] });
  });

  test.each([
    ['digits', '8'.repeat(1_000_000)],
    ['spaces before a unit', `8${' '.repeat(1_000_000)}ft`],
    ['crosses', 'x'.repeat(1_000_000)],
    ['sides', '8x'.repeat(1_000_000)],
    ['parentheses in a short text', '('.repeat(80)],
    ['labels in a short text', 'wl'.repeat(40)],
    ['digits in a short text', '8 '.repeat(40)],
  ])('a text of %s is rejected within 50 ms', (_, text) => {
    const before = performance.now();
    expect(readSize(text)).toEqual({ choices: [] });
    expect(performance.now() - before).toBeLessThan(50);
  });

  test('every parsed side is a whole number and not negative', () => {
    const bits = [
      '0123456789.\'"x ×'.split(''),
      ' ft',
      ' in',
      'feet',
      'by',
      ',',
      '-',
      'e',
      'm',
      ' cm',
      '½',
      '(',
      ')',
      ' / ',
      'w',
      'l',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...bits.flat()), { maxLength: 14 }), (parts) => {
        const { size, choices } = readSize(parts.join(''));
        for (const { first, second = first } of size === undefined ? choices : [size]) {
          expect([first, second].every((side) => Number.isSafeInteger(side) && side >= 0)).toBe(true);
        }
      }),
    );
  });
});

/** Every way to write a side of whole inches that is beyond doubt, by the number of inches. */
const spellings: Readonly<Record<string, (inches: number) => string>> = {
  primes: (inches) => `${Math.trunc(inches / 12)}'${inches % 12}"`,
  'primes of a drawing': (inches) => `${Math.trunc(inches / 12)}'-${inches % 12}"`,
  typographic: (inches) => `${Math.trunc(inches / 12)}′ ${inches % 12}″`,
  words: (inches) => `${Math.trunc(inches / 12)} feet, ${inches % 12} inches`,
  abbreviations: (inches) => `${Math.trunc(inches / 12)}ft. ${inches % 12}in.`,
  inches: (inches) => `${inches} in`,
  'inches with a fraction': (inches) => `${inches - 1} 3/4"`,
  'inches with a sign': (inches) => `${inches - 1}⅞ in`,
  'feet with decimals': (inches) => `${(inches / 12).toFixed(3)} ft`,
  centimeters: (inches) => `${(inches * 2.54).toFixed(1)} cm`,
  'centimeters with a comma': (inches) => `${(inches * 2.54).toFixed(1).replace('.', ',')}cm`,
  meters: (inches) => `${(inches * 0.0254).toFixed(3)} m`,
  'meters with a comma': (inches) => `${(inches * 0.0254).toFixed(3).replace('.', ',')} m`,
  millimeters: (inches) => `${Math.round(inches * 25.4)} mm`,
};

const separators = ['x', ' x ', ' × ', ' by ', '*', ' X ', ' х '];
const frames = [
  (pair: string) => pair,
  (pair: string) => `Size: ${pair}.`,
  (pair: string) => `about ${pair} (wool)`,
  (pair: string) => `\u200e ${pair}\u00a0`,
];
const someInches = fc.integer({ min: 13, max: 479 });
const spelling = fc.constantFrom(...Object.keys(spellings));

test('two sides, each in any spelling, are read as whole inches, whatever stands between and around them', () => {
  const side = fc.tuple(someInches, spelling);
  const between = fc.tuple(fc.constantFrom(...separators), fc.constantFrom(...frames));
  fc.assert(
    fc.property(side, side, between, ([first, one], [second, two], [separator, frame]) => {
      const pair = `${spellings[one]?.(first)}${separator}${spellings[two]?.(second)}`;
      expect([pair, read(frame(pair))]).toEqual([pair, `${first} x ${second}`]);
    }),
    { numRuns: 2000 },
  );
});

test('whole numbers without a unit are feet up to 20, and never taken silently above 40', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 3000 }), (width, length) => {
      const { size, choices } = readSize(`${width} x ${length}`);
      if (Math.max(width, length) <= 20) expect(size).toMatchObject({ first: width * 12, second: length * 12 });
      if (Math.max(width, length) > 40) expect(size).toBeUndefined();
      for (const { first, second = first, words } of choices) {
        const perUnit = { inches: 1, centimeters: 2.54, millimeters: 25.4, feet: 1 / 12 };
        const [, unit = 'feet'] = /^\d+ × \d+ (\w+)/.exec(words) ?? [];
        const divisor = perUnit[unit as keyof typeof perUnit];
        expect([first, second]).toEqual([Math.round(width / divisor), Math.round(length / divisor)]);
      }
    }),
    { numRuns: 1000 },
  );
});

test('decimals without a unit are never taken silently, except halves with a point', () => {
  const decimals = fc.tuple(
    fc.integer({ min: 1, max: 30 }),
    fc.integer({ min: 1, max: 99 }),
    fc.constantFrom('.', ','),
  );
  fc.assert(
    fc.property(decimals, fc.integer({ min: 1, max: 30 }), ([whole, digits, point], length) => {
      const text = `${whole}${point}${digits}`;
      const isHalf = point === '.' && (digits === 5 || digits === 50);
      if (!isHalf) expect([text, readSize(`${text} x ${length}`).size]).toEqual([text, undefined]);
    }),
    { numRuns: 1000 },
  );
});
