import { describe, expect, test } from 'vitest';

/** Words that an owner cannot explain to her sister. Inside *For your accountant* each of them is explained. */
const forbidden =
  /\b(npm|commands?|terminals?|ledgers?|seal(?:s|ed|ing)?|witness(?:es)?|checkpoints?|journals?|balanced entr(?:y|ies)|digests?|hash(?:es|ed)?|JSON Lines|[A-Z]{2,}_[A-Z_]+)\b/i;

/** A text that needs such a word, with its reason. */
const exceptions: Readonly<Record<string, string>> = {};

type Texts = Readonly<Record<string, unknown>>;
const files = import.meta.glob<Texts>('../**/*texts.ts', { eager: true });
const ofOffice = Object.entries(files).filter(([file]) => !/\/(accounting|books|reports)\//.test(file));

/** A text that is made of values is called with them: the words between stay. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') return textsIn((value as (...values: readonly string[]) => unknown)('1', '2', '3'));
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

describe('texts of the office', () => {
  test('are found', () => {
    expect(ofOffice.length).toBeGreaterThan(12);
    expect(forbidden.test('Run npm run ledger')).toBe(true);
  });

  test.each(ofOffice)('%s has no word that an owner cannot explain', (_, texts) => {
    const found = textsIn(texts).filter((text) => forbidden.test(text) && exceptions[text] === undefined);
    expect(found).toEqual([]);
  });
});
