import { feetAndInches, type Inches, side } from '@kilim/domain/rug';
import { longestUsualInches, type SizePreset } from '@kilim/domain/size-presets';

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

/** Or empty. Far above any rug: keeps every price an exact integer. */
export function isWholeNumber(typed: string): boolean {
  return /^\d{0,4}$/.test(typed.trim());
}

/** Any text but a whole number counts as 0 (specification, section 5). */
export function countOf(typed: string): number {
  return isWholeNumber(typed) ? Number(typed.trim()) : 0;
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

/** Null if it could not be loaded. */
let reader: typeof import('./size-text.ts') | null | undefined;

/**
 * At the first focus: whole numbers need no reader. Without one, other texts stay as typed and have an error.
 * @returns whether the load ended just now.
 */
export async function loadSizeReader(): Promise<boolean> {
  if (reader) return false;
  reader = await import('./size-text.ts').catch(() => null);
  return true;
}

/** A text waits for the reader. */
export function isUnread(typed: TypedSizes): boolean {
  return reader === undefined && sizeFields.some((field) => !isWholeNumber(typed[field]));
}

export type SizeChoice = { readonly words: string; readonly sizes: Partial<TypedSizes> };

/** What a text means for the fields: one thing, one of several, or nothing. */
export type FieldReading = { readonly sizes?: Partial<TypedSizes>; readonly choices: readonly SizeChoice[] };

/** `5'6"` fills the field's side, `8x10` both sides, and `6 in` leaves the feet as they are. */
export function readField(typed: TypedSizes, field: SizeField): FieldReading {
  const which = sideOf(field);
  const { feet, inches } = sideFields[which];
  if (!reader || isWholeNumber(typed[field])) return { choices: [] };
  const { size, choices } = reader.readSize(typed[field], field === feet ? 'feet' : 'inches');
  const sizesOf = ({ first, second, only }: NonNullable<typeof size>): Partial<TypedSizes> => {
    if (second !== undefined) return { ...typedSide('width', first), ...typedSide('length', second) };
    if (only === 'inches' && field === inches) return { [inches]: String(first) };
    if (only === 'feet' && field === feet) return { [feet]: String(first / 12), [inches]: typed[inches] || '0' };
    return typedSide(which, first);
  };
  return {
    ...(size === undefined ? {} : { sizes: sizesOf(size) }),
    choices: choices.map((choice) => ({ words: choice.words, sizes: sizesOf(choice) })),
  };
}

/** Sides with whole feet and no inches. */
function bareSides(typed: TypedSizes): readonly Side[] {
  return (['width', 'length'] as const).filter((which) => {
    const { feet, inches } = sideFields[which];
    return countOf(typed[feet]) > 0 && typed[inches].trim() === '';
  });
}

/**
 * Feet that are probably inches or centimeters, as `66` and `90`. Who means feet says so in the answer, which fills the
 * inches with 0.
 */
export function doubtfulField(typed: TypedSizes): SizeField | undefined {
  const which = bareSides(typed).find((side) => inchesOf(typed, side) > longestUsualInches);
  return which === undefined ? undefined : sideFields[which].feet;
}

/** The sizes to choose from at a field with an error. */
export function sizeChoices(typed: TypedSizes, field: SizeField): readonly SizeChoice[] {
  if (field !== doubtfulField(typed)) return readField(typed, field).choices;
  const sides = bareSides(typed);
  const { choices } = reader?.readSize(doubtfulFeet(typed), 'doubt') ?? { choices: [] };
  return choices.map(({ words, first, second = first }) => {
    const lengths = sides.length === 1 ? [first] : [first, second];
    const sizes = sides.map((which, place) => typedSide(which, lengths[place] ?? first));
    return { words, sizes: Object.assign({}, ...sizes) as Partial<TypedSizes> };
  });
}

/** `66`, or `66 × 90` */
export function doubtfulFeet(typed: TypedSizes): string {
  return bareSides(typed)
    .map((which) => countOf(typed[sideFields[which].feet]))
    .join(' × ');
}

export function typedPreset({ width, length }: SizePreset): TypedSizes {
  return { ...noSizes, ...typedSide('width', width), ...typedSide('length', length) };
}
