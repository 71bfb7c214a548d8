import { randomUUID } from 'node:crypto';
import type { OrderId } from '@kilim/domain/order/ids';
import { type CorrectSplit, decide, type SplitRejection } from '@kilim/domain/order/split-correction';
import { ok, type Result, rejected } from '@kilim/domain/result';
import { repeatWhileAway } from '../database/repeat-while-away.ts';
import { handle, orderTarget } from '../ledger/handle.ts';
import { readOrder } from '../ledger/read.ts';
import { refundStateOf } from './drive-refund.ts';
import type { World } from './world.ts';

export type CorrectSplitRejection = SplitRejection | { readonly code: 'UnknownOrder' };

/** A repeated click records nothing: the newest events decide. */
export async function correctSplit(
  world: World,
  correction: CorrectSplit & { readonly orderId: OrderId; readonly requestId: string },
): Promise<Result<undefined, CorrectSplitRejection>> {
  const { orderId, requestId, ...command } = correction;
  const known = await repeatWhileAway(() => readOrder(world.sql, orderId));
  if (known.version === 0) return rejected({ code: 'UnknownOrder' });
  const recorded = await handle(world, orderTarget(world.sql, orderId), {
    commandId: `correct:${randomUUID()}`,
    actor: `admin:${command.by}`,
    requestId,
    decide: (stream) => decide(command, refundStateOf(stream)),
  });
  return recorded.outcome === 'refused' ? rejected(recorded.rejection) : ok(undefined);
}
