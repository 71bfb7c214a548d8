import { describe, expect, test } from 'vitest';
import { cents } from '../money.ts';
import { builtInPickupPlan } from '../pickup-plan.ts';
import { firstDaySteps, settleableSteps } from './first-day.ts';
import { type FirstDayFacts, isStepDone } from './is-step-done.ts';
import { builtInSettingsFor, type Settings } from './settings.ts';

const sites = [
  { name: 'West LA', note: '' },
  { name: 'Valley', note: '' },
];
const { settings: builtIn } = builtInSettingsFor({ name: 'Kilim', phone: '', bookingUrl: '', dropOffSites: sites });
const nothing: FirstDayFacts = { hasOwnPassword: false, hasPaidOrder: false, hasSentMail: false };

function done(changes: Partial<Settings> = {}, facts: Partial<FirstDayFacts> = {}) {
  const isDone = isStepDone({ ...builtIn, ...changes }, builtIn, { ...nothing, ...facts });
  return firstDaySteps.filter((step) => isDone[step]);
}

describe('a step is done', () => {
  test('by a fact, so nothing is at first', () => {
    expect(done()).toEqual([]);
    expect(done({}, { hasOwnPassword: true })).toEqual(['password']);
    expect(done({}, { hasPaidOrder: true })).toEqual(['order']);
    expect(done({}, { hasSentMail: true })).toEqual(['mail']);
  });

  test.each<[string, Partial<Settings>]>([
    ['shop', { business: { ...builtIn.business, phone: '(415) 555-0132' } }],
    ['prices', { tierPrices: { ...builtIn.tierPrices, premium: cents(625) } }],
    ['tax', { salesTax: { ...builtIn.salesTax, name: 'LA Sales Tax' } }],
    ['terms', { terms: '<p>Be kind.</p>' }],
    ['pickup', { pickupPlan: { ...builtInPickupPlan, zipCodes: ['900'] } }],
  ])('when its settings are other than those of the beginning: %s', (step, changes) => {
    expect(done(changes)).toEqual([step]);
  });

  test('when each site has an address', () => {
    const withSites = (dropOffSites: Settings['business']['dropOffSites']) =>
      done({ business: { ...builtIn.business, dropOffSites } });
    const [first, second] = sites.map((site) => ({ ...site, address: '1 Loom St, Los Angeles' }));
    if (first === undefined || second === undefined) throw new Error('There are two sites');
    expect(withSites([first, ...sites.slice(1)])).toEqual([]);
    expect(withSites([])).toEqual([]);
    expect(withSites([first, second])).toEqual(['sites']);
  });

  test('when an owner says that it is right as it is', () => {
    for (const step of settleableSteps) {
      expect(done({ firstDay: { settled: [step], isHidden: false } })).toEqual([step]);
    }
  });

  test('by no setting of another part', () => {
    expect(done({ largestOrder: cents(200_000), addOnImages: { pad: '/images/a.webp' } })).toEqual([]);
  });
});
