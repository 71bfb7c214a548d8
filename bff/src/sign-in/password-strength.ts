import { longestPassword, passwordTexts, shortestPassword } from '@kilim/domain/admin/password';
import { runInChild } from '../server/child-process/run-in-child.ts';
import type { work } from './estimate-guesses.ts';

/** Why a password is refused, and advice for a better one. */
export type WeakPassword = { readonly message: string; readonly suggestions: readonly string[] };

export type PasswordStrength = {
  /** From 0 (guessed immediately) to 4. A password needs at least 3. */
  readonly score: number;
  readonly weakness: WeakPassword | undefined;
};

/** Words that an attacker tries first at a rug business. */
const wordsOfTheTrade =
  `kilim rug rugs carpet carpets cleaning cleaner clean wash washing stain premium midrange economy pickup
  delivery dropoff valley westla losangeles california admin administrator dashboard refund order orders square`.split(
    /\s+/,
  );

/**
 * Checks the length (section 5 of the specification), then the strength: a password that an
 * attacker with word lists would find is refused, whatever characters it contains.
 * @param ownWords further words that add no strength: the account's name, the business's name.
 */
export async function weaknessOf(password: string, ownWords: readonly string[]): Promise<WeakPassword | undefined> {
  return (await strengthOf(password, ownWords)).weakness;
}

/** The strength of a password, and the weakness that `weaknessOf` reports. */
export async function strengthOf(password: string, ownWords: readonly string[]): Promise<PasswordStrength> {
  const length = [...password].length;
  if (length < shortestPassword) return { score: 0, weakness: { message: passwordTexts.tooShort, suggestions: [] } };
  if (length > longestPassword) return { score: 0, weakness: { message: passwordTexts.tooLong, suggestions: [] } };
  const words = [...wordsOfTheTrade, ...ownWords.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])]
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 2);
  const judged = [...password].slice(0, longestJudged).join('');
  const { score, warning, suggestions } = await estimate({ password: judged, words });
  // The estimator does not know the trade, so a sequence of trade words looks strong to it.
  const rest = withoutWords(judged, words);
  const strong = score >= 3 && (rest === judged || (await estimate({ password: rest, words })).score >= 2);
  if (strong) return { score, weakness: undefined };
  const advice = [...(warning === null ? [] : [warning]), ...suggestions];
  const weakness = { message: passwordTexts.tooEasy, suggestions: advice.length > 0 ? advice : [avoidTheTrade] };
  return { score: Math.min(score, 2), weakness };
}

/** A page asks again while its user types, so the process with the word lists stays for a while. */
const estimate = runInChild<typeof work>(new URL('./estimate-guesses.ts', import.meta.url));

/** Estimating 100 characters takes a second. A password whose first 40 are strong stays strong. */
const longestJudged = 40;
const avoidTheTrade = 'Avoid words that have to do with this business.';

function withoutWords(password: string, words: readonly string[]): string {
  const longestFirst = words.toSorted((first, second) => second.length - first.length);
  return longestFirst.reduce((rest, word) => rest.replaceAll(new RegExp(escapePattern(word), 'gi'), ''), password);
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
