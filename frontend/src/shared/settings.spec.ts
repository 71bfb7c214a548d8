import { builtInPrices, tierOffers } from '@kilim/domain/catalog';
import { anything, assert, property } from 'fast-check';
import { expect, test } from 'vitest';
import { settingsOf } from './settings.ts';

const builtIn = {
  prices: builtInPrices,
  features: {
    premium: tierOffers.premium.features,
    midrange: tierOffers.midrange.features,
    economy: tierOffers.economy.features,
  },
  terms: '',
  addOnImages: {},
};

test('the settings of the business are used', () => {
  const settings = settingsOf({
    tierPrices: { premium: 7.25, midrange: 5, economy: 2.5 },
    tierFeatures: { premium: ['Silk'], midrange: [], economy: [' Wool ', '', 'Wool'] },
    terms: '<b>Be kind</b>',
    addOnImages: { pad: 'https://images.example/pad.webp', protection: '/images/protection.webp' },
    tierComparison: { rows: {} },
  });
  expect(settings).toEqual({
    prices: { premium: 725, midrange: 500, economy: 250 },
    features: { premium: ['Silk'], midrange: [], economy: ['Wool'] },
    terms: '<b>Be kind</b>',
    addOnImages: { pad: 'https://images.example/pad.webp', protection: '/images/protection.webp' },
    tierComparison: { rows: {} },
  });
});

test('a missing or malformed setting falls back to the built-in one, and the others stay', () => {
  const settings = settingsOf({
    tierPrices: { premium: 7.25, midrange: '4.00', economy: 1.999 },
    tierFeatures: { premium: ['Silk'], midrange: ['Wool', 7] },
    terms: ['none'],
    addOnImages: 'pad.webp',
  });
  expect(settings.prices).toEqual({ premium: 725, midrange: builtInPrices.midrange, economy: builtInPrices.economy });
  expect(settings.features).toEqual({ ...builtIn.features, premium: ['Silk'] });
  expect(settings).toMatchObject({ terms: '', addOnImages: {} });
});

test('a tier price is never zero, negative or infinite', () => {
  const { prices } = settingsOf({ tierPrices: { premium: 0, midrange: -3, economy: Number.POSITIVE_INFINITY } });
  expect(prices).toEqual(builtInPrices);
});

test('an image comes from this site or over https, and has a known name', () => {
  const { addOnImages } = settingsOf({
    addOnImages: {
      pad: 'javascript:alert(1)',
      protection: '//elsewhere.example/p.png',
      repair: '/\\elsewhere.example/p.png',
      other: '/other.png',
    },
  });
  expect(addOnImages).toEqual({});
});

test('no content of the settings breaks the order form', () => {
  assert(
    property(anything(), (given) => {
      const settings = settingsOf(given);
      expect(Object.values(settings.prices).every((price) => price > 0)).toBe(true);
    }),
  );
  for (const given of [undefined, null, 7, 'settings', [], {}]) expect(settingsOf(given)).toMatchObject(builtIn);
});
