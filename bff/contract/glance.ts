import { resolutionReasons } from '@kilim/domain/accounting/resolutions';
import * as z from 'zod/mini';
import { signedDollars as dollars } from './money.ts';

const figures = z.object({
  taken: dollars,
  refunded: dollars,
  /** Refunds that are promised and not yet completed. */
  pending: dollars,
  fees: dollars,
});
/** `refunded` includes payments without an order. */
const totals = z.object({ taken: dollars, refunded: dollars, fees: dollars, disputed: dollars });
/** Null when they were compared. */
const notCompared = z.nullable(z.string());

const difference = z.object({
  code: z.string(),
  message: z.string(),
  squareId: z.string(),
  orderId: z.nullable(z.string()),
  /** ISO 8601; null when it is not known. */
  at: z.nullable(z.string()),
});

const waysToResolve = ['refund', 'assign', 'writeOff'] as const;
export type WayToResolve = (typeof waysToResolve)[number];

const unmatchedEntry = z.extend(difference, { atSquare: z.nullable(dollars), inLedger: z.nullable(dollars) });

const verification = z.object({
  madeAt: z.string(),
  events: z.number(),
  signaturesChecked: z.boolean(),
  /** Null: the ledger is not proven. */
  keptNote: z.nullable(z.object({ sequence: z.number(), at: z.nullable(z.string()) })),
  faults: z.number(),
  firstFaults: z.array(z.string()),
});

/** A comparison that has never run is null. */
export const glance = z.object({
  now: z.object({
    taken: dollars,
    cardRefunds: dollars,
    fees: dollars,
    disputes: dollars,
    unidentified: dollars,
    onlyInPayouts: dollars,
    writtenOff: dollars,
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
  /** Places that get the newest note each day. Empty: none is configured. */
  witnesses: z.array(
    z.object({
      kind: z.enum(['mail', 'timestamp']),
      to: z.string(),
      last: z.nullable(z.object({ sequence: z.number(), sentAt: z.string() })),
      /** It got no note for more than 26 hours. */
      isLate: z.boolean(),
    }),
  ),
  /** The result of the last `npm run ledger -- verify`. */
  verification: z.nullable(verification),
  /** The result of the servers' last own check, which uses no note that is kept elsewhere. */
  check: z.nullable(verification),
  comparison: z.nullable(
    z.object({
      madeAt: z.string(),
      /** Null: the comparison is recent enough to rely on. */
      notCompared,
      orders: z.number(),
      ledger: figures,
      orderList: figures,
      differing: z.number(),
      differingOrders: z.array(z.object({ orderId: z.string(), ledger: figures, orderList: figures })),
      paidOut: z.object({ atSquare: dollars, inLedger: dollars, elsewhere: dollars, notCompared }),
      unmatched: z.number(),
      unmatchedEntries: z.array(unmatchedEntry),
      clearing: z.object({
        balance: dollars,
        items: z.number(),
        onItsWay: dollars,
        recent: dollars,
        beforeFirstPayout: dollars,
        notPaidOut: dollars,
        notPaidOutItems: z.number(),
        unexplained: dollars,
        alarms: z.array(z.string()),
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
      /** Null: they were compared. */
      notCompared: z.object({ taken: notCompared, refunded: notCompared, fees: notCompared, disputed: notCompared }),
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
      version: z.number(),
      undone: z.nullable(z.object({ by: z.string(), at: z.string() })),
      canBeUndone: z.boolean(),
      /** Null unless it explains a difference. */
      code: z.nullable(z.string()),
      message: z.string(),
      squareId: z.string(),
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
