import { type Cents, formatDollars, formatWholeDollars } from '@kilim/domain/money';
import type { ComparisonRow } from '@kilim/domain/tier-comparison';

/** Rows and buttons are in the specification (section 2.2); the cells' texts come from the settings. */
export const compareTexts = {
  heading: 'Compare Tiers',
  forRug: (rugName: string) => `for ${rugName}`,
  close: 'Close',
  choose: (tierName: string) => `Choose ${tierName}`,
  current: 'Current tier',
  currentOf: (rugName: string) => `The current tier of ${rugName}`,
  place: { first: 'First tier', second: 'Second tier' },
  sideBySide: 'Tiers side by side',

  perSquareFoot: (rate: Cents) => `${formatDollars(rate)} per sq ft`,
  pickupIncluded: 'with pickup & delivery',
  forThisRug: (rugName: string) => `for ${rugName}`,
  minimumCharge: (minimum: Cents) => `${formatWholeDollars(minimum)} minimum`,

  caption: 'What each tier includes',
  rows: {
    washProcess: 'Wash Process',
    washingCoverage: 'Washing Coverage',
    waterSaturation: 'Water Saturation',
    deDusting: 'De-dusting Treatment',
    tierPerks: 'Tier Perks',
    specialBonuses: 'Special Bonuses',
  } satisfies Record<ComparisonRow, string>,
  recommendations: 'Recommendations',

  chosen: (tierName: string, rugName: string) => `${tierName} chosen for ${rugName}`,
  kept: (tierName: string, rugName: string) => `${rugName} stays ${tierName}`,
} as const;
