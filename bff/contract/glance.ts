import { resolutionReasons } from '@kilim/domain/accounting/resolutions';
import * as z from 'zod/mini';
import { signedDollars as dollars } from './money.ts';

const figures = z.object({
  taken: dollars,
  /** By Square, and by the shop outside Square. */
  refunded: dollars,
  /** Refunds that are promised and not yet completed. */
  pending: dollars,
  fees: dollars,
});
/** `refunded` is what Square returned, also of payments without an order. */
const totals = z.object({ taken: dollars, refunded: dollars, fees: dollars, disputed: dollars });
/** Why the figures were not compared, as a sentence; null when they were. */
const notCompared = z.nullable(z.string());

const difference = z.object({
  code: z.string(),
  message: z.string(),
  squareId: z.string(),
  orderId: z.nullable(z.string()),
  /** ISO 8601 instant of the fact, if it is known. */
  at: z.nullable(z.string()),
});

/** What a person can do about a payment without an order. */
const waysToResolve = ['refund', 'assign', 'writeOff'] as const;
export type WayToResolve = (typeof waysToResolve)[number];

/** An entry of a payout that does not match the ledger. */
const unmatchedEntry = z.extend(difference, { atSquare: z.nullable(dollars), inLedger: z.nullable(dollars) });

/** `GET /api/admin/books/glance`. A comparison that has never run is null. */
export const glance = z.object({
  now: z.object({
    taken: dollars,
    /** Paid back by Square. */
    cardRefunds: dollars,
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
    /** Why the answering server seals nothing: a sentence. */
    refused: z.nullable(z.string()),
  }),
  /** Places outside the server that get the newest note each day. Empty: none is configured. */
  witnesses: z.array(
    z.object({
      kind: z.enum(['mail', 'timestamp']),
      to: z.string(),
      /** The newest note that the place got. */
      last: z.nullable(z.object({ sequence: z.number(), sentAt: z.string() })),
      /** It got no note for more than 26 hours. */
      isLate: z.boolean(),
    }),
  ),
  /** The result of the last `npm run ledger -- verify`. */
  verification: z.nullable(
    z.object({
      madeAt: z.string(),
      events: z.number(),
      signaturesChecked: z.boolean(),
      /** The newest checkpoint that a note from elsewhere confirmed. Null: the ledger is not proven. */
      keptNote: z.nullable(z.object({ sequence: z.number(), at: z.nullable(z.string()) })),
      faults: z.number(),
      /** A sentence for each of the first twenty. */
      firstFaults: z.array(z.string()),
    }),
  ),
  comparison: z.nullable(
    z.object({
      madeAt: z.string(),
      /** Of orders and clearing: the comparison is too old to be relied on. */
      notCompared,
      orders: z.number(),
      ledger: figures,
      orderList: figures,
      differing: z.number(),
      /** The first hundred. */
      differingOrders: z.array(z.object({ orderId: z.string(), ledger: figures, orderList: figures })),
      paidOut: z.object({ atSquare: dollars, inLedger: dollars, elsewhere: dollars, notCompared }),
      unmatched: z.number(),
      /** The first hundred. */
      unmatchedEntries: z.array(unmatchedEntry),
      clearing: z.object({
        balance: dollars,
        /** Open items, which add up to the balance. */
        items: z.number(),
        onItsWay: dollars,
        recent: dollars,
        beforeFirstPayout: dollars,
        notPaidOut: dollars,
        notPaidOutItems: z.number(),
        unexplained: dollars,
        /** A sentence for each alarm: what is wrong and what to do. */
        alarms: z.array(z.string()),
        /** The first hundred, the oldest first. */
        openItems: z.array(
          z.object({
            kind: z.string(),
            squareId: z.string(),
            orderId: z.nullable(z.string()),
            amount: dollars,
            at: z.string(),
            onItsWayIn: z.nullable(z.string()),
            state: z.enum(['recent', 'onItsWay', 'beforeFirstPayout', 'notPaidOut']),
            /** No payout is expected to settle it any more. */
            canBeWrittenOff: z.boolean(),
          }),
        ),
      }),
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
      /** Of taken, refunded and disputed money. */
      notCompared,
      feesNotCompared: notCompared,
      /** Null when Square did not tell of them. */
      payouts: z.nullable(z.number()),
      differing: z.number(),
      differences: z.array(
        z.extend(difference, {
          amount: dollars,
          /** What a person can do, besides explaining it. */
          ways: z.array(z.enum(waysToResolve)),
        }),
      ),
    }),
  ),
  /** What people decided about differences, the newest first: at most a hundred. */
  resolved: z.array(
    z.object({
      /** Names the resolution in `POST /api/admin/books/resolutions/:version/undo`. */
      version: z.number(),
      /** Null as long as it stands. */
      undone: z.nullable(z.object({ by: z.string(), at: z.string() })),
      canBeUndone: z.boolean(),
      /** The kind of an explained difference; null for all other resolutions. */
      code: z.nullable(z.string()),
      message: z.string(),
      squareId: z.string(),
      /** The order that a payment was assigned to. */
      orderId: z.nullable(z.string()),
      amount: dollars,
      reason: z.enum(resolutionReasons),
      by: z.string(),
      at: z.string(),
    }),
  ),
});
export type Glance = z.output<typeof glance>;
export type GlanceAnswer = z.input<typeof glance>;
