import type { OrderId } from '@kilim/domain/order/ids';
import { isTrue, type Sql } from '../database/database.ts';

export type OrderNote = {
  readonly id: number;
  /** Null when the note was deleted. */
  readonly text: string | null;
  readonly by: string;
  readonly at: Date;
  readonly deletedBy: string | null;
  readonly deletedAt: Date | null;
};

/** Newest first. */
export async function readOrderNotes(sql: Sql, orderId: OrderId): Promise<readonly OrderNote[]> {
  return await sql<OrderNote[]>`
    select id, text, written_by as by, written_at as at, deleted_by as "deletedBy", deleted_at as "deletedAt"
    from ledger.order_note
    where order_id = ${orderId}::uuid order by id desc`;
}

type NewNote = { readonly text: string; readonly by: string };

/** @returns false when there is no such order, or when it has too many notes */
export async function writeOrderNote(sql: Sql, orderId: OrderId, { text, by }: NewNote): Promise<boolean> {
  return await isTrue(sql`select ledger.write_order_note(${orderId}::uuid, ${text}, ${by})`);
}

type DeletedNote = { readonly id: number; readonly by: string };

/**
 * Who wrote it and who deleted it remain.
 * @returns false when the order has no such note
 */
export async function deleteOrderNote(sql: Sql, orderId: OrderId, { id, by }: DeletedNote): Promise<boolean> {
  return await isTrue(sql`select ledger.delete_order_note(${orderId}::uuid, ${id}::bigint, ${by})`);
}
