import { unreachable } from '@kilim/domain/unreachable';
import type { Answer, PaymentStatus, RefundStatus, WireDispute, WireEvent, WirePayment, WireRefund } from './wire.ts';

/** Everything the local Square remembers. It changes only by applying changes, so that replaying them restores it. */
export type State = {
  readonly payments: Map<string, PaymentRecord>;
  readonly paymentIdByKey: Map<string, string>;
  readonly refunds: Map<string, RefundRecord>;
  readonly disputes: Map<string, WireDispute>;
  /** By endpoint and idempotency key. */
  readonly answers: Map<string, StoredAnswer>;
  readonly usedTokens: Set<string>;
  readonly outbox: Map<string, OutboxEntry>;
  /** What will happen by itself, with the instant: a hold that lets go, a refund that settles. */
  readonly due: Map<string, number>;
};

export type PaymentRecord = {
  readonly payment: WirePayment;
  readonly idempotencyKey: string;
  /** Names the test card, which says how the payment goes on. */
  readonly outcome: string;
  /** The order of creation; several payments can share a millisecond. */
  readonly sequence: number;
  /** When an undecided payment is approved. */
  readonly approvesAt?: string;
  readonly history: readonly HistoryEntry<PaymentStatus>[];
};

export type RefundRecord = {
  readonly refund: WireRefund;
  readonly idempotencyKey: string;
  readonly sequence: number;
  /** Absent: it stays as it is until somebody settles it. */
  readonly settles?: { readonly at: string; readonly as: RefundStatus };
  readonly history: readonly HistoryEntry<RefundStatus>[];
};

/** What happened, so that a test can count holds and captures without trusting the code that it tests. */
export type HistoryEntry<Status> = { readonly at: string; readonly what: string; readonly status: Status };

export type StoredAnswer = { readonly endpoint: string; readonly key: string; readonly request: string } & Answer;

export type OutboxEntry = {
  readonly event: WireEvent;
  readonly state: 'waiting' | 'delivered' | 'dropped';
};

export type Change =
  | ({ readonly type: 'payment'; readonly what: string } & Omit<PaymentRecord, 'history' | 'sequence'>)
  | ({ readonly type: 'refund'; readonly what: string } & Omit<RefundRecord, 'history' | 'sequence'>)
  | { readonly type: 'dispute'; readonly dispute: WireDispute }
  | ({ readonly type: 'answer' } & StoredAnswer)
  | { readonly type: 'token-used'; readonly token: string }
  | { readonly type: 'event'; readonly event: WireEvent }
  | { readonly type: 'event-settled'; readonly eventId: string; readonly state: OutboxEntry['state'] };

export function emptyState(): State {
  return {
    payments: new Map(),
    paymentIdByKey: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    answers: new Map(),
    usedTokens: new Set(),
    outbox: new Map(),
    due: new Map(),
  };
}

export function answerId(endpoint: string, key: string): string {
  return `${endpoint} ${key}`;
}

export function apply(state: State, change: Change): void {
  switch (change.type) {
    case 'payment':
      applyPayment(state, change);
      break;
    case 'refund':
      applyRefund(state, change);
      break;
    case 'dispute':
      state.disputes.set(change.dispute.id, change.dispute);
      break;
    case 'answer':
      state.answers.set(answerId(change.endpoint, change.key), change);
      break;
    case 'token-used':
      state.usedTokens.add(change.token);
      break;
    case 'event':
      state.outbox.set(change.event.event_id, { event: change.event, state: 'waiting' });
      break;
    case 'event-settled': {
      const entry = state.outbox.get(change.eventId);
      if (entry !== undefined) state.outbox.set(change.eventId, { ...entry, state: change.state });
      break;
    }
    default:
      unreachable(change);
  }
}

function applyPayment(state: State, change: Extract<Change, { type: 'payment' }>): void {
  const { payment, idempotencyKey, outcome, approvesAt, what } = change;
  const before = state.payments.get(payment.id);
  state.payments.set(payment.id, {
    payment,
    idempotencyKey,
    outcome,
    ...(approvesAt === undefined ? {} : { approvesAt }),
    sequence: before?.sequence ?? state.payments.size,
    history: [...(before?.history ?? []), { at: payment.updated_at, what, status: payment.status }],
  });
  state.paymentIdByKey.set(idempotencyKey, payment.id);
  const next = payment.status === 'APPROVED' ? payment.delayed_until : approvesAt;
  plan(state, payment.id, payment.status === 'APPROVED' || payment.status === 'PENDING' ? next : undefined);
}

function applyRefund(state: State, change: Extract<Change, { type: 'refund' }>): void {
  const { refund, idempotencyKey, settles, what } = change;
  const before = state.refunds.get(refund.id);
  state.refunds.set(refund.id, {
    refund,
    idempotencyKey,
    ...(settles === undefined ? {} : { settles }),
    sequence: before?.sequence ?? state.refunds.size,
    history: [...(before?.history ?? []), { at: refund.updated_at, what, status: refund.status }],
  });
  plan(state, refund.id, refund.status === 'PENDING' ? settles?.at : undefined);
}

function plan(state: State, id: string, at: string | undefined): void {
  if (at === undefined) state.due.delete(id);
  else state.due.set(id, Date.parse(at));
}
