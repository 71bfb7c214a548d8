import { parseDay } from '@kilim/domain/day';
import { type Cents, cents, noCents } from '@kilim/domain/money';
import type { PayoutEntry, PayoutEvent, SquareEntry } from '@kilim/domain/payout/events';
import {
  decide,
  evolve,
  noPayout,
  type PayoutRejection,
  type PayoutState,
  type SquarePayout,
} from '@kilim/domain/payout/payout';
import { type KnownAtSquare, withStanding } from '@kilim/domain/payout/standing';
import type { Sql, Transaction } from '../../core/database/database.ts';
import { payoutCodec } from '../../core/ledger/codecs/payout.ts';
import { handle, streamTarget } from '../../core/ledger/handle.ts';
import { eventsOf, readStream, type Stream } from '../../core/ledger/read.ts';
import { arrivalOf, instantOf } from '../../core/ledger/reported-instant.ts';
import type { Span } from '../../core/square/card-processor.ts';
import type { PayoutDifference, RecordedPayouts, World } from '../../core/use-case/world.ts';
import { reconcilePayoutEntries } from './reconcile-payout-entries.ts';

/**
 * Records payouts, their entries, and whether they arrived. `reconcile` must run before: it records what the payouts
 * pay. A second run finds nothing new.
 */
export async function recordPayouts(world: World, span: Span): Promise<RecordedPayouts> {
  const listed = await world.card.listPayouts(span);
  if (listed.kind === 'unknown') return listed;
  const recorded: Partial<Record<PayoutEvent['type'], number>> = {};
  const differences: PayoutDifference[] = [];
  let inFlight = 0;
  const listedIds = [...listed.items.map(({ squarePayoutId }) => squarePayoutId), ...listed.unreadable];
  const missing = await findMissingPayouts(world, span, listedIds);
  if (missing === undefined) inFlight += 1;
  differences.push(
    ...(missing ?? []),
    ...listed.unreadable.map((id) => unreadable({ squarePayoutId: id, createdAt: world.now().toISOString() })),
  );
  for (const payout of listed.items) {
    const outcome = await recordPayout(world, payout);
    if (outcome.kind === 'in-flight') inFlight += 1;
    else if (outcome.kind === 'unreadable') differences.push(unreadable(payout));
    else if (outcome.kind === 'differs') {
      alarm(world, payout, outcome);
      const { squarePayoutId, amount, createdAt: at } = payout;
      differences.push({ code: outcome.rejection.code, squarePayoutId, amount, at });
    } else for (const { type } of outcome.events) recorded[type] = (recorded[type] ?? 0) + 1;
  }
  return { kind: 'recorded', report: { payouts: listed.items.length, recorded, inFlight, differences } };
}

type Named = Pick<SquarePayout, 'squarePayoutId' | 'createdAt'> & { readonly amount?: Cents };

function unreadable({ squarePayoutId, createdAt: at, amount = noCents }: Named): PayoutDifference {
  return { code: 'PayoutUnreadable', squarePayoutId, amount, at };
}

/** @returns undefined when Square did not answer. */
async function findMissingPayouts(
  { sql, card, log }: World,
  { from, to }: Span,
  listedIds: readonly string[],
): Promise<readonly PayoutDifference[] | undefined> {
  const seen = new Set(listedIds);
  const rows = await sql<{ id: string; amount: number; at: Date }[]>`
    select substr(stream_id, length('payout-') + 1) as id, amount_cents as amount, occurred_at as at
    from ledger.event
    where type = 'PayoutRecorded' and greatest(occurred_at, recorded_at) >= ${from}::text::timestamptz
      and occurred_at < ${to}::text::timestamptz`;
  const missing: PayoutDifference[] = [];
  for (const { id: squarePayoutId, amount, at } of rows) {
    if (seen.has(squarePayoutId)) continue;
    const looked = await card.getPayout(squarePayoutId);
    if (looked.kind === 'unknown') return undefined;
    if (looked.kind === 'found') continue;
    log.error({ squarePayoutId }, 'Square does not know a payout of the ledger');
    missing.push({ code: 'PayoutNotAtSquare', squarePayoutId, amount: cents(amount), at: at.toISOString() });
  }
  return missing;
}

/** @returns false when Square does not show all of it yet: try again. Undefined: Square does not know it. */
export async function recordPayoutNow(world: World, squarePayoutId: string): Promise<boolean | undefined> {
  const looked = await world.card.getPayout(squarePayoutId);
  if (looked.kind !== 'found') return looked.kind === 'not-found' ? undefined : false;
  const outcome = await recordPayout(world, looked.payout);
  // The next comparison names what cannot be read.
  if (outcome.kind !== 'differs') return outcome.kind !== 'in-flight';
  // Square may show the entries later than the payout. If they never come, the next comparison reports it.
  if (outcome.rejection.code === 'EntriesDoNotAddUp') return false;
  alarm(world, looked.payout, outcome);
  return true;
}

function alarm({ log }: World, { squarePayoutId }: SquarePayout, { rejection }: Differs): void {
  log.error({ squarePayoutId, rejection }, 'a payout cannot be recorded');
}

type Differs = { readonly kind: 'differs'; readonly rejection: PayoutRejection };

type Outcome =
  | { readonly kind: 'recorded'; readonly events: readonly PayoutEvent[] }
  | { readonly kind: 'in-flight' }
  | { readonly kind: 'unreadable' }
  | Differs;

async function recordPayout(world: World, payout: SquarePayout): Promise<Outcome> {
  const { squarePayoutId, status, kind } = payout;
  const target = payoutTarget(world.sql, squarePayoutId);
  const known = await target.read();
  const isNew = stateOf(known).status === 'unknown';
  const entries = isNew && kind === 'batch' ? await readEntries(world, squarePayoutId) : [];
  if (typeof entries === 'string') return { kind: entries };
  const happenedAt = await readHappenedAt(world.sql, payout);
  const handled = await handle(
    world,
    { ...target, known },
    {
      commandId: `payout:${squarePayoutId}:${status}`,
      actor: 'reconciliation',
      requestId: undefined,
      happenedAt,
      decide: (stream) => decide({ payout, entries }, stateOf(stream)),
    },
  );
  if (handled.outcome === 'refused') return { kind: 'differs', rejection: handled.rejection };
  return { kind: 'recorded', events: handled.outcome === 'recorded' ? handled.events : [] };
}

/** A paid payout belongs to the day on which it arrives at the bank: noon of that day in the shop. */
async function readHappenedAt(
  sql: Sql,
  { status, arrivalDate, updatedAt }: SquarePayout,
): Promise<(now: Date) => Date> {
  const day = status === 'paid' ? parseDay(arrivalDate ?? '') : undefined;
  if (day === undefined) return (now) => instantOf({ at: updatedAt }, now);
  const [row] = await sql<{ noon: Date }[]>`
    select ledger.start_of_day(${day}::text::date, time_zone) + interval '12 hours' as noon from ledger.day_progress`;
  if (row === undefined) throw new Error('It is not known in which time zone days begin.');
  return (now) => arrivalOf(row.noon, now);
}

function stateOf(stream: Stream<PayoutEvent>): PayoutState {
  return eventsOf(stream).reduce(evolve, noPayout);
}

function payoutTarget(sql: Sql, squarePayoutId: string) {
  const kind = { streamId: `payout-${squarePayoutId}`, codec: payoutCodec };
  const target = (connection: Sql | Transaction) => streamTarget(connection, kind, () => readStream(connection, kind));
  return {
    ...target(sql),
    append: (...appended: Parameters<ReturnType<typeof target>['append']>) =>
      sql.begin(async (transaction) => {
        const result = await target(transaction).append(...appended);
        if (result.outcome === 'appended') await transaction`select ledger.list_payout_entries(${kind.streamId})`;
        return result;
      }),
  };
}

/** @returns `in-flight` when Square does not list them now. */
async function readEntries(
  world: World,
  squarePayoutId: string,
): Promise<readonly PayoutEntry[] | 'in-flight' | 'unreadable'> {
  const listed = await world.card.listPayoutEntries(squarePayoutId);
  if (listed.kind === 'unknown') return 'in-flight';
  if (listed.unreadable.length > 0) return 'unreadable';
  const known = await knownAtSquare(world.sql, listed.items);
  const matched = listed.items.map((entry) => withStanding(entry, known));
  // The charge of an orphan payment is known, but its refund may be unknown.
  const unknown = matched.filter(
    ({ standing, activity }) => standing === 'unknown' || (standing === 'orphan' && activity === 'REFUND'),
  );
  if (unknown.length === 0) return matched;
  const elsewhere = await reconcilePayoutEntries(world, unknown);
  if (elsewhere === undefined) return 'in-flight';
  const learned = { ...(await knownAtSquare(world.sql, listed.items)), elsewhere };
  return listed.items.map((entry) => withStanding(entry, learned));
}

async function knownAtSquare(sql: Sql, entries: readonly SquareEntry[]): Promise<KnownAtSquare> {
  const payments = entries.flatMap(({ squarePaymentId }) => squarePaymentId ?? []);
  const refunds = entries.flatMap(({ squareRefundId }) => squareRefundId ?? []);
  const disputes = entries.flatMap(({ squareDisputeId }) => squareDisputeId ?? []);
  const rows = await sql<{ kind: keyof KnownAtSquare; id: string }[]>`
    select 'payments' as kind, square_payment_id as id from ledger.order_summary
    where square_payment_id = any (${sql.typed.textArray(payments)}::text[]) and payment_status = 'paid'
    union all select 'orphans', substr(command_id, length('orphan:') + 1) from ledger.command
    where command_id = any (${sql.typed.textArray(payments.map((id) => `orphan:${id}`))}::text[])
    union all select 'returns', substr(command_id, length('orphan-return:') + 1) from ledger.command
    where command_id = any (${sql.typed.textArray(refunds.map((id) => `orphan-return:${id}`))}::text[])
    union all select 'refunds', square_refund_id from ledger.refund_history
    where square_refund_id = any (${sql.typed.textArray(refunds)}::text[]) and status = 'completed'
    union all select 'refunds', substr(command_id, length('external-refund:') + 1) from ledger.command
    where command_id = any (${sql.typed.textArray(refunds.map((id) => `external-refund:${id}`))}::text[])
    union all select 'disputes', split_part(command_id, ':', 2) from ledger.command
    where command_id = any (${sql.typed.textArray(disputes.flatMap(disputeCommands))}::text[])`;
  const idsOf = (kind: keyof KnownAtSquare) => new Set(rows.filter((row) => row.kind === kind).map((row) => row.id));
  return {
    payments: idsOf('payments'),
    refunds: idsOf('refunds'),
    disputes: idsOf('disputes'),
    orphans: idsOf('orphans'),
    returns: idsOf('returns'),
    elsewhere: new Set(),
  };
}

/** A dispute that was found closed was recorded by one command. */
function disputeCommands(squareDisputeId: string): readonly string[] {
  return ['open', 'won', 'lost', 'accepted'].map((outcome) => `dispute:${squareDisputeId}:${outcome}`);
}
