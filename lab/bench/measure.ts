import type { OrderId, PaymentId } from '@kilim/domain/order/ids';
import { authorizedA, capturedA, orderAPlaced, startedA } from '@kilim/domain/testing/orders';
import { v7 } from 'uuid';
import type { Sql } from '../../bff/src/core/database/database.ts';
import { type Append, append } from '../../bff/src/core/ledger/append.ts';
import { orderCodec } from '../../bff/src/core/ledger/codecs/order.ts';
import { keepContact } from '../../bff/src/core/ledger/contact.ts';
import { sha256 } from '../../bff/src/core/ledger/hash.ts';
import { chargeEffect } from '../../bff/src/core/use-case/drive-attempt.ts';

const sampleSeconds = 2;

/** @returns the operations per second. */
export async function rate(concurrent: number, once: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  const end = started + sampleSeconds * 1000;
  let done = 0;
  const worker = async () => {
    while (performance.now() < end) {
      await once();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrent }, worker));
  // The last operations end a little after the limit.
  return (done * 1000) / (performance.now() - started);
}

export function median(values: readonly number[]): number {
  return values.toSorted((first, second) => first - second)[Math.floor(values.length / 2)] ?? 0;
}

export async function createBareTable(sql: Sql): Promise<void> {
  await sql`create table bare (stream_id text, version int, payload json, primary key (stream_id, version))`;
}

/** The least that any append costs. */
export async function insertBareRow(sql: Sql): Promise<void> {
  const { payload } = orderCodec.encode(orderAPlaced);
  await sql`insert into bare (stream_id, version, payload) values (${`order-${v7()}`}, 1, ${payload}::text::json)`;
}

export function orderEvents(orderId: OrderId) {
  return [
    { ...orderAPlaced, orderId },
    { ...startedA, paymentId: orderId.replaceAll('-', '') as PaymentId },
  ] as const;
}

/** With command, hash chain, list row and money check. */
export async function appendEvents(sql: Sql, orderId = v7() as OrderId, beside: Beside = {}): Promise<void> {
  const stream = { orderId, version: 0, events: [] };
  const result = await append(sql, stream, {
    commandId: `pay:${orderId}`,
    requestHash: sha256(orderId),
    actor: 'customer',
    requestId: orderId,
    occurredAt: new Date(),
    events: orderEvents(orderId),
    ...beside,
  });
  if (result.outcome !== 'appended') throw new Error(`Not appended: ${result.outcome}`);
}

type Beside = Pick<Append, 'beside' | 'openEffects'>;

/** With the contact's search words, and the open effect for Square. */
export async function appendOrder(sql: Sql): Promise<void> {
  const orderId = v7() as OrderId;
  const contact = { name: 'Ada Lovelace', email: `ada.${orderId}@example.com`, phone: '5105550100' };
  await appendEvents(sql, orderId, {
    beside: [keepContact({ orderId, contact, salt: Buffer.alloc(16), receiptTokenHash: sha256(orderId) })],
    openEffects: [chargeEffect(orderId.replaceAll('-', '') as PaymentId)],
  });
}

export const appendsOfPaidOrder = 3;

/** Three appends with four events. */
export async function appendPaidOrder(sql: Sql): Promise<void> {
  const orderId = v7() as OrderId;
  const paymentId = orderId.replaceAll('-', '') as PaymentId;
  const command = {
    requestHash: sha256(orderId),
    actor: 'customer' as const,
    requestId: orderId,
    occurredAt: new Date(),
  };
  const steps = [
    [
      { ...orderAPlaced, orderId },
      { ...startedA, paymentId },
    ],
    [{ ...authorizedA, paymentId }],
    [{ ...capturedA, paymentId }],
  ] as const;
  let stream = { orderId, version: 0, events: [] } as Parameters<typeof append>[1];
  for (const [index, events] of steps.entries()) {
    const result = await append(sql, stream, { ...command, commandId: `${orderId}:${index}`, events: [...events] });
    if (result.outcome !== 'appended') throw new Error(`Not appended: ${result.outcome}`);
    stream = result.stream;
  }
}
