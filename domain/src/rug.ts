import type { Brand } from './brand.ts';
import { largestSideInches, smallestAreaSquareInches, type Tier } from './catalog.ts';
import { type Cents, cents, proportionHalfUp } from './money.ts';
import { ok, type Result, rejected } from './result.ts';

/** Whole inches. */
export type Inches = Brand<number, 'Inches'>;

/** Whole square inches; 144 to the square foot. */
export type SquareInches = Brand<number, 'SquareInches'>;

/** In the order in which they are shown. Green Pad is the moth protection of the specification. */
export const addOns = ['stainProtection', 'greenPad', 'repairInspection'] as const;
export type RugAddOn = (typeof addOns)[number];
export type PerAddOn<Value> = Readonly<Record<RugAddOn, Value>>;

export function eachAddOn<Value>(value: Value): PerAddOn<Value> {
  return { stainProtection: value, greenPad: value, repairInspection: value };
}

/** A side of 0 inches has not been entered yet. */
export type Rug = PerAddOn<boolean> & {
  readonly width: Inches;
  readonly length: Inches;
  readonly tier: Tier;
};

export type RugChoices = Omit<Rug, 'width' | 'length'>;

/** Premium, so that no rule has to ask for a missing tier. */
export const newRug: Rug = {
  width: 0 as Inches,
  length: 0 as Inches,
  tier: 'premium',
  ...eachAddOn(false),
  stainProtection: true,
};

/** @throws RangeError unless both are whole numbers from 0. */
export function side(feet: number, inches: number): Inches {
  if (!Number.isSafeInteger(feet) || feet < 0 || !Number.isSafeInteger(inches) || inches < 0) {
    throw new RangeError(`Not a side: ${feet} ft ${inches} in`);
  }
  return (feet * 12 + inches) as Inches;
}

export function feetAndInches(length: Inches): { readonly feet: number; readonly inches: number } {
  const inches = length % 12;
  return { feet: (length - inches) / 12, inches };
}

/** `8 × 10 ft`, or `2 ft 6 in × 8 ft`. */
export function formatSize({ width, length }: Pick<Rug, 'width' | 'length'>): string {
  return `${formatSide(width)} × ${formatSide(length)}`.replace(/^(\d+) ft( × \d+ ft)$/, '$1$2');
}

/** `8 ft 6 in`, `8 ft` or `6 in`. */
export function formatSide(length: Inches): string {
  const { feet, inches } = feetAndInches(length);
  return `${feet} ft ${inches} in`.replace(/^0 ft | 0 in$/, '');
}

export function areaOf(rug: Pick<Rug, 'width' | 'length'>): SquareInches {
  return (rug.width * rug.length) as SquareInches;
}

/** `80.00`, rounded half up, for display only: prices use square inches. */
export function formatSquareFeet(area: SquareInches): string {
  const hundredths = (area * 100 - ((area * 100) % 144)) / 144 + (((area * 100) % 144) * 2 >= 144 ? 1 : 0);
  const fraction = hundredths % 100;
  return `${(hundredths - fraction) / 100}.${String(fraction).padStart(2, '0')}`;
}

export function isSameRug(rug: Rug, other: Rug): boolean {
  return (Object.keys(newRug) as (keyof Rug)[]).every((field) => rug[field] === other[field]);
}

/** Premium includes stain protection, whatever was asked for. */
export function withIncluded<Chosen extends RugChoices>(chosen: Chosen): Chosen {
  return chosen.tier === 'premium' ? { ...chosen, stainProtection: true } : chosen;
}

/** Leaving premium removes its stain protection; between other tiers the choice stays (specification, section 4). */
export function choose<Chosen extends RugChoices>(rug: Chosen, choice: Partial<RugChoices>): Chosen {
  const leavesPremium = rug.tier === 'premium' && (choice.tier ?? rug.tier) !== 'premium';
  return withIncluded({ ...rug, ...(leavesPremium ? { stainProtection: false } : {}), ...choice });
}

export type RugRejection =
  | { readonly code: 'SideMissing'; readonly side: 'width' | 'length' }
  | { readonly code: 'SideTooLong'; readonly side: 'width' | 'length'; readonly mostInches: number }
  | { readonly code: 'AreaTooSmall'; readonly leastSquareInches: number };

/** Both sides, none past 100 ft, and at least half a square foot. */
export function checkRug(rug: Rug): Result<Rug, RugRejection> {
  for (const side of ['width', 'length'] as const) {
    if (rug[side] <= 0) return rejected({ code: 'SideMissing', side });
    if (rug[side] > largestSideInches) return rejected({ code: 'SideTooLong', side, mostInches: largestSideInches });
  }
  if (areaOf(rug) < smallestAreaSquareInches) {
    return rejected({ code: 'AreaTooSmall', leastSquareInches: smallestAreaSquareInches });
  }
  return ok(rug);
}

/** At a price per square foot, rounded half up. */
export function priceOfArea(area: SquareInches, pricePerSquareFoot: Cents): Cents {
  return cents(proportionHalfUp(area, pricePerSquareFoot, 144));
}
