import { type Cents, cents, noCents } from '../money.ts';
import { ok, type Result, rejected } from '../result.ts';
import { unreachable } from '../unreachable.ts';
import type { DisputeOpened, DisputeOutcome, OrderEvent } from './events.ts';
import type { PaymentId } from './ids.ts';
import * as refund from './refund.ts';
import { allocate, splitOf } from './refund-allocation.ts';

/** What the ledger knows of an order's money at Square, to be compared with what Square says. */
export type ReconciledState = {
  readonly refunds: refund.RefundState;
  /** What Square kept so far, by the payment or refund at Square that it belongs to. */
  readonly fees: ReadonlyMap<string, Cents>;
  readonly disputes: ReadonlyMap<string, { readonly opened: DisputeOpened; readonly outcome?: DisputeOutcome }>;
  /** Square's ids of payments that nobody here asked for. */
  readonly orphans: ReadonlySet<string>;
};

export const nothingReconciled: ReconciledState = {
  refunds: refund.nothingRefunded,
  fees: new Map(),
  disputes: new Map(),
  orphans: new Set(),
};

export function evolve(before: ReconciledState, event: OrderEvent): ReconciledState {
  const state = { ...before, refunds: refund.evolve(before.refunds, event) };
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
    case 'OrphanPaymentFound':
      return { ...state, orphans: new Set(state.orphans).add(event.squarePaymentId) };
    default:
      return state;
  }
}

/** Something that Square says, and that nobody here asked for. */
export type SquareFact =
  /** All that Square keeps for one payment or refund so far; negative when it gave more back than it kept. */
  | { readonly type: 'Fee'; readonly squareId: string; readonly total: Cents }
  | {
      readonly type: 'ExternalRefund';
      readonly squareRefundId: string;
      readonly amount: Cents;
      readonly refundedAt: string;
    }
  | {
      readonly type: 'Dispute';
      readonly squareDisputeId: string;
      readonly amount: Cents;
      readonly reason: string;
      readonly dueAt?: string;
      /** Absent while it is open. */
      readonly outcome?: DisputeOutcome;
    }
  | {
      readonly type: 'OrphanPayment';
      readonly squarePaymentId: string;
      readonly amount: Cents;
      readonly reference?: string;
      readonly takenAt: string;
    };

export type ReconcileRejection =
  | { readonly code: 'NotPaid' }
  /** A refund of ours that Square will refuse is still counted: once it has failed, this one can be recorded. */
  | { readonly code: 'ExceedsRefundable'; readonly asked: Cents; readonly refundable: Cents };

/** Records what Square says; what is recorded already records nothing. */
export function decide(fact: SquareFact, state: ReconciledState): Result<readonly OrderEvent[], ReconcileRejection> {
  if (fact.type === 'OrphanPayment') {
    return ok(state.orphans.has(fact.squarePaymentId) ? [] : [{ ...fact, type: 'OrphanPaymentFound' }]);
  }
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

function recordExternalRefund(
  { squareRefundId, amount, refundedAt }: SquareFact & { type: 'ExternalRefund' },
  paymentId: PaymentId,
  state: refund.RefundState,
): Result<readonly OrderEvent[], ReconcileRejection> {
  const isKnown =
    state.external.has(squareRefundId) ||
    [...state.refunds.values()].some((ours) => ours.squareRefundId === squareRefundId);
  if (isKnown) return ok([]);
  const refundable = refund.refundableOf(state);
  if (amount > refundable) return rejected({ code: 'ExceedsRefundable', asked: amount, refundable });
  const allocation = allocate(refund.refundableCharges(state), amount, { rugs: [], deliveryMinimum: noCents });
  const split = splitOf(allocation);
  return ok([{ type: 'ExternalRefundRecorded', paymentId, squareRefundId, amount, allocation, split, refundedAt }]);
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
