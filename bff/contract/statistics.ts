import * as z from 'zod/mini';
import { signedDollars } from './money.ts';

const figureFields = {
  orders: z.number(),
  /** By card and in the shop. */
  takings: signedDollars,
  /** By Square or outside Square. */
  refunds: signedDollars,
  refundCount: z.number(),
  fees: signedDollars,
  /** Money that banks took back, less what they returned. */
  disputes: signedDollars,
  net: signedDollars,
};
const figures = z.object(figureFields);
export type Figures = z.output<typeof figures>;

export const statistics = z.object({
  from: z.string(),
  to: z.string(),
  timeZone: z.string(),
  /** With days on which nothing happened. */
  days: z.array(z.object({ ...figureFields, date: z.string() })),
  total: figures,
  today: figures,
  yesterday: figures,
  thisMonth: figures,
  /** Through the same day of the month. */
  lastMonth: figures,
});
export type Statistics = z.output<typeof statistics>;
export type StatisticsAnswer = z.input<typeof statistics>;
