import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneLine, plainLine, visibleText } from './text.ts';

/** Each alone shows nothing. */
const unseen = [
  ...'\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e',
  ...'\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u206f\u2800\u3164\ufe0f\ufeff\uffa0\u{e0001}\u{e0041}',
  ...'\u0000\u0001\u0007\u0008\u001b\u007f\u0080\u009f',
];

test.each(unseen.map((character) => [character.codePointAt(0)?.toString(16), character] as const))(
  'U+%s is removed before, in and after Latin text, and alone leaves nothing',
  (_, character) => {
    expect(oneLine(`${character}Ada${character} Love${character}lace${character}`)).toBe('Ada Lovelace');
    expect(visibleText(`Gate${character}\n4711${character}`)).toBe('Gate\n4711');
    expect(oneLine(character.repeat(3))).toBe('');
  },
);

test.each([
  ['a Persian name', 'علی\u200cرضا'],
  ['an Indic half form', 'क्\u200dष'],
  ['a Malayalam chillu', 'അവന്\u200d'],
  ['a variant of a Han character', '葛\u{e0100}城'],
  ['an emoji of three people', '👨\u200d👩\u200d👧'],
  ['a heart on fire', '❤\ufe0f\u200d🔥'],
])('%s keeps the joiner or the selector that is part of its spelling', (_, text) => {
  expect(oneLine(text)).toBe(text);
});

test('blanks of all kinds become one', () => {
  expect(oneLine('\u00a0 Ada\u2009\u3000Love\r\nlace\t\u2028')).toBe('Ada Love lace');
  expect(visibleText('Ring\r\ntwice\rplease')).toBe('Ring\ntwice\nplease');
});

test('letters and digits of full width, and Arabic and Persian digits, become plain', () => {
  expect(plainLine('ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ')).toBe('ada@example.com');
  expect(plainLine('٣١٠ ۵۵۵ ０１２３')).toBe('310 555 0123');
});

test('cleaning twice changes nothing more, and unseen characters anywhere change nothing', () => {
  const dirt = fc.array(fc.constantFrom(...unseen.filter((character) => !'\u200c\u200d\ufe0f'.includes(character))));
  const dirty = fc.array(fc.tuple(fc.constantFrom(...'AdaÅßяλ李علи O’-.,'), dirt), { maxLength: 40 });
  fc.assert(
    fc.property(dirty, (parts) => {
      const clean = oneLine(parts.map(([letter]) => letter).join(''));
      const cleaned = oneLine(parts.map(([letter, around]) => `${around.join('')}${letter}`).join(''));
      expect(cleaned).toBe(clean);
      expect(oneLine(cleaned)).toBe(cleaned);
    }),
    { numRuns: 500 },
  );
});
