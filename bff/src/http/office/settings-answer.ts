import { toDollars } from '@kilim/domain/money';
import type { Settings, VersionedSettings } from '@kilim/domain/settings/settings';
import type { AdminSettingsAnswer, SettingsAnswer } from '../shop/wire.ts';

/** Settings under the wire's names, in dollars: the part that anyone may see. */
export function settingsAnswer({ version, settings }: VersionedSettings): SettingsAnswer {
  const { tierFeatures, tierComparison, terms, addOnImages } = settings;
  return { version, tierPrices: dollarPrices(settings.tierPrices), tierFeatures, tierComparison, terms, addOnImages };
}

/** All of them, for the back office. */
export function adminSettingsAnswer(saved: VersionedSettings): AdminSettingsAnswer {
  return { ...saved.settings.more, ...settingsAnswer(saved), business: saved.settings.business };
}

/** One field as the wire has it. */
export function fieldAnswer(path: string, value: unknown): unknown {
  if (value === undefined) return null;
  return path.startsWith('tierPrices.') ? toDollars(value as Settings['tierPrices']['premium']) : value;
}

function dollarPrices({ premium, midrange, economy }: Settings['tierPrices']): SettingsAnswer['tierPrices'] {
  return { premium: toDollars(premium), midrange: toDollars(midrange), economy: toDollars(economy) };
}
