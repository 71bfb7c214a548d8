import { feetAndInches, type Inches, side } from '@kilim/domain/rug';

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

/** Past this, a number is certainly no rug; it stops here so that every price stays an exact integer. */
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

/** More than 11 inches become feet: 66 in is 5 ft 6 in. A box that cannot be read stays as it is, and so does its neighbour. */
export function carryInches(typed: TypedSizes, which: Side): TypedSizes {
  const boxes = sideFields[which];
  if (!isWholeNumber(typed[boxes.feet]) || !isWholeNumber(typed[boxes.inches])) return typed;
  if (countOf(typed[boxes.inches]) <= 11) return typed;
  const { feet, inches } = feetAndInches(inchesOf(typed, which));
  return { ...typed, [boxes.feet]: String(feet), [boxes.inches]: String(inches) };
}
