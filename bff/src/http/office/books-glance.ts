import { type Cents, toDollars } from '@kilim/domain/money';
import { Hono } from 'hono';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { askForComparison, type Books, mostUnsealed, readBooksAtAGlance } from '../../queries/read-books.ts';
import { differenceMessage, payoutDifferenceMessage, unmatchedMessage } from './books-messages.ts';
import type { BooksFigures, BooksGlanceAnswer } from './books-wire.ts';
import type { AdminGuard, AdminVariables } from './guard.ts';

export type AdminBooksGlanceOptions = {
  readonly sql: Sql;
  readonly guard: AdminGuard;
  /** In which days begin. */
  readonly timeZone: string;
};

/** Whether ledger, lists and Square say the same. */
export function adminBooksGlance({ sql, guard, timeZone }: AdminBooksGlanceOptions) {
  return new Hono<AdminVariables>()
    .get(
      '/books/glance',
      guard.signedIn(async (c) =>
        c.json<BooksGlanceAnswer>(answerOf(await repeatWhileAway(() => readBooksAtAGlance(sql, timeZone)))),
      ),
    )
    .post(
      '/books/comparison',
      guard.signedIn(async (c) => {
        await repeatWhileAway(() => askForComparison(sql));
        return c.body(null, 202);
      }),
    );
}

function answerOf({ now, seals, comparison, reconciliation, verification }: Books): BooksGlanceAnswer {
  const { last, unsealed } = seals;
  return {
    now: inDollars(now),
    seals: {
      last: last === undefined ? null : { ...last, sealedAt: last.sealedAt.toISOString() },
      unsealed,
      moreUnsealed: unsealed === mostUnsealed,
    },
    verification: verification === undefined ? null : verificationAnswer(verification),
    comparison: comparison === undefined ? null : comparisonAnswer(comparison),
    reconciliation: reconciliation === undefined ? null : reconciliationAnswer(reconciliation),
  };
}

function verificationAnswer({
  madeAt,
  report: { events, signaturesChecked, faults, firstFaults },
}: NonNullable<Books['verification']>): NonNullable<BooksGlanceAnswer['verification']> {
  return { madeAt: madeAt.toISOString(), events, signaturesChecked, faults, firstFaults };
}

function comparisonAnswer({
  madeAt,
  report,
}: NonNullable<Books['comparison']>): NonNullable<BooksGlanceAnswer['comparison']> {
  const { orders, ledger, orderList, differing, differingOrders, payouts } = report;
  return {
    madeAt: madeAt.toISOString(),
    orders,
    ledger: figuresOf(ledger),
    orderList: figuresOf(orderList),
    differing,
    differingOrders: differingOrders.map((order) => ({
      orderId: order.orderId,
      ledger: figuresOf(order.ledger),
      orderList: figuresOf(order.orderList),
    })),
    paidOut: { ...inDollars(payouts.charges), elsewhere: toDollars(payouts.elsewhere) },
    unmatched: payouts.unmatched,
    unmatchedEntries: payouts.unmatchedEntries.map(({ code, squareId, orderId, atSquare, inLedger }) => ({
      ...{ code, message: unmatchedMessage(code), squareId, orderId },
      atSquare: atSquare === null ? null : toDollars(atSquare),
      inLedger: inLedger === null ? null : toDollars(inLedger),
    })),
  };
}

function reconciliationAnswer({
  madeAt,
  report,
}: NonNullable<Books['reconciliation']>): NonNullable<BooksGlanceAnswer['reconciliation']> {
  const { span, payments, refunds, disputes, totals, payouts } = report;
  const ofPayouts = (payouts?.differences ?? []).map(({ code, squarePayoutId }) => ({
    ...{ code, message: payoutDifferenceMessage(code), squareId: squarePayoutId, orderId: null },
  }));
  return {
    madeAt: madeAt.toISOString(),
    from: span.from,
    ...{ payments, refunds, disputes },
    inFlight: report.inFlight + (payouts?.inFlight ?? 0),
    atSquare: inDollars(totals.atSquare),
    inLedger: inDollars(totals.inLedger),
    payouts: payouts?.payouts ?? null,
    differing: report.differing + ofPayouts.length,
    differences: [
      ...report.differences.map(({ code, squareId, orderId = null }) => ({
        ...{ code, message: differenceMessage(code), squareId, orderId },
      })),
      ...ofPayouts,
    ],
  };
}

function figuresOf({ taken, refunded, pending, fees }: Readonly<Record<keyof BooksFigures, Cents>>): BooksFigures {
  return inDollars({ taken, refunded, pending, fees });
}

function inDollars<Name extends string>(amounts: Readonly<Record<Name, Cents>>): Record<Name, number> {
  const dollars = Object.entries<Cents>(amounts).map(([name, amount]) => [name, toDollars(amount)]);
  return Object.fromEntries(dollars) as Record<Name, number>;
}
