import * as z from 'zod/mini';
import { dollars } from './money.ts';

export const attentionKinds = [
  'clock-off',
  'refund-unproven',
  'limits-unproven',
  'payment-risky',
  'refund-failed',
  'dispute-open',
  'payout-returned',
  'work-parked',
  'payment-unknown',
  'refund-unknown',
  'refund-overdue',
  'difference-unpaid',
  'rugs-late',
  'rugs-uncollected',
  'mail-undelivered',
  'books-differ',
  'clearing-alarm',
  'verification-faults',
  'seal-refused',
  'witness-late',
  'witness-missing',
  'job-late',
  'list-incomplete',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

const item = z.object({
  kind: z.enum(attentionKinds),
  /** Unique among the items of its kind. */
  id: z.string(),
  /** Null: it is about the books. */
  orderId: z.nullable(z.string()),
  amount: z.nullable(dollars),
  /** ISO 8601 instants. */
  since: z.nullable(z.string()),
  dueAt: z.nullable(z.string()),
  /** Null when the kind says everything. */
  detail: z.nullable(z.string()),
});
export type AttentionItem = z.output<typeof item>;

/** The most urgent kind first, at most fifty of a kind. People who may not see the books get no item about them. */
export const attention = z.object({ items: z.array(item) });
export type Attention = z.output<typeof attention>;
export type AttentionAnswer = z.input<typeof attention>;

export const retryRequest = z.object({ id: z.string().check(z.minLength(1), z.maxLength(100)) });
/** Square did not answer, and the work waits for a person again. */
export const retried = z.object({ status: z.enum(['settled', 'unknown']) });
