import { unreachable } from '@kilim/domain/unreachable';
import type {
  Answer,
  DisputeState,
  PaymentStatus,
  PayoutStatus,
  RefundStatus,
  WireDispute,
  WireEvent,
  WirePayment,
  WirePayout,
  WirePayoutEntry,
  WireRefund,
} from './wire.ts';

export type PaymentRecord = {
  readonly payment: WirePayment;
  readonly idempotencyKey: string;
  /** The test card's, which decides the later steps. */
  readonly outcome: string;
  /** By creation: several payments can share a millisecond. */
  readonly sequence: number;
  readonly approvesAt?: string;
  readonly history: readonly HistoryEntry<PaymentStatus>[];
};

export type RefundRecord = {
  readonly refund: WireRefund;
  readonly idempotencyKey: string;
  readonly sequence: number;
  /** Absent: keeps its status until a test settles it. */
  readonly settles?: { readonly at: string; readonly as: RefundStatus };
  readonly history: readonly HistoryEntry<RefundStatus>[];
};

export type PayoutRecord = {
  readonly payout: WirePayout;
  readonly entries: readonly WirePayoutEntry[];
  /** Absent: it has arrived or failed. */
  readonly arrives?: { readonly at: string; readonly as: PayoutStatus };
};

export type Unsettled = { readonly at: string } & (
  | { readonly kind: 'charge'; readonly paymentId: string }
  | { readonly kind: 'refund'; readonly refundId: string }
  | { readonly kind: 'dispute-opened' | 'dispute-won'; readonly disputeId: string }
  | { readonly kind: 'returned'; readonly payoutId: string }
);

/** A test can count holds and captures without trusting the code under test. */
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
  /** A new payout names the unsettled entries that it pays out. */
  | ({ readonly type: 'payout'; readonly settles: readonly string[] } & PayoutRecord)
  /** Of payouts that the local Square does not know. */
  | { readonly type: 'paid-out-earlier'; readonly settles: readonly string[] }
  | ({ readonly type: 'answer' } & StoredAnswer)
  | { readonly type: 'token-used'; readonly token: string }
  | { readonly type: 'event'; readonly event: WireEvent }
  | { readonly type: 'event-settled'; readonly eventId: string; readonly state: OutboxEntry['state'] };

export type State = ReturnType<typeof emptyState>;

/** Only `apply` changes it, so replaying the changes restores it. */
export function emptyState() {
  return {
    payments: new Map<string, PaymentRecord>(),
    paymentIdByKey: new Map<string, string>(),
    refunds: new Map<string, RefundRecord>(),
    disputes: new Map<string, WireDispute>(),
    payouts: new Map<string, PayoutRecord>(),
    /** Since the last payout, oldest first; each key is unique. */
    unsettled: new Map<string, Unsettled>(),
    answers: new Map<string, StoredAnswer>(),
    usedTokens: new Set<string>(),
    outbox: new Map<string, OutboxEntry>(),
    /** Changes without a request: a hold expires, a refund settles, a payout arrives. */
    due: new Map<string, number>(),
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
      applyDispute(state, change.dispute);
      break;
    case 'payout':
      applyPayout(state, change);
      break;
    case 'paid-out-earlier':
      for (const name of change.settles) state.unsettled.delete(name);
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
  if (payment.status === 'COMPLETED' && before?.payment.status !== 'COMPLETED') {
    const { id: paymentId, updated_at: at } = payment;
    state.unsettled.set(`charge ${paymentId}`, { kind: 'charge', paymentId, at });
  }
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
  if (refund.status === 'COMPLETED' && before?.refund.status !== 'COMPLETED') {
    const { id: refundId, updated_at: at } = refund;
    state.unsettled.set(`refund ${refundId}`, { kind: 'refund', refundId, at });
  }
  plan(state, refund.id, refund.status === 'PENDING' ? settles?.at : undefined);
}

function applyDispute(state: State, dispute: WireDispute): void {
  const { id: disputeId, updated_at: at } = dispute;
  const before = state.disputes.get(disputeId);
  state.disputes.set(disputeId, dispute);
  const wasCharged = before !== undefined && !isInquiry(before.state);
  if (!wasCharged && !isInquiry(dispute.state)) {
    state.unsettled.set(`dispute-opened ${disputeId}`, { kind: 'dispute-opened', disputeId, at });
  }
  if (dispute.state === 'WON' && before?.state !== 'WON') {
    state.unsettled.set(`dispute-won ${disputeId}`, { kind: 'dispute-won', disputeId, at });
  }
}

/** An inquiry moves no money. */
export function isInquiry(state: DisputeState): boolean {
  return state.startsWith('INQUIRY_');
}

function applyPayout(state: State, change: Extract<Change, { type: 'payout' }>): void {
  const { payout, entries, arrives, settles } = change;
  const before = state.payouts.get(payout.id);
  state.payouts.set(payout.id, { payout, entries, ...(arrives === undefined ? {} : { arrives }) });
  for (const name of settles) state.unsettled.delete(name);
  if (payout.status === 'FAILED' && before?.payout.status !== 'FAILED') {
    const { id: payoutId, updated_at: at } = payout;
    state.unsettled.set(`returned ${payoutId}`, { kind: 'returned', payoutId, at });
  }
  plan(state, payout.id, arrives?.at);
}

function plan(state: State, id: string, at: string | undefined): void {
  if (at === undefined) state.due.delete(id);
  else state.due.set(id, Date.parse(at));
}
