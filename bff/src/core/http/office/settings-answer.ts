import type { Day } from '@kilim/domain/day';
import { type Cents, toDollars } from '@kilim/domain/money';
import { eachWeekday, type PickupPlan } from '@kilim/domain/pickup-plan';
import {
  isAmount,
  ratesOn,
  type SalesTaxRate,
  type Settings,
  type VersionedSettings,
} from '@kilim/domain/settings/settings';
import * as z from 'zod/mini';
import {
  type AdminSettingsAnswer,
  adminSettings,
  type SettingsAnswer,
  salesTaxRates,
  settings,
} from '../../../../contract/settings.ts';

/** @param today the day whose sales tax holds. */
export function settingsAnswer(saved: VersionedSettings, today: Day): SettingsAnswer {
  const { name, since, millipercent } = ratesOn(saved.settings, today).salesTax;
  return z.encode(settings, { ...commonPart(saved), salesTax: { name, percent: millipercent, since } });
}

export function adminSettingsAnswer(saved: VersionedSettings): AdminSettingsAnswer {
  const { more, business, salesTax, notices, refundLimits, contactRetention, intake, firstDay } = saved.settings;
  return z.encode(adminSettings, {
    ...more,
    ...commonPart(saved),
    salesTax: { name: salesTax.name, rates: ratesAnswer(salesTax.rates) },
    business: { ...business, dropOffSites: [...business.dropOffSites] },
    ...{ notices, refundLimits, contactRetention, intake },
    firstDay: { ...firstDay, settled: [...firstDay.settled] },
  });
}

function commonPart({ version, settings: current }: VersionedSettings) {
  const { tierPrices, tierMinimums, addOnPrices, pickup, largestOrder, sizePresets } = current;
  const { pickupPlan, tierComparison, terms, addOnImages } = current;
  const { premium, midrange, economy } = current.tierFeatures;
  return {
    ...{ version, tierPrices, tierMinimums, addOnPrices, pickup, largestOrder, sizePresets: [...sizePresets] },
    tierFeatures: { premium: [...premium], midrange: [...midrange], economy: [...economy] },
    pickupPlan: planAnswer(pickupPlan),
    ...{ tierComparison, terms, addOnImages },
  };
}

function planAnswer({ zipCodes, windows, mostPerDay, closedDays }: PickupPlan) {
  const byDay = eachWeekday((weekday) => [...windows[weekday]]);
  return { zipCodes: [...zipCodes], windows: byDay, mostPerDay, closedDays: [...closedDays] };
}

function ratesAnswer(rates: Settings['salesTax']['rates']) {
  return rates.map(({ since, millipercent }) => ({ since, percent: millipercent }));
}

export function fieldAnswer(path: string, value: unknown): unknown {
  if (value === undefined) return null;
  if (path === 'salesTax.rates') return z.encode(salesTaxRates, ratesAnswer(value as readonly SalesTaxRate[]));
  return isAmount(path) ? toDollars(value as Cents) : value;
}
