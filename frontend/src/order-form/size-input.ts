import { feetAndInches, type Inches, side } from '@kilim/domain/rug';
import { readSize } from './size-text.ts';

/** The four boxes of a rug's size, under the specification's names (section 3). */
export const sizeFields = ['widthFeet', 'widthInches', 'lengthFeet', 'lengthInches'] as const;
export type SizeField = (typeof sizeFields)[number];
export type Side = 'width' | 'length';

/** The boxes as they were typed. Nothing is ever changed under the person's hands. */
export type TypedSizes = Readonly<Record<SizeField, string>>;

export const noSizes: TypedSizes = { widthFeet: '', widthInches: '', lengthFeet: '', lengthInches: '' };

export const sideFields: Readonly<Record<Side, { readonly feet: SizeField; readonly inches: SizeField }>> = {
  width: { feet: 'widthFeet', inches: 'widthInches' },
  length: { feet: 'lengthFeet', inches: 'lengthInches' },
};

export function sideOf(field: SizeField): Side {
  return field === 'widthFeet' || field === 'widthInches' ? 'width' : 'length';
}

/**
 * Past this, a number is certainly no rug; it stops here so that every price stays an exact
 * integer.
 */
const mostTyped = 9999;

/** Whether the box holds a whole number, or nothing at all. */
export function isWholeNumber(typed: string): boolean {
  return /^\d*$/.test(typed.trim());
}

/** What a box counts as: anything but a whole number counts as 0 (specification, section 5). */
export function countOf(typed: string): number {
  return isWholeNumber(typed) ? Math.min(Number(typed.trim()), mostTyped) : 0;
}

export function inchesOf(typed: TypedSizes, which: Side): Inches {
  const { feet, inches } = sideFields[which];
  return side(countOf(typed[feet]), countOf(typed[inches]));
}

/**
 * More than 11 inches become feet: 66 in is 5 ft 6 in. A box that cannot be read stays as it is,
 * and so does its neighbour.
 */
export function carryInches(typed: TypedSizes, which: Side): TypedSizes {
  const boxes = sideFields[which];
  if (!isWholeNumber(typed[boxes.feet]) || !isWholeNumber(typed[boxes.inches])) return typed;
  if (countOf(typed[boxes.inches]) <= 11) return typed;
  return { ...typed, ...typedSide(which, inchesOf(typed, which)) };
}

function typedSide(which: Side, length: Inches): Partial<TypedSizes> {
  const boxes = sideFields[which];
  const { feet, inches } = feetAndInches(length);
  return { [boxes.feet]: String(feet), [boxes.inches]: String(inches) };
}

/**
 * What a size written into one box, typed or pasted, puts into all of them: `5'6"` fills its own
 * side, `8x10` both. Undefined when the text is no size; a decimal number in a feet box is one.
 */
export function typedSizesOf(text: string, field: SizeField): Partial<TypedSizes> | undefined {
  const which = sideOf(field);
  const decimalFeet = field === sideFields[which].feet && /^\s*\d{1,4}\.\d{1,4}\s*$/.test(text);
  const read = readSize(decimalFeet ? `${text} ft` : text);
  if (read === undefined) return undefined;
  if (read.second === undefined) return typedSide(which, read.first);
  return { ...typedSide('width', read.first), ...typedSide('length', read.second) };
}

/** The sizes that most rugs are sold in, width by length in feet. */
export const commonSizes = [
  [5, 8],
  [8, 10],
  [9, 12],
] as const;
export type CommonSize = (typeof commonSizes)[number];

export function typedCommonSize([width, length]: CommonSize): TypedSizes {
  return { widthFeet: String(width), widthInches: '0', lengthFeet: String(length), lengthInches: '0' };
}
