import { largestSideInches } from '../catalog.ts';
import type { Day } from '../day.ts';
import type { Cents } from '../money.ts';
import { checkLimits, type UnacceptableLimit } from '../people/refund-limits.ts';
import type { Millipercent } from '../percent.ts';
import { ok, type Result, rejected } from '../result.ts';
import { isOrderable } from '../size-presets.ts';
import { differencesBetween, leavesOf } from './differences.ts';
import {
  amountFields,
  type Settings,
  type SettingsChanged,
  settingsLimits,
  type VersionedSettings,
} from './settings.ts';

export type ChangeSettings = {
  readonly settings: Settings;
  readonly expectedVersion: number;
  readonly today: Day;
  readonly by: string;
};

export type SettingsRejection =
  /** Another save came first, or the version never existed. */
  { readonly code: 'ChangedMeanwhile'; readonly expected: number; readonly current: number } | UnacceptableSettings;

export type UnacceptableSettings =
  | { readonly code: 'AmountOutOfRange'; readonly path: string; readonly lowest: Cents; readonly highest: Cents }
  | { readonly code: 'TaxRateOutOfRange'; readonly place: number; readonly highest: Millipercent }
  /** A day has two rates, or the days are not in order. */
  | { readonly code: 'TaxDaysNotRising'; readonly place: number }
  /** Orders of today need a rate. */
  | { readonly code: 'NoTaxRateToday'; readonly today: Day }
  | { readonly code: 'TooManyTaxRates'; readonly most: number; readonly given: number }
  | { readonly code: 'TooManySizePresets'; readonly most: number; readonly given: number }
  | { readonly code: 'SizePresetOutOfRange'; readonly place: number; readonly mostInches: number }
  | { readonly code: 'RetentionOutOfRange'; readonly fewest: number; readonly most: number }
  | UnacceptableLimit;

/**
 * Unchanged settings record nothing, from any version, so a save can be retried. Unproven settings are recorded again.
 */
export function decideChange(
  command: ChangeSettings,
  current: VersionedSettings,
): Result<SettingsChanged | undefined, SettingsRejection> {
  const { settings, expectedVersion, by } = command;
  const unacceptable =
    checkAmounts(settings) ??
    checkSalesTax(settings, command.today) ??
    checkSizePresets(settings) ??
    checkRetention(settings) ??
    checkLimits(settings.refundLimits);
  if (unacceptable !== undefined) return rejected(unacceptable);
  const isChanged = differencesBetween(current.settings, settings).length > 0;
  if (!isChanged && current.isUnproven !== true) return ok(undefined);
  if (expectedVersion !== current.version) {
    return rejected({ code: 'ChangedMeanwhile', expected: expectedVersion, current: current.version });
  }
  return ok({ type: 'SettingsChanged', version: current.version + 1, settings, by });
}

function checkAmounts(settings: Settings): UnacceptableSettings | undefined {
  const leaves = leavesOf(settings);
  const wrong = amountFields.find(({ path, lowest, highest }) => {
    const amount = leaves.get(path) as Cents;
    return amount < lowest || amount > highest;
  });
  return wrong === undefined ? undefined : { code: 'AmountOutOfRange', ...wrong };
}

function checkSalesTax({ salesTax: { rates } }: Settings, today: Day): UnacceptableSettings | undefined {
  const { highestTaxRate: highest, mostTaxRates: most } = settingsLimits;
  if (rates.length > most) return { code: 'TooManyTaxRates', most, given: rates.length };
  for (const [place, { since, millipercent }] of rates.entries()) {
    if (millipercent < 0 || millipercent > highest) return { code: 'TaxRateOutOfRange', place, highest };
    const before = rates[place - 1];
    if (before !== undefined && since <= before.since) return { code: 'TaxDaysNotRising', place };
  }
  return rates.some(({ since }) => since <= today) ? undefined : { code: 'NoTaxRateToday', today };
}

function checkSizePresets({ sizePresets }: Settings): UnacceptableSettings | undefined {
  const { mostSizePresets: most } = settingsLimits;
  if (sizePresets.length > most) return { code: 'TooManySizePresets', most, given: sizePresets.length };
  const place = sizePresets.findIndex((preset) => !isOrderable(preset));
  return place < 0 ? undefined : { code: 'SizePresetOutOfRange', place, mostInches: largestSideInches };
}

function checkRetention({ contactRetention: { months } }: Settings): UnacceptableSettings | undefined {
  const { shortestRetentionMonths: fewest, longestRetentionMonths: most } = settingsLimits;
  const isPeriod = months === null || (Number.isInteger(months) && months >= fewest && months <= most);
  return isPeriod ? undefined : { code: 'RetentionOutOfRange', fewest, most };
}
