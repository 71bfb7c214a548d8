import { describe, expect, test } from 'vitest';
import { builtInPrices } from '../catalog.ts';
import { cents } from '../money.ts';
import { describeChange } from './describe-change.ts';
import { builtInSettingsFor, decideChange, differencesBetween, type Settings } from './settings.ts';

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

const dearerPremium = changed({ tierPrices: { ...builtInPrices, premium: cents(625) } });

describe('saving', () => {
  test("a change becomes the next version, with all settings and the administrator's name", () => {
    expect(decideChange({ settings: dearerPremium, expectedVersion: 0, by: 'admin' }, initial)).toEqual({
      ok: true,
      value: { type: 'SettingsChanged', version: 1, settings: dearerPremium, by: 'admin' },
    });
  });

  test('a change is refused if another save came first', () => {
    const theirs = { version: 3, settings: dearerPremium };
    const mine = changed({ terms: 'Cash only' });
    expect(decideChange({ settings: mine, expectedVersion: 2, by: 'admin' }, theirs)).toEqual({
      ok: false,
      rejection: { code: 'ChangedMeanwhile', expected: 2, current: 3 },
    });
  });

  test('unchanged settings record nothing, from any version', () => {
    const saved = { version: 3, settings: dearerPremium };
    for (const expectedVersion of [0, 2, 3, 9]) {
      expect(decideChange({ settings: dearerPremium, expectedVersion, by: 'admin' }, saved)).toEqual({
        ok: true,
        value: undefined,
      });
    }
  });

  test.each([0, -1, 100_001])('a tier at %i cents per square foot is refused', (price) => {
    const settings = changed({ tierPrices: { ...builtInPrices, economy: cents(price) } });
    expect(decideChange({ settings, expectedVersion: 0, by: 'admin' }, initial)).toMatchObject({
      ok: false,
      rejection: { code: 'PriceOutOfRange', tier: 'economy' },
    });
  });

  test.each([1, 100_000])('a tier may cost %i cents per square foot', (price) => {
    const settings = changed({ tierPrices: { ...builtInPrices, economy: cents(price) } });
    expect(decideChange({ settings, expectedVersion: 0, by: 'admin' }, initial).ok).toBe(true);
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
});
