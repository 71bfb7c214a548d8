import * as z from 'zod/mini';

/** The shapes of `bff/src/http/office/books-wire.ts`, checked when they arrive. Totals may be larger than any one amount. */

const dollars = z.number();
const figuresSchema = z.object({ taken: dollars, refunded: dollars, pending: dollars, fees: dollars });
const totalsSchema = z.object({ taken: dollars, refunded: dollars });

const differenceFields = {
  code: z.string(),
  message: z.string(),
  squareId: z.string(),
  orderId: z.nullable(z.string()),
};

export const glanceSchema = z.object({
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
    moreUnsealed: z.boolean(),
  }),
  verification: z.nullable(
    z.object({
      madeAt: z.string(),
      events: z.number(),
      signaturesChecked: z.boolean(),
      faults: z.number(),
      firstFaults: z.array(z.string()),
    }),
  ),
  comparison: z.nullable(
    z.object({
      madeAt: z.string(),
      orders: z.number(),
      ledger: figuresSchema,
      orderList: figuresSchema,
      differing: z.number(),
      differingOrders: z.array(z.object({ orderId: z.string(), ledger: figuresSchema, orderList: figuresSchema })),
      paidOut: z.object({ atSquare: dollars, inLedger: dollars, elsewhere: dollars }),
      unmatched: z.number(),
      unmatchedEntries: z.array(
        z.object({ ...differenceFields, atSquare: z.nullable(dollars), inLedger: z.nullable(dollars) }),
      ),
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
      atSquare: totalsSchema,
      inLedger: totalsSchema,
      payouts: z.nullable(z.number()),
      differing: z.number(),
      differences: z.array(z.object(differenceFields)),
    }),
  ),
});
export type Glance = z.infer<typeof glanceSchema>;
