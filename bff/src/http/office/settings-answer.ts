import { type Cents, toDollars } from '@kilim/domain/money';
import type { VersionedSettings } from '@kilim/domain/settings/settings';
import * as z from 'zod/mini';
import { type AdminSettingsAnswer, adminSettings, type SettingsAnswer, settings } from '../../../contract/settings.ts';

/** The settings on the wire: the part that anyone may see. */
export function settingsAnswer(saved: VersionedSettings): SettingsAnswer {
  return z.encode(settings, publicPart(saved));
}

/** All settings on the wire, for the back office. */
export function adminSettingsAnswer(saved: VersionedSettings): AdminSettingsAnswer {
  const { more, business } = saved.settings;
  const dropOffSites = [...business.dropOffSites];
  return z.encode(adminSettings, { ...more, ...publicPart(saved), business: { ...business, dropOffSites } });
}

function publicPart({ version, settings: current }: VersionedSettings): z.output<typeof settings> {
  const { tierPrices, tierFeatures, tierComparison, terms, addOnImages } = current;
  const { premium, midrange, economy } = tierFeatures;
  const features = { premium: [...premium], midrange: [...midrange], economy: [...economy] };
  return { version, tierPrices, tierFeatures: features, tierComparison, terms, addOnImages };
}

/** One field on the wire. */
export function fieldAnswer(path: string, value: unknown): unknown {
  if (value === undefined) return null;
  return path.startsWith('tierPrices.') ? toDollars(value as Cents) : value;
}
