import { formatSide, formatSize, type Inches } from '@kilim/domain/rug';
import { longestUsualInches } from '@kilim/domain/size-presets';

/** One side, or the width and the length. */
export type Size = {
  readonly first: Inches;
  readonly second?: Inches;
  /** The only unit of a single side that is written in whole feet or in inches. */
  readonly only?: 'feet' | 'inches' | undefined;
  /** For a choice between sizes: `66 × 90 inches (5 ft 6 in × 7 ft 6 in)`. */
  readonly words: string;
};

/** Either a size without doubt, or the sizes that the writer may have meant; none if the text is not a size. */
export type SizeReading = { readonly size?: Size; readonly choices: readonly Size[] };

/** Where a single number without a unit stands. In `doubt`, none of the numbers is taken for feet without asking. */
export type NumberPlace = 'feet' | 'inches' | 'doubt' | 'text';

/** A side as it is written, with one-letter units. */
type Part = {
  readonly digits: string;
  readonly unit: Unit | undefined;
  /** Feet and inches together. */
  readonly inches?: number;
  /** `8 10` or `8-10`: feet and inches, or a width and a length. */
  readonly isLoose?: boolean;
};

/** In inches. */
const units = { "'": 12, '"': 1, c: 1 / 2.54, m: 100 / 2.54, k: 1 / 25.4, y: 36 } as const;
type Unit = keyof typeof units;

const unitNames: Readonly<Record<Unit, string>> = {
  "'": 'feet',
  '"': 'inches',
  c: 'centimeters',
  m: 'meters',
  k: 'millimeters',
  y: 'yards',
};

/** Longer texts are rejected without parsing. */
const maxCharacters = 80;
/** The largest whole number of feet that a field takes. */
const mostInches = 9999 * 12 + 11;
/** About 30 cm. */
const smallestPlausible = 11;
/** Up to here `x` stands between feet. `24x36` is a doormat in inches, too. */
const mostBareInches = 240;
/** What the shop cleans, if the customer says that it is feet. */
const largestInFeet = 1200;

const number = String.raw`\d+/\d+|\d+(?:[.,]\d+)?(?:[ -]\d+/\d+)?`;
const withUnit = new RegExp(`^(${number}) ?(['"cmky])?$`);
const feetAndInches = new RegExp(`^(\\d{1,4})('(?: - |-| )?|[ -])(${number}) ?"?$`);
const noise =
  /[~≈]|\b(?:about|approx(?:imate(?:ly)?)?|around|roughly|circa|ca|sizes?|dimensions?|dims?|measures|area|rug|carpet|runner|rectang(?:le|ular)|oval|actual|and|(?:w x l|l x w)(?! ?\d))\b/g;
const round = /ø|\b(?:round|circ(?:le|ular)|dia(?:meter)?)\b/g;

/**
 * Reads what dealers, tape measures, drawings and European labels write: `8'-0" x 10'-6"`, `65½"`, `5 1/4 ft`,
 * `2,44 x 3,05 m`, `8'w x 10'l`, `8 x 10 (244 x 305 cm)`. A number without a unit takes the other side's unit, or feet.
 * A text that may mean two sizes gets both: `5.3 x 7.6` is 5'3" x 7'6" for a dealer, and `66x90` is hardly feet.
 */
export function readSize(text: string, place: NumberPlace = 'text'): SizeReading {
  if (text.length > maxCharacters) return { choices: [] };
  const plain = characters(text).replace(/ (?:[/|=]|or) (.*)/, ' ($1)');
  const inner: string[] = [];
  const outer = plain.replaceAll(/[([]([^()[\]]*)[)\]]/g, (_, said: string) => {
    if (/\d/.test(said)) inner.push(said);
    return /^ ?(?:[cm]?m|in(?:ch(?:es)?)?|ft|feet)\.? ?$|[wl] x [wl]/.test(said) ? said : ' ';
  });
  if (inner.length === 0) return readPlain(outer, place);
  const again = readPlain(inner.join(' x '), place);
  if (outer.trim() === '') return again;
  return oneOrBoth(readPlain(outer, place), again);
}

/** The same size in two units has no doubt left; `8x10 (7'9" x 9'9")` are two sizes. */
function oneOrBoth(one: SizeReading, two: SizeReading): SizeReading {
  const isSame = (side = 0, other = 0) => Math.abs(side - other) <= 1;
  const others = two.size === undefined ? two.choices : [two.size];
  const size = (one.size === undefined ? one.choices : [one.size]).find(({ first, second }) =>
    others.some((other) => isSame(first, other.first) && isSame(second, other.second)),
  );
  if (size !== undefined) return { size, choices: [] };
  const both = [one.size, two.size].filter((read) => read?.second !== undefined);
  return { choices: both.length < 2 ? [] : (both as Size[]) };
}

/** Without what keyboards, clipboards and fonts add. */
function characters(text: string): string {
  return (
    text
      // NFKC makes `651/2` of `65½`, and a space with an accent of `´`.
      .replaceAll(/(?=[¼-¾⅐-⅞])/g, ' ')
      .replaceAll(/[´`’‘‛ʹʼ]/g, "'")
      .replaceAll(/[“”„‟ʺ〃]/g, '"')
      .normalize('NFKC')
      .replaceAll(/[\p{Cf}\p{Mn}]/gu, '')
      .toLowerCase()
      .replaceAll(/[′‵]/g, "'")
      .replaceAll('⁄', '/')
      .replaceAll(/[×хχ✕✖⨯✗✘╳∗*]/g, 'x')
      .replaceAll(/[‐-―−]/g, '-')
      .replaceAll(/\s+/g, ' ')
  );
}

function readPlain(text: string, place: NumberPlace): SizeReading {
  const isRound = text.search(round) >= 0;
  const isSwapped = /l x w/.test(text);
  const marks = text
    .replaceAll(noise, ' ')
    .replaceAll(round, ' ')
    // Between two digits, a comma or a point is a decimal one.
    .replaceAll(/[:;=]|[.,](?!\d)|(?<!\d),/g, ' ')
    .replaceAll("''", '"')
    .replaceAll('by', 'x')
    .replaceAll(/[ -]?(?:feet|foot|ft|')/g, "'")
    .replaceAll(/[ -]?(?:inch(?:es)?|ins?|")/g, '"')
    .replaceAll(/[ -]?(?:centimet(?:er|re)s?|cms?)/g, 'c')
    .replaceAll(/[ -]?(?:millimet(?:er|re)s?|mms?)/g, 'k')
    .replaceAll(/[ -]?(?:met(?:er|re)s?|mtrs?|m)/g, 'm')
    .replaceAll(/[ -]?(?:yards?|yds?)/g, 'y')
    .replaceAll(/w(?:idth|ide)?/g, 'w')
    .replaceAll(/l(?:ength|ong)?|h(?:eight|igh)?/g, 'l')
    .replaceAll(/\s+/g, ' ')
    .trim()
    // `w 8' l 10'` and `8' w 10' l`.
    .replace(/^([wl][^wlx]+)(?=[wl])/, '$1x')
    .replace(/^([^wlx]+[wl])(?=[^x]+[wl]$)/, '$1x');
  const written = marks.split(/[ -]?x[ -]?/);
  const parts = written.map((side) => partOf(side.replaceAll(/[wl]/g, '').trim()));
  if (!parts.every((part) => part !== undefined) || parts.length > 2) return { choices: [] };
  if (isSwapped || /l/.test(written[0] ?? '') || /w/.test(written[1] ?? '')) parts.reverse();
  const [only, other] = parts;
  if (only === undefined || other !== undefined) return readParts(parts, place);
  if (only.isLoose === true) return readLoose(only);
  if (!isRound) return readParts(parts, place);
  // Priced by the square around it, which the customer shall see.
  const { size } = readParts([only, only], place);
  return { choices: size === undefined ? [] : [size] };
}

function partOf(text: string): Part | undefined {
  const [, digits, unit] = withUnit.exec(text) ?? [];
  if (digits !== undefined) {
    // `8/10` may be a pair.
    const isPart = unit === undefined && /^\d+\//.test(digits);
    return isPart ? undefined : { digits, unit: unit as Unit | undefined };
  }
  const [, feet = '', mark = '', inches = ''] = feetAndInches.exec(text) ?? [];
  const rest = numberIn(inches);
  // `5 ft 14 in` is probably a mistake.
  if (feet === '' || !(rest < 12)) return undefined;
  return { digits: `${feet} ${inches}`, unit: "'", inches: Number(feet) * 12 + rest, isLoose: !mark.startsWith("'") };
}

/** Of `5.5`, `1,7`, `5 1/4` or `3/4`; not a number for `11/4`, which may be a `1 1/4`. */
function numberIn(digits: string): number {
  const parts = digits.replace(',', '.').split(/[ -]/);
  return parts.reduce((sum, part) => {
    const [top = '', bottom] = part.split('/');
    if (bottom === undefined) return sum + Number(top);
    return Number(top) < Number(bottom) ? sum + Number(top) / Number(bottom) : Number.NaN;
  }, 0);
}

function lengthOf({ digits, unit, inches }: Part, bare: Unit): number {
  const known = unit ?? bare;
  // `1,700 mm` has a thousand.
  return inches ?? numberIn(known === 'k' ? digits.replace(/[.,](?=\d{3}$)/, '') : digits) * units[known];
}

function readLoose(part: Part): SizeReading {
  const pair = part.digits.split(/ (.*)/, 2).map((digits): Part => ({ digits, unit: "'" }));
  return { choices: [sizeOf([part]), sizeOf(pair)].filter((size) => size !== undefined) };
}

function readParts(parts: readonly Part[], place: NumberPlace): SizeReading {
  const bare = parts.filter(({ unit }) => unit === undefined);
  const isInches = place === 'inches' && parts.length === 1;
  const given = parts.findLast(({ unit }) => unit !== undefined)?.unit ?? (isInches ? '"' : undefined);
  const size = sizeOf(parts, given);
  if (given === undefined) return readBare(parts, place);
  // Nobody writes 7.1 ft as `7.10`, and dealers write `5.3 x 7.6 ft`, too.
  const isDealers = parts.some((part) => isDoubtful(part) || /\.1[01]$/.test(part.digits));
  const dealer = dealersSize(parts);
  if (!isInches && isDealers && dealer !== undefined && size !== undefined) return { choices: [dealer, size] };
  const isPlausible = isInches || bare.every((part) => isBetween(lengthOf(part, given), longestUsualInches));
  if (isPlausible) return size === undefined ? { choices: [] } : { size, choices: [] };
  return { choices: choicesOf(parts) };
}

function readBare(parts: readonly Part[], place: NumberPlace): SizeReading {
  if (place === 'text' && parts.length === 1) return { choices: [] };
  const choices = choicesOf(parts);
  const longest = Math.max(...parts.map((part) => lengthOf(part, "'")));
  const isUsual = longest <= mostBareInches || (longest <= longestUsualInches && choices.length === 1);
  const size = sizeOf(parts);
  if (parts.some(isDoubtful)) return { choices: [dealersSize(parts), ...choices].filter((read) => read !== undefined) };
  return isUsual && place !== 'doubt' && size !== undefined ? { size, choices: [] } : { choices };
}

/** Decimals without a unit, except halves: `8.5` is not asked about. */
function isDoubtful({ digits, unit }: Part): boolean {
  return unit === undefined && /,|\.(?![05]0*$)/.test(digits);
}

/** `5.3 x 7.10` as feet and inches. */
function dealersSize(parts: readonly Part[]): Size | undefined {
  const asFeet = parts.map(({ digits, unit }): Part | undefined => {
    const [, feet, inches = '0'] = /^(\d+)(?:\.(\d|1[01]))?$/.exec(digits) ?? [];
    if (feet === undefined || (unit !== undefined && unit !== "'")) return undefined;
    return { digits, unit: "'", inches: Number(feet) * 12 + Number(inches) };
  });
  return asFeet.every((part) => part !== undefined) ? sizeOf(asFeet) : undefined;
}

function choicesOf(parts: readonly Part[]): readonly Size[] {
  const isEuropean = parts.some(({ digits }) => digits.includes(','));
  const asked = [...(['"', 'c', 'k'] as const), ...(isEuropean ? (['m', "'"] as const) : (["'", 'm'] as const))];
  return asked
    .filter((unit) => {
      const most = unit === "'" ? largestInFeet : longestUsualInches;
      return parts.every((part) => part.unit !== undefined || isBetween(lengthOf(part, unit), most));
    })
    .map((unit) => sizeOf(parts, unit))
    .filter((size) => size !== undefined);
}

function isBetween(length: number, most: number): boolean {
  return length >= smallestPlausible && length <= most;
}

function sizeOf(parts: readonly Part[], bare: Unit = "'"): Size | undefined {
  const lengths = parts.map((part) => Math.round(lengthOf(part, bare)));
  if (!lengths.every((length) => length <= mostInches)) return undefined;
  const [first, second] = lengths as [Inches, Inches?];
  const inFeet = second === undefined ? formatSide(first) : formatSize({ width: first, length: second });
  const digits = parts.map((part) => part.digits).join(' × ');
  const isTyped = parts.every(({ unit }) => unit === undefined);
  const isWhole = bare === "'" && !/[.,/]/.test(digits);
  const words = isTyped ? `${digits} ${unitNames[bare]}${isWhole ? '' : ` (${inFeet})`}` : inFeet;
  if (second !== undefined) return { first, second, words };
  const unit = parts[0]?.inches === undefined ? (parts[0]?.unit ?? bare) : undefined;
  return { first, only: unit === '"' ? 'inches' : unit === "'" && first % 12 === 0 ? 'feet' : undefined, words };
}
