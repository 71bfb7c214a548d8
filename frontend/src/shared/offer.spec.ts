import { tierOffers } from '@kilim/domain/catalog';
import { builtInRates } from '@kilim/domain/rates';
import { builtInSizePresets } from '@kilim/domain/size-presets';
import { anything, assert, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { offerOf } from './offer.ts';
import { settingsOf } from './settings.ts';

const parse = (given: unknown) => offerOf(settingsOf(given)).rates;

test('the rates of the business are used', () => {
  const rates = parse({
    tierPrices: { premium: 7.25, midrange: 5, economy: 2.5 },
    tierMinimums: { premium: 140, midrange: 0, economy: 80.5 },
    addOnPrices: { stainProtection: 0, greenPad: 3.75 },
    pickup: { price: 0.75, minimumOrder: 450 },
    largestOrder: 30_000,
    salesTax: { name: 'LA Sales Tax', percent: 9.875, since: '2026-10-01' },
  });
  expect(rates).toEqual({
    largestOrder: 3_000_000,
    tierPrices: { premium: 725, midrange: 500, economy: 250 },
    tierMinimums: { premium: 14_000, midrange: 0, economy: 8050 },
    addOnPrices: { stainProtection: 0, greenPad: 375 },
    pickup: { price: 75, minimumOrder: 45_000 },
    salesTax: { name: 'LA Sales Tax', millipercent: 9875, since: '2026-10-01' },
  });
});

test('a missing or malformed rate falls back to the built-in one, and the others stay', () => {
  const rates = parse({
    tierPrices: { premium: 7.25, midrange: '4.00', economy: 1.999 },
    tierMinimums: { premium: -1, midrange: 90 },
    addOnPrices: [],
    pickup: { price: 'free', minimumOrder: 300 },
    salesTax: { name: '', percent: 9.8755, since: 'today' },
  });
  const { tierPrices, tierMinimums, pickup } = builtInRates;
  expect(rates).toEqual({
    ...builtInRates,
    tierPrices: { ...tierPrices, premium: 725 },
    tierMinimums: { ...tierMinimums, midrange: 9000 },
    pickup: { ...pickup, minimumOrder: 30_000 },
  });
});

test('a tier price is never zero, negative or infinite', () => {
  expect(parse({ tierPrices: { premium: 0, midrange: -3, economy: Number.POSITIVE_INFINITY } })).toEqual(builtInRates);
});

test('no content of the settings breaks the prices', () => {
  assert(
    property(anything(), (given) => {
      expect(Object.values(parse(given).tierPrices).every((price) => price > 0)).toBe(true);
    }),
  );
  for (const given of [undefined, null, 7, 'settings', [], {}]) expect(parse(given)).toEqual(builtInRates);
});

test('the same settings give the same offer, so that components can compare them', () => {
  const settings = settingsOf({});
  expect(offerOf(settings)).toBe(offerOf(settings));
});

const sizesOf = (sizePresets: unknown) => offerOf(settingsOf({ sizePresets })).sizePresets;

test('the sizes of the settings are offered, and there may be none', () => {
  expect(sizesOf([{ width: 30, length: 96 }])).toEqual([{ width: 30, length: 96 }]);
  expect(sizesOf([])).toEqual([]);
});

test.each([[undefined], [[{ width: 60, length: 96 }, { width: 60 }]], [[{ width: 60, length: 1e6 }]], ['5x8']])(
  'the built-in sizes replace %j',
  (given) => {
    expect(sizesOf(given)).toEqual(builtInSizePresets);
  },
);

test('no content of the settings breaks the sizes', () => {
  assert(
    property(anything(), (given) => {
      expect(sizesOf(given).every(({ width, length }) => width > 0 && length > 0)).toBe(true);
    }),
  );
});

describe('features and images', () => {
  const builtIn = {
    premium: tierOffers.premium.features,
    midrange: tierOffers.midrange.features,
    economy: tierOffers.economy.features,
  };

  test('of the business are used', () => {
    const addOnImages = { pad: 'https://images.example/pad.webp', protection: '/images/protection.webp' };
    const tierFeatures = { premium: ['Silk'], midrange: [], economy: [' Wool ', '', 'Wool'] };
    expect(offerOf(settingsOf({ tierFeatures, addOnImages }))).toMatchObject({
      features: { premium: ['Silk'], midrange: [], economy: ['Wool'] },
      addOnImages,
    });
  });

  test('that are malformed fall back to the built-in ones, and the others stay', () => {
    const tierFeatures = { premium: ['Silk'], midrange: ['Wool', 7] };
    const { features, addOnImages } = offerOf(settingsOf({ tierFeatures, addOnImages: 'pad.webp' }));
    expect(features).toEqual({ ...builtIn, premium: ['Silk'] });
    expect(addOnImages).toEqual({});
  });

  test('an image comes from this site or over https, and has a known name', () => {
    const { addOnImages } = offerOf(
      settingsOf({
        addOnImages: {
          pad: 'javascript:alert(1)',
          protection: '//elsewhere.example/p.png',
          repair: '/\\elsewhere.example/p.png',
          other: '/other.png',
        },
      }),
    );
    expect(addOnImages).toEqual({});
  });
});
