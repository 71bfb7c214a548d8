import {
  type ContactErrors,
  type ContactInput,
  contactFieldError,
  contactText,
  type PickupWindow,
  pickupWindows,
  windowOf,
} from './contact.ts';
import { type Day, dayAfter, daysFrom, parseDay, type Weekday, weekdayOf, weekdays } from './day.ts';
import { oneLine } from './text.ts';

/** Where and when the shop drives. A customer's day is a wish: the shop arranges the time. */
export type PickupPlan = {
  /** Five digits, or the first three or four of all ZIP codes that begin so. Empty: everywhere. */
  readonly zipCodes: readonly string[];
  /** Without a window, the shop does not drive on that day of the week. */
  readonly windows: Readonly<Record<Weekday, readonly PickupWindow[]>>;
  /** Paid orders that wish the same day; null: no limit. Who is at the checkout by then may exceed it. */
  readonly mostPerDay: number | null;
  /** Days like `2026-12-24`, including both. */
  readonly closedDays: readonly ClosedDays[];
};

export type ClosedDays = { readonly from: string; readonly to: string };

export function eachWeekday<Value>(valueFor: (weekday: Weekday) => Value): Readonly<Record<Weekday, Value>> {
  return Object.fromEntries(weekdays.map((weekday) => [weekday, valueFor(weekday)])) as Record<Weekday, Value>;
}

/** Until an owner sets it: everywhere, on every day, at any time. */
export const builtInPickupPlan: PickupPlan = {
  zipCodes: [],
  windows: eachWeekday(() => pickupWindows),
  mostPerDay: null,
  closedDays: [],
};

/** In the list of the plan. */
export const zipCodeServed = /^\d{3,5}$/;

export function notZipCode(text: string): string {
  return `“${text}” is not a ZIP code. Please write five digits, or the first three or four`;
}

/** @param zipCode of five or nine digits. */
export function isServed({ zipCodes }: Pick<PickupPlan, 'zipCodes'>, zipCode: string): boolean {
  return zipCodes.length === 0 || zipCodes.some((code) => zipCode.startsWith(code));
}

/** None on a day when the shop does not drive. */
export function windowsOn({ windows, closedDays }: PickupPlan, day: Day): readonly PickupWindow[] {
  return closedDays.some(({ from, to }) => from <= day && day <= to) ? [] : windows[weekdayOf(day)];
}

/** For a customer without a preferred day. */
export function windowsOfAnyDay({ windows }: PickupPlan): readonly PickupWindow[] {
  return pickupWindows.filter((window) => weekdays.some((weekday) => windows[weekday].includes(window)));
}

/** Specification, section 2.1. */
export const latestPickupDays = 5;

/**
 * The form offers these of the days after today.
 * @param today in the time zone of the business.
 */
export function daysOfPickup(plan: PickupPlan, today: Day, fullDays: readonly string[]): readonly Day[] {
  const days = nextDays(dayAfter(today), latestPickupDays);
  return days.filter((day) => windowsOn(plan, day).length > 0 && !fullDays.includes(day));
}

/** @returns `count` days from the first one on. */
export function nextDays(first: Day, count: number): readonly Day[] {
  const days: Day[] = [];
  for (let day = first; days.length < count; day = dayAfter(day)) days.push(day);
  return days;
}

type Area = { readonly plan: PickupPlan; readonly dropOffSites: readonly { readonly name: string }[] };

/** With what the customer can do instead. Undefined for a ZIP code that is served or not valid. */
export function unservedText(typed: string, { plan, dropOffSites }: Area): string | undefined {
  const zipCode = contactText('zipCode', typed);
  if (contactFieldError('zipCode', zipCode) !== undefined || isServed(plan, zipCode)) return undefined;
  const sites = dropOffSites.map(({ name }) => name).join(', ');
  return `We do not drive to ${zipCode.slice(0, 5)}. Drop-off is free${sites === '' ? '' : `: ${sites}`}.`;
}

export type PickupLimits = Area & {
  /** In the time zone of the business. */
  readonly today: Day;
  readonly fullDays: readonly string[];
};

type TypedPickup = Pick<ContactInput, 'zipCode' | 'pickupDay' | 'pickupWindow'>;

/** For new orders only: what the shop cannot do, by field. What is empty or not valid is no error here. */
export function pickupErrors(typed: TypedPickup, limits: PickupLimits): ContactErrors {
  const { plan } = limits;
  const unserved = unservedText(typed.zipCode, limits);
  const day = parseDay(oneLine(typed.pickupDay));
  const window = windowOf(oneLine(typed.pickupWindow));
  const dayError = day && pickupDayError(day, limits);
  const windows = day === undefined ? windowsOfAnyDay(plan) : windowsOn(plan, day);
  const isOtherTime = dayError === undefined && window !== undefined && !windows.includes(window);
  return {
    ...(unserved === undefined ? {} : { zipCode: unserved }),
    ...(dayError === undefined ? {} : { pickupDay: dayError }),
    ...(isOtherTime ? { pickupWindow: 'We do not come at this time. Please choose another one' } : {}),
  };
}

/** One day more than the form offers at each end allows a payment after midnight and a clock that is ahead. */
function pickupDayError(day: Day, { plan, today, fullDays }: PickupLimits): string | undefined {
  const daysAhead = daysFrom(today, day);
  if (daysAhead < 0) return 'This pickup day is over. Please choose another one';
  if (daysAhead > latestPickupDays + 1) return `Please choose a pickup day of the next ${latestPickupDays} days`;
  if (windowsOn(plan, day).length === 0) return 'We do not come on this day. Please choose another one';
  return fullDays.includes(day) ? 'This day is full. Please choose another one' : undefined;
}
