import { tiers } from '@kilim/domain/catalog';
import * as z from 'zod/mini';
import { day } from './days.ts';
import { dollars } from './money.ts';
import { agreedPickup } from './pickup-plan.ts';
import { customerInfo } from './quote.ts';

const rugs = {
  _id: z.string(),
  rugCount: z.int(),
  /** Masked for people who do not see contacts; null after it was erased. */
  customerInfo: z.nullable(customerInfo),
};

const pickup = z.object({ ...rugs, agreedPickup: z.nullable(agreedPickup) });
export type TodayPickup = z.output<typeof pickup>;

const dueRugs = z.object({
  ...rugs,
  due: day,
  tier: z.enum(tiers),
  /** In the shop. */
  isHere: z.boolean(),
});
export type DueRugs = z.output<typeof dueRugs>;

const figures = z.object({ takings: dollars, orders: z.int() });

/** At most twenty rows of each list; `total` counts all. */
export const today = z.object({
  day,
  /** Paid pickups of the last sixty days that are not agreed, by the wished day, else by the day of the order. */
  toCall: z.object({ total: z.int(), rows: z.array(pickup) }),
  /** Agreed for this day and for the next one. */
  coming: z.object({ total: z.int(), rows: z.array(pickup) }),
  tomorrow: z.object({ total: z.int(), rows: z.array(pickup) }),
  /** From today until in seven days, of rugs that are not ready. */
  due: z.object({ total: z.int(), rows: z.array(dueRugs) }),
  /** Orders in the shop, as the lists of these filters have them. */
  inShop: z.object({ received: z.int(), ready: z.int(), asked: z.int() }),
  figures: z.object({ today: figures, thisMonth: figures }),
});
export type Today = z.output<typeof today>;
export type TodayAnswer = z.input<typeof today>;
