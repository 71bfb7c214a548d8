import type { DeliveryOption } from '@kilim/domain/catalog';
import { cents } from '@kilim/domain/money';
import type { OrderEvent, OrderPlaced, RefundRequested } from '@kilim/domain/order/events';
import type { IdempotencyKey, OrderId, PaymentId, RefundId } from '@kilim/domain/order/ids';
import * as place from '@kilim/domain/order/place';
import * as refund from '@kilim/domain/order/refund';
import { quoteOrder } from '@kilim/domain/quote';
import { builtInRates } from '@kilim/domain/rates';
import { choose, newRug, type Rug, side } from '@kilim/domain/rug';
import type { Sql } from '../../bff/src/core/database/database.ts';
import { append, appendToStream } from '../../bff/src/core/ledger/append.ts';
import { orderCodec } from '../../bff/src/core/ledger/codecs/order.ts';
import { sha256 } from '../../bff/src/core/ledger/hash.ts';
import { readOrder } from '../../bff/src/core/ledger/read.ts';
import { settled } from './settled.ts';

// October 2026 in Los Angeles, as in `docs/accounting.md`. It ends on the day before the clocks change, so that the
// following day has 25 hours.

export type Fact = {
  readonly at: string;
  readonly order: OrderId;
  readonly events: readonly [OrderEvent, ...OrderEvent[]];
};

const orderIds = {
  ada: '0199d5a0-7c00-7000-8000-00000000000a' as OrderId,
  ben: '0199d5a0-7c00-7000-8000-00000000000b' as OrderId,
  cleo: '0199d5a0-7c00-7000-8000-00000000000c' as OrderId,
  dora: '0199d5a0-7c00-7000-8000-00000000000d' as OrderId,
  emil: '0199d5a0-7c00-7000-8000-00000000000e' as OrderId,
};

const economyRug: Rug = {
  ...choose(newRug, { tier: 'economy' }),
  width: side(5, 6),
  length: side(7, 0),
  greenPad: true,
};
const midrangeRug: Rug = {
  ...choose(newRug, { tier: 'midrange' }),
  width: side(5, 0),
  length: side(8, 0),
  stainProtection: true,
};
const premiumRug: Rug = { ...newRug, width: side(8, 0), length: side(10, 0) };
const smallRug: Rug = { ...newRug, width: side(4, 0), length: side(6, 0), greenPad: true };

const ada = orderOf(orderIds.ada, 'pickup', [premiumRug, economyRug]);
const ben = orderOf(orderIds.ben, 'dropoff', [midrangeRug]);
const cleo = orderOf(orderIds.cleo, 'dropoff', [smallRug]);
const dora = orderOf(orderIds.dora, 'pickup', [midrangeRug]);
const emil = orderOf(orderIds.emil, 'dropoff', [premiumRug]);

const refundOfCleo = requested(cleo, {
  id: 'refund-of-cleo-0001',
  reason: '=Damaged, "badly"',
  amount: cleo.placed.total,
});
const refundOfAda = requested(ada, { id: 'refund-of-ada-00001', reason: 'Goodwill', amount: cents(12_345) });

/** Up to the day on which October is closed. */
export const workedMonth: readonly Fact[] = [
  { at: '2026-09-30T23:59:59.999-07:00', order: orderIds.emil, events: emil.paid },
  { at: '2026-10-01T00:00:00-07:00', order: orderIds.ada, events: ada.paid },
  { at: '2026-10-01T00:05:00-07:00', order: orderIds.ada, events: [feeOf(ada, 2229)] },
  { at: '2026-10-15T11:00:00-07:00', order: orderIds.cleo, events: cleo.paid },
  { at: '2026-10-15T11:05:00-07:00', order: orderIds.cleo, events: [feeOf(cleo, 700)] },
  { at: '2026-10-16T09:00:00-07:00', order: orderIds.cleo, events: [refundOfCleo] },
  {
    at: '2026-10-20T10:00:00-07:00',
    order: orderIds.cleo,
    events: [completed(refundOfCleo, '2026-10-20T17:00:00.000Z')],
  },
  { at: '2026-10-22T14:00:00-07:00', order: orderIds.dora, events: dora.paid },
  { at: '2026-10-25T08:00:00-07:00', order: orderIds.dora, events: [disputeOf(dora)] },
  { at: '2026-10-29T16:00:00-07:00', order: orderIds.ada, events: [refundOfAda] },
  { at: '2026-10-31T23:59:59.999-07:00', order: orderIds.ben, events: ben.paid },
  {
    at: '2026-11-01T00:00:00-07:00',
    order: orderIds.ada,
    events: [completed(refundOfAda, '2026-11-01T07:00:00.000Z')],
  },
  { at: '2026-11-01T23:30:00-08:00', order: orderIds.dora, events: [wonBy(dora)] },
  { at: '2026-11-03T10:00:00-08:00', order: orderIds.emil, events: secondChargeOf(emil) },
  { at: '2026-11-03T11:00:00-08:00', order: orderIds.emil, events: [excessOf(emil)] },
];

/** The ledger records it only after October was closed. */
export const lateFact: Fact = { at: '2026-10-31T23:59:59.999-07:00', order: orderIds.ben, events: [feeOf(ben, 611)] };

/** It belongs to no order, and has its own stream. */
export async function appendOrphan(sql: Sql, at: string): Promise<void> {
  const squarePaymentId = 'sq-unknown-0001';
  await appendToStream(sql, {
    streamId: `orphan-${squarePaymentId}`,
    expectedVersion: 0,
    commandId: `orphan:${squarePaymentId}`,
    requestHash: sha256(squarePaymentId),
    actor: 'reconciliation',
    requestId: undefined,
    occurredAt: new Date(at),
    events: [
      orderCodec.encode({
        type: 'OrphanPaymentFound',
        squarePaymentId,
        amount: cents(5000),
        takenAt: '2026-10-12T18:00:00.000Z',
      }),
    ],
  });
}

export async function appendFacts(sql: Sql, facts: readonly Fact[]): Promise<void> {
  for (const { at, order, events } of facts) {
    const stream = await readOrder(sql, order);
    const commandId = `${order}-${stream.version}`;
    const appended = await append(sql, stream, {
      commandId,
      requestHash: sha256(commandId),
      actor: 'settle-worker',
      requestId: undefined,
      occurredAt: new Date(at),
      events,
    });
    if (appended.outcome !== 'appended') throw new Error(`Not appended: ${appended.outcome}`);
  }
}

/** `settled`, under a name beside the facts that a test appends. */
export const allWritten = settled;

function orderOf(orderId: OrderId, deliveryOption: DeliveryOption, rugs: readonly Rug[]) {
  const quote = quoteOrder({ rugs, deliveryOption }, builtInRates);
  const command = {
    orderId,
    quote,
    settingsVersion: 0,
    source: { embedded: false, variant: 'B' },
    contactDigest: 'c'.repeat(64),
  };
  const decided = place.decide(command, place.notPlaced);
  if (!decided.ok) throw new Error(decided.rejection.code);
  const [placed] = decided.value as readonly [OrderPlaced];
  const paymentId = orderId.slice(-1).repeat(32) as PaymentId;
  const squarePaymentId = `sq-payment-${orderId.slice(-1)}`;
  const paid: readonly [OrderEvent, ...OrderEvent[]] = [
    placed,
    {
      type: 'PaymentStarted',
      paymentId,
      idempotencyKey: `attempt-${orderId.slice(-12)}` as IdempotencyKey,
      amount: placed.total,
    },
    { type: 'PaymentAuthorized', paymentId, squarePaymentId, cardBrand: 'VISA', cardLastFour: '1111' },
    { type: 'PaymentCaptured', paymentId, amount: placed.total, capturedAt: '2026-10-01T07:00:00.000Z' },
  ];
  return { placed, paid, paymentId, squarePaymentId };
}

type Order = ReturnType<typeof orderOf>;

function feeOf({ paymentId, squarePaymentId }: Order, amount: number): OrderEvent {
  return { type: 'ProcessingFeeAssessed', paymentId, squareId: squarePaymentId, amount: cents(amount) };
}

type WantedRefund = { readonly id: string; readonly reason: string; readonly amount: OrderPlaced['total'] };

function requested({ paid, placed }: Order, { id, reason, amount }: WantedRefund): RefundRequested {
  const decided = refund.decide(
    {
      type: 'RequestRefund',
      refundId: id as RefundId,
      reason,
      amount,
      items: [],
      deliveryMinimum: cents(0),
      refundType: amount === placed.total ? 'full' : 'partial',
      requestedBy: 'admin',
      askedAt: '2026-10-29T23:00:00.000Z',
    },
    paid.reduce(refund.evolve, refund.nothingRefunded),
  );
  if (!decided.ok) throw new Error(decided.rejection.code);
  return decided.value[0] as RefundRequested;
}

function completed({ refundId, amount }: RefundRequested, completedAt: string): OrderEvent {
  return { type: 'RefundCompleted', refundId, squareRefundId: `sq-${refundId}`, amount, completedAt };
}

function disputeOf({ paymentId, placed }: Order): OrderEvent {
  return {
    type: 'DisputeOpened',
    paymentId,
    squareDisputeId: 'sq-dispute-1',
    amount: placed.total,
    reason: 'NO_KNOWLEDGE',
  };
}

function wonBy({ paymentId, placed }: Order): OrderEvent {
  return { type: 'DisputeClosed', paymentId, squareDisputeId: 'sq-dispute-1', amount: placed.total, outcome: 'won' };
}

/** A second charge of 20.00 that was returned. */
function secondChargeOf({ placed }: Order): readonly [OrderEvent, OrderEvent] {
  const about = { squarePaymentId: 'sq-second-0001', amount: cents(2000) } as const;
  return [
    { type: 'OrphanPaymentFound', ...about, reference: placed.orderId, takenAt: '2026-11-03T17:59:00.000Z' },
    {
      type: 'OrphanPaymentReturned',
      ...about,
      squareRefundId: 'sq-return-0001',
      returnedAt: '2026-11-03T18:00:00.000Z',
    },
  ];
}

function excessOf({ paymentId }: Order): OrderEvent {
  const squareRefundId = 'sq-excess-0001';
  return {
    type: 'ExcessRefundFound',
    paymentId,
    squareRefundId,
    amount: cents(300),
    refundedAt: '2026-11-03T19:00:00.000Z',
  };
}
