import { pickupWindows } from '@kilim/domain/contact';
import { eachWeekday } from '@kilim/domain/pickup-plan';
import { describe, expect, test } from 'vitest';
import type { AdminSettings } from '../shared/settings/settings-calls.ts';
import {
  draftOf,
  isOfBoth,
  isSameDraft,
  mergedDraft,
  type SettingsDraft,
  settingsFrom,
  withField,
} from './settings-draft.ts';
import { wordsFor } from './settings-fields.ts';
import { problemsOf } from './settings-problems.ts';

const words = { premium: 'a', midrange: 'b', economy: 'c' };

/** With a field of a later version of the server. */
const saved = {
  version: 3,
  tierPrices: { premium: 5.95, midrange: 3.9, economy: 2 },
  tierMinimums: { premium: 135, midrange: 105, economy: 75.5 },
  addOnPrices: { stainProtection: 2.5, greenPad: 0 },
  pickup: { price: 0.5, minimumOrder: 400 },
  pickupPlan: {
    zipCodes: ['90025', '913'],
    windows: { ...eachWeekday(() => [...pickupWindows]), saturday: ['morning'], sunday: [] },
    mostPerDay: 4,
    closedDays: [{ from: '2026-12-24', to: '2027-01-03' }],
  },
  largestOrder: 25_000,
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
  notices: { above: 200 },
  intake: { waiveBelow: 5, measuring: 'Without the fringes.', collectWithinDays: 14 },
  refundLimits: {
    owner: { perRefund: 10, perPersonAndDay: 20, perShopAndDay: 30 },
    clerk: { perRefund: 1, perPersonAndDay: 2, perShopAndDay: 3 },
  },
  contactRetention: { months: 24 },
  firstDay: { settled: ['terms'], isHidden: false },
  loyaltyProgram: { points: 7 },
} satisfies AdminSettings & Record<string, unknown>;

const today = '2027-03-31';

function typed(path: string, text: string): SettingsDraft {
  const draft = draftOf(saved);
  return { ...draft, texts: { ...draft.texts, [path]: text } };
}

describe('a save', () => {
  test('of an unchanged draft is what was loaded, with unknown fields and without those of other forms', () => {
    const whole = settingsFrom(saved, draftOf(saved));
    const { refundLimits: _, contactRetention: __, firstDay: ___, ...ofForm } = saved;
    const [first, second] = saved.salesTax.rates;
    expect(whole).toEqual({
      ...ofForm,
      tierPrices: { premium: '5.95', midrange: '3.90', economy: '2.00' },
      tierMinimums: { premium: '135.00', midrange: '105.00', economy: '75.50' },
      addOnPrices: { stainProtection: '2.50', greenPad: '0.00' },
      pickup: { price: '0.50', minimumOrder: '400.00' },
      largestOrder: '25000.00',
      notices: { above: '200.00' },
      intake: { waiveBelow: '5.00', measuring: 'Without the fringes.', collectWithinDays: 14 },
      salesTax: {
        name: 'CA Sales Tax',
        rates: [
          { ...first, percent: '9.75' },
          { ...second, percent: '9.875' },
        ],
      },
    });
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

describe('common sizes', () => {
  test('are written one per line, and saved in inches', () => {
    expect(draftOf(saved).texts['sizePresets']).toBe('5 × 8 ft\n2 ft 6 in × 8 ft');
    const whole = settingsFrom(saved, typed('sizePresets', "6x9\n\n 2'6\" x 8' "));
    expect(whole['sizePresets']).toEqual([
      { width: 72, length: 108 },
      { width: 30, length: 96 },
    ]);
  });
});

const notDays = (line: string) =>
  `“${line}” is not a day. Please write it like 2026-12-25, or 2026-12-24 to 2026-12-26`;

describe('the places and days of pickup', () => {
  test('are written as an owner writes them', () => {
    const { texts } = draftOf(saved);
    expect(texts).toMatchObject({
      ...{ 'pickupPlan.zipCodes': '90025, 913', 'pickupPlan.mostPerDay': '4' },
      ...{ 'pickupPlan.closedDays': '2026-12-24 to 2027-01-03', 'pickupPlan.windows.saturday': 'morning' },
    });
  });

  test.each<[string, string, unknown]>([
    ['zipCodes', ' 90025;913\n90210,,', ['90025', '913', '90210']],
    ['zipCodes', ' ', []],
    ['mostPerDay', ' 12 ', 12],
    ['mostPerDay', '', null],
    ['closedDays', '12/25/2026\n', [{ from: '2026-12-25', to: '2026-12-25' }]],
    ['closedDays', '2026-12-24 – 2026-12-26', [{ from: '2026-12-24', to: '2026-12-26' }]],
  ])('%s: %j', (part, text, value) => {
    const whole = settingsFrom(saved, typed(`pickupPlan.${part}`, text));
    expect(whole['pickupPlan']).toEqual({ ...saved.pickupPlan, [part]: value });
    expect(problemsOf(typed(`pickupPlan.${part}`, text), today)).toEqual({});
  });

  test.each<[string, string, string]>([
    ['zipCodes', '90025 9002x', '“9002x” is not a ZIP code. Please write five digits, or the first three or four'],
    ['zipCodes', '90', '“90” is not a ZIP code. Please write five digits, or the first three or four'],
    ['mostPerDay', '0', 'Please enter a whole number from 1 to 500, or leave it empty'],
    ['mostPerDay', 'four', 'Please enter a whole number from 1 to 500, or leave it empty'],
    ['closedDays', '2026-12-26 to 2026-12-24', notDays('2026-12-26 to 2026-12-24')],
    ['closedDays', '12/25/2026\nXmas', notDays('Xmas')],
  ])('%s: %j is invalid', (part, text, message) => {
    expect(problemsOf(typed(`pickupPlan.${part}`, text), today)).toEqual({ [`pickupPlan.${part}`]: message });
  });

  test('at least one day is driven', () => {
    const { texts, ...others } = draftOf(saved);
    const none = Object.fromEntries(
      Object.entries(texts).map(([path, text]) => [path, path.startsWith('pickupPlan.windows.') ? '' : text]),
    );
    expect(problemsOf({ ...others, texts: none }, today)).toEqual({
      'pickupPlan.windows': 'Please tick at least one day',
    });
  });
});

describe('a price', () => {
  test.each(['5.95', '$5.95', '0.01', '1000', '1,000.00'])('of %s is valid', (text) => {
    expect(problemsOf(typed('tierPrices.premium', text), today)).toEqual({});
  });

  test.each(['', 'abc', '0', '-1', '1000.01', '5.955', '5,95'])('of %j is invalid', (text) => {
    expect(problemsOf(typed('tierPrices.premium', text), today)).toEqual({
      'tierPrices.premium': 'Please enter an amount from $0.01 to $1,000.00 with at most two decimals',
    });
  });

  test('of an add-on may be zero, and so may a minimum', () => {
    expect(problemsOf(typed('addOnPrices.greenPad', '0'), today)).toEqual({});
    expect(problemsOf(typed('pickup.minimumOrder', '0.00'), today)).toEqual({});
    expect(problemsOf(typed('pickup.minimumOrder', '10000.01'), today)).toEqual({
      'pickup.minimumOrder': 'Please enter an amount from $0.00 to $10,000.00 with at most two decimals',
    });
  });
});

describe('rates of the sales tax', () => {
  const rated = (...taxRates: SettingsDraft['taxRates']) => problemsOf({ ...draftOf(saved), taxRates }, today);
  const now = { percent: '9.75', since: '2000-01-01' };

  test.each(['9.875', '10 %', '0', '30'])('of %s percent are valid', (percent) => {
    expect(rated({ ...now, percent })).toEqual({});
  });

  test.each(['', '30.001', '9.8755', 'ten'])('of %j percent are invalid', (percent) => {
    expect(rated(now, { percent, since: '2027-04-01' })).toEqual({
      'salesTax.rates.1.percent': 'Please enter 0 to 30, with at most three decimals',
    });
  });

  test('have a day, each another one, and one of them holds today', () => {
    expect(rated(now, { ...now, since: '' })).toEqual({
      'salesTax.rates.1.since': 'Please choose the first day of this rate',
    });
    expect(rated(now, now)).toEqual({ 'salesTax.rates.1.since': 'Another rate begins on this day' });
    expect(rated({ ...now, since: today })).toEqual({});
    expect(rated({ ...now, since: '2027-04-01' })).toEqual({
      'salesTax.rates': 'No rate holds today. Please keep the one that holds now.',
    });
    expect(Object.keys(rated())).toEqual(['salesTax.rates']);
  });
});

test.each(['8', '8 by ten', '101 x 8', '0x8'])('%j is no common size', (line) => {
  expect(problemsOf(typed('sizePresets', `5x8\n${line}`), today)).toEqual({
    sizePresets: `“${line}” is not a size that can be ordered. Please write it like 8 x 10`,
  });
});

describe('two conflicting saves', () => {
  test.each<[string, unknown, Partial<AdminSettings>]>([
    ['tierPrices.premium', 6.1, { tierPrices: { ...saved.tierPrices, premium: 6.1 } }],
    ['tierFeatures.economy', ['New'], { tierFeatures: { ...saved.tierFeatures, economy: ['New'] } }],
    ['terms', '', { terms: '' }],
    ['addOnImages.pad', null, { addOnImages: { repair: '/images/b.webp' } }],
    ['addOnPrices.greenPad', 3.5, { addOnPrices: { ...saved.addOnPrices, greenPad: 3.5 } }],
    [
      'salesTax.rates',
      [{ since: '2000-01-01', percent: 10 }],
      { salesTax: { ...saved.salesTax, rates: [{ since: '2000-01-01', percent: 10 }] } },
    ],
    ['sizePresets', [{ width: 96, length: 120 }], { sizePresets: [{ width: 96, length: 120 }] }],
    ['business.dropOffSites', [], { business: { ...saved.business, dropOffSites: [] } }],
  ])('the choice of %s is saved', (path, value, changed) => {
    const chosen = withField(draftOf(saved), path, value);
    expect(isSameDraft(chosen, draftOf({ ...saved, ...changed }))).toBe(true);
  });

  test('a field that this page does not know keeps the value of the latest save', () => {
    expect(withField(draftOf(saved), 'loyaltyProgram.points', 9)).toEqual(draftOf(saved));
  });
});

describe('a merge', () => {
  const rates = (percent: number) => [{ since: '2000-01-01', percent }];
  const difference = (path: string, [base, yours, theirs]: readonly [unknown, unknown, unknown]) => {
    return { path, name: path, base, yours, theirs };
  };

  test('takes fields and lists that only this side changed, and keeps those of the other side', () => {
    const current = { ...saved, salesTax: { ...saved.salesTax, rates: rates(10) } };
    const differences = [
      difference('pickup.price', [0.5, 0.75, 0.5]),
      difference('salesTax.rates', [saved.salesTax.rates, saved.salesTax.rates, rates(10)]),
      difference('sizePresets', [saved.sizePresets, [{ width: 96, length: 120 }], saved.sizePresets]),
    ];
    expect(differences.some(isOfBoth)).toBe(false);
    const merged = mergedDraft({ current, differences } as never);
    expect(merged.taxRates).toEqual([{ since: '2000-01-01', percent: '10' }]);
    expect(merged.texts).toMatchObject({ 'pickup.price': '0.75', sizePresets: '8 × 10 ft' });
  });

  test('asks about a list that both sides changed', () => {
    expect(isOfBoth(difference('salesTax.rates', [saved.salesTax.rates, rates(10), rates(11)]))).toBe(true);
  });
});

test.each<[string, unknown, string]>([
  ['tierMinimums.premium', 140.5, '$140.50'],
  ['salesTax.rates', saved.salesTax.rates, '9.75 % from January 1, 2000; 9.875 % from April 1, 2027'],
  ['sizePresets', saved.sizePresets, '5 × 8 ft; 2 ft 6 in × 8 ft'],
  ['business.dropOffSites', [{ name: 'Valley', note: '', hours: '9 to 5' }], 'Valley, 9 to 5'],
  ['pickupPlan.zipCodes', ['900', '91304'], '900; 91304'],
  ['pickupPlan.closedDays', [{ from: '2026-12-24', to: '2026-12-26' }], '2026-12-24 to 2026-12-26'],
  ['pickupPlan.mostPerDay', null, ''],
  ['tierFeatures.economy', ['a', 'b'], 'a; b'],
  ['addOnImages.pad', null, ''],
])('the choice between two saves shows %s in words', (path, value, words) => {
  expect(wordsFor(path, value)).toBe(words);
});

test('a draft is unchanged after all edits were reverted, in any order', () => {
  const draft = draftOf(saved);
  expect(isSameDraft(draft, { ...draft, images: { repair: '/images/b.webp', pad: '/images/a.webp', extra: '' } })).toBe(
    true,
  );
  expect(isSameDraft(draft, typed('terms', '<p>Be kind!</p>\n'))).toBe(false);
});
