import { Hono } from 'hono';
import type { Sql } from '../../database/database.ts';
import type { LedgerSigner } from '../../ledger/proof/signing-key.ts';
import type { WitnessPlace } from '../../ledger/witness/witness.ts';
import type { World } from '../../server/world.ts';
import type { Throttles } from '../throttle.ts';
import { adminAttention } from './attention.ts';
import { adminBooks } from './books.ts';
import { adminBooksGlance } from './books-glance.ts';
import { adminChanges } from './changes.ts';
import { adminClosings } from './closings.ts';
import { adminContactRetention } from './contact-retention.ts';
import { adminDifferences } from './differences.ts';
import { adminErasure } from './erasure.ts';
import { adminExportTokens } from './export-tokens.ts';
import { adminExports } from './exports.ts';
import type { AdminGuard, AdminVariables } from './guard.ts';
import { adminMails } from './mails.ts';
import { adminOrderNotes } from './order-notes.ts';
import { adminOrders } from './orders.ts';
import { adminOrdersCsv } from './orders-csv.ts';
import { adminPayouts } from './payouts.ts';
import { adminRefundLimits } from './refund-limits.ts';
import { adminRefunds } from './refunds.ts';
import { adminReimbursements } from './reimbursements.ts';
import { adminSecurityLog } from './security-log.ts';
import type { SecurityOf } from './security-of.ts';
import { adminStatistics } from './statistics.ts';

export type BackOfficeOptions = {
  readonly world: World;
  /** Days begin in this time zone. */
  readonly timeZone: string;
  readonly throttles: Throttles;
  readonly securityOf: SecurityOf;
  readonly accounting: AccountingOptions;
  /** Connections of exports, so that long reads never delay a payment. */
  readonly exporting: Sql;
  /** Whether browsers reach the server by https. */
  readonly secure: boolean;
};

export type AccountingOptions = {
  /** Signs closed periods. Absent: this server signs nothing. */
  readonly signer?: LedgerSigner | undefined;
  /** Where notes of the ledger are kept. Absent: nowhere. */
  readonly witnesses?: readonly WitnessPlace[];
  /** A client that reads nothing of an export for this long counts as gone. */
  readonly stalledAfterMs?: number;
};

/** The calls about orders and their money, each under the guard. */
export function backOffice(options: BackOfficeOptions) {
  const { world, timeZone, throttles, securityOf, accounting, exporting, secure } = options;
  const { sql, now, log } = world;
  const { signer, witnesses = [], ...stalling } = accounting;
  return (guard: AdminGuard) =>
    new Hono<AdminVariables>()
      .route('/', adminOrders({ sql, now, guard, timeZone }))
      .route('/', adminOrdersCsv({ exporting, log, guard, securityOf, timeZone, ...stalling }))
      .route('/', adminSecurityLog({ sql, guard }))
      .route('/', adminErasure({ sql, now }, guard, securityOf))
      .route('/', adminOrderNotes({ sql, guard }))
      .route('/', adminMails(world, guard))
      .route('/', adminRefunds({ world, guard, securityOf, timeZone }))
      .route('/', adminReimbursements({ world, guard, securityOf, timeZone }))
      .route('/', adminRefundLimits({ world, guard, timeZone }))
      .route('/', adminContactRetention(world, guard))
      .route('/', adminAttention({ world, guard, witnesses, signer, needsWitness: secure }))
      .route('/', adminChanges({ sql, guard }))
      .route('/', adminStatistics({ sql, now, guard, timeZone }))
      .route('/', adminExports({ sql, exporting, log, guard, throttles, securityOf, timeZone, ...stalling }))
      .route('/', adminExportTokens({ sql, guard, securityOf }))
      .route('/', adminBooksGlance({ sql, guard, timeZone, witnesses, signer }))
      .route('/', adminPayouts({ sql, guard, timeZone }))
      .route('/', adminDifferences({ world, guard }))
      .route('/', adminBooks({ world: { sql, log, now, timeZone, signer }, guard }))
      .route('/', adminClosings({ world: { sql, log, now, timeZone, signer, witnesses }, guard }));
}
