import { sumOf, typesOf } from '@kilim/domain/accounting/money-of-events';
import type { EventType } from '@kilim/domain/ledger-event';
import { type Cents, cents, sumCents } from '@kilim/domain/money';
import { allowLongStatements, onlyRow, type Sql, type Transaction } from '../database/database.ts';
import { isOneOf, sumInSql } from '../ledger/money-in-sql.ts';
import type { Difference } from '../use-case/finding.ts';
import type { ListedBySquare } from './find-missing-at-square.ts';

export type Totals = {
  readonly taken: Cents;
  readonly refunded: Cents;
  readonly fees: Cents;
  /** Taken back by banks and not returned. */
  readonly disputed: Cents;
};

export type ComparedTotals = {
  readonly atSquare: Totals;
  readonly inLedger: Totals;
  /** Payments that have no fee yet. */
  readonly withoutFee: number;
};

/** Three weeks of a busy shop are tens of thousands of payments. */
const longestComparisonSeconds = 60;

/**
 * Adds up the same facts on both sides, after reconciliation recorded the missing ones. Facts that only the ledger has
 * are differences, and count on its side. Sales at the counter are left out.
 */
export async function compareTotals(
  sql: Sql,
  listed: ListedBySquare,
  differences: readonly Difference[],
): Promise<ComparedTotals> {
  return await sql.begin('read only', async (reader) => {
    await allowLongStatements(reader, longestComparisonSeconds);
    const money = await addUpMoney(reader, listed, differences);
    const fees = await addUpFees(reader, listed, differences);
    const disputed = await addUpDisputes(reader, listed, differences);
    return {
      atSquare: { ...money.atSquare, fees: fees.atSquare, disputed: disputed.atSquare },
      inLedger: { ...money.inLedger, fees: fees.inLedger, disputed: disputed.inLedger },
      withoutFee: takenOnline(listed).filter((payment) => payment.fees === undefined).length,
    };
  });
}

function takenOnline({ payments }: ListedBySquare) {
  return payments.filter(({ status, isOnline }) => status === 'completed' && isOnline);
}

function onlyInLedger(differences: readonly Difference[], wanted: Difference['code']): Cents {
  return sumCents(differences.flatMap(({ code, amount }) => (code === wanted ? [amount] : [])));
}

async function addUpMoney(sql: Transaction, listed: ListedBySquare, differences: readonly Difference[]) {
  const taken = takenOnline(listed);
  const given = listed.refunds.filter(({ status }) => status === 'completed');
  const missing = differences.flatMap(({ code, squareId }) => (code === 'CaptureNotAtSquare' ? [squareId] : []));
  const paymentIds = [...taken.map(({ squarePaymentId }) => squarePaymentId), ...missing];
  const refundIds = given.map(({ squareRefundId }) => squareRefundId);
  const ofTypes = (types: readonly EventType[]) => sql.unsafe(isOneOf(types));
  const row = await onlyRow(sql<{ taken: number; orphans: number; refunded: number; beyond: number }[]>`
    select (
      select coalesce(sum(event.amount_cents), 0)::bigint
      from ledger.order_summary summary join ledger.event on event.stream_id = 'order-' || summary.order_id::text
      where summary.square_payment_id = any (${sql.typed.textArray(paymentIds)}::text[]) and ${ofTypes(typesOf('takings'))}
    ) as taken, (
      select coalesce(sum(event.amount_cents), 0)::bigint
      from ledger.command join ledger.event on event.stream_id = command.stream_id
        and event.version between command.from_version and command.to_version
      where command.command_id = any (${sql.typed.textArray(paymentIds.map((id) => `orphan:${id}`))}::text[])
    ) as orphans, (
      select coalesce(sum(event.amount_cents), 0)::bigint
      from ledger.refund_history refund join ledger.event on event.stream_id = 'order-' || refund.order_id::text
      where refund.square_refund_id = any (${sql.typed.textArray(refundIds)}::text[])
        and ${ofTypes(typesOf('refunds'))}
        and event.payload ->> 'squareRefundId' = refund.square_refund_id
    ) as refunded, (
      select coalesce(sum(event.amount_cents), 0)::bigint
      from ledger.command join ledger.event on event.stream_id = command.stream_id
        and event.version between command.from_version and command.to_version
      where command.command_id = any (${sql.typed.textArray(refundIds.flatMap(commandsOfRefund))}::text[])
        and ${ofTypes(sumOf('unidentified').subtracts)}
    ) as beyond`);
  return {
    atSquare: {
      taken: sumCents(taken.map(({ amount }) => amount)),
      refunded: sumCents(given.map(({ amount }) => amount)),
    },
    inLedger: {
      taken: cents(row.taken + row.orphans),
      refunded: cents(row.refunded + row.beyond + onlyInLedger(differences, 'RefundNotAtSquare')),
    },
  };
}

function commandsOfRefund(squareRefundId: string): readonly string[] {
  return [`external-refund:${squareRefundId}`, `orphan-return:${squareRefundId}`];
}

type Sides = { readonly atSquare: Cents; readonly inLedger: Cents };

/** The fee of an orphan payment is booked with its payout. */
async function addUpFees(sql: Transaction, listed: ListedBySquare, differences: readonly Difference[]): Promise<Sides> {
  const reported = [
    ...takenOnline(listed).map(({ squarePaymentId: square_id, fees }) => ({ square_id, fees })),
    ...listed.refunds.map(({ squareRefundId: square_id, fees }) => ({ square_id, fees })),
    // Square reports no fee of a payment that it does not have.
    ...differences
      .filter(({ code }) => code === 'CaptureNotAtSquare' || code === 'RefundNotAtSquare')
      .map(({ squareId: square_id }) => ({ square_id, fees: 0 })),
  ].filter(({ fees }) => fees !== undefined);
  const row = await onlyRow(sql<{ at_square: number; in_ledger: number }[]>`
    with reported as (
      select square_id, fees from json_to_recordset(${JSON.stringify(reported)}::text::json) as (square_id text, fees bigint)
    ), of_order as (
      select reported.*, summary.order_id from reported
      join ledger.order_summary summary on summary.square_payment_id = reported.square_id
      where summary.payment_status = 'paid'
      union all
      select reported.*, refund.order_id from reported
      join ledger.refund_history refund on refund.square_refund_id = reported.square_id
    )
    select coalesce(sum(fees), 0)::bigint as at_square, coalesce(sum((
      select sum(event.amount_cents) from ledger.event
      where event.stream_id = 'order-' || of_order.order_id::text and ${sql.unsafe(isOneOf(typesOf('fees')))}
        and event.payload ->> 'squareId' = of_order.square_id
    )), 0)::bigint as in_ledger
    from of_order`);
  return {
    atSquare: cents(row.at_square),
    inLedger: cents(row.in_ledger + onlyInLedger(differences, 'FeeNotAtSquare')),
  };
}

/** A dispute of an orphan payment is booked with its payout. */
async function addUpDisputes(
  sql: Transaction,
  { disputes }: ListedBySquare,
  differences: readonly Difference[],
): Promise<Sides> {
  const ids = disputes.map(({ squareDisputeId }) => squareDisputeId);
  const payments = disputes.map(({ squarePaymentId }) => squarePaymentId);
  const paid = await sql<{ id: string }[]>`
    select square_payment_id as id from ledger.order_summary
    where payment_status = 'paid' and square_payment_id = any (${sql.typed.textArray(payments)}::text[])`;
  const paidIds = new Set(paid.map(({ id }) => id));
  const row = await onlyRow(sql<{ disputed: number }[]>`
    select ${sql.unsafe(sumInSql(sumOf('disputes')))} as disputed from ledger.event
    where ${sql.unsafe(isOneOf(typesOf('disputes')))}
      and payload ->> 'squareDisputeId' = any (${sql.typed.textArray(ids)}::text[])`);
  const takenBack = disputes.filter(
    ({ outcome, isInquiry, squarePaymentId }) => outcome !== 'won' && !isInquiry && paidIds.has(squarePaymentId),
  );
  return {
    atSquare: sumCents(takenBack.map(({ amount }) => amount)),
    inLedger: cents(row.disputed + onlyInLedger(differences, 'DisputeNotAtSquare')),
  };
}
