import { pickupWindows } from '@kilim/domain/contact';
import { eachWeekday } from '@kilim/domain/pickup-plan';
import * as z from 'zod/mini';

/** Where and when the shop drives. */
export const pickupPlan = z.object({
  /** Five digits, or the first three or four of all that begin so. None: everywhere. */
  zipCodes: z.array(z.string()),
  windows: z.object(eachWeekday(() => z.array(z.enum(pickupWindows)))),
  mostPerDay: z.nullable(z.int()),
  /** With both days. */
  closedDays: z.array(z.object({ from: z.string(), to: z.string() })),
});

/** Of the next days. */
export const pickupDays = z.object({ fullDays: z.array(z.string()) });
