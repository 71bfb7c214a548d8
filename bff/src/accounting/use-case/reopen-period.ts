import { decideReopening, type ReopenPeriodRejection } from '@kilim/domain/accounting/books';
import type { ClosingsEvent, ReopenReason } from '@kilim/domain/accounting/closings';
import { ok, type Result, rejected } from '@kilim/domain/result';
import type { Sql } from '../../core/database/database.ts';
import { closingsCodec, closingsStream } from '../../core/ledger/codecs/closings.ts';
import { handle } from '../../core/ledger/handle.ts';
import { booksOf, readBooksHistory } from '../../core/ledger/read.ts';
import { closingTarget } from '../queries/closing-target.ts';
import type { Asked } from './close-period.ts';

export type ReopenAsked = Asked & { readonly closing: number; readonly reason: ReopenReason };

/** To reopen a closing again changes nothing. */
export async function reopenPeriod(
  world: { readonly sql: Sql; readonly now: () => Date },
  { closing, reason, by, requestId }: ReopenAsked,
): Promise<Result<undefined, ReopenPeriodRejection>> {
  const { sql } = world;
  const kind = { streamId: closingsStream, codec: closingsCodec };
  const read = async () => ({ history: await readBooksHistory(sql) });
  const handled = await handle(world, closingTarget(sql, kind, { streamOf: 'closings', read }), {
    commandId: `reopen-period:${closing}`,
    actor: `admin:${by}`,
    requestId,
    decide: ({ history }): Result<readonly ClosingsEvent[], ReopenPeriodRejection> => {
      const decision = decideReopening({ closing, reason, by }, booksOf(history));
      if (!decision.ok) return decision;
      return ok(decision.value === undefined ? [] : [decision.value]);
    },
  });
  return handled.outcome === 'refused' ? rejected(handled.rejection) : ok(undefined);
}
