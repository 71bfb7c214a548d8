import { pickupWindows } from '@kilim/domain/contact';
import { eachWeekday } from '@kilim/domain/pickup-plan';
import * as z from 'zod/mini';
import { day } from './days.ts';

/** Where and when the shop drives. */
export const pickupPlan = z.object({
  /** Five digits, or the first three or four of all that begin so. None: everywhere. */
  zipCodes: z.array(z.string()),
  windows: z.object(eachWeekday(() => z.array(z.enum(pickupWindows)))),
  mostPerDay: z.nullable(z.int()),
  /** With both days. */
  closedDays: z.array(z.object({ from: z.string(), to: z.string() })),
});

export const agreedPickup = z.object({ day, window: z.enum(pickupWindows) });
export type AgreedPickup = z.output<typeof agreedPickup>;

export const pickupRequest = z.object({ day, window: z.enum(pickupWindows, 'Please choose a time') });
export type PickupRequest = z.input<typeof pickupRequest>;

/** The order itself does not fill a day. */
export const freePickupDays = z.object({ days: z.array(z.object({ day, windows: z.array(z.enum(pickupWindows)) })) });
export type FreePickupDay = z.output<typeof freePickupDays>['days'][number];

/** Of the next days. */
export const pickupDays = z.object({ fullDays: z.array(z.string()) });
