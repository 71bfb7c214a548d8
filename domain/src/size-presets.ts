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

/** `8 × 10 ft`, or `2 ft 6 in × 8 ft`. */
export function formatPreset({ width, length }: SizePreset): string {
  const sides = [width, length].map(feetAndInches);
  if (sides.every(({ inches }) => inches === 0)) return `${sides.map(({ feet }) => feet).join(' × ')} ft`;
  return [width, length].map(shortSide).join(' × ');
}

function shortSide(length: Inches): string {
  const { feet, inches } = feetAndInches(length);
  return [...(feet > 0 ? [`${feet} ft`] : []), ...(inches > 0 ? [`${inches} in`] : [])].join(' ');
}
