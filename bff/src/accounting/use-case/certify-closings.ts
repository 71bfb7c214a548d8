import type { Closing } from '@kilim/domain/accounting/books';
import type { ClosingsEvent, PeriodCertified } from '@kilim/domain/accounting/closings';
import { ok, type Result } from '@kilim/domain/result';
import { handle } from '../../core/ledger/handle.ts';
import { booksOf, eventsOf, readBooksHistory } from '../../core/ledger/read.ts';
import { certifyExports } from '../export/certify.ts';
import { closingsTarget } from '../queries/closing-target.ts';
import { type ChecklistWorld, readChecklist } from '../queries/read-checklist.ts';

/** Oldest first. Concurrent servers record one. */
export async function certifyClosings(world: ChecklistWorld): Promise<number> {
  const { sql } = world;
  const history = await readBooksHistory(sql);
  const certified = new Set(eventsOf(history.closings).flatMap(certifiedClosing));
  const missing = booksOf(history).closings.filter(({ version }) => !certified.has(version));
  for (const closing of missing) await certifyClosing(world, closing);
  return missing.length;
}

async function certifyClosing(world: ChecklistWorld, closing: Closing): Promise<void> {
  const { sql, timeZone } = world;
  const books = booksOf(await readBooksHistory(sql));
  const checklist = await readChecklist(world, books, closing.through);
  const certificate: PeriodCertified = {
    type: 'PeriodCertified',
    ...(await certifyExports(sql, books, { closing, timeZone })),
    openPoints: checklist.flatMap(({ point, state, count }) => (state === 'open' ? [{ point, count }] : [])),
  };
  await handle(world, closingsTarget(sql), {
    commandId: `certify-closing:${closing.version}`,
    actor: 'certificate-worker',
    requestId: undefined,
    decide: ({ history }): Result<readonly ClosingsEvent[], never> => {
      const isCertified = eventsOf(history.closings).flatMap(certifiedClosing).includes(closing.version);
      // If an owner has reopened the closing since, the digests may be those of open days.
      const isInForce = booksOf(history).closings.some(({ version }) => version === closing.version);
      return ok(isCertified || !isInForce ? [] : [certificate]);
    },
  });
}

function certifiedClosing(event: ClosingsEvent): readonly number[] {
  return event.type === 'PeriodCertified' ? [event.closing] : [];
}
