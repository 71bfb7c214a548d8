import { builtInPrices, tierOffers } from '@kilim/domain/catalog';
import { toDollars } from '@kilim/domain/money';
import { tierComparison } from '@kilim/domain/tier-comparison';
import type { SettingsAnswer } from './wire.ts';

/** The settings before anybody has changed any: the built-in catalogue, as version 0. */
export const builtInSettings: SettingsAnswer = {
  version: 0,
  tierPrices: {
    premium: toDollars(builtInPrices.premium),
    midrange: toDollars(builtInPrices.midrange),
    economy: toDollars(builtInPrices.economy),
  },
  tierFeatures: {
    premium: tierOffers.premium.features,
    midrange: tierOffers.midrange.features,
    economy: tierOffers.economy.features,
  },
  tierComparison,
  terms: '',
  addOnImages: {},
};
