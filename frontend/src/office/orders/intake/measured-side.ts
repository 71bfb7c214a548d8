import { largestSideInches } from '@kilim/domain/catalog';
import type { Inches } from '@kilim/domain/rug';
import { oneLine } from '@kilim/domain/text';

/**
 * As technicians type with one thumb: `8`, `7.10` or `7'10`. A point separates feet and inches, as on a dealer's
 * label, so 7.5 is 7 ft 5 in.
 * @returns undefined when it is no side of a rug.
 */
export function measuredSide(text: string): Inches | undefined {
  const [, feet, inches = '0'] = /^(\d{1,3})(?:(?: ?['.,-] ?| )(\d{1,2}))?"?$/.exec(oneLine(text)) ?? [];
  if (feet === undefined || Number(inches) > 11) return undefined;
  const side = Number(feet) * 12 + Number(inches);
  return side > 0 && side <= largestSideInches ? (side as Inches) : undefined;
}
