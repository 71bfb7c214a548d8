import * as z from 'zod/mini';
import { signedDollars as dollars } from './money.ts';

const figures = z.object({
  taken: dollars,
  refunded: dollars,
  /** Refunds that are promised and not yet completed. */
  pending: dollars,
  fees: dollars,
});
const totals = z.object({ taken: dollars, refunded: dollars });

const difference = z.object({
  code: z.string(),
  message: z.string(),
  squareId: z.string(),
  orderId: z.nullable(z.string()),
});

/** An entry of a payout that does not match the ledger, or money that no payout has brought. */
const unmatchedEntry = z.extend(difference, { atSquare: z.nullable(dollars), inLedger: z.nullable(dollars) });

/** `GET /api/admin/books/glance`. A comparison that has never run is null. */
export const glance = z.object({
  now: z.object({
    taken: dollars,
    refunded: dollars,
    fees: dollars,
    atSquare: dollars,
    onItsWay: dollars,
    atBank: dollars,
  }),
  seals: z.object({
    last: z.nullable(z.object({ sequence: z.number(), sealedAt: z.string(), events: z.number() })),
    unsealed: z.number(),
    /** The server stopped counting: there are more. */
    moreUnsealed: z.boolean(),
  }),
  /** The result of the last `npm run ledger -- verify`. */
  verification: z.nullable(
    z.object({
      madeAt: z.string(),
      events: z.number(),
      signaturesChecked: z.boolean(),
      faults: z.number(),
      /** A sentence for each of the first twenty. */
      firstFaults: z.array(z.string()),
    }),
  ),
  comparison: z.nullable(
    z.object({
      madeAt: z.string(),
      orders: z.number(),
      ledger: figures,
      orderList: figures,
      differing: z.number(),
      /** The first hundred. */
      differingOrders: z.array(z.object({ orderId: z.string(), ledger: figures, orderList: figures })),
      paidOut: z.object({ atSquare: dollars, inLedger: dollars, elsewhere: dollars }),
      unmatched: z.number(),
      /** The first hundred. */
      unmatchedEntries: z.array(unmatchedEntry),
    }),
  ),
  reconciliation: z.nullable(
    z.object({
      madeAt: z.string(),
      from: z.string(),
      payments: z.number(),
      refunds: z.number(),
      disputes: z.number(),
      inFlight: z.number(),
      atSquare: totals,
      inLedger: totals,
      /** Null when Square did not tell of them. */
      payouts: z.nullable(z.number()),
      differing: z.number(),
      differences: z.array(difference),
    }),
  ),
});
export type Glance = z.output<typeof glance>;
export type GlanceAnswer = z.input<typeof glance>;
