import type { Cents } from '@kilim/domain/money';
import type { PayoutEvent } from '@kilim/domain/payout/events';
import type { PayoutRejection } from '@kilim/domain/payout/payout';
import type { Sql } from '../database/database.ts';
import type { Logger } from '../runtime/logger.ts';
import type { CardProcessor, Span, UnknownOutcome } from '../square/card-processor.ts';
import type { RefundRule } from './refund-rule.ts';

/** Use cases, background work and queries get the world as a parameter; `main.ts` composes it. */
export type World = {
  readonly sql: Sql;
  readonly card: CardProcessor;
  readonly log: Logger;
  readonly now: () => Date;
  readonly refundWithin: RefundRule;
  /** Absent: no room records payouts. */
  readonly payouts?: PayoutRecorder;
};

export type PayoutRecorder = {
  /** Records the payouts of these weeks. `reconcile` must run before: it records what the payouts pay. */
  readonly record: (world: World, span: Span) => Promise<RecordedPayouts>;
  /** @returns false when Square did not answer: try again later. Undefined: it does not know the payout. */
  readonly recordNow: (world: World, squarePayoutId: string) => Promise<boolean | undefined>;
};

export type RecordedPayouts = { readonly kind: 'recorded'; readonly report: PayoutsReport } | UnknownOutcome;

export type PayoutsReport = {
  readonly payouts: number;
  readonly recorded: Readonly<Partial<Record<PayoutEvent['type'], number>>>;
  /** Payouts that Square did not show completely. */
  readonly inFlight: number;
  readonly differences: readonly PayoutDifference[];
};

export type PayoutDifference = {
  readonly code: PayoutRejection['code'] | 'PayoutNotAtSquare' | 'PayoutUnreadable';
  readonly squarePayoutId: string;
  readonly amount: Cents;
  /** ISO 8601 instant at which Square sent it. */
  readonly at: string;
};
