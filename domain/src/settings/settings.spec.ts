import { describe, expect, test } from 'vitest';
import type { Day } from '../day.ts';
import { cents } from '../money.ts';
import { builtInRefundLimits } from '../people/refund-limits.ts';
import type { Millipercent } from '../percent.ts';
import { builtInRates } from '../rates.ts';
import { side } from '../rug.ts';
import { type ChangeSettings, decideChange } from './decide-change.ts';
import { describeChange } from './describe-change.ts';
import { differencesBetween } from './differences.ts';
import { builtInSettingsFor, ratesOn, type SalesTaxRate, type Settings } from './settings.ts';

const business = {
  name: 'Kilim',
  phone: '(415) 555-0132',
  bookingUrl: 'https://example.com/book',
  dropOffSites: [{ name: 'Valley', note: 'walk-ins welcome' }],
};
const initial = builtInSettingsFor(business);

function changed(fields: Partial<Settings>, from: Settings = initial.settings): Settings {
  return { ...from, ...fields };
}

const { tierPrices: builtInPrices } = builtInRates;
const today = '2027-03-31' as Day;
const tomorrow = '2027-04-01' as Day;

function saving(settings: Settings, more: Partial<ChangeSettings> = {}) {
  return decideChange({ settings, expectedVersion: 0, today, by: 'admin', ...more }, initial);
}

function rate(since: string, millipercent: number): SalesTaxRate {
  return { since: since as Day, millipercent: millipercent as Millipercent };
}

function taxed(...rates: readonly SalesTaxRate[]): Settings {
  return changed({ salesTax: { name: 'CA Sales Tax', rates } });
}

const dearerPremium = changed({ tierPrices: { ...builtInPrices, premium: cents(625) } });

describe('saving', () => {
  test("a change becomes the next version, with all settings and the administrator's name", () => {
    expect(saving(dearerPremium)).toEqual({
      ok: true,
      value: { type: 'SettingsChanged', version: 1, settings: dearerPremium, by: 'admin' },
    });
  });

  test('a change is refused if another save came first', () => {
    const theirs = { version: 3, settings: dearerPremium };
    const mine = changed({ terms: 'Cash only' });
    expect(decideChange({ settings: mine, expectedVersion: 2, today, by: 'admin' }, theirs)).toEqual({
      ok: false,
      rejection: { code: 'ChangedMeanwhile', expected: 2, current: 3 },
    });
  });

  test('unchanged settings record nothing, from any version', () => {
    const saved = { version: 3, settings: dearerPremium };
    for (const expectedVersion of [0, 2, 3, 9]) {
      expect(decideChange({ settings: dearerPremium, expectedVersion, today, by: 'admin' }, saved)).toEqual({
        ok: true,
        value: undefined,
      });
    }
  });

  test.each([
    ['tierPrices.premium', 1, 100_000],
    ['tierMinimums.economy', 0, 1_000_000],
    ['addOnPrices.greenPad', 0, 100_000],
    ['pickup.price', 0, 100_000],
    ['pickup.minimumOrder', 0, 1_000_000],
    ['largestOrder', 100_000, 5_000_000],
  ] as const)('%s is from %i to %i cents', (path, lowest, highest) => {
    for (const amount of [lowest, highest]) expect(saving(withAmount(path, amount)).ok).toBe(true);
    for (const amount of [lowest - 1, highest + 1]) {
      expect(saving(withAmount(path, amount))).toEqual({
        ok: false,
        rejection: { code: 'AmountOutOfRange', path, lowest, highest },
      });
    }
  });

  test('a rate of the sales tax is from 0 to 30 percent', () => {
    expect(saving(taxed(rate('2000-01-01', 0), rate('2026-01-01', 30_000))).ok).toBe(true);
    expect(saving(taxed(rate('2000-01-01', 30_001)))).toMatchObject({
      rejection: { code: 'TaxRateOutOfRange', place: 0, highest: 30_000 },
    });
  });

  test('the days of the rates rise, and one rate holds today', () => {
    expect(saving(taxed(rate('2026-01-01', 9_750), rate('2026-01-01', 9_875)))).toMatchObject({
      rejection: { code: 'TaxDaysNotRising', place: 1 },
    });
    expect(saving(taxed(rate(tomorrow, 9_750)))).toEqual({ ok: false, rejection: { code: 'NoTaxRateToday', today } });
    expect(saving(taxed(rate(today, 9_750))).ok).toBe(true);
    expect(saving(taxed())).toMatchObject({ rejection: { code: 'NoTaxRateToday' } });
    const many = Array.from({ length: 51 }, (_, index) => rate(`19${index + 10}-01-01`, 9_750));
    expect(saving(taxed(...many))).toMatchObject({ rejection: { code: 'TooManyTaxRates', most: 50, given: 51 } });
  });

  test('there are at most twelve common sizes, and each can be ordered', () => {
    const preset = { width: side(5, 0), length: side(8, 0) };
    const presets = (count: number) => changed({ sizePresets: Array.from({ length: count }, () => preset) });
    expect(saving(presets(0)).ok).toBe(true);
    expect(saving(presets(12)).ok).toBe(true);
    expect(saving(presets(13))).toMatchObject({ rejection: { code: 'TooManySizePresets', most: 12, given: 13 } });
    const long = { ...preset, length: side(101, 0) };
    expect(saving(changed({ sizePresets: [preset, long] }))).toMatchObject({
      rejection: { code: 'SizePresetOutOfRange', place: 1 },
    });
  });
});

describe('saving the other fields', () => {
  test.each([2, 121, 0, -1, 6.5, Number.NaN])('contacts are not kept for %s months', (months) => {
    expect(saving(changed({ contactRetention: { months } }))).toMatchObject({
      rejection: { code: 'RetentionOutOfRange', fewest: 3, most: 120 },
    });
  });

  test('contacts are kept for 3 to 120 months, or until a person erases them', () => {
    for (const months of [3, 120, null]) expect(saving(changed({ contactRetention: { months } })).ok).toBe(true);
  });

  test('limits on refunds rise from one refund to the day of the shop', () => {
    const clerk = { ...builtInRefundLimits.clerk, perPersonAndDay: cents(1) };
    expect(saving(changed({ refundLimits: { ...builtInRefundLimits, clerk } }))).toMatchObject({
      rejection: { code: 'LimitsOutOfOrder', role: 'clerk', limit: 'perPersonAndDay' },
    });
  });

  test('unchanged settings that no server recorded are recorded again', () => {
    const command = { settings: initial.settings, expectedVersion: 3, today, by: 'admin' };
    expect(decideChange(command, { version: 3, settings: initial.settings, isUnproven: true })).toMatchObject({
      value: { version: 4 },
    });
  });
});

function withAmount(path: string, amount: number): Settings {
  const [part = '', field] = path.split('.');
  if (field === undefined) return changed({ [part]: amount });
  const before = initial.settings[part as 'pickup'];
  return changed({ [part]: { ...before, [field]: amount } });
}

describe('the rates of a day', () => {
  const settings = taxed(rate('2000-01-01', 9_750), rate(tomorrow, 10_250));

  test('have the last rate of the sales tax that has begun', () => {
    expect(ratesOn(settings, today).salesTax).toEqual({ name: 'CA Sales Tax', ...rate('2000-01-01', 9_750) });
    expect(ratesOn(settings, tomorrow).salesTax).toEqual({ name: 'CA Sales Tax', ...rate(tomorrow, 10_250) });
    expect(ratesOn(settings, '2030-01-01' as Day).salesTax.millipercent).toBe(10_250);
    expect(ratesOn(settings, '1999-12-31' as Day).salesTax.millipercent).toBe(9_750);
  });

  test('are those of the catalogue before the first save', () => {
    expect(ratesOn(initial.settings, today)).toEqual(builtInRates);
  });
});

describe('what differs', () => {
  test('each field is named by its path, and a list is one field', () => {
    const other = changed({
      tierPrices: { ...builtInPrices, premium: cents(625) },
      tierFeatures: { ...initial.settings.tierFeatures, economy: ['Only a wash'] },
      addOnImages: { pad: '/images/a.webp' },
      more: { holiday: { open: false } },
    });
    expect(differencesBetween(initial.settings, other).map(({ path }) => path)).toEqual([
      'tierPrices.premium',
      'tierFeatures.economy',
      'addOnImages.pad',
      'holiday',
    ]);
  });

  test("the order of an object's keys does not matter, the order of a list does", () => {
    const one = changed({ more: { hours: { from: 9, to: 17 }, days: ['Mon', 'Tue'] } });
    const other = changed({ more: { days: ['Mon', 'Tue'], hours: { to: 17, from: 9 } } });
    expect(differencesBetween(one, other)).toEqual([]);
    const reversed = changed({ more: { hours: { from: 9, to: 17 }, days: ['Tue', 'Mon'] } });
    expect(differencesBetween(one, reversed)).toHaveLength(1);
  });

  test('a field of ours and an unknown one never hide each other', () => {
    const one = changed({ more: { extra: [] } });
    const other = changed({ more: { extra: {} } });
    expect(differencesBetween(one, other)).toEqual([{ path: 'extra', before: [], after: {} }]);
  });
});

describe('the history in words', () => {
  test('shows prices in dollars, added and removed lines, and only the names of long texts', () => {
    const after = changed({
      tierPrices: { ...builtInPrices, premium: cents(625) },
      tierFeatures: { ...initial.settings.tierFeatures, economy: ['Basic hand cleaning', 'A smile'] },
      terms: 'x'.repeat(100),
      addOnImages: { pad: '/images/a.webp' },
      business: { ...business, phone: '(415) 555-0199' },
    });
    expect(describeChange(initial.settings, after)).toEqual([
      'Premium price per sq ft: $5.95 → $6.25',
      'Economy features: added “A smile”, removed “Dust removal”, removed “7-day turnaround”',
      'Terms changed',
      'Business phone: “(415) 555-0132” → “(415) 555-0199”',
      'Pad image added',
    ]);
  });

  test('says which parts of the first day an owner found right, and whether the list is shown', () => {
    const settled = changed({ firstDay: { settled: ['terms', 'pickup'], isHidden: true } });
    expect(describeChange(initial.settings, settled)).toEqual([
      'First day, right as it is: added “Terms”, added “Pickup”',
      'First day: list hidden',
    ]);
    expect(describeChange(settled, initial.settings)).toContain('First day: list shown again');
  });

  test('shows each change of the sales tax with its day, also one that is taken back', () => {
    const later = taxed(rate('2000-01-01', 9_750), rate(tomorrow, 10_250));
    expect(describeChange(initial.settings, later)).toEqual(['Sales tax from April 1, 2027: 9.75 % → 10.25 %']);
    expect(describeChange(later, initial.settings)).toEqual(['Sales tax from April 1, 2027: 10.25 % → 9.75 %']);
    expect(describeChange(later, taxed(rate('2000-01-01', 9_875), rate(tomorrow, 10_250)))).toEqual([
      'Sales tax from January 1, 2000: 9.75 % → 9.875 %',
    ]);
    const same = taxed(rate('2000-01-01', 9_750), rate(tomorrow, 9_750));
    expect(describeChange(initial.settings, same)).toEqual(['Sales tax rates changed']);
  });

  test('shows minimums, add-ons, pickup, common sizes and drop-off sites by name', () => {
    const after = changed({
      tierMinimums: { ...builtInRates.tierMinimums, premium: cents(14_000) },
      addOnPrices: { ...builtInRates.addOnPrices, stainProtection: cents(0) },
      pickup: { price: cents(75), minimumOrder: cents(45_000) },
      pickupPlan: {
        ...initial.settings.pickupPlan,
        zipCodes: ['900', '91304'],
        windows: { ...initial.settings.pickupPlan.windows, friday: ['morning'], sunday: [] },
        mostPerDay: 4,
        closedDays: [{ from: '2026-12-24', to: '2026-12-26' }],
      },
      largestOrder: cents(3_000_000),
      salesTax: { ...initial.settings.salesTax, name: 'LA Sales Tax' },
      sizePresets: [{ width: side(2, 6), length: side(8, 0) }, ...initial.settings.sizePresets.slice(1)],
      business: {
        ...business,
        dropOffSites: [
          { name: 'Valley', note: 'by appointment' },
          { name: 'West LA', note: '' },
        ],
      },
    });
    expect(describeChange(initial.settings, after)).toEqual([
      'Premium minimum per rug: $135.00 → $140.00',
      'Stain protection per sq ft: $2.50 → $0.00',
      'Pickup per sq ft: $0.50 → $0.75',
      'Minimum order with pickup: $400.00 → $450.00',
      'Name of the sales tax: “CA Sales Tax” → “LA Sales Tax”',
      'Largest order paid online: $25,000.00 → $30,000.00',
      'Common sizes: added “2 ft 6 in × 8 ft”, removed “5 × 8 ft”',
      'ZIP codes served: added “900”, added “91304”',
      'Pickup on Friday: morning, afternoon, evening → morning',
      'Pickup on Sunday: morning, afternoon, evening → none',
      'Pickups a day: no limit → 4',
      'Closed days: added “2026-12-24 to 2026-12-26”',
      'Drop-off sites: changed “Valley”, added “West LA”',
    ]);
  });
});
