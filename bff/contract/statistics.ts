import * as z from 'zod/mini';
import { signedDollars } from './money.ts';

const figureFields = {
  /** Orders that were paid. */
  orders: z.number(),
  /** Money taken. */
  takings: signedDollars,
  /** Money given back: here, in Square's dashboard, or outside Square. */
  refunds: signedDollars,
  refundCount: z.number(),
  /** Square's fees. */
  fees: signedDollars,
  /** Takings without refunds and fees. */
  net: signedDollars,
};
const figures = z.object(figureFields);
export type Figures = z.output<typeof figures>;

/** `GET /api/admin/statistics` */
export const statistics = z.object({
  from: z.string(),
  to: z.string(),
  timeZone: z.string(),
  /** Each day from the first to the last one, also the days on which nothing happened. */
  days: z.array(z.object({ ...figureFields, date: z.string() })),
  /** The sum of those days. */
  total: figures,
  today: figures,
  yesterday: figures,
  thisMonth: figures,
  /** The month before, through the same day of the month. */
  lastMonth: figures,
});
export type Statistics = z.output<typeof statistics>;
export type StatisticsAnswer = z.input<typeof statistics>;
