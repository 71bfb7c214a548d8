import { type Inches, side } from '@kilim/domain/rug';

/** One side, or the width and the length of a rug, as read from a text. */
export type ReadSize = { readonly first: Inches; readonly second?: Inches };

/** No size is written longer; a text past this is not read at all. */
const mostCharacters = 40;

const feet = String.raw`(?:'|ft\.?|feet|foot)`;
const inches = String.raw`(?:"|''|in\.?|inch(?:es)?)`;
const oneSide = new RegExp(
  String.raw`^(?:(\d{1,4}(?:\.\d{1,4})?) ?${feet} ?(?:(\d{1,2}) ?${inches}?)?|(\d{1,4}(?:\.\d{1,4})?) ?${inches}|(\d{1,3}) (\d{1,2}))$`,
);
const ambiguous = /^\d+ \d+$/;
const plainNumber = /^\d{1,4}(?:\.\d{1,4})?$/;

/**
 * Reads a size as people write it: `5'6"`, `5 ft 6 in`, `66 in`, `5.5 ft`, `8x10`, `8'2" by 10'`.
 * In a pair, a number without a unit takes the other's, or else is feet. Undefined when it is no
 * size, and for one number without a unit: that is the box's own matter.
 */
export function readSize(text: string): ReadSize | undefined {
  if (text.length > mostCharacters) return undefined;
  const [one, two, ...more] = plainly(text).split(/ ?(?:x|×|\*|by) ?/);
  if (one === undefined || more.length > 0) return undefined;
  if (two === undefined) {
    // `8 10` alone may be a side or a pair: better not read than read wrongly.
    const only = ambiguous.test(one) ? undefined : readSide(one);
    return only === undefined ? undefined : { first: only };
  }
  const first = readSide(plainNumber.test(one) ? one + unitOf(two) : one);
  const second = readSide(plainNumber.test(two) ? two + unitOf(one) : two);
  return first === undefined || second === undefined ? undefined : { first, second };
}

/** Lower case, one kind of quotation mark, single spaces. */
function plainly(text: string): string {
  const marks = text.toLowerCase().replaceAll(/[’‘′`´]/g, "'");
  return marks
    .replaceAll(/[”“″]/g, '"')
    .replaceAll(/[\s,]+/g, ' ')
    .trim();
}

/** The unit that a whole side in inches, or anything else, lends to a number beside it. */
function unitOf(text: string): string {
  return /^[\d.]+ ?["i]/.test(text) ? 'in' : 'ft';
}

function readSide(text: string): Inches | undefined {
  const read = oneSide.exec(text);
  if (read === null) return undefined;
  const [, someFeet, moreInches, onlyInches, bareFeet, bareInches] = read;
  // `5.5 ft 6 in` says two things at once, and `5 ft 14 in` hardly means 6 ft 2 in.
  const wholeInches = Number(moreInches ?? bareInches ?? 0);
  if (wholeInches > 11 || (moreInches !== undefined && someFeet?.includes('.') === true)) return undefined;
  const total = Number(onlyInches ?? 0) + Number(someFeet ?? bareFeet ?? 0) * 12 + wholeInches;
  return side(0, Math.round(total));
}
