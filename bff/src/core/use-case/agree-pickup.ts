import { randomUUID } from 'node:crypto';
import type { PickupAgreed } from '@kilim/domain/order/events';
import type { OrderId } from '@kilim/domain/order/ids';
import { decide, evolve, nothingAgreed, type PickupRejection } from '@kilim/domain/order/pickup';
import { ok, type Result, rejected } from '@kilim/domain/result';
import type { Sql } from '../database/database.ts';
import { repeatWhileAway } from '../database/repeat-while-away.ts';
import { handle, orderTarget } from '../ledger/handle.ts';
import { eventsOf, readOrder } from '../ledger/read.ts';
import { dayIn } from '../runtime/day-in.ts';

export type PickupWorld = { readonly sql: Sql; readonly now: () => Date; readonly timeZone: string };

export type AgreePickup = Pick<PickupAgreed, 'day' | 'window'> & {
  readonly orderId: OrderId;
  readonly by: string;
  readonly requestId: string | undefined;
};

export type AgreePickupRejection = PickupRejection | { readonly code: 'UnknownOrder' };

/** A repeated click records nothing: the newest events decide. */
export async function agreePickup(
  world: PickupWorld,
  { orderId, day, window, by, requestId }: AgreePickup,
): Promise<Result<undefined, AgreePickupRejection>> {
  const known = await repeatWhileAway(() => readOrder(world.sql, orderId));
  if (known.version === 0) return rejected({ code: 'UnknownOrder' });
  const handled = await handle(world, orderTarget(world.sql, orderId, { known }), {
    commandId: `pickup:${randomUUID()}`,
    actor: `admin:${by}`,
    requestId,
    decide: (stream, at) =>
      decide({ day, window, today: dayIn(world.timeZone, at) }, eventsOf(stream).reduce(evolve, nothingAgreed)),
  });
  return handled.outcome === 'refused' ? rejected(handled.rejection) : ok(undefined);
}
