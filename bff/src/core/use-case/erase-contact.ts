import {
  decide,
  type ErasureRejection,
  erasedByRetention,
  evolve,
  nothingErased,
} from '@kilim/domain/order/erase-contact';
import type { ContactErased } from '@kilim/domain/order/events';
import type { OrderId } from '@kilim/domain/order/ids';
import { type Result, rejected } from '@kilim/domain/result';
import { repeatWhileAway } from '../database/repeat-while-away.ts';
import { append } from '../ledger/append.ts';
import { type HandleWorld, handle, orderTarget } from '../ledger/handle.ts';
import { eventsOf, type OrderStream } from '../ledger/read.ts';

export type EraseContact = {
  readonly orderId: OrderId;
  readonly erasedBy: string;
  readonly requestId: string | undefined;
  /** Erases nothing when the order has a later event. */
  readonly unchangedSince?: Date;
};

export type ErasedContact = {
  readonly erasedAt: string;
  readonly erasedBy: string;
};

/**
 * The same transaction deletes the contact, the texts of the order's refunds, the salts of their digests, and the key
 * to the receipt. Amounts and events stay. A repeat deletes the texts of refunds since.
 * @returns undefined when there is no such order, or it has changed.
 */
export async function eraseContact(
  world: HandleWorld,
  { orderId, erasedBy, requestId, unchangedSince }: EraseContact,
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
    actor: erasedBy === erasedByRetention ? erasedByRetention : `admin:${erasedBy}`,
    requestId,
    decide: (stream): Result<readonly ContactErased[], ErasureRejection> =>
      unchangedSince !== undefined && changedAt(stream) >= unchangedSince
        ? rejected({ code: 'Changed' })
        : decide({ erasedBy }, eventsOf(stream).reduce(evolve, nothingErased)),
  });
  if (handled.outcome === 'refused') return undefined;
  if (handled.outcome === 'repeated') {
    await repeatWhileAway(() => world.sql`select ledger.forget_contact(${orderId}::uuid)`);
  }
  return erasureIn(handled.stream);
}

function changedAt({ events }: OrderStream): Date {
  return new Date(events.at(-1)?.occurredAt ?? 0);
}

function erasureIn(stream: OrderStream): ErasedContact {
  const erased = stream.events.find(({ event }) => event.type === 'ContactErased');
  if (erased?.event.type !== 'ContactErased') throw new Error(`The contact of order ${stream.orderId} is not erased`);
  return { erasedAt: erased.occurredAt, erasedBy: erased.event.erasedBy };
}
