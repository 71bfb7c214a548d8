import { serveBooks } from '../../../accounting/http/books.ts';
import { serveBooksGlance } from '../../../accounting/http/books-glance.ts';
import { serveClosings } from '../../../accounting/http/closings.ts';
import { serveDifferences } from '../../../accounting/http/differences.ts';
import { serveExportTokens } from '../../../accounting/http/export-tokens.ts';
import { serveExports } from '../../../accounting/http/exports.ts';
import { servePayouts } from '../../../accounting/http/payouts.ts';
import { serveReimbursements } from '../../../accounting/http/reimbursements.ts';
import { serveRefundLimits } from '../../../people/http/refund-limits.ts';
import { serveSecurityLog } from '../../../people/http/security-log.ts';
import type { SecurityOf } from '../../../people/http/security-of.ts';
import type { ProvenSession } from '../../../people/sign-in/sessions.ts';
import type { LedgerSigner } from '../../../proof/signing-key.ts';
import type { WitnessPlace } from '../../../proof/witness/witness.ts';
import type { Sql } from '../../database/database.ts';
import type { World } from '../../use-case/world.ts';
import type { Guard, Serve } from '../serve.ts';
import type { Throttles } from '../throttle/throttle.ts';
import { serveAttention } from './attention.ts';
import { serveChanges } from './changes.ts';
import { serveErasure } from './erasure.ts';
import { serveMails } from './mails.ts';
import { serveOrderNotes } from './order-notes.ts';
import { serveOrders } from './orders.ts';
import { serveOrdersCsv } from './orders-csv.ts';
import { serveRefunds } from './refunds.ts';
import { serveStatistics } from './statistics.ts';

export type BackOfficeOptions = {
  readonly world: World;
  readonly timeZone: string;
  readonly throttles: Throttles;
  readonly securityOf: SecurityOf;
  readonly accounting: AccountingOptions;
  /** Long reads must never delay a payment. */
  readonly exporting: Sql;
  readonly secure: boolean;
};

export type AccountingOptions = {
  /** Absent: this server signs nothing. */
  readonly signer?: LedgerSigner | undefined;
  /** Absent: nowhere. */
  readonly witnesses?: readonly WitnessPlace[];
  readonly stalledAfterMs?: number;
};

export function serveBackOffice(serve: Serve, guard: Guard<ProvenSession>, options: BackOfficeOptions): void {
  const { world, timeZone, throttles, securityOf, accounting, exporting, secure } = options;
  const { sql, now, log } = world;
  const { signer, witnesses = [], ...stalling } = accounting;
  serveOrders(serve, { sql, now, timeZone });
  serveOrdersCsv(serve, { exporting, log, securityOf, timeZone, ...stalling });
  serveSecurityLog(serve, sql);
  serveErasure(serve, { sql, now }, securityOf);
  serveOrderNotes(serve, sql);
  serveMails(serve, world);
  serveRefunds(serve, { world, securityOf, timeZone });
  serveReimbursements(serve, { world, securityOf, timeZone });
  serveRefundLimits(serve, { world, timeZone });
  serveAttention(serve, { world, witnesses, signer, needsWitness: secure });
  serveChanges(serve, sql);
  serveStatistics(serve, { sql, now, timeZone });
  serveExports(serve, { sql, exporting, log, guard, throttles, securityOf, timeZone, ...stalling });
  serveExportTokens(serve, sql, securityOf);
  serveBooksGlance(serve, { sql, timeZone, witnesses, signer });
  servePayouts(serve, sql, timeZone);
  serveDifferences(serve, world);
  serveBooks(serve, { sql, log, now, timeZone, signer });
  serveClosings(serve, { sql, log, now, timeZone, signer, witnesses });
}
