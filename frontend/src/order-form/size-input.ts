import { feetAndInches, type Inches, side } from '@kilim/domain/rug';
import type { SizePreset } from '@kilim/domain/size-presets';
import { readSize } from './size-text.ts';

/** The specification's names (section 3). */
export const sizeFields = ['widthFeet', 'widthInches', 'lengthFeet', 'lengthInches'] as const;
export type SizeField = (typeof sizeFields)[number];
export type Side = 'width' | 'length';

/** They never change while the customer is typing. */
export type TypedSizes = Readonly<Record<SizeField, string>>;

export const noSizes: TypedSizes = { widthFeet: '', widthInches: '', lengthFeet: '', lengthInches: '' };

export const sideFields: Readonly<Record<Side, { readonly feet: SizeField; readonly inches: SizeField }>> = {
  width: { feet: 'widthFeet', inches: 'widthInches' },
  length: { feet: 'lengthFeet', inches: 'lengthInches' },
};

export function sideOf(field: SizeField): Side {
  return field === 'widthFeet' || field === 'widthInches' ? 'width' : 'length';
}

/** Far above any rug: keeps every price an exact integer. */
const maxCount = 9999;

/** Or empty. */
export function isWholeNumber(typed: string): boolean {
  return /^\d*$/.test(typed.trim());
}

/** Any text but a whole number counts as 0 (specification, section 5). */
export function countOf(typed: string): number {
  return isWholeNumber(typed) ? Math.min(Number(typed.trim()), maxCount) : 0;
}

export function inchesOf(typed: TypedSizes, which: Side): Inches {
  const { feet, inches } = sideFields[which];
  return side(countOf(typed[feet]), countOf(typed[inches]));
}

/** 66 in is 5 ft 6 in. Changes nothing if either field is not a whole number. */
export function carryInches(typed: TypedSizes, which: Side): TypedSizes {
  const fields = sideFields[which];
  if (!isWholeNumber(typed[fields.feet]) || !isWholeNumber(typed[fields.inches])) return typed;
  if (countOf(typed[fields.inches]) <= 11) return typed;
  return { ...typed, ...typedSide(which, inchesOf(typed, which)) };
}

function typedSide(which: Side, length: Inches): Partial<TypedSizes> {
  const fields = sideFields[which];
  const { feet, inches } = feetAndInches(length);
  return { [fields.feet]: String(feet), [fields.inches]: String(inches) };
}

/**
 * `5'6"` fills the field's side, `8x10` both sides. A decimal number in a feet field is a size. Undefined if the text
 * is not a size.
 */
export function typedSizesOf(text: string, field: SizeField): Partial<TypedSizes> | undefined {
  const which = sideOf(field);
  const decimalFeet = field === sideFields[which].feet && /^\s*\d{1,4}\.\d{1,4}\s*$/.test(text);
  const read = readSize(decimalFeet ? `${text} ft` : text);
  if (read === undefined) return undefined;
  if (read.second === undefined) return typedSide(which, read.first);
  return { ...typedSide('width', read.first), ...typedSide('length', read.second) };
}

export function typedPreset({ width, length }: SizePreset): TypedSizes {
  return { ...noSizes, ...typedSide('width', width), ...typedSide('length', length) };
}
