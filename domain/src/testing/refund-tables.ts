import type { Day } from '../day.ts';
import { cents, noCents } from '../money.ts';
import type { OrderEvent, RefundRequested } from '../order/events.ts';
import type { RefundId } from '../order/ids.ts';
import * as reconcile from '../order/reconcile.ts';
import * as refund from '../order/refund.ts';
import { allocate, chargesOf, splitOf } from '../order/refund-allocation.ts';
import * as reimbursement from '../order/reimbursement.ts';
import {
  authorizedA,
  capturedA,
  completedA,
  disputeOpenedA,
  disputeWonA,
  excessRefundA,
  externalRefundA,
  failedA,
  orderAPlaced,
  refundA,
  refundOfFirstRug,
  reimbursedA,
  reimbursementA,
  splitCorrectedA,
  startedA,
  submittedA,
  totalA,
} from './orders.ts';
import { tableOf } from './state-table.ts';

const nextDay = '2026-11-22T08:00:00.000Z';
const wholeAllocation = allocate(chargesOf(orderAPlaced), totalA, { rugs: [], deliveryMinimum: noCents });
const whole = { amount: totalA, allocation: wholeAllocation, split: splitOf(wholeAllocation) };
const requestedAll: RefundRequested = { ...refundOfFirstRug, ...whole, refundType: 'full', items: [] };
const { squareRefundId } = completedA;
const { squareRefundId: _, ...refusedAll } = { ...failedA, amount: totalA };
const reimbursedAll = { ...reimbursedA, ...whole };
const dispute = disputeOpenedA;

const unpaid = [orderAPlaced, startedA, authorizedA] as const;
const paid = [...unpaid, capturedA] as const;
const requested = [...paid, requestedAll] as const;

/** The last refund, and the id of one that would follow. */
type Subject = { readonly last: RefundId; readonly following: RefundId };

function lastRefund(history: readonly OrderEvent[]): Subject {
  const last = history.findLast((event) => event.type === 'RefundRequested')?.refundId ?? refundA;
  return { last, following: `refund-number-${history.length}`.padEnd(20, '-') as RefundId };
}

type Command = refund.RefundCommand | reimbursement.RecordReimbursement;
type Asked = Partial<refund.RequestRefund>;

const request = (refundId: RefundId, more: Asked = {}): refund.RequestRefund => ({
  ...{ type: 'RequestRefund', refundId, refundType: 'full', amount: totalA, reason: 'Goodwill', items: [] },
  ...{ deliveryMinimum: noCents, requestedBy: 'ada', askedAt: nextDay },
  ...more,
});

function reimburse(
  reimbursementId: RefundId,
  amount = totalA,
  paidOn = '2026-11-22',
): reimbursement.RecordReimbursement {
  return {
    ...{ ...reimbursedA, type: 'RecordReimbursement', reimbursementId, amount, paidOn: paidOn as Day },
    possible: { first: '2026-11-21' as Day, last: '2026-11-22' as Day },
    lines: { rugs: [], deliveryMinimum: noCents },
  };
}

const unknownId = 'refund-that-nobody-asked-for' as RefundId;
const submit = (refundId: RefundId) => ({ ...submittedA, type: 'RecordSubmission', refundId }) as const;
const complete = (refundId: RefundId, amount = totalA) =>
  ({ ...completedA, type: 'RecordCompletion', refundId, amount }) as const;
const refuse = (refundId: RefundId) => ({ type: 'RecordFailure', refundId, code: 'REFUND_DECLINED' }) as const;
const fail = (refundId: RefundId) => ({ ...refuse(refundId), squareRefundId }) as const;
const asking = (more: Asked) => (subject: Subject) => request(subject.following, more);

export const refundTable = tableOf<refund.RefundState, Subject, Command>({
  title: 'The last refund, each of the whole payment',
  ...{ initial: refund.nothingRefunded, evolve: refund.evolve, subjectOf: lastRefund },
  decide: (command, state) =>
    command.type === 'RecordReimbursement' ? reimbursement.decide(command, state) : refund.decide(command, state),
  stateOf(state) {
    if (state.captured === undefined) return 'not paid';
    const rest = refund.refundableOf(state);
    if (rest < 0) return 'overdrawn';
    const last = [...state.refunds.values()].at(-1);
    if (last === undefined) return rest === 0 ? 'given back' : 'paid';
    if (last.status !== 'failed') return last.status;
    if (rest === 0) return 'failed, given back';
    return last.failure?.squareRefundId === undefined ? 'refused' : 'failed';
  },
  states: {
    'not paid': unpaid,
    paid,
    requested,
    submitted: [...requested, submittedA],
    completed: [...requested, { ...completedA, amount: totalA }],
    refused: [...requested, refusedAll],
    failed: [...requested, { ...refusedAll, squareRefundId }],
    'failed, given back': [...requested, refusedAll, reimbursedAll],
    'given back': [...paid, reimbursedAll],
  },
  entries: ['not paid', 'paid'],
  waiting: ['requested', 'submitted', 'refused', 'failed'],
  ends: ['completed', 'failed, given back', 'given back'],
  inputs: {
    RequestRefund: {
      '': asking({}),
      'with the id of the refund': ({ last }) => request(last),
      'without a reason': asking({ reason: ' ' }),
      'of nothing': asking({ amount: noCents }),
      'of a cent too much': asking({ amount: cents(totalA + 1) }),
      'of a cent too little for a full one': asking({ amount: cents(totalA - 1) }),
      'for a rug that was not ordered': asking({ items: [{ rugIndex: 2, amount: cents(1) }] }),
      'after a year': asking({ askedAt: '2027-11-22T00:00:00.000Z' }),
      'after twenty refunds': {
        given: Array.from({ length: 20 }, (_, index) => ({ ...excessRefundA, squareRefundId: `excess-${index}` })),
        commands: asking({}),
      },
      'during a dispute': { given: [dispute], commands: asking({}) },
    },
    RecordSubmission: { '': ({ last }) => submit(last) },
    RecordCompletion: {
      'of the amount': ({ last }) => complete(last),
      'of another amount': ({ last }) => complete(last, cents(1)),
    },
    RecordFailure: {
      'before Square took it': ({ last }) => refuse(last),
      'after Square took it': ({ last }) => fail(last),
      'or another record, of an unknown refund': () => [submit(unknownId), complete(unknownId), fail(unknownId)],
    },
    RecordReimbursement: {
      'of the whole payment': ({ following }) => reimburse(following),
      'that is recorded already': {
        given: [{ ...reimbursedAll, amount: cents(1) }],
        commands: () => reimburse(reimbursementA),
      },
      'of nothing': ({ following }) => reimburse(following, noCents),
      'of a cent too much': ({ following }) => reimburse(following, cents(totalA + 1)),
      'on a day to come': ({ following }) => reimburse(following, totalA, '2026-11-23'),
      'during a dispute': { given: [dispute], commands: ({ following }) => reimburse(following) },
    },
  },
  // not paid | paid | requested | submitted | completed | refused | failed | failed, given back | given back
  cells: `
RequestRefund | NotPaid | requested | FullyRefunded | " | " | requested | EarlierRefundFailed | FullyRefunded | "
RequestRefund with the id of the refund | NotPaid | requested | - | - | - | - | - | - | FullyRefunded
RequestRefund without a reason | NotPaid | ReasonRequired | FullyRefunded | " | " | ReasonRequired | EarlierRefundFailed | FullyRefunded | "
RequestRefund of nothing | NotPaid | InvalidAmount | FullyRefunded | " | " | InvalidAmount | EarlierRefundFailed | FullyRefunded | "
RequestRefund of a cent too much | NotPaid | ExceedsRefundable | FullyRefunded | " | " | ExceedsRefundable | EarlierRefundFailed | FullyRefunded | "
RequestRefund of a cent too little for a full one | NotPaid | FullAmountDiffers | FullyRefunded | " | " | FullAmountDiffers | EarlierRefundFailed | FullyRefunded | "
RequestRefund for a rug that was not ordered | NotPaid | UnknownRug | FullyRefunded | " | " | UnknownRug | EarlierRefundFailed | FullyRefunded | "
RequestRefund after a year | NotPaid | PaymentTooOld | FullyRefunded | " | " | PaymentTooOld | EarlierRefundFailed | FullyRefunded | "
RequestRefund after twenty refunds | NotPaid | TooManyRefunds | FullyRefunded | " | " | TooManyRefunds | EarlierRefundFailed | FullyRefunded | "
RequestRefund during a dispute | NotPaid | Disputed | FullyRefunded | " | " | Disputed | " | FullyRefunded | "
RecordSubmission | UnknownRefund | " | submitted | - | - | - | - | - | UnknownRefund
RecordCompletion of the amount | UnknownRefund | " | completed | " | - | RefundClosed | " | " | UnknownRefund
RecordCompletion of another amount | UnknownRefund | " | AmountDiffers | " | - | RefundClosed | " | " | UnknownRefund
RecordFailure before Square took it | UnknownRefund | " | refused | " | RefundClosed | - | - | - | UnknownRefund
RecordFailure after Square took it | UnknownRefund | " | failed | " | RefundClosed | - | - | - | UnknownRefund
RecordFailure or another record, of an unknown refund | UnknownRefund | " | " | " | " | " | " | " | "
RecordReimbursement of the whole payment | NotPaid | given back | FullyRefunded | " | " | failed, given back | " | FullyRefunded | "
RecordReimbursement that is recorded already | - | - | - | - | - | - | - | - | -
RecordReimbursement of nothing | NotPaid | InvalidAmount | FullyRefunded | " | " | InvalidAmount | " | FullyRefunded | "
RecordReimbursement of a cent too much | NotPaid | ExceedsRefundable | FullyRefunded | " | " | ExceedsRefundable | " | FullyRefunded | "
RecordReimbursement on a day to come | NotPaid | ImpossibleDay | FullyRefunded | " | " | ImpossibleDay | " | FullyRefunded | "
RecordReimbursement during a dispute | NotPaid | Disputed | FullyRefunded | " | " | Disputed | " | FullyRefunded | "
CustomerPaid | paid | stays | " | " | " | " | " | " | "
PaymentCaptured | paid | stays | " | " | " | " | " | " | "
RefundRequested | stays | requested | stays | requested | " | " | " | overdrawn | "
RefundSubmitted | cannot follow | " | submitted | stays | submitted | " | " | overdrawn | cannot follow
RefundCompleted | cannot follow | " | completed | " | stays | completed | " | overdrawn | cannot follow
RefundFailed | cannot follow | " | failed | " | " | " | stays | " | cannot follow
ExternalRefundRecorded | stays | given back | overdrawn | " | " | failed, given back | " | overdrawn | "
CustomerReimbursed | stays | given back | overdrawn | " | " | failed, given back | " | stays | "
RefundSplitCorrected | cannot follow | " | stays | " | " | " | " | " | cannot follow`,
  samples: [
    requestedAll,
    reimbursedAll,
    { ...externalRefundA, ...whole },
    { ...splitCorrectedA, ...whole, correctedRefundId: refundA },
  ],
});

const { squareDisputeId, amount, reason } = dispute;
const said = { type: 'Dispute', squareDisputeId, amount, reason } as const;
type Disputed = (reconcile.SquareFact & { type: 'Dispute' }) | refund.RequestRefund | reimbursement.RecordReimbursement;

export const disputeTable = tableOf<reconcile.ReconciledState, Subject, Disputed>({
  title: 'A dispute',
  ...{ initial: reconcile.nothingReconciled, evolve: reconcile.evolve, subjectOf: lastRefund },
  decide(command, state) {
    if (command.type === 'RecordReimbursement') return reimbursement.decide(command, state.refunds);
    return command.type === 'Dispute' ? reconcile.decide(command, state) : refund.decide(command, state.refunds);
  },
  stateOf({ disputes, refunds }) {
    if (refunds.captured === undefined) return 'not paid';
    const known = disputes.get(squareDisputeId);
    if (known === undefined) return 'undisputed';
    if (known.outcome === undefined) return 'disputed';
    return known.outcome === 'won' ? 'won' : 'lost';
  },
  states: {
    'not paid': unpaid,
    undisputed: paid,
    disputed: [...paid, dispute],
    won: [...paid, dispute, disputeWonA],
    lost: [...paid, dispute, { ...disputeWonA, outcome: 'lost' }],
  },
  entries: ['not paid', 'undisputed'],
  waiting: ['disputed'],
  ends: ['won', 'lost'],
  inputs: {
    Dispute: {
      'is open': () => said,
      'is won': () => ({ ...said, outcome: 'won' }),
      'is lost or accepted': () => (['lost', 'accepted'] as const).map((outcome) => ({ ...said, outcome })),
    },
    RequestRefund: { 'of a cent': asking({ refundType: 'partial', amount: cents(1) }) },
    RecordReimbursement: { 'of a cent': ({ following }) => reimburse(following, cents(1)) },
  },
  // not paid | undisputed | disputed | won | lost
  cells: `
Dispute is open | NotPaid | disputed | - | - | -
Dispute is won | NotPaid | won | won | - | -
Dispute is lost or accepted | NotPaid | lost | lost | - | -
RequestRefund of a cent | NotPaid | undisputed | Disputed | won | DisputeLost
RecordReimbursement of a cent | NotPaid | undisputed | Disputed | won | DisputeLost
CustomerPaid | undisputed | stays | " | " | "
PaymentCaptured | undisputed | stays | " | " | "
RefundSubmitted | cannot follow | " | " | " | "
RefundCompleted | cannot follow | " | " | " | "
RefundFailed | cannot follow | " | " | " | "
RefundSplitCorrected | cannot follow | " | " | " | "
OrphanPaymentReturned | cannot follow | " | " | " | "
DisputeOpened | stays | disputed | stays | disputed | "
DisputeClosed, won | cannot follow | " | won | stays | won
DisputeClosed, lost | cannot follow | " | lost | " | stays
DisputeClosed, accepted | cannot follow | " | lost | " | stays`,
});
