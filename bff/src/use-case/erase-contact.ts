import { setTimeout } from 'node:timers/promises';
import { decide, evolve, nothingErased } from '@kilim/domain/order/erase-contact';
import type { OrderId } from '@kilim/domain/order/ids';
import { repeatWhileAway, type Sql, tooManyConflictsError } from '../database/database.ts';
import { type Actor, append } from '../ledger/append.ts';
import { sha256 } from '../ledger/contact.ts';
import { eventsOf, type OrderStream, readOrder } from '../ledger/read.ts';

export type ErasureWorld = { readonly sql: Sql; readonly now: () => Date };

/** Somebody asked to be forgotten, and an administrator or the operator does it. */
export type EraseContact = {
  readonly orderId: OrderId;
  /** The name that the order's timeline shows. */
  readonly erasedBy: string;
  readonly requestId: string | undefined;
};

/** When and by whom it was erased: the first time, however often it is asked for. */
export type ErasedContact = { readonly erasedAt: string; readonly erasedBy: string };

const mostConflicts = 5;

/**
 * Records that the contact is erased, and erases it with the salt that its digest needs and the key to its receipt, both or neither. Amounts
 * and events stay as they are.
 * @returns undefined when there is no such order.
 */
export async function eraseContact(world: ErasureWorld, request: EraseContact): Promise<ErasedContact | undefined> {
  return await repeatWhileAway(() => eraseOnce(world, request));
}

async function eraseOnce({ sql, now }: ErasureWorld, request: EraseContact): Promise<ErasedContact | undefined> {
  const { orderId, erasedBy, requestId } = request;
  for (let conflicts = 0; ; conflicts += 1) {
    const stream = await readOrder(sql, orderId);
    const decision = decide({ erasedBy }, eventsOf(stream).reduce(evolve, nothingErased));
    if (!decision.ok) return undefined;
    const [event] = decision.value;
    if (event === undefined) return erasureIn(stream);
    const commandId = `erase-contact:${orderId}`;
    const result = await sql.begin(async (transaction) => {
      const appended = await append(transaction, stream, {
        ...{ commandId, requestHash: sha256(commandId), requestId },
        actor: `admin:${erasedBy}` satisfies Actor,
        occurredAt: now(),
        events: [event],
      });
      if (appended.outcome === 'appended') await transaction`select ledger.forget_contact(${orderId}::uuid)`;
      return appended;
    });
    if (result.outcome === 'appended') return erasureIn(result.stream);
    if (conflicts === mostConflicts) throw tooManyConflictsError(`order ${orderId}`, conflicts);
    await setTimeout(Math.random() * 20 * 2 ** conflicts);
  }
}

function erasureIn(stream: OrderStream): ErasedContact {
  const erased = stream.events.find(({ event }) => event.type === 'ContactErased');
  if (erased?.event.type !== 'ContactErased') throw new Error(`The contact of order ${stream.orderId} is not erased`);
  return { erasedAt: erased.occurredAt, erasedBy: erased.event.erasedBy };
}
