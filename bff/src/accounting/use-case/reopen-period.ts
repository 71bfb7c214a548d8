import { decideReopening, type ReopenPeriodRejection } from '@kilim/domain/accounting/books';
import type { ReopenReason } from '@kilim/domain/accounting/closings';
import type { Result } from '@kilim/domain/result';
import type { HandleWorld } from '../../core/ledger/handle.ts';
import { booksOf } from '../../core/ledger/read.ts';
import { closingsTarget } from '../queries/closing-target.ts';
import { type Asked, record } from './close-period.ts';

export type ReopenAsked = Asked & { readonly closing: number; readonly reason: ReopenReason };

/** To reopen a closing again changes nothing. */
export async function reopenPeriod(
  world: HandleWorld,
  { closing, reason, by, requestId }: ReopenAsked,
): Promise<Result<undefined, ReopenPeriodRejection>> {
  return await record(world, closingsTarget(world.sql), {
    ...{ by, requestId },
    commandId: `reopen-period:${closing}`,
    decide: ({ history }) => decideReopening({ closing, reason, by }, booksOf(history)),
  });
}
