import { type Cents, cents, noCents } from '../money.ts';
import { ok, type Result, rejected } from '../result.ts';
import { unreachable } from '../unreachable.ts';
import type {
  Becomes,
  DisputeOpened,
  DisputeOutcome,
  ExternalRefundRecorded,
  OrderEvent,
  OrphanPaymentFound,
  OrphanPaymentReturned,
} from './events.ts';
import type { PaymentId } from './ids.ts';
import * as orphan from './orphan.ts';
import * as payment from './payment.ts';
import * as refund from './refund.ts';
import { allocate, splitOf } from './refund-allocation.ts';

/** To compare with Square's reports. */
export type ReconciledState = {
  readonly payments: payment.PaymentState;
  readonly refunds: refund.RefundState;
  /** By Square's payment or refund id. */
  readonly fees: ReadonlyMap<string, Cents>;
  readonly disputes: ReadonlyMap<string, { readonly opened: DisputeOpened; readonly outcome?: DisputeOutcome }>;
  readonly orphans: orphan.Orphans;
};

export const nothingReconciled: ReconciledState = {
  payments: payment.nothingPaid,
  refunds: refund.nothingRefunded,
  fees: new Map(),
  disputes: new Map(),
  orphans: orphan.noOrphans,
};

export function evolve(before: ReconciledState, event: OrderEvent): ReconciledState {
  const state = {
    ...before,
    payments: payment.evolve(before.payments, event),
    refunds: refund.evolve(before.refunds, event),
    orphans: orphan.evolve(before.orphans, event),
  };
  switch (event.type) {
    case 'ProcessingFeeAssessed': {
      const { squareId, amount } = event;
      return { ...state, fees: new Map(state.fees).set(squareId, cents(feeOf(state, squareId) + amount)) };
    }
    case 'DisputeOpened':
      return { ...state, disputes: new Map(state.disputes).set(event.squareDisputeId, { opened: event }) };
    case 'DisputeClosed': {
      const dispute = state.disputes.get(event.squareDisputeId);
      if (dispute === undefined) throw new Error(`Dispute ${event.squareDisputeId} was closed and never opened`);
      const closed = { ...dispute, outcome: event.outcome };
      return { ...state, disputes: new Map(state.disputes).set(event.squareDisputeId, closed) };
    }
    default:
      return state;
  }
}

/** The server did not ask for it. */
export type SquareFact =
  /** The whole fee so far; negative if Square returned more than it charged. */
  | { readonly type: 'Fee'; readonly squareId: string; readonly total: Cents }
  | Becomes<Pick<ExternalRefundRecorded, 'squareRefundId' | 'amount' | 'refundedAt'>, 'ExternalRefund'>
  /** The outcome is absent while the dispute is open. */
  | (Becomes<Omit<DisputeOpened, 'paymentId'>, 'Dispute'> & { readonly outcome?: DisputeOutcome })
  | Becomes<OrphanPaymentFound, 'OrphanPayment'>
  | Becomes<OrphanPaymentReturned, 'OrphanReturn'>;

export type ReconcileRejection =
  | { readonly code: 'NotPaid' }
  /** Square will probably refuse the requested refund, and then the external one fits. */
  | { readonly code: 'RefundUndecided'; readonly asked: Cents; readonly refundable: Cents }
  /** The payment may belong to the open attempt, or to one just captured. */
  | { readonly code: 'PaymentInProgress'; readonly paymentId: PaymentId }
  | { readonly code: 'UnknownOrphan'; readonly squarePaymentId: string };

type Decision = Result<readonly OrderEvent[], ReconcileRejection>;

/** A repeated fact records nothing. */
export function decide(fact: SquareFact, state: ReconciledState): Decision {
  if (fact.type === 'OrphanPayment') return recordOrphan(fact, state);
  if (fact.type === 'OrphanReturn') return recordOrphanReturn(fact, state);
  const paymentId = state.refunds.captured?.paymentId;
  if (paymentId === undefined) return rejected({ code: 'NotPaid' });
  switch (fact.type) {
    case 'Fee': {
      const amount = cents(fact.total - feeOf(state, fact.squareId));
      return ok(amount === 0 ? [] : [{ type: 'ProcessingFeeAssessed', paymentId, squareId: fact.squareId, amount }]);
    }
    case 'ExternalRefund':
      return recordExternalRefund(fact, paymentId, state.refunds);
    case 'Dispute':
      return ok(disputeEvents(fact, paymentId, state));
    default:
      return unreachable(fact);
  }
}

function recordOrphan(fact: SquareFact & { type: 'OrphanPayment' }, { payments, orphans }: ReconciledState): Decision {
  const { squarePaymentId } = fact;
  if (orphans.has(squarePaymentId)) return ok([]);
  const captured = payment.capturedAttempt(payments);
  const isCaptured = captured?.authorization?.squarePaymentId === squarePaymentId;
  const attempt = isCaptured ? captured : payment.openAttempt(payments);
  if (attempt !== undefined) return rejected({ code: 'PaymentInProgress', paymentId: attempt.paymentId });
  return ok([{ ...fact, type: 'OrphanPaymentFound' }]);
}

function recordOrphanReturn(fact: SquareFact & { type: 'OrphanReturn' }, { orphans }: ReconciledState): Decision {
  const { squarePaymentId, squareRefundId } = fact;
  const found = orphans.get(squarePaymentId);
  if (found === undefined) return rejected({ code: 'UnknownOrphan', squarePaymentId });
  return ok(found.returned.has(squareRefundId) ? [] : [{ ...fact, type: 'OrphanPaymentReturned' }]);
}

/** The part that fits and the part above it are two events of one append. */
function recordExternalRefund(
  { squareRefundId, amount, refundedAt }: SquareFact & { type: 'ExternalRefund' },
  paymentId: PaymentId,
  state: refund.RefundState,
): Decision {
  const isKnown =
    state.external.has(squareRefundId) ||
    state.excess.has(squareRefundId) ||
    [...state.refunds.values()].some((ours) => ours.squareRefundId === squareRefundId);
  if (isKnown) return ok([]);
  const refundable = refund.refundableOf(state);
  const excess = amount > refundable ? cents(amount - refundable) : noCents;
  if (excess > 0 && refund.isRefundUndecided(state)) {
    return rejected({ code: 'RefundUndecided', asked: amount, refundable });
  }
  const about = { paymentId, squareRefundId, refundedAt };
  const fitting = cents(amount - excess);
  const events: OrderEvent[] = [];
  if (fitting > 0) {
    const allocation = allocate(refund.refundableCharges(state), fitting, { rugs: [], deliveryMinimum: noCents });
    const split = splitOf(allocation);
    events.push({ type: 'ExternalRefundRecorded', ...about, amount: fitting, allocation, split });
  }
  if (excess > 0) events.push({ type: 'ExcessRefundFound', ...about, amount: excess });
  return ok(events);
}

function disputeEvents(
  { squareDisputeId, amount, reason, dueAt, outcome }: SquareFact & { type: 'Dispute' },
  paymentId: PaymentId,
  state: ReconciledState,
): readonly OrderEvent[] {
  const known = state.disputes.get(squareDisputeId);
  const opened: OrderEvent = {
    type: 'DisputeOpened',
    paymentId,
    squareDisputeId,
    amount,
    reason,
    ...(dueAt === undefined ? {} : { dueAt }),
  };
  const begin = known === undefined ? [opened] : [];
  if (outcome === undefined || known?.outcome !== undefined) return begin;
  return [...begin, { type: 'DisputeClosed', paymentId, squareDisputeId, amount, outcome }];
}

function feeOf(state: ReconciledState, squareId: string): Cents {
  return state.fees.get(squareId) ?? noCents;
}

/** Fees of neither the order's payment nor its refunds. */
export function feesOfNothing({ fees, refunds }: ReconciledState): readonly (readonly [string, Cents])[] {
  const known = new Set([
    refunds.captured?.squarePaymentId,
    ...[...refunds.refunds.values()].map(({ squareRefundId }) => squareRefundId),
    ...refunds.external.keys(),
    ...refunds.excess,
  ]);
  return [...fees].filter(([squareId]) => !known.has(squareId));
}
