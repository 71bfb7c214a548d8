import { differencesBetween } from './differences.ts';
import type { FirstDayStep, SettleableStep } from './first-day.ts';
import type { Settings } from './settings.ts';

export type FirstDayFacts = {
  readonly hasOwnPassword: boolean;
  readonly hasPaidOrder: boolean;
  readonly hasSentMail: boolean;
};

const partsOf = {
  prices: ['tierPrices', 'tierMinimums', 'tierFeatures'],
  tax: ['salesTax'],
  terms: ['terms'],
  pickup: ['pickup', 'pickupPlan'],
} as const satisfies Partial<Record<SettleableStep, readonly (keyof Settings)[]>>;

/** @param builtIn before the first save. */
export function isStepDone(
  settings: Settings,
  builtIn: Settings,
  facts: FirstDayFacts,
): Readonly<Record<FirstDayStep, boolean>> {
  const { business, firstDay } = settings;
  const changed = new Set(differencesBetween(builtIn, settings).map(({ path }) => path.split('.')[0]));
  const isSettled = (step: SettleableStep) => firstDay.settled.includes(step);
  const isSet = (step: keyof typeof partsOf) => isSettled(step) || partsOf[step].some((part) => changed.has(part));
  return {
    password: facts.hasOwnPassword,
    shop: business.name !== '' && business.phone !== '',
    sites: isSettled('sites') || areFound(business.dropOffSites),
    prices: isSet('prices'),
    tax: isSet('tax'),
    terms: isSet('terms'),
    pickup: isSet('pickup'),
    order: facts.hasPaidOrder,
    mail: isSettled('mail') || facts.hasSentMail,
  };
}

function areFound(sites: Settings['business']['dropOffSites']): boolean {
  return sites.length > 0 && sites.every(({ address = '' }) => address !== '');
}
