import { firstDaySteps } from '@kilim/domain/settings/first-day';
import * as z from 'zod/mini';

/** What a new owner does until the shop can open. */
export const firstDay = z.object({
  isHidden: z.boolean(),
  steps: z.array(z.object({ step: z.enum(firstDaySteps), isDone: z.boolean() })),
  /** Null: mails have no shop. */
  mailTo: z.nullable(z.string()),
  isMailWaiting: z.boolean(),
  /** Of the order form. */
  shopUrl: z.string(),
});
export type FirstDayAnswer = z.output<typeof firstDay>;
