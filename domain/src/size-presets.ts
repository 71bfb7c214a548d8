import { checkRug, feetAndInches, type Inches, newRug, side } from './rug.ts';

export type SizePreset = { readonly width: Inches; readonly length: Inches };

export const builtInSizePresets: readonly SizePreset[] = [presetOf(5, 8), presetOf(8, 10), presetOf(9, 12)];

/** Rugs of houses are hardly longer: people mean another unit, or are asked. */
export const longestUsualInches = 480;

function presetOf(widthFeet: number, lengthFeet: number): SizePreset {
  return { width: side(widthFeet, 0), length: side(lengthFeet, 0) };
}

export function isOrderable({ width, length }: SizePreset): boolean {
  return checkRug({ ...newRug, width, length }).ok;
}

/** `8x10`, or `2-6x8` for 2 ft 6 in × 8 ft: in an address. */
export function presetName({ width, length }: Readonly<Record<keyof SizePreset, number>>): string {
  return [width, length]
    .map((length) => feetAndInches(length as Inches))
    .map(({ feet, inches }) => (inches === 0 ? feet : `${feet}-${inches}`))
    .join('x');
}
