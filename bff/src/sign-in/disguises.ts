// What people do to a password so that it looks strong, undone.

const shifted = '~!@#$%^&*()_+{}|:"<>?';
const unshifted = "`1234567890-=[]\\;',./";

/** The same keys without Shift: "ZAQ!@WSX" walks along the keyboard as "zaq12wsx" does. */
export function withoutShift(password: string): string {
  return [...password.toLowerCase()].map((key) => unshifted[shifted.indexOf(key)] ?? key).join('');
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const privateUse = { first: 0xe000, count: 6400 };

/**
 * Replaces each emoji, and any other character of several UTF-16 units, by one unit: the estimator
 * counts units, so that five emoji would count as ten to thirty-five random characters.
 */
export function oneUnitPerCharacter(password: string): string {
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

/** Whether it is a famous password, whatever its case, its punctuation and the digits at its end. */
export function isFamous(password: string): boolean {
  const letters = password.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return famous.has(letters) || famous.has(letters.replace(/(?<!\d)\d+$/, ''));
}
