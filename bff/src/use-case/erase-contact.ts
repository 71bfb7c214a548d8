import { decide, evolve, nothingErased } from '@kilim/domain/order/erase-contact';
import type { OrderId } from '@kilim/domain/order/ids';
import type { Sql } from '../database/database.ts';
import { append } from '../ledger/append.ts';
import { handle, orderTarget } from '../ledger/handle.ts';
import { eventsOf, type OrderStream } from '../ledger/read.ts';

export type ErasureWorld = { readonly sql: Sql; readonly now: () => Date };

/** A customer asked for erasure, and an administrator or the operator does it. */
export type EraseContact = {
  readonly orderId: OrderId;
  /** The name that the order's timeline shows. */
  readonly erasedBy: string;
  readonly requestId: string | undefined;
};

/** The first erasure, however often it is repeated. */
export type ErasedContact = { readonly erasedAt: string; readonly erasedBy: string };

/**
 * Records that the contact is erased. The same transaction deletes the contact with the salt of its
 * digest and the key to its receipt. Amounts and events stay as they are.
 * @returns undefined when there is no such order.
 */
export async function eraseContact(
  world: ErasureWorld,
  { orderId, erasedBy, requestId }: EraseContact,
): Promise<ErasedContact | undefined> {
  const target: ReturnType<typeof orderTarget> = {
    ...orderTarget(world.sql, orderId),
    append: (stream, recording) =>
      world.sql.begin(async (transaction) => {
        const appended = await append(transaction, stream, recording);
        if (appended.outcome === 'appended') await transaction`select ledger.forget_contact(${orderId}::uuid)`;
        return appended;
      }),
  };
  const handled = await handle(world, target, {
    commandId: `erase-contact:${orderId}`,
    actor: `admin:${erasedBy}`,
    requestId,
    decide: (stream) => decide({ erasedBy }, eventsOf(stream).reduce(evolve, nothingErased)),
  });
  return handled.outcome === 'refused' ? undefined : erasureIn(handled.stream);
}

function erasureIn(stream: OrderStream): ErasedContact {
  const erased = stream.events.find(({ event }) => event.type === 'ContactErased');
  if (erased?.event.type !== 'ContactErased') throw new Error(`The contact of order ${stream.orderId} is not erased`);
  return { erasedAt: erased.occurredAt, erasedBy: erased.event.erasedBy };
}
