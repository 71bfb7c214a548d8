import { Hono } from 'hono';
import * as z from 'zod/mini';
import { type Glance, glance } from '../../../contract/glance.ts';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { askForComparison, type Books, mostUnsealed, readBooksAtAGlance } from '../../queries/read-books.ts';
import { differenceMessage, payoutDifferenceMessage, unmatchedMessage } from './books-messages.ts';
import type { AdminGuard, AdminVariables } from './guard.ts';

export type AdminBooksGlanceOptions = {
  readonly sql: Sql;
  readonly guard: AdminGuard;
  /** Days begin in this time zone. */
  readonly timeZone: string;
};

/** Whether the ledger, the lists and Square agree. */
export function adminBooksGlance({ sql, guard, timeZone }: AdminBooksGlanceOptions) {
  return new Hono<AdminVariables>()
    .get(
      '/books/glance',
      guard.may('readBooks', async (c) =>
        c.json(z.encode(glance, answerOf(await repeatWhileAway(() => readBooksAtAGlance(sql, timeZone))))),
      ),
    )
    .post(
      '/books/comparison',
      guard.may('readBooks', async (c) => {
        await repeatWhileAway(() => askForComparison(sql));
        return c.body(null, 202);
      }),
    );
}

function answerOf({ now, seals, comparison, reconciliation, verification }: Books): Glance {
  const { last, unsealed } = seals;
  return {
    now,
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
}: NonNullable<Books['verification']>): NonNullable<Glance['verification']> {
  return { madeAt: madeAt.toISOString(), events, signaturesChecked, faults, firstFaults: [...firstFaults] };
}

function comparisonAnswer({ madeAt, report }: NonNullable<Books['comparison']>): NonNullable<Glance['comparison']> {
  const { orders, ledger, orderList, differing, differingOrders, payouts } = report;
  return {
    madeAt: madeAt.toISOString(),
    orders,
    ledger,
    orderList,
    differing,
    differingOrders: [...differingOrders],
    paidOut: { ...payouts.charges, elsewhere: payouts.elsewhere },
    unmatched: payouts.unmatched,
    unmatchedEntries: payouts.unmatchedEntries.map((entry) => ({ ...entry, message: unmatchedMessage(entry.code) })),
  };
}

function reconciliationAnswer({
  madeAt,
  report,
}: NonNullable<Books['reconciliation']>): NonNullable<Glance['reconciliation']> {
  const { span, payments, refunds, disputes, totals, payouts } = report;
  const ofPayouts = (payouts?.differences ?? []).map(({ code, squarePayoutId }) => ({
    code,
    message: payoutDifferenceMessage(code),
    squareId: squarePayoutId,
    orderId: null,
  }));
  return {
    madeAt: madeAt.toISOString(),
    from: span.from,
    payments,
    refunds,
    disputes,
    inFlight: report.inFlight + (payouts?.inFlight ?? 0),
    ...totals,
    payouts: payouts?.payouts ?? null,
    differing: report.differing + ofPayouts.length,
    differences: [
      ...report.differences.map(({ code, squareId, orderId = null }) => ({
        code,
        message: differenceMessage(code),
        squareId,
        orderId,
      })),
      ...ofPayouts,
    ],
  };
}
