import { describe, expect, test } from 'vitest';
import type { AdminSettings } from './settings-calls.ts';
import { draftOf, isSameDraft, problemsOf, type SettingsDraft, settingsFrom, withField } from './settings-draft.ts';

const words = { premium: 'a', midrange: 'b', economy: 'c' };

/** With a field that this page does not know, as a later version of the server may send it. */
const saved = {
  version: 3,
  tierPrices: { premium: 5.95, midrange: 3.9, economy: 2 },
  tierMinimums: { premium: 135, midrange: 105, economy: 75.5 },
  addOnPrices: { stainProtection: 2.5, greenPad: 0 },
  pickup: { price: 0.5, minimumOrder: 400 },
  salesTax: {
    name: 'CA Sales Tax',
    rates: [
      { since: '2000-01-01', percent: 9.75 },
      { since: '2027-04-01', percent: 9.875 },
    ],
  },
  sizePresets: [
    { width: 60, length: 96 },
    { width: 30, length: 96 },
  ],
  tierFeatures: { premium: ['Museum-quality clean', 'Fiber protection'], midrange: ['Deep cleaning'], economy: [] },
  tierComparison: {
    rows: {
      ...{ washProcess: words, washingCoverage: words, waterSaturation: words },
      ...{ deDusting: words, tierPerks: words, specialBonuses: words },
    },
    recommendations: words,
    experience: { title: '37+ years', text: 'of rug cleaning' },
  },
  terms: '<p>Be kind.</p>\n',
  addOnImages: { pad: '/images/a.webp', repair: '/images/b.webp' },
  business: {
    ...{ name: 'Kilim', phone: '(310) 555-0100', bookingUrl: 'https://example.com', hours: '9 to 5' },
    dropOffSites: [{ name: 'Valley', note: 'walk-ins welcome' }],
  },
  loyaltyProgram: { points: 7 },
} satisfies AdminSettings & Record<string, unknown>;

function typed(path: string, text: string): SettingsDraft {
  const draft = draftOf(saved);
  return { ...draft, texts: { ...draft.texts, [path]: text } };
}

describe('a save', () => {
  test('of an unchanged draft is what was loaded, with unknown fields', () => {
    const whole = settingsFrom(saved, draftOf(saved));
    expect(whole).toEqual({ ...saved, tierPrices: { premium: '5.95', midrange: '3.90', economy: '2.00' } });
  });

  test('has one feature per line, without empty ones', () => {
    const whole = settingsFrom(saved, typed('tierFeatures.economy', ' Dust removal \n\n\tBasic hand cleaning\n'));
    expect(whole['tierFeatures']).toEqual({
      ...saved.tierFeatures,
      economy: ['Dust removal', 'Basic hand cleaning'],
    });
  });

  test('has a price as it was typed, without the sign', () => {
    expect(settingsFrom(saved, typed('tierPrices.midrange', ' $4.45 '))['tierPrices']).toMatchObject({
      midrange: '4.45',
    });
  });

  test('has null for a removed image', () => {
    const draft = { ...draftOf(saved), images: { ...saved.addOnImages, pad: '', protection: '/images/c.webp' } };
    expect(settingsFrom(saved, draft)['addOnImages']).toEqual({
      ...{ pad: null, protection: '/images/c.webp', repair: '/images/b.webp' },
    });
  });

  test('has no empty drop-off site', () => {
    const dropOffSites = [{ name: ' ', note: '' }, ...saved.business.dropOffSites];
    expect(settingsFrom(saved, { ...draftOf(saved), dropOffSites })['business']).toEqual(saved.business);
  });
});

describe('a price', () => {
  test.each(['5.95', '$5.95', '0.01', '1000', '1000.00'])('of %s is valid', (text) => {
    expect(problemsOf(typed('tierPrices.premium', text))).toEqual({});
  });

  test.each(['', 'abc', '0', '-1', '1000.01', '5.955', '5,95'])('of %j is invalid', (text) => {
    expect(problemsOf(typed('tierPrices.premium', text))).toEqual({
      'tierPrices.premium': 'Please enter a price from 0.01 to 1000.00 dollars with at most two decimals',
    });
  });
});

describe('two conflicting saves', () => {
  test.each<[string, unknown, Partial<AdminSettings>]>([
    ['tierPrices.premium', 6.1, { tierPrices: { ...saved.tierPrices, premium: 6.1 } }],
    ['tierFeatures.economy', ['New'], { tierFeatures: { ...saved.tierFeatures, economy: ['New'] } }],
    ['terms', '', { terms: '' }],
    ['addOnImages.pad', null, { addOnImages: { repair: '/images/b.webp' } }],
    ['business.dropOffSites', [], { business: { ...saved.business, dropOffSites: [] } }],
  ])('the choice of %s is saved', (path, value, changed) => {
    const chosen = withField(draftOf(saved), path, value);
    expect(isSameDraft(chosen, draftOf({ ...saved, ...changed }))).toBe(true);
  });

  test('a field that this page does not know keeps the value of the latest save', () => {
    expect(withField(draftOf(saved), 'loyaltyProgram.points', 9)).toEqual(draftOf(saved));
  });
});

test('a draft is unchanged after all edits were reverted, in any order', () => {
  const draft = draftOf(saved);
  expect(isSameDraft(draft, { ...draft, images: { repair: '/images/b.webp', pad: '/images/a.webp', extra: '' } })).toBe(
    true,
  );
  expect(isSameDraft(draft, typed('terms', '<p>Be kind!</p>\n'))).toBe(false);
});
