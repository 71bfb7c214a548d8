import { cents } from '@kilim/domain/money';
import type { PayoutEvent } from '@kilim/domain/payout/events';
import { payoutPostings } from '@kilim/domain/payout/postings';
import { z } from 'zod';
import { canonicalJson, type EncodedEvent, type StoredEvent } from './order.ts';

const money = z.int().transform(cents);
const id = z.string().min(1);

const entry = z.object({
  entryId: id,
  activity: z.string(),
  gross: money,
  fee: money,
  net: money,
  effectiveAt: z.string().exactOptional(),
  squarePaymentId: id.exactOptional(),
  squareRefundId: id.exactOptional(),
  squareDisputeId: id.exactOptional(),
  standing: z.enum(['order', 'orphan', 'returned', 'elsewhere', 'payout', 'square', 'unknown']),
});

const payloads = {
  PayoutRecorded: z.object({
    squarePayoutId: id,
    amount: money,
    kind: z.enum(['batch', 'simple']),
    sentAt: z.string(),
    arrivalDate: z.string().exactOptional(),
    totals: z.array(z.object({ activity: z.string(), entries: z.int(), gross: money, fee: money, net: money })),
  }),
  PayoutEntriesRecorded: z.object({ squarePayoutId: id, entries: z.array(entry) }),
  PayoutPaid: z.object({ squarePayoutId: id, amount: money, paidAt: z.string() }),
  PayoutFailed: z.object({ squarePayoutId: id, amount: money, wasPaid: z.boolean(), failedAt: z.string() }),
} satisfies { [Type in PayoutEvent['type']]: z.ZodType<Omit<Extract<PayoutEvent, { type: Type }>, 'type'>> };

/** How an older payload becomes the next version's, as in `stored-event.ts`. */
const schemaVersion = 1;

export function isPayoutType(type: string): type is PayoutEvent['type'] {
  return Object.hasOwn(payloads, type);
}

/** The canonical text of an event of a payout. */
export function encodePayoutEvent(event: PayoutEvent): EncodedEvent {
  const { type, ...payload } = event;
  return { type, schemaVersion, payload: canonicalJson(payload), amountCents: amountOf(event), refundId: null };
}

/** A payout's worth, or what entries change at Square that no order's event has booked. */
function amountOf(event: PayoutEvent): number {
  if (event.type !== 'PayoutEntriesRecorded') return event.amount;
  return payoutPostings(event).find(({ account }) => account === 'clearing')?.amount ?? 0;
}

/** @throws when it is not one that this program knows. */
export function decodePayoutEvent({ type, schemaVersion: version, payload }: StoredEvent): PayoutEvent {
  if (!isPayoutType(type) || version !== schemaVersion) {
    throw new Error(`The ledger holds ${type} in version ${version}, which this program does not know`);
  }
  // The table of payloads is typed by the union of events, so type and payload belong together.
  return { type, ...payloads[type].parse(JSON.parse(payload)) } as PayoutEvent;
}
