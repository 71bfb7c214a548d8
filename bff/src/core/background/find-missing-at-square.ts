import { typesOf } from '@kilim/domain/accounting/money-of-events';
import { cents } from '@kilim/domain/money';
import { allowLongStatements, type Sql, type Transaction } from '../database/database.ts';
import { isOneOf } from '../ledger/money-in-sql.ts';
import { orderIdOf } from '../ledger/read.ts';
import type { CardDispute, CardPayment, CardRefund, Listed, Span } from '../square/card-processor.ts';
import { agrees, type Difference, differs, type Finding, inFlight } from '../use-case/finding.ts';
import type { World } from '../use-case/world.ts';
import { reconcilePayment } from './reconcile-payment.ts';
import { reconcileRefund } from './reconcile-refund.ts';

/** The lists must be complete, and older than the ledger that they are compared with. */
export type ListedBySquare = {
  readonly payments: readonly CardPayment[];
  readonly refunds: readonly CardRefund[];
  readonly disputes: readonly CardDispute[];
};

/** Looks up captures, fees and refunds of the ledger that are not in Square's lists. */
export async function findMissingAtSquare(
  world: World,
  span: Span,
  listed: { readonly payments: Listed<CardPayment>; readonly refunds: Listed<CardRefund> },
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  if (listed.payments.kind === 'listed') {
    const payments = new Set(listed.payments.items.map(({ squarePaymentId }) => squarePaymentId));
    for (const fact of await readCaptures(world.sql, span)) {
      if (!payments.has(fact.squareId)) findings.push(await lookUpCapture(world, fact));
    }
  }
  if (listed.refunds.kind === 'listed') {
    const refunds = new Set(listed.refunds.items.map(({ squareRefundId }) => squareRefundId));
    for (const fact of await readRefunds(world.sql, span)) {
      if (!refunds.has(fact.squareId)) findings.push(await lookUpRefund(world, fact));
    }
  }
  return findings;
}

/** Square lists all, so none is looked up. */
export async function findMissingDisputes(
  world: World,
  span: Span,
  { items, unreadable }: { readonly items: ListedBySquare['disputes']; readonly unreadable: readonly string[] },
): Promise<readonly Finding[]> {
  const atSquare = new Set([...items.map(({ squareDisputeId }) => squareDisputeId), ...unreadable]);
  const facts = await readDisputes(world.sql, span);
  return facts
    .filter(({ squareId }) => !atSquare.has(squareId))
    .map((fact) => differs({ code: 'DisputeNotAtSquare', ...fact }));
}

type Fact = Omit<Difference, 'code'>;

async function lookUpCapture(world: World, fact: Fact): Promise<Finding> {
  const looked = await world.card.get(fact.squareId);
  if (looked.kind === 'unknown') return inFlight;
  if (looked.kind === 'not-found') return differs({ code: 'CaptureNotAtSquare', ...fact });
  return reconcilePayment(world, looked.payment);
}

async function lookUpRefund(world: World, fact: Fact): Promise<Finding> {
  const looked = await world.card.getRefund(fact.squareId);
  if (looked.kind === 'unknown') return inFlight;
  if (looked.kind === 'not-found') return differs({ code: 'RefundNotAtSquare', ...fact });
  const { status, amount } = looked.refund;
  // The ledger may know one refund in several events; reconciliation compares the whole refund.
  return status === 'completed' && amount === fact.amount ? agrees : reconcileRefund(world, looked.refund);
}

type FactRow = { stream_id: string; square_id: string; amount: number; at: Date };

function factOf({ stream_id, square_id: squareId, amount, at }: FactRow): Fact {
  return { squareId, orderId: orderIdOf(stream_id), amount: cents(amount), at: at.toISOString() };
}

/** Three weeks of a busy shop are tens of thousands of events. */
const longestReadingSeconds = 60;

async function readFacts(sql: Sql, read: (reader: Transaction) => Promise<readonly FactRow[]>) {
  const rows = await sql.begin('read only', async (reader) => {
    await allowLongStatements(reader, longestReadingSeconds);
    return await read(reader);
  });
  return rows.map(factOf);
}

/** Orders that were paid, or whose fees changed: a fee is compared with its payment. */
function readCaptures(sql: Sql, { from, to }: Span): Promise<readonly Fact[]> {
  return readFacts(
    sql,
    (reader) => reader<FactRow[]>`
      select 'order-' || order_id::text as stream_id, square_payment_id as square_id, captured_cents as amount,
        paid_at as at
      from ledger.order_summary
      where payment_status = 'paid' and square_payment_id is not null and (
        paid_at >= ${from}::text::timestamptz and paid_at < ${to}::text::timestamptz
        or order_id in (
          select substr(stream_id, length('order-') + 1)::uuid from ledger.event
          where occurred_at >= ${from}::text::timestamptz and occurred_at < ${to}::text::timestamptz
            and ${reader.unsafe(isOneOf(typesOf('fees')))}
        )
      )`,
  );
}

const externalTypes = ['ExternalRefundRecorded', 'ExcessRefundFound', 'OrphanPaymentReturned'] as const;

function readRefunds(sql: Sql, { from, to }: Span): Promise<readonly Fact[]> {
  return readFacts(
    sql,
    (reader) => reader<FactRow[]>`
      select 'order-' || order_id::text as stream_id, square_refund_id as square_id, amount_cents as amount,
        settled_at as at
      from ledger.refund_history
      where origin = 'admin' and status = 'completed' and square_refund_id is not null
        and settled_at >= ${from}::text::timestamptz and settled_at < ${to}::text::timestamptz
      union all
      select stream_id, payload ->> 'squareRefundId', sum(amount_cents)::bigint, min(occurred_at)
      from ledger.event
      where ${reader.unsafe(isOneOf(externalTypes))} and greatest(occurred_at, recorded_at) >= ${from}::text::timestamptz
        and occurred_at < ${to}::text::timestamptz
      group by stream_id, payload ->> 'squareRefundId'`,
  );
}

function readDisputes(sql: Sql, { from, to }: Span): Promise<readonly Fact[]> {
  return readFacts(
    sql,
    (reader) => reader<FactRow[]>`
      select stream_id, payload ->> 'squareDisputeId' as square_id, amount_cents as amount, occurred_at as at
      from ledger.event
      where ${reader.unsafe(isOneOf(['DisputeOpened']))}
        and greatest(occurred_at, recorded_at) >= ${from}::text::timestamptz
        and occurred_at < ${to}::text::timestamptz`,
  );
}
