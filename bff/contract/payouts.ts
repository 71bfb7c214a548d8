import * as z from 'zod/mini';
import { signedDollars } from './money.ts';

export const payoutStates = ['sent', 'paid', 'failed'] as const;
export type PayoutState = (typeof payoutStates)[number];

/** How the line matched the ledger when the payout was recorded. */
export const lineStandings = ['order', 'orphan', 'returned', 'elsewhere', 'payout', 'square', 'unknown'] as const;

const payoutRow = z.object({
  id: z.string(),
  state: z.enum(payoutStates),
  /** The day on which it arrived; before that, the day on which it is due, or was sent. */
  day: z.string(),
  /** Negative: Square took it from the bank. */
  amount: signedDollars,
  lines: z.number(),
  /** ISO 8601 instant. */
  sentAt: z.string(),
  dueOn: z.nullable(z.string()),
  arrivedOn: z.nullable(z.string()),
  sentBackOn: z.nullable(z.string()),
});
export type PayoutRow = z.output<typeof payoutRow>;

export const payouts = z.array(payoutRow);

/** `net` is `gross - fee`; money out is negative. */
const payoutLine = z.object({
  id: z.string(),
  at: z.nullable(z.string()),
  /** Square's word: `CHARGE`, `REFUND`, `RESERVE_HOLD`, ... */
  activity: z.string(),
  standing: z.enum(lineStandings),
  orderId: z.nullable(z.string()),
  squareId: z.nullable(z.string()),
  gross: signedDollars,
  fee: signedDollars,
  net: signedDollars,
});
export type PayoutLine = z.output<typeof payoutLine>;

/** The CSV file has all lines. */
export const mostPayoutLines = 500;

export const payout = z.object({
  ...payoutRow.shape,
  /** A simple payout has no lines of its own: a later batch has it as a line. */
  kind: z.enum(['batch', 'simple']),
  /** Square's end-to-end id, which may stand on the bank's statement. */
  bankReference: z.nullable(z.string()),
  totals: z.array(
    z.object({
      activity: z.string(),
      lines: z.number(),
      gross: signedDollars,
      fee: signedDollars,
      net: signedDollars,
    }),
  ),
  firstLines: z.array(payoutLine),
});
export type Payout = z.output<typeof payout>;
