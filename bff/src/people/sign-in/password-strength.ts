import { longestPassword, passwordTexts, shortestPassword } from '@kilim/domain/people/password';
import { runInChild } from '../../core/runtime/child-process/run-in-child.ts';
import { withinMs } from '../../core/runtime/deadline.ts';
import { TooBusy } from '../../core/runtime/limit-concurrency.ts';
import type { work } from './estimate-guesses.ts';
import type { IsStolen } from './stolen-passwords.ts';

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
 * The length first (section 5 of the specification). A password that word lists find is refused, with any characters,
 * and so is a stolen one.
 * @param ownWords add no strength: the account's name, the business's name.
 * @param isStolen queries a larger collection. Absent: only the list counts.
 */
export async function weaknessOf(
  password: string,
  ownWords: readonly string[],
  isStolen?: IsStolen,
): Promise<WeakPassword | undefined> {
  const { weakness } = await strengthOf(password, ownWords);
  if (weakness !== undefined) return weakness;
  return (await isStolen?.(password)) === true ? stolenElsewhere : undefined;
}

/** The weakness is that of `weaknessOf` without a larger collection. */
export async function strengthOf(password: string, ownWords: readonly string[]): Promise<PasswordStrength> {
  const length = [...password].length;
  if (length < shortestPassword) return { score: 0, weakness: { message: passwordTexts.tooShort, suggestions: [] } };
  if (length > longestPassword) return { score: 0, weakness: { message: passwordTexts.tooLong, suggestions: [] } };
  const words = [...wordsOfTheTrade, ...ownWords.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])]
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 2);
  const judged = oneUnitPerCharacter([...password].slice(0, longestJudged).join(''));
  const { score, warning, suggestions, stolen } = await estimate({ password: judged, words });
  const isStrong = judged.length >= shortestStrong && score >= 3 && (await staysStrong(judged, words));
  if (isStrong && !stolen && !isFamous(password)) return { score, weakness: undefined };
  const advice = [...(warning === null ? [] : [warning]), ...suggestions];
  const tooEasy = { message: passwordTexts.tooEasy, suggestions: advice.length > 0 ? advice : [avoidPatterns] };
  return { score: Math.min(score, 2), weakness: isStrong ? stolenElsewhere : tooEasy };
}

/** The estimator misses words of the trade, and keys that are held down together with Shift. */
async function staysStrong(judged: string, words: readonly string[]): Promise<boolean> {
  const rest = withoutWords(judged, words);
  if (rest !== judged && (await estimate({ password: rest, words })).score < 2) return false;
  const keys = withoutShift(judged);
  return keys === judged || (await estimate({ password: keys, words })).score >= 3;
}

/**
 * A page gives up after 20 seconds, in which the new password is also hashed and stored. The
 * process continues after the limit, so the next request finds its word lists loaded.
 * @throws TooBusy when the estimate takes longer
 */
export function whileAwaited<Judged>(judged: Promise<Judged>, longestMs = 12_000): Promise<Judged> {
  return withinMs(longestMs, judged, () => new TooBusy('Judging a password takes too long on this machine.'));
}

/** A page asks again while its user types, so the process stays for a while. */
const estimate = runInChild<typeof work>(new URL('./estimate-guesses.ts', import.meta.url), { longestSeconds: 300 });

/** ASVS 6.2.1. */
const shortestStrong = 8;
/** Estimating 100 characters takes a second. A password whose first 40 are strong stays strong. */
const longestJudged = 40;
const avoidPatterns = 'Avoid words that have to do with this business, and neighbouring keys.';
const stolenElsewhere: WeakPassword = {
  message: passwordTexts.stolen,
  suggestions: ['Attackers try the passwords of such lists first. Choose one that you use nowhere else.'],
};

function withoutWords(password: string, words: readonly string[]): string {
  const longestFirst = words.toSorted((first, second) => second.length - first.length);
  return longestFirst.reduce((rest, word) => rest.replaceAll(new RegExp(escapePattern(word), 'gi'), ''), password);
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

// These undo what people do to a password so that it looks strong.

const shifted = '~!@#$%^&*()_+{}|:"<>?';
const unshifted = "`1234567890-=[]\\;',./";

/** The same keys without Shift: "ZAQ!@WSX" walks along the keyboard as "zaq12wsx" does. */
function withoutShift(password: string): string {
  return [...password.toLowerCase()].map((key) => unshifted[shifted.indexOf(key)] ?? key).join('');
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const privateUse = { first: 0xe000, count: 6400 };

/** The estimator counts UTF-16 units, so five emoji would count as ten to thirty-five random characters. */
function oneUnitPerCharacter(password: string): string {
  return [...graphemes.segment(password)]
    .map(({ segment }) =>
      segment.length === 1
        ? segment
        : String.fromCharCode(privateUse.first + ((segment.codePointAt(0) ?? 0) % privateUse.count)),
    )
    .join('');
}

/** Passwords that publications made famous: attackers know them, and the list of stolen ones does not. */
const famous = new Set(
  `correcthorsebatterystaple tr0ub4dor troub4dor troubador gczechout ohmnamah jobandtalent 18atcskd2w fqrg7cs`.split(
    ' ',
  ),
);

/** Whether it is a famous password, without regard to case, punctuation and the digits at its end. */
function isFamous(password: string): boolean {
  const letters = password.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return famous.has(letters) || famous.has(letters.replace(/(?<!\d)\d+$/, ''));
}
