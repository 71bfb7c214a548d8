import { randomUUID } from 'node:crypto';
import { decide, type IntakeCommand, type IntakeRejection } from '@kilim/domain/intake/intake';
import type { OrderEvent } from '@kilim/domain/order/events';
import { ok, type Result, rejected } from '@kilim/domain/result';
import { append } from '../../core/ledger/append.ts';
import { handle, type Target } from '../../core/ledger/handle.ts';
import { type OrderStream, orderStreamId } from '../../core/ledger/read.ts';
import { type FamilyWorld, holdFamily, type ReadFamily, readFamily } from '../family.ts';

export type IntakeWorld = FamilyWorld & { readonly now: () => Date; readonly timeZone: string };

export type Step = {
  /** The first try decides on it. */
  readonly known: ReadFamily;
  readonly command: IntakeCommand;
  readonly by: string;
  readonly requestId: string | undefined;
};

/** A repeated click records nothing: the newest events decide. */
export async function recordStep(
  world: IntakeWorld,
  { known, command, by, requestId }: Step,
): Promise<Result<undefined, IntakeRejection>> {
  const { orderId } = known.stream;
  const target: Target<ReadFamily, OrderEvent, OrderStream> = {
    streamId: orderStreamId(orderId),
    known,
    read: async () => (await readFamily(world, orderId)) ?? known,
    append: (seen, recording) => append(world.sql, seen.stream, { ...recording, beside: holdFamily(seen) }),
  };
  const handled = await handle(world, target, {
    commandId: `intake:${randomUUID()}`,
    actor: `admin:${by}`,
    requestId,
    decide: ({ family, rates }) => decide(command, family, rates),
  });
  return handled.outcome === 'refused' ? rejected(handled.rejection) : ok(undefined);
}
