import * as z from 'zod/mini';
import { signedDollars } from './money.ts';

/** On its way to the bank, arrived there, or sent back by the bank. */
export const payoutStates = ['sent', 'paid', 'failed'] as const;
export type PayoutState = (typeof payoutStates)[number];

/** The match of a line with the ledger when the payout was recorded. */
export const lineStandings = ['order', 'orphan', 'returned', 'elsewhere', 'payout', 'square', 'unknown'] as const;

/** Days are those of the business: `2026-11-21`. */
const payoutRow = z.object({
  /** Square's id. */
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

/** `GET /api/admin/payouts`, newest first. */
export const payouts = z.array(payoutRow);

/** A payment, refund, fee or other change at Square. `net` is `gross - fee`; money out is negative. */
const payoutLine = z.object({
  /** Square's id of the line. */
  id: z.string(),
  /** ISO 8601 instant at which it changed the balance at Square. */
  at: z.nullable(z.string()),
  /** Square's word: `CHARGE`, `REFUND`, `RESERVE_HOLD`, ... */
  activity: z.string(),
  standing: z.enum(lineStandings),
  orderId: z.nullable(z.string()),
  /** Square's id of the refund, of the dispute or of the payment. */
  squareId: z.nullable(z.string()),
  gross: signedDollars,
  fee: signedDollars,
  net: signedDollars,
});
export type PayoutLine = z.output<typeof payoutLine>;

/** An answer holds at most so many lines of a payout; the CSV file has all. */
export const mostPayoutLines = 500;

/** `GET /api/admin/payouts/{id}` */
export const payout = z.object({
  ...payoutRow.shape,
  /** A simple payout has no lines of its own: a later batch has it as a line. */
  kind: z.enum(['batch', 'simple']),
  /** The sums by activity. */
  totals: z.array(
    z.object({
      activity: z.string(),
      lines: z.number(),
      gross: signedDollars,
      fee: signedDollars,
      net: signedDollars,
    }),
  ),
  /** The first lines, the oldest first. */
  firstLines: z.array(payoutLine),
});
export type Payout = z.output<typeof payout>;
