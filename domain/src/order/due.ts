import type { Tier } from '../catalog.ts';
import { type Day, dayAfter } from '../day.ts';

/** Specification, section 3: '3-day turnaround'. */
export const turnaroundDays: Readonly<Record<Tier, number>> = { premium: 3, midrange: 5, economy: 7 };

/** @param from the day on which the shop gets the rug. */
export function dueDay(tier: Tier, from: Day): Day {
  let day = from;
  for (let passed = 0; passed < turnaroundDays[tier]; passed += 1) day = dayAfter(day);
  return day;
}
