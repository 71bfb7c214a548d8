import { type Inches, side } from '@kilim/domain/rug';

export type ReadSize = { readonly first: Inches; readonly second?: Inches };

/** Longer texts are rejected without parsing. */
const maxCharacters = 40;

const feet = String.raw`(?:'|ft\.?|feet|foot)`;
const metric = /^(\d{1,4}(?:\.\d{1,4})?) ?(m|met(?:er|re)s?|cm|centimet(?:er|re)s?)\.?$/;
const centimetersPerInch = 2.54;
const inches = String.raw`(?:"|''|in\.?|inch(?:es)?)`;
const oneSide = new RegExp(
  String.raw`^(?:(\d{1,4}(?:\.\d{1,4})?) ?${feet} ?(?:(\d{1,2}) ?${inches}?)?|(\d{1,4}(?:\.\d{1,4})?) ?${inches}|(\d{1,3}) (\d{1,2}))$`,
);
const ambiguous = /^\d+ \d+$/;
const plainNumber = /^\d{1,4}(?:\.\d{1,4})?$/;

/**
 * Parses `5'6"`, `5 ft 6 in`, `66 in`, `5.5 ft`, `8x10`, `8'2" by 10'`, `2m x 3m`, `200 x 300 cm`. In a pair, a number
 * without a unit takes the other side's unit, or feet. Undefined for other texts, and for a single number without a
 * unit, because the field itself has one.
 */
export function readSize(text: string): ReadSize | undefined {
  if (text.length > maxCharacters) return undefined;
  const [one, two, ...more] = normalize(text).split(/ ?(?:x|×|\*|by) ?/);
  if (one === undefined || more.length > 0) return undefined;
  if (two === undefined) {
    // `8 10` may mean one side or a pair, so it is rejected.
    const only = ambiguous.test(one) ? undefined : readSide(one);
    return only === undefined ? undefined : { first: only };
  }
  const first = readSide(plainNumber.test(one) ? one + unitOf(two) : one);
  const second = readSide(plainNumber.test(two) ? two + unitOf(one) : two);
  return first === undefined || second === undefined ? undefined : { first, second };
}

/** Lower case, straight quotation marks, single spaces. */
function normalize(text: string): string {
  const marks = text.toLowerCase().replaceAll(/[’‘′`´]/g, "'");
  // Metric sizes are often written with a decimal comma.
  const isMetric = /\d ?c?m|\d ?cent/.test(marks);
  return (isMetric ? marks.replaceAll(/(\d),(\d)/g, '$1.$2') : marks)
    .replaceAll(/[”“″]/g, '"')
    .replaceAll(/[\s,]+/g, ' ')
    .trim();
}

/** For a number without a unit: meters, centimeters, inches if the side is only inches, else feet. */
function unitOf(text: string): string {
  const [, , unit] = metric.exec(text) ?? [];
  if (unit !== undefined) return unit;
  return /^[\d.]+ ?["i]/.test(text) ? 'in' : 'ft';
}

function readSide(text: string): Inches | undefined {
  const [, length, unit] = metric.exec(text) ?? [];
  if (unit !== undefined) {
    const centimeters = Number(length) * (unit.startsWith('m') ? 100 : 1);
    return side(0, Math.round(centimeters / centimetersPerInch));
  }
  const read = oneSide.exec(text);
  if (read === null) return undefined;
  const [, someFeet, moreInches, onlyInches, bareFeet, bareInches] = read;
  // Rejects probable mistakes: `5.5 ft 6 in` and `5 ft 14 in`.
  const wholeInches = Number(moreInches ?? bareInches ?? 0);
  if (wholeInches > 11 || (moreInches !== undefined && someFeet?.includes('.') === true)) return undefined;
  const total = Number(onlyInches ?? 0) + Number(someFeet ?? bareFeet ?? 0) * 12 + wholeInches;
  return side(0, Math.round(total));
}
