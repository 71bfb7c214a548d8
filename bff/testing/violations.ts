import type { OrderEvent } from '@kilim/domain/order/events';
import type { OrderId } from '@kilim/domain/order/ids';
import { evolve, nothingRefunded, refundableOf } from '@kilim/domain/order/refund';
import { type OrderSummary, project, type StreamEvent } from '@kilim/domain/projection/order-summary';
import { refundHistory } from '@kilim/domain/projection/refund-history';
import type { ObservedPayment, SimulatorClient } from '../square-simulator/simulator-client.ts';
import type { RefundRecord } from '../square-simulator/state.ts';
import type { Sql } from '../src/database/database.ts';
import { orderCodec } from '../src/ledger/codecs/order.ts';
import { canonicalJson } from '../src/ledger/hash.ts';
import { refundRow, summaryRow } from '../src/ledger/projection-rows.ts';
import { refundIdOfReturn } from '../src/use-case/return-orphan.ts';

/** What somebody outside was told, and may rely on. */
export type Told = { readonly key: string } & (
  | { readonly outcome: 'paid'; readonly orderId: string; readonly paymentId: string }
  /** Declined or void: nothing is charged under this key, now or later. */
  | { readonly outcome: 'not-charged' }
  /** What is over stays as it was told. */
  | { readonly outcome: 'refund'; readonly status: 'pending' | 'completed' | 'failed' }
  | { readonly outcome: 'not-refunded' }
);

/** Everything that is looked at, read once, while nothing is in flight. */
type Books = {
  readonly payments: readonly ObservedPayment[];
  readonly refunds: readonly RefundRecord[];
  readonly streams: ReadonlyMap<string, readonly StreamEvent[]>;
};

/**
 * What must hold whenever nothing is in flight, whatever happened before: one sentence for each thing that does not. The oracle is
 * Square's own state, not our fold of events.
 */
export async function violations(
  ownerSql: Sql,
  square: SimulatorClient,
  told: readonly Told[] = [],
): Promise<readonly string[]> {
  const [payments, refunds, streams] = await Promise.all([square.payments(), square.refunds(), readStreams(ownerSql)]);
  const books: Books = { payments, refunds, streams };
  return [
    ...paymentViolations(books),
    ...refundViolations(books),
    ...brokenWords(books, told),
    ...(await unfinishedWork(ownerSql, books)),
    ...(await brokenStreams(ownerSql)),
    ...(await wrongRows(ownerSql, books)),
  ];
}

/** I1, I2, I3, and that Square was asked for nothing that does not stand in the ledger. */
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

function orphansIn(events: readonly StreamEvent[], squarePaymentId: string): number {
  return events.filter(({ event }) => event.type === 'OrphanPaymentFound' && event.squarePaymentId === squarePaymentId)
    .length;
}

/** A payment that the ledger gave back is no second charge, if Square says that all of it is back. */
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

/** I4 and I5. */
function refundViolations({ payments, refunds, streams }: Books): readonly string[] {
  const found: string[] = [];
  const ledger = new Map<string, string>();
  const intended = new Set<string>();
  /** Cents by Square's refund id. */
  const recordedCents = new Map<string, number>();
  const excessCents = new Map<string, number>();
  for (const [streamId, events] of streams) {
    let state = nothingRefunded;
    for (const { event, version } of events) {
      state = evolve(state, event);
      // Not only at the end: at no moment was more promised than there was.
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
    // What Square gave back beyond what it had is marked in the ledger, to the cent.
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

/** How a test marks what it does in Square's dashboard, past the ledger. */
export const dashboardKey = 'dashboard-';

/** I8. */
function brokenWords(books: Books, told: readonly Told[]): readonly string[] {
  const facts = factsOf(books);
  return told.flatMap((word) => {
    const sentence = brokenWord(facts, word);
    return sentence === undefined ? [] : [`I8 somebody was told ${sentence}`];
  });
}

type Facts = {
  /** Payment ids. */
  readonly captured: ReadonlySet<string>;
  readonly paymentOfKey: ReadonlyMap<string, string>;
  readonly refunds: ReadonlyMap<string, 'pending' | 'completed' | 'failed'>;
};

function factsOf({ streams }: Books): Facts {
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

function brokenWord({ captured, paymentOfKey, refunds }: Facts, word: Told): string | undefined {
  switch (word.outcome) {
    case 'paid':
      return captured.has(word.paymentId) ? undefined : `that ${word.orderId} is paid, and it is not`;
    case 'not-charged':
      return captured.has(paymentOfKey.get(word.key) ?? '')
        ? `that ${word.key} charged nothing, and it did`
        : undefined;
    case 'refund': {
      const status = refunds.get(word.key);
      const holds = word.status === 'pending' ? status !== undefined : status === word.status;
      return holds ? undefined : `that refund ${word.key} is ${word.status}, and it is ${status}`;
    }
    case 'not-refunded':
      return refunds.has(word.key) ? `that refund ${word.key} was refused, and it was made` : undefined;
  }
}

/** I6: nothing is still to be asked, but for refunds that Square itself has not decided. */
async function unfinishedWork(ownerSql: Sql, { refunds }: Books): Promise<readonly string[]> {
  const waiting = new Set(refunds.filter(({ refund }) => refund.status === 'PENDING').map((r) => r.idempotencyKey));
  const effects = await ownerSql<{ key: string; kind: string; state: string; refund_id: string | null }[]>`
    select key, kind, state, refund_id from ledger.effect where state <> 'done'`;
  const left = effects.filter(({ kind, state, refund_id: refundId }) => {
    return !(kind === 'follow_refund' && state === 'open' && waiting.has(refundId ?? ''));
  });
  const hints = await ownerSql<{ event_id: string }[]>`
    select event_id from ledger.square_hint where handled_at is null`;
  return [
    ...left.map(({ key, state }) => `I6 the effect ${key} is ${state}`),
    ...hints.map(({ event_id: eventId }) => `I6 the hint ${eventId} was not followed`),
  ];
}

/** I7: versions are contiguous, every hash covers the one before it, and every event belongs to exactly one command. */
async function brokenStreams(ownerSql: Sql): Promise<readonly string[]> {
  const broken = await ownerSql<{ stream_id: string; version: number }[]>`
    select stream_id, version from (
      select e.*, ledger.event_hash(e) as expected_hash,
        row_number() over (partition by e.stream_id order by e.version) as expected_version,
        coalesce(lag(e.hash) over (partition by e.stream_id order by e.version), decode(repeat('00', 32), 'hex')) as before
      from ledger.event e
    ) chain
    where hash <> expected_hash or previous_hash <> before or version <> expected_version`;
  const strangers = await ownerSql<{ stream_id: string; version: number }[]>`
    select e.stream_id, e.version from ledger.event e
    left join ledger.command c on c.command_id = e.command_id and c.stream_id = e.stream_id
      and e.version between c.from_version and c.to_version
    where c.command_id is null`;
  return [
    ...broken.map(({ stream_id: id, version }) => `I7 the chain of ${id} breaks at version ${version}`),
    ...strangers.map(({ stream_id: id, version }) => `I7 version ${version} of ${id} belongs to no command`),
  ];
}

/** Every row is what its stream adds up to, and every stream has its rows. */
async function wrongRows(ownerSql: Sql, { streams }: Books): Promise<readonly string[]> {
  const found: string[] = [];
  const summaries = new Map(
    (await ownerSql<Row[]>`select * from ledger.order_summary`).map((row) => [row.order_id, row]),
  );
  const refunds = await ownerSql<Row[]>`select * from ledger.refund_history`;
  for (const [streamId, events] of streams) {
    const orderId = streamId.slice('order-'.length) as OrderId;
    const summary = events.reduce<OrderSummary | undefined>(project, undefined);
    if (summary === undefined) {
      found.push(`${streamId} has events and was never placed`);
      continue;
    }
    const isRebuilt = sameRow(summaries.get(orderId) ?? {}, summaryRow(summary));
    if (!isRebuilt) found.push(`The row of ${streamId} is not what its stream adds up to`);
    const rebuilt = refundHistory(orderId, events).map(refundRow);
    const stored = refunds.filter(({ order_id }) => order_id === orderId);
    const agree = rebuilt.every((refund) => {
      const same = stored.find(({ refund_id }) => refund_id === refund.refund_id);
      return same !== undefined && sameRow(same, refund);
    });
    if (!agree || stored.length !== rebuilt.length)
      found.push(`The refunds of ${streamId} are not what its stream says`);
  }
  for (const orderId of summaries.keys()) {
    if (!streams.has(`order-${orderId}`)) found.push(`The row of ${orderId} has no stream`);
  }
  return found;
}

type Row = Readonly<Record<string, unknown>> & { readonly order_id?: string; readonly refund_id?: string };

function sameRow(stored: Row, rebuilt: Row): boolean {
  // Instants become text, as the rebuilt row has them.
  return canonicalJson(JSON.parse(JSON.stringify(stored))) === canonicalJson(rebuilt);
}

type EventRow = {
  readonly stream_id: string;
  readonly version: number;
  readonly type: string;
  readonly schema_version: number;
  readonly occurred_at: Date;
  readonly payload: string;
};

async function readStreams(ownerSql: Sql): Promise<ReadonlyMap<string, readonly StreamEvent[]>> {
  const rows = await ownerSql<EventRow[]>`
    select stream_id, version, type, schema_version, occurred_at, payload::text as payload
    from ledger.event where stream_id like 'order-%' order by stream_id, version`;
  const streams = new Map<string, StreamEvent[]>();
  for (const row of rows) {
    const event: OrderEvent = orderCodec.decode({
      type: row.type,
      schemaVersion: row.schema_version,
      payload: row.payload,
    });
    const stream = streams.get(row.stream_id) ?? [];
    stream.push({ event, version: row.version, occurredAt: row.occurred_at.toISOString() });
    streams.set(row.stream_id, stream);
  }
  return streams;
}
