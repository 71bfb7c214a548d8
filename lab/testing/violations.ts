import { evolve, nothingRefunded, refundableOf } from '@kilim/domain/order/refund';
import type { StreamEvent } from '@kilim/domain/projection/order-summary';
import type { Sql, Transaction } from '../../bff/src/core/database/database.ts';
import { refundIdOfReturn } from '../../bff/src/core/use-case/return-orphan.ts';
import type { ObservedPayment, SimulatorClient } from '../square/simulator-client.ts';
import type { RefundRecord } from '../square/state.ts';
import { brokenStreams, readStreams, type Streams, wrongRows } from './ledger-violations.ts';

/** The person may rely on it. */
export type Told = { readonly key: string } & (
  | { readonly outcome: 'paid'; readonly orderId: string; readonly paymentId: string }
  /** Declined or voided: this key never charges anything. */
  | { readonly outcome: 'not-charged' }
  /** A final status stays. */
  | { readonly outcome: 'refund'; readonly status: 'pending' | 'completed' | 'failed' }
  | { readonly outcome: 'not-refunded' }
);

type Books = {
  readonly payments: readonly ObservedPayment[];
  readonly refunds: readonly RefundRecord[];
  readonly streams: Streams;
};

/**
 * Invariants that hold whenever nothing is in flight. The source of truth is Square's own state, not our fold of the
 * events. All reads of the database see the same moment, because a job may record fees while they run.
 * @returns one sentence for each violation.
 */
export async function violations(
  ownerSql: Sql,
  square: SimulatorClient,
  told: readonly Told[] = [],
): Promise<readonly string[]> {
  const [payments, refunds] = await Promise.all([square.payments(), square.refunds()]);
  return await ownerSql.begin('isolation level repeatable read read only', async (sql) => {
    const streams = await readStreams(sql);
    const books: Books = { payments, refunds, streams };
    return [
      ...paymentViolations(books),
      ...supplementViolations(streams),
      ...refundViolations(books),
      ...brokenAnswers(books, told),
      ...(await unfinishedWork(sql, books)),
      ...(await brokenStreams(sql)),
      ...(await wrongRows(sql, streams)),
    ];
  });
}

/** I1, I2, I3; and the ledger intended every payment at Square. */
function paymentViolations({ payments, streams }: Books): readonly string[] {
  const found: string[] = [];
  const captured = new Map<string, number>();
  const holds = new Map<string, string>();
  const keys = new Set<string>();
  for (const [streamId, events] of streams) {
    for (const { event } of events) {
      if (event.type === 'PaymentStarted') keys.add(`${streamId} ${event.idempotencyKey}`);
      if (event.type === 'PaymentAuthorized') holds.set(event.paymentId, event.squarePaymentId);
      if (event.type !== 'PaymentCaptured') continue;
      const squareId = holds.get(event.paymentId) ?? 'no hold';
      captured.set(squareId, (captured.get(squareId) ?? 0) + 1);
      const payment = payments.find((candidate) => candidate.payment.id === squareId)?.payment;
      const isTrue =
        payment?.status === 'COMPLETED' &&
        payment.amount_money.amount === event.amount &&
        payment.amount_money.currency === 'USD' &&
        `order-${payment.reference_id}` === streamId;
      if (!isTrue) found.push(`I3 ${streamId} records a capture that Square does not know: ${squareId}`);
    }
  }
  const completedOrders = new Set<string>();
  for (const { payment, idempotencyKey, refunds } of payments) {
    const streamId = `order-${payment.reference_id}`;
    if (!keys.has(`${streamId} ${idempotencyKey}`)) {
      found.push(`Square was asked for payment ${payment.id}, which the ledger never intended`);
    }
    if (payment.status === 'APPROVED' || payment.status === 'PENDING') {
      found.push(`The hold ${payment.id} of ${streamId} is left behind`);
    }
    if (payment.status !== 'COMPLETED') continue;
    const orphans = orphansIn(streams.get(streamId) ?? [], payment.id);
    if (orphans > 0) {
      found.push(
        ...returnViolations({ payment, refunds }, { streamId, orphans, captures: captured.get(payment.id) ?? 0 }),
      );
      continue;
    }
    if (completedOrders.has(streamId)) found.push(`I1 ${streamId} is charged more than once`);
    completedOrders.add(streamId);
    const times = captured.get(payment.id) ?? 0;
    if (times !== 1) found.push(`I2 payment ${payment.id} of ${streamId} has ${times} capture events`);
  }
  return found;
}

/** I6: what a customer paid for larger rugs was asked for, and nobody had taken it back. */
function supplementViolations(streams: Streams): readonly string[] {
  return [...streams].flatMap(([streamId, events]) => {
    const placed = events.map(({ event }) => event).find((event) => event.type === 'OrderPlaced');
    const captured = events
      .map(({ event }) => event)
      .find(({ type }) => type === 'PaymentCaptured' || type === 'CustomerPaid');
    if (placed?.supplementOf === undefined || captured === undefined) return [];
    const asked = (streams.get(`order-${placed.supplementOf}`) ?? []).flatMap(({ event }) =>
      'supplementId' in event && event.supplementId === placed.orderId ? [event] : [],
    );
    const isAsked = asked.some(
      (event) => event.type === 'SupplementRequested' && 'amount' in captured && event.amount === captured.amount,
    );
    const isWithdrawn = asked.some(({ type }) => type === 'SupplementWithdrawn');
    if (isAsked && !isWithdrawn) return [];
    return [`I6 ${streamId} was paid, and its order ${isAsked ? 'had withdrawn it' : 'asked for another amount'}`];
  });
}

function orphansIn(events: readonly StreamEvent[], squarePaymentId: string): number {
  return events.filter(({ event }) => event.type === 'OrphanPaymentFound' && event.squarePaymentId === squarePaymentId)
    .length;
}

/** A returned second charge is allowed if Square has refunded all of it. */
function returnViolations(
  { payment, refunds }: Pick<ObservedPayment, 'payment' | 'refunds'>,
  { streamId, orphans, captures }: { readonly streamId: string; readonly orphans: number; readonly captures: number },
): readonly string[] {
  const back = refunds.filter(({ refund }) => refund.status === 'COMPLETED');
  const sum = back.reduce((total, { refund }) => total + refund.amount_money.amount, 0);
  const found: string[] = [];
  if (sum !== payment.amount_money.amount) {
    found.push(`I1 ${streamId} is charged more than once: of ${payment.id} ${sum} cents are back`);
  }
  if (captures > 0) found.push(`I2 payment ${payment.id} of ${streamId} is captured and goes back`);
  if (orphans > 1) found.push(`I2 payment ${payment.id} of ${streamId} is found ${orphans} times`);
  return found;
}

const endedAs = {
  RefundCompleted: 'COMPLETED',
  RefundFailed: 'FAILED',
  ExternalRefundRecorded: 'COMPLETED',
  ExcessRefundFound: 'COMPLETED',
  OrphanPaymentReturned: 'COMPLETED',
} as const;

/** I4 and I5; and the ledger intended every refund at Square. */
function refundViolations({ payments, refunds, streams }: Books): readonly string[] {
  const found: string[] = [];
  const ledger = new Map<string, string>();
  const intended = new Set<string>();
  /** By Square's refund id. */
  const recordedCents = new Map<string, number>();
  const excessCents = new Map<string, number>();
  for (const [streamId, events] of streams) {
    let state = nothingRefunded;
    for (const { event, version } of events) {
      state = evolve(state, event);
      // At no moment may the ledger promise more than it captured.
      if (refundableOf(state) < 0) found.push(`I4 ${streamId} promises more than it captured at version ${version}`);
      if (event.type === 'RefundRequested') intended.add(event.refundId);
      if (event.type === 'OrphanPaymentFound') intended.add(refundIdOfReturn(event.squarePaymentId));
      if (event.type === 'ExcessRefundFound') excessCents.set(event.squareRefundId, event.amount);
      if (event.type === 'RefundSubmitted') ledger.set(event.squareRefundId, 'PENDING');
      if (event.type in endedAs && 'squareRefundId' in event && event.squareRefundId !== undefined) {
        ledger.set(event.squareRefundId, endedAs[event.type as keyof typeof endedAs]);
        const before = recordedCents.get(event.squareRefundId) ?? 0;
        if ('amount' in event) recordedCents.set(event.squareRefundId, before + event.amount);
      }
    }
  }
  for (const { payment, refunds: made } of payments) {
    const counted = made.filter(({ refund }) => refund.status === 'PENDING' || refund.status === 'COMPLETED');
    // The ledger records the refunded excess to the cent.
    const sum = counted.reduce((total, { refund }) => {
      return total + refund.amount_money.amount - (excessCents.get(refund.id) ?? 0);
    }, 0);
    const taken = payment.status === 'COMPLETED' ? payment.amount_money.amount : 0;
    if (sum > taken) found.push(`I4 ${sum} of ${taken} cents of ${payment.id} are given back at Square`);
  }
  for (const { refund, idempotencyKey } of refunds) {
    const status = refund.status === 'REJECTED' ? 'FAILED' : refund.status;
    const recorded = ledger.get(refund.id);
    const isElsewhere = idempotencyKey.startsWith(dashboardKey);
    if (!isElsewhere && !intended.has(idempotencyKey)) {
      found.push(`Square was asked for refund ${refund.id}, which the ledger never intended`);
    }
    if (recorded === undefined && isElsewhere && status !== 'COMPLETED') continue;
    if (recorded !== status) found.push(`I5 refund ${refund.id} is ${status} at Square and ${recorded} in the ledger`);
    const cents = recordedCents.get(refund.id);
    if (cents !== undefined && cents !== refund.amount_money.amount) {
      found.push(
        `I5 refund ${refund.id} is of ${refund.amount_money.amount} cents at Square and ${cents} in the ledger`,
      );
    }
    if (!isElsewhere && excessCents.has(refund.id))
      found.push(`I4 the server asked for the excess refund ${refund.id}`);
  }
  for (const squareId of ledger.keys()) {
    if (!refunds.some(({ refund }) => refund.id === squareId)) {
      found.push(`I5 the ledger knows refund ${squareId}, and Square does not`);
    }
  }
  return found;
}

/** Of keys with which tests act in Square's dashboard. */
export const dashboardKey = 'dashboard-';

/** I8: every answer still holds. */
export function brokenAnswers(books: Pick<Books, 'streams'>, told: readonly Told[]): readonly string[] {
  const facts = factsOf(books);
  return told.flatMap((answer) => {
    const sentence = brokenAnswer(facts, answer);
    return sentence === undefined ? [] : [`I8 somebody was told ${sentence}`];
  });
}

type Facts = {
  /** Payment ids. */
  readonly captured: ReadonlySet<string>;
  readonly paymentOfKey: ReadonlyMap<string, string>;
  readonly refunds: ReadonlyMap<string, 'pending' | 'completed' | 'failed'>;
};

function factsOf({ streams }: Pick<Books, 'streams'>): Facts {
  const captured = new Set<string>();
  const paymentOfKey = new Map<string, string>();
  const refunds = new Map<string, 'pending' | 'completed' | 'failed'>();
  for (const { event } of [...streams.values()].flat()) {
    if (event.type === 'PaymentStarted') paymentOfKey.set(event.idempotencyKey, event.paymentId);
    if (event.type === 'PaymentCaptured') captured.add(event.paymentId);
    if (event.type === 'RefundRequested') refunds.set(event.refundId, 'pending');
    if (event.type === 'RefundCompleted') refunds.set(event.refundId, 'completed');
    if (event.type === 'RefundFailed') refunds.set(event.refundId, 'failed');
  }
  return { captured, paymentOfKey, refunds };
}

function brokenAnswer({ captured, paymentOfKey, refunds }: Facts, answer: Told): string | undefined {
  switch (answer.outcome) {
    case 'paid':
      return captured.has(answer.paymentId) ? undefined : `that ${answer.orderId} is paid, and it is not`;
    case 'not-charged':
      return captured.has(paymentOfKey.get(answer.key) ?? '')
        ? `that ${answer.key} charged nothing, and it did`
        : undefined;
    case 'refund': {
      const status = refunds.get(answer.key);
      const holds = answer.status === 'pending' ? status !== undefined : status === answer.status;
      return holds ? undefined : `that refund ${answer.key} is ${answer.status}, and it is ${status}`;
    }
    case 'not-refunded':
      return refunds.has(answer.key) ? `that refund ${answer.key} was refused, and it was made` : undefined;
  }
}

/** I6: no effect and no hint is open, except for refunds that Square itself has not decided. */
async function unfinishedWork(sql: Transaction, { refunds }: Books): Promise<readonly string[]> {
  const waiting = new Set(refunds.filter(({ refund }) => refund.status === 'PENDING').map((r) => r.idempotencyKey));
  const effects = await sql<{ key: string; kind: string; state: string; refund_id: string | null }[]>`
    select key, kind, state, refund_id from ledger.effect where state <> 'done'`;
  const left = effects.filter(({ kind, state, refund_id: refundId }) => {
    return !(kind === 'follow_refund' && state === 'open' && waiting.has(refundId ?? ''));
  });
  const hints = await sql<{ event_id: string }[]>`
    select event_id from ledger.square_hint where handled_at is null`;
  return [
    ...left.map(({ key, state }) => `I6 the effect ${key} is ${state}`),
    ...hints.map(({ event_id: eventId }) => `I6 the hint ${eventId} was not followed`),
  ];
}
