import { tiers } from '@kilim/domain/catalog';
import { cents } from '@kilim/domain/money';
import type { OrderEvent } from '@kilim/domain/order/events';
import { parseIdempotencyKey, parseOrderId, parsePaymentId, parseRefundId } from '@kilim/domain/order/ids';
import { deliveryOptions } from '@kilim/domain/quote';
import type { Inches } from '@kilim/domain/rug';
import { z } from 'zod';

/** An event as it lies in the table: its payload is the text that was hashed. */
export type StoredEvent = { readonly type: string; readonly schemaVersion: number; readonly payload: string };

/** An event ready to be appended. The typed columns are taken from the event here and nowhere else, so they equal the payload. */
export type EncodedEvent = StoredEvent & { readonly amountCents: number | null; readonly refundId: string | null };

const money = z.int().transform(cents);
const inches = z
  .int()
  .min(0)
  .transform((value) => value as Inches);
const orderId = z.string().transform((text, context) => parseOrderId(text) ?? refuse(context, 'order id'));
const paymentId = z.string().transform((text, context) => parsePaymentId(text) ?? refuse(context, 'payment id'));
const idempotencyKey = z
  .string()
  .transform((text, context) => parseIdempotencyKey(text) ?? refuse(context, 'idempotency key'));

const refundId = z.string().transform((text, context) => parseRefundId(text) ?? refuse(context, 'refund id'));
const rugCharges = z.object({
  base: money,
  delivery: money,
  stainProtection: money,
  greenPad: money,
  salesTax: money,
});
const allocation = z.object({
  rugs: z.array(z.object({ rugIndex: z.int(), charges: rugCharges })),
  deliveryMinimum: money,
});
const split = z.object({
  services: money,
  addOns: money,
  delivery: money,
  deliveryMinimum: money,
  salesTax: money,
});

const soldRug = z.object({
  width: inches,
  length: inches,
  tier: z.enum(tiers),
  stainProtection: z.boolean(),
  greenPad: z.boolean(),
  repairInspection: z.boolean(),
  price: money,
  charges: rugCharges,
  total: money,
});

/** What each event's payload holds, in its newest version. */
const payloads = {
  OrderPlaced: z.object({
    orderId,
    rugs: z.array(soldRug),
    deliveryOption: z.enum(deliveryOptions),
    lines: z.object({
      subtotal: money,
      delivery: money,
      deliveryMinimum: money,
      stainProtection: money,
      greenPad: money,
      salesTax: money,
    }),
    total: money,
    settingsVersion: z.int(),
    source: z.object({ embedded: z.boolean(), variant: z.string() }),
    contactDigest: z.string(),
  }),
  PaymentStarted: z.object({ paymentId, idempotencyKey, amount: money }),
  PaymentAuthorized: z.object({
    paymentId,
    squarePaymentId: z.string(),
    cardBrand: z.string(),
    cardLastFour: z.string(),
  }),
  PaymentCaptured: z.object({
    paymentId,
    amount: money,
    receiptUrl: z.string().exactOptional(),
    receiptNumber: z.string().exactOptional(),
    capturedAt: z.string(),
  }),
  PaymentDeclined: z.object({ paymentId, code: z.string(), category: z.string() }),
  PaymentVoided: z.object({
    paymentId,
    reason: z.enum([
      'AuthorizationUnknown',
      'AuthorizationExpired',
      'HoldReleased',
      'AmountDiffers',
      'CredentialsRefused',
    ]),
  }),
  ProcessingFeeAssessed: z.object({ paymentId, squareId: z.string(), amount: money }),
  RefundRequested: z.object({
    refundId,
    paymentId,
    refundType: z.enum(['full', 'partial']),
    amount: money,
    reason: z.string(),
    notes: z.string().exactOptional(),
    items: z.array(z.object({ rugIndex: z.int(), amount: money })),
    deliveryMinimum: money,
    allocation,
    split,
    requestedBy: z.string(),
  }),
  RefundSubmitted: z.object({ refundId, squareRefundId: z.string() }),
  RefundCompleted: z.object({ refundId, squareRefundId: z.string(), amount: money, completedAt: z.string() }),
  RefundFailed: z.object({
    refundId,
    amount: money,
    squareRefundId: z.string().exactOptional(),
    code: z.string(),
  }),
  ExternalRefundRecorded: z.object({
    paymentId,
    squareRefundId: z.string(),
    amount: money,
    allocation,
    split,
    refundedAt: z.string(),
  }),
  ExcessRefundFound: z.object({ paymentId, squareRefundId: z.string(), amount: money, refundedAt: z.string() }),
  DisputeOpened: z.object({
    paymentId,
    squareDisputeId: z.string(),
    amount: money,
    reason: z.string(),
    dueAt: z.string().exactOptional(),
  }),
  DisputeClosed: z.object({
    paymentId,
    squareDisputeId: z.string(),
    amount: money,
    outcome: z.enum(['won', 'lost', 'accepted']),
  }),
  OrphanPaymentFound: z.object({
    squarePaymentId: z.string(),
    amount: money,
    reference: z.string().exactOptional(),
    takenAt: z.string(),
  }),
  OrphanPaymentReturned: z.object({
    squarePaymentId: z.string(),
    squareRefundId: z.string(),
    amount: money,
    returnedAt: z.string(),
  }),
  ContactErased: z.object({ erasedBy: z.string() }),
} satisfies { [Type in OrderEvent['type']]: z.ZodType<Omit<Extract<OrderEvent, { type: Type }>, 'type'>> };

/**
 * How an older payload becomes the next version's: `upcasts.OrderPlaced[1]` reads version 1 and gives version 2. Stored events are
 * never rewritten, because their hashes cover the stored bytes.
 */
const upcasts: Record<OrderEvent['type'], readonly ((older: unknown) => unknown)[]> = {
  OrderPlaced: [],
  PaymentStarted: [],
  PaymentAuthorized: [],
  PaymentCaptured: [],
  PaymentDeclined: [],
  PaymentVoided: [],
  ProcessingFeeAssessed: [],
  RefundRequested: [],
  RefundSubmitted: [],
  RefundCompleted: [],
  RefundFailed: [],
  ExternalRefundRecorded: [],
  ExcessRefundFound: [],
  DisputeOpened: [],
  DisputeClosed: [],
  OrphanPaymentFound: [],
  OrphanPaymentReturned: [],
  ContactErased: [],
};

function schemaVersionOf(type: OrderEvent['type']): number {
  return upcasts[type].length + 1;
}

/** The canonical text of an event: its payload's keys sorted at every depth, without white space. */
export function encodeEvent(event: OrderEvent): EncodedEvent {
  const { type, ...payload } = event;
  return {
    type,
    schemaVersion: schemaVersionOf(type),
    payload: canonicalJson(payload),
    amountCents: amountOf(event),
    refundId: 'refundId' in event ? event.refundId : null,
  };
}

/** Events as the append functions take them: what each has of a kind is a line, and an absent refund an empty one. */
export function eventLines(events: readonly EncodedEvent[]) {
  return {
    types: events.map(({ type }) => type).join('\n'),
    schemaVersions: events.map(({ schemaVersion }) => schemaVersion),
    refundIds: events.map(({ refundId }) => refundId ?? '').join('\n'),
    amountsCents: events.map(({ amountCents }) => amountCents),
    payloads: events.map(({ payload }) => payload).join('\n'),
  };
}

/**
 * Reads an event back, in its newest version.
 * @throws Error when the type or version is not known, or the payload is not one: a stream that cannot be read is not acted on.
 */
export function decodeEvent(stored: StoredEvent): OrderEvent {
  const { type, schemaVersion } = stored;
  if (!isEventType(type)) throw new Error(`The ledger holds an event of unknown type ${type}`);
  if (schemaVersion > schemaVersionOf(type)) {
    throw new Error(`The ledger holds ${type} in version ${schemaVersion}, newer than this program`);
  }
  const newest = upcasts[type]
    .slice(schemaVersion - 1)
    .reduce<unknown>((payload, upcast) => upcast(payload), JSON.parse(stored.payload));
  // The table of payloads is typed by the union of events, so type and payload belong together.
  return { type, ...payloads[type].parse(newest) } as OrderEvent;
}

/** JSON with sorted keys and no white space: one value has one text, so texts can be hashed and compared. */
export function canonicalJson(value: unknown): string {
  // A sorted copy first: with a function that replaces each part on the way, JSON takes a third longer, and every append writes its events here.
  return JSON.stringify(withSortedKeys(value));
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isPlainObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, withSortedKeys(value[key])]));
}

/** Dates and their like write themselves. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}

/** An order's worth, or the amount that an event moves. */
function amountOf(event: OrderEvent): number | null {
  if (event.type === 'OrderPlaced') return event.total;
  return 'amount' in event ? event.amount : null;
}

function isEventType(type: string): type is OrderEvent['type'] {
  return Object.hasOwn(payloads, type);
}

function refuse(context: z.RefinementCtx, what: string): never {
  context.addIssue({ code: 'custom', message: `Not an ${what}` });
  return z.NEVER;
}
