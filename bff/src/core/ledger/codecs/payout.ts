import type { PayoutEvent } from '@kilim/domain/payout/events';
import { payoutPostings } from '@kilim/domain/payout/postings';
import { z } from 'zod';
import { createCodec, money } from './codec.ts';

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

export const payoutCodec = createCodec<PayoutEvent>({
  columnsOf: (event) => ({ amountCents: amountOf(event), refundId: null }),
  payloads: {
    PayoutRecorded: z.object({
      squarePayoutId: id,
      amount: money,
      kind: z.enum(['batch', 'simple']),
      sentAt: z.string(),
      arrivalDate: z.string().exactOptional(),
      endToEndId: z.string().exactOptional(),
      totals: z.array(z.object({ activity: z.string(), entries: z.int(), gross: money, fee: money, net: money })),
    }),
    PayoutEntriesRecorded: z.object({ squarePayoutId: id, entries: z.array(entry) }),
    PayoutPaid: z.object({ squarePayoutId: id, amount: money, paidAt: z.string() }),
    PayoutFailed: z.object({ squarePayoutId: id, amount: money, wasPaid: z.boolean(), failedAt: z.string() }),
  },
});

/** The amount of a payout, or the change at Square by entries that no order's event has booked. */
function amountOf(event: PayoutEvent): number {
  if (event.type !== 'PayoutEntriesRecorded') return event.amount;
  return payoutPostings(event).find(({ account }) => account === 'clearing')?.amount ?? 0;
}
