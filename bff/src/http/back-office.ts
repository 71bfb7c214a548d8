import { Hono } from 'hono';
import type { AdminGuard, AdminVariables } from '../admin/guard.ts';
import type { Sql } from '../database.ts';
import type { NoteSigner } from '../proof/signed-note.ts';
import type { PaymentWorld } from '../use-case/record-payment.ts';
import { adminBooks } from './admin-books.ts';
import { adminBooksGlance } from './admin-books-glance.ts';
import { adminErasure } from './admin-erasure.ts';
import { adminExportTokens } from './admin-export-tokens.ts';
import { adminExports } from './admin-exports.ts';
import { adminOrders } from './admin-orders.ts';
import { adminRefunds } from './admin-refunds.ts';
import { adminStatistics } from './admin-statistics.ts';
import type { Throttles } from './throttle.ts';

export type BackOfficeOptions = {
  readonly world: PaymentWorld;
  /** In which days begin. */
  readonly timeZone: string;
  readonly throttles: Throttles;
  readonly accounting: AccountingOptions;
};

export type AccountingOptions = {
  /** A pool of its own, so that long readings never wait in front of a payment. Absent: everybody's. */
  readonly sql?: Sql;
  /** Signs what is closed. Absent: nothing is signed here. */
  readonly signer?: NoteSigner | undefined;
  /** How long a client may take nothing of an export before it is taken for gone. */
  readonly stalledAfterMs?: number;
};

/** The calls of the back office about orders and their money, each under the guard. */
export function backOffice({ world, timeZone, throttles, accounting }: BackOfficeOptions) {
  const { sql, now, log } = world;
  const { sql: readingSql = sql, signer, ...patience } = accounting;
  return (guard: AdminGuard) =>
    new Hono<AdminVariables>()
      .route('/', adminOrders({ sql, now, guard, timeZone }))
      .route('/', adminErasure({ sql, now }, guard))
      .route('/', adminRefunds({ world, guard, timeZone }))
      .route('/', adminStatistics({ sql, now, guard, timeZone }))
      .route('/', adminExports({ sql: readingSql, log, guard, throttles, timeZone, ...patience }))
      .route('/', adminExportTokens({ sql, guard }))
      .route('/', adminBooksGlance({ sql, guard, timeZone }))
      .route('/', adminBooks({ world: { sql, log, now, timeZone, signer }, guard }));
}
