import type { OrderEvent } from '@kilim/domain/order/events';
import type { OrderId } from '@kilim/domain/order/ids';
import { orderA, paymentA, paymentB, refundA } from '@kilim/domain/testing/orders';
import { v7 } from 'uuid';
import type { Sql } from '../../bff/src/core/database/database.ts';
import { append } from '../../bff/src/core/ledger/append.ts';
import { sha256 } from '../../bff/src/core/ledger/hash.ts';
import type { OrderStream } from '../../bff/src/core/ledger/read.ts';

/** One by one, as a new order with unique ids. */
export async function appendLife(sql: Sql, history: readonly OrderEvent[], at = new Date()): Promise<OrderId> {
  const { orderId, events } = uniqueLife(history);
  let stream: OrderStream = { orderId, version: 0, events: [] };
  for (const event of events) {
    const commandId = `test:${v7()}`;
    const command = { commandId, requestHash: sha256(commandId), actor: 'customer' as const, requestId: undefined };
    const result = await append(sql, stream, { ...command, occurredAt: at, events: [event] });
    if (result.outcome !== 'appended') throw new Error(result.outcome);
    stream = result.stream;
  }
  return orderId;
}

function uniqueLife(events: readonly OrderEvent[]) {
  const orderId = v7() as OrderId;
  const hex = orderId.replaceAll('-', '');
  const text = JSON.stringify(events)
    .replaceAll(orderA, orderId)
    .replaceAll(paymentA, hex)
    .replaceAll(paymentB, `b${hex.slice(1)}`)
    .replaceAll(refundA, `refund-${hex}`)
    .replaceAll('square-', `square-${hex}-`);
  return { orderId, events: JSON.parse(text) as OrderEvent[] };
}
