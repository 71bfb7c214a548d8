import { tierOffers } from '@kilim/domain/catalog';
import { builtInRates } from '@kilim/domain/rates';
import { builtInSizePresets } from '@kilim/domain/size-presets';
import { anything, assert, property } from 'fast-check';
import { expect, test } from 'vitest';
import { settingsOf } from './settings.ts';

const builtIn = {
  rates: builtInRates,
  sizePresets: builtInSizePresets,
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
    tierMinimums: { premium: 140, midrange: 0, economy: 80.5 },
    addOnPrices: { stainProtection: 0, greenPad: 3.75 },
    pickup: { price: 0.75, minimumOrder: 450 },
    salesTax: { name: 'LA Sales Tax', percent: 9.875, since: '2026-10-01' },
    sizePresets: [{ width: 30, length: 96 }],
    tierFeatures: { premium: ['Silk'], midrange: [], economy: [' Wool ', '', 'Wool'] },
    terms: '<b>Be kind</b>',
    addOnImages: { pad: 'https://images.example/pad.webp', protection: '/images/protection.webp' },
    tierComparison: { rows: {} },
  });
  expect(settings).toEqual({
    rates: {
      tierPrices: { premium: 725, midrange: 500, economy: 250 },
      tierMinimums: { premium: 14_000, midrange: 0, economy: 8050 },
      addOnPrices: { stainProtection: 0, greenPad: 375 },
      pickup: { price: 75, minimumOrder: 45_000 },
      salesTax: { name: 'LA Sales Tax', millipercent: 9875, since: '2026-10-01' },
    },
    sizePresets: [{ width: 30, length: 96 }],
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
    tierMinimums: { premium: -1, midrange: 90 },
    addOnPrices: [],
    pickup: { price: 'free', minimumOrder: 300 },
    salesTax: { name: '', percent: 9.8755, since: 'today' },
    sizePresets: [{ width: 60, length: 96 }, { width: 60 }],
    terms: ['none'],
    addOnImages: 'pad.webp',
  });
  const { tierPrices, tierMinimums, pickup } = builtInRates;
  expect(settings.rates).toEqual({
    ...builtInRates,
    tierPrices: { ...tierPrices, premium: 725 },
    tierMinimums: { ...tierMinimums, midrange: 9000 },
    pickup: { ...pickup, minimumOrder: 30_000 },
  });
  expect(settings.sizePresets).toEqual(builtInSizePresets);
  expect(settings.features).toEqual({ ...builtIn.features, premium: ['Silk'] });
  expect(settings).toMatchObject({ terms: '', addOnImages: {} });
});

test('the business may offer no sizes', () => {
  expect(settingsOf({ sizePresets: [] }).sizePresets).toEqual([]);
});

test('a tier price is never zero, negative or infinite', () => {
  const { rates } = settingsOf({ tierPrices: { premium: 0, midrange: -3, economy: Number.POSITIVE_INFINITY } });
  expect(rates).toEqual(builtInRates);
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
      expect(Object.values(settings.rates.tierPrices).every((price) => price > 0)).toBe(true);
    }),
  );
  for (const given of [undefined, null, 7, 'settings', [], {}]) expect(settingsOf(given)).toMatchObject(builtIn);
});
