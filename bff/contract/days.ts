import { type Day, parseDay } from '@kilim/domain/day';
import * as z from 'zod/mini';
import { id } from './ids.ts';

/** A day in the time zone of the business: `2026-11-21`. */
export const day = id<Day>(parseDay, 'Please give a day like 2026-11-21');

type DayRange = { readonly from?: string | undefined; readonly to?: string | undefined };

export const daysInOrder = z.refine<DayRange>(({ from, to }) => from === undefined || to === undefined || from <= to, {
  error: 'This is before the first day',
  path: ['to'],
});
