import { type Cents, cents, noCents, sumCents } from '../money.ts';
import { ok, type Result, rejected } from '../result.ts';
import { unreachable } from '../unreachable.ts';
import { type ChargeRejection, itemsWith, refuseCharges } from './chosen-charges.ts';
import type {
  Becomes,
  CustomerReimbursed,
  ExternalRefundRecorded,
  OrderEvent,
  PaymentCaptured,
  RefundAllocation,
  RefundCompleted,
  RefundedCharge,
  RefundFailed,
  RefundRequested,
  RefundSplitCorrected,
  RefundSubmitted,
} from './events.ts';
import { type PaymentId, parseRefundId, type RefundId } from './ids.ts';
import {
  afterwards,
  allocate,
  type ChosenLines,
  chargesOf,
  nothingCharged,
  type OrderCharges,
  rugTotal,
  splitOf,
  totalOf,
  totalOfChosen,
} from './refund-allocation.ts';

/** `requested` and `submitted` are shown as pending. */
export type RefundStatus = 'requested' | 'submitted' | 'completed' | 'failed';

export type Refund = {
  readonly request: RefundRequested;
  readonly status: RefundStatus;
  readonly squareRefundId?: string;
  readonly failure?: RefundFailed;
};

export type CapturedPayment = Pick<PaymentCaptured, 'paymentId' | 'amount' | 'capturedAt'> & {
  /** Undefined: paid in the shop. */
  readonly squarePaymentId: string | undefined;
};

export type RefundState = {
  readonly charges: OrderCharges;
  readonly squarePaymentIds: ReadonlyMap<PaymentId, string>;
  readonly captured: CapturedPayment | undefined;
  /** In the order of their requests. */
  readonly refunds: ReadonlyMap<RefundId, Refund>;
  /** By Square's refund id. */
  readonly external: ReadonlyMap<string, ExternalRefundRecorded>;
  readonly reimbursements: ReadonlyMap<RefundId, CustomerReimbursed>;
  /** Above the refundable amount, by Square's refund id. */
  readonly excess: ReadonlySet<string>;
  /** Those that the business did not win, by Square's id. */
  readonly disputes: ReadonlyMap<string, 'open' | 'lost'>;
};

export const nothingRefunded: RefundState = {
  charges: nothingCharged,
  squarePaymentIds: new Map(),
  captured: undefined,
  refunds: new Map(),
  external: new Map(),
  reimbursements: new Map(),
  excess: new Set(),
  disputes: new Map(),
};

export function evolve(state: RefundState, event: OrderEvent): RefundState {
  switch (event.type) {
    case 'OrderPlaced':
      return { ...state, charges: chargesOf(event) };
    case 'PaymentAuthorized': {
      const { paymentId, squarePaymentId } = event;
      return { ...state, squarePaymentIds: new Map(state.squarePaymentIds).set(paymentId, squarePaymentId) };
    }
    case 'PaymentCaptured': {
      const { paymentId, amount, capturedAt } = event;
      const squarePaymentId = state.squarePaymentIds.get(paymentId);
      if (squarePaymentId === undefined) throw new Error(`Payment ${paymentId} was captured and never authorised`);
      return { ...state, captured: { paymentId, squarePaymentId, amount, capturedAt } };
    }
    case 'CustomerPaid': {
      const { paymentId, amount, paidAt: capturedAt } = event;
      return { ...state, captured: { paymentId, squarePaymentId: undefined, amount, capturedAt } };
    }
    case 'RefundRequested':
      return withRefund(state, { request: event, status: 'requested' });
    case 'RefundSubmitted': {
      const { refundId, squareRefundId } = event;
      return withRefund(state, { ...known(state, refundId), status: 'submitted', squareRefundId });
    }
    case 'RefundCompleted': {
      const { refundId, squareRefundId } = event;
      return withRefund(state, { ...known(state, refundId), status: 'completed', squareRefundId });
    }
    case 'RefundFailed':
      return withRefund(state, { ...known(state, event.refundId), status: 'failed', failure: event });
    case 'ExternalRefundRecorded':
      return { ...state, external: new Map(state.external).set(event.squareRefundId, event) };
    case 'CustomerReimbursed':
      return { ...state, reimbursements: new Map(state.reimbursements).set(event.reimbursementId, event) };
    case 'RefundSplitCorrected':
      return corrected(state, event);
    case 'ExcessRefundFound':
      return { ...state, excess: new Set(state.excess).add(event.squareRefundId) };
    case 'DisputeOpened':
      return { ...state, disputes: new Map(state.disputes).set(event.squareDisputeId, 'open') };
    case 'DisputeClosed': {
      const disputes = new Map(state.disputes).set(event.squareDisputeId, 'lost');
      if (event.outcome === 'won') disputes.delete(event.squareDisputeId);
      return { ...state, disputes };
    }
    default:
      return state;
  }
}

/** Of the office, of Square's dashboard, or a reimbursement. */
function corrected(
  state: RefundState,
  { correctedRefundId: id, allocation, split }: RefundSplitCorrected,
): RefundState {
  const external = state.external.get(id);
  if (external !== undefined) {
    return { ...state, external: new Map(state.external).set(id, { ...external, allocation, split }) };
  }
  const refundId = parseRefundId(id);
  if (refundId === undefined) throw new Error(`The stream corrects refund ${id}, which is no refund`);
  const reimbursed = state.reimbursements.get(refundId);
  if (reimbursed !== undefined) {
    const reimbursements = new Map(state.reimbursements).set(refundId, { ...reimbursed, allocation, split });
    return { ...state, reimbursements };
  }
  const refund = known(state, refundId);
  return withRefund(state, { ...refund, request: { ...refund.request, allocation, split } });
}

/** Money that is promised is no longer refundable: a requested refund counts, a failed one does not. */
export function refundableOf(state: RefundState): Cents {
  const given = givenBack(state).map(({ amount }) => amount);
  return cents((state.captured?.amount ?? noCents) - sumCents(given));
}

/** Zero before the capture. */
export function refundableCharges(state: RefundState): OrderCharges {
  if (state.captured === undefined) return nothingCharged;
  return givenBack(state)
    .map(({ allocation }): RefundAllocation => allocation)
    .reduce(afterwards, state.charges);
}

export function isRefundUndecided({ refunds }: RefundState): boolean {
  return [...refunds.values()].some(({ status }) => status === 'requested' || status === 'submitted');
}

function givenBack(state: RefundState): readonly { readonly amount: Cents; readonly allocation: RefundAllocation }[] {
  return [...counted(state), ...state.external.values(), ...state.reimbursements.values()];
}

function counted(state: RefundState): readonly RefundRequested[] {
  return [...state.refunds.values()].filter(({ status }) => status !== 'failed').map(({ request }) => request);
}

/** Square's limit. */
export const mostRefundsPerPayment = 20;

export type RequestRefund = Becomes<
  Omit<RefundRequested, 'paymentId' | 'charges' | 'allocation' | 'split'>,
  'RequestRefund'
> & {
  /** Of rugs that `items` does not name. An item is a whole rug, or a part of all its charges. */
  readonly charges?: readonly RefundedCharge[];
  readonly askedAt: string;
};

export type RefundCommand =
  | RequestRefund
  | Becomes<RefundSubmitted, 'RecordSubmission'>
  /** Square's amount. */
  | Becomes<RefundCompleted, 'RecordCompletion'>
  | Becomes<Omit<RefundFailed, 'amount'>, 'RecordFailure'>;

/** An open dispute may still take the money; a lost one took it. */
export type DisputeBlock = { readonly code: 'Disputed' } | { readonly code: 'DisputeLost' };

/** Whatever the amount is; staff see it before they request. */
export type RefundBlock =
  | { readonly code: 'NotPaid' }
  | { readonly code: 'FullyRefunded' }
  /** Without a payment at Square. */
  | { readonly code: 'PaidInShop' }
  | DisputeBlock
  | { readonly code: 'EarlierRefundFailed'; readonly refundId: RefundId }
  | { readonly code: 'TooManyRefunds'; readonly most: number }
  | { readonly code: 'PaymentTooOld' };

export type RefundRejection =
  | RefundBlock
  | { readonly code: 'ReasonRequired' }
  | { readonly code: 'ExceedsRefundable'; readonly asked: Cents; readonly refundable: Cents }
  | { readonly code: 'FullAmountDiffers'; readonly asked: Cents; readonly refundable: Cents }
  | LinesRejection
  | { readonly code: 'InvalidAmount'; readonly asked: Cents }
  | { readonly code: 'UnknownRefund'; readonly refundId: RefundId }
  | { readonly code: 'RefundClosed'; readonly refundId: RefundId; readonly status: RefundStatus }
  | { readonly code: 'AmountDiffers'; readonly expected: Cents; readonly offered: Cents };

type Decision = Result<readonly OrderEvent[], RefundRejection>;

export function decide(command: RefundCommand, state: RefundState): Decision {
  if (command.type === 'RequestRefund') return requestRefund(command, state);
  const refund = state.refunds.get(command.refundId);
  if (refund === undefined) return rejected({ code: 'UnknownRefund', refundId: command.refundId });
  switch (command.type) {
    case 'RecordSubmission': {
      // A later answer of Square may arrive first.
      if (refund.status !== 'requested') return ok([]);
      return ok([{ ...command, type: 'RefundSubmitted' }]);
    }
    case 'RecordCompletion': {
      if (refund.status === 'completed') return ok([]);
      if (refund.status === 'failed') return closed(refund);
      if (command.amount !== refund.request.amount) {
        return rejected({ code: 'AmountDiffers', expected: refund.request.amount, offered: command.amount });
      }
      return ok([{ ...command, type: 'RefundCompleted' }]);
    }
    case 'RecordFailure': {
      if (refund.status === 'failed') return ok([]);
      if (refund.status === 'completed') return closed(refund);
      return ok([{ ...command, type: 'RefundFailed', amount: refund.request.amount }]);
    }
    default:
      return unreachable(command);
  }
}

/** @returns undefined when this payment can be refunded. */
export function refundBlock(state: RefundState, askedAt: string): RefundBlock | undefined {
  const { captured } = state;
  if (captured === undefined) return { code: 'NotPaid' };
  if (refundableOf(state) === 0) return { code: 'FullyRefunded' };
  if (captured.squarePaymentId === undefined) return { code: 'PaidInShop' };
  const disputed = disputeBlock(state);
  if (disputed !== undefined) return disputed;
  const refunds = [...state.refunds.values()];
  // After one failure to collect the money, Square refuses further refunds.
  const failed = refunds.find(({ failure }) => failure?.squareRefundId !== undefined);
  if (failed !== undefined) return { code: 'EarlierRefundFailed', refundId: failed.request.refundId };
  const external = new Set([...state.external.keys(), ...state.excess]);
  const atSquare = refunds.filter(({ status }) => status !== 'failed').length + external.size;
  if (atSquare >= mostRefundsPerPayment) return { code: 'TooManyRefunds', most: mostRefundsPerPayment };
  return dayOf(askedAt) > oneYearAfter(captured.capturedAt) ? { code: 'PaymentTooOld' } : undefined;
}

/** The shop must not give the money back a second time, at Square or by hand. */
export function disputeBlock({ disputes }: RefundState): DisputeBlock | undefined {
  if (disputes.size === 0) return undefined;
  return { code: [...disputes.values()].includes('open') ? 'Disputed' : 'DisputeLost' };
}

function requestRefund(command: RequestRefund, state: RefundState): Decision {
  // The caller picks the id, so a second click or a retry records nothing new.
  if (state.refunds.has(command.refundId)) return ok([]);
  const block = refundBlock(state, command.askedAt);
  if (block !== undefined) return rejected(block);
  if (state.captured === undefined) return rejected({ code: 'NotPaid' });
  const refusal = refuseAmount(command, state);
  if (refusal !== undefined) return rejected(refusal);

  const {
    refundId,
    refundType,
    amount,
    reason,
    textDigest,
    items,
    charges = [],
    deliveryMinimum,
    requestedBy,
  } = command;
  const allocation = allocate(refundableCharges(state), amount, { rugs: items, charges, deliveryMinimum });
  return ok([
    {
      type: 'RefundRequested',
      refundId,
      paymentId: state.captured.paymentId,
      refundType,
      amount,
      reason: reason.trim(),
      ...(textDigest === undefined ? {} : { textDigest }),
      items: itemsWith(items, charges),
      charges,
      deliveryMinimum,
      allocation,
      split: splitOf(allocation),
      requestedBy,
    },
  ]);
}

function refuseAmount(command: RequestRefund, state: RefundState): RefundRejection | undefined {
  const { amount: asked, refundType, items, charges = [], deliveryMinimum } = command;
  const refundable = refundableOf(state);
  if (command.reason.trim() === '') return { code: 'ReasonRequired' };
  if (asked < 1) return { code: 'InvalidAmount', asked };
  if (asked > refundable) return { code: 'ExceedsRefundable', asked, refundable };
  if (refundType === 'full' && asked !== refundable) return { code: 'FullAmountDiffers', asked, refundable };

  return refuseLines({ rugs: items, charges, deliveryMinimum }, refundableCharges(state), asked);
}

export type LinesRejection =
  | ChargeRejection
  | { readonly code: 'ExceedsRug'; readonly rugIndex: number; readonly asked: Cents; readonly refundable: Cents }
  | { readonly code: 'ExceedsDeliveryMinimum'; readonly asked: Cents; readonly refundable: Cents }
  | { readonly code: 'ItemsExceedAmount'; readonly items: Cents; readonly asked: Cents };

/** @returns undefined when the amount can be for these lines. */
export function refuseLines(lines: ChosenLines, left: OrderCharges, asked: Cents): LinesRejection | undefined {
  const { rugs: items, charges = [], deliveryMinimum } = lines;
  const seen = new Set<number>();
  for (const { rugIndex, amount } of items) {
    const charges = left.rugs[rugIndex];
    if (charges === undefined) return { code: 'UnknownRug', rugIndex };
    if (seen.has(rugIndex)) return { code: 'RugChosenTwice', rugIndex };
    seen.add(rugIndex);
    if (amount < 1) return { code: 'InvalidAmount', asked: amount };
    const rugLeft = rugTotal(charges);
    if (amount > rugLeft) return { code: 'ExceedsRug', rugIndex, asked: amount, refundable: rugLeft };
  }
  const refusal = refuseCharges(charges, items, left);
  if (refusal !== undefined) return refusal;
  if (deliveryMinimum < 0 || deliveryMinimum > left.deliveryMinimum) {
    return { code: 'ExceedsDeliveryMinimum', asked: deliveryMinimum, refundable: left.deliveryMinimum };
  }
  const chosen = totalOfChosen(lines);
  return chosen > asked ? { code: 'ItemsExceedAmount', items: chosen, asked } : undefined;
}

/** Otherwise a recorded refund is missing in the lines. */
export function isConsistent(state: RefundState): boolean {
  return state.captured === undefined || refundableOf(state) === totalOf(refundableCharges(state));
}

function closed(refund: Refund): Decision {
  return rejected({ code: 'RefundClosed', refundId: refund.request.refundId, status: refund.status });
}

function dayOf(instant: string): string {
  return instant.slice(0, 'yyyy-mm-dd'.length);
}

function oneYearAfter(instant: string): string {
  return `${Number(instant.slice(0, 4)) + 1}${dayOf(instant).slice(4)}`;
}

function withRefund(state: RefundState, refund: Refund): RefundState {
  return { ...state, refunds: new Map(state.refunds).set(refund.request.refundId, refund) };
}

function known(state: RefundState, refundId: RefundId): Refund {
  const refund = state.refunds.get(refundId);
  if (refund === undefined) throw new Error(`The stream tells of refund ${refundId}, which was never requested`);
  return refund;
}
