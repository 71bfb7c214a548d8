import { sumOf, typesOf } from '@kilim/domain/accounting/money-of-events';
import type { EventType } from '@kilim/domain/ledger-event';
import { type Cents, cents, sumCents } from '@kilim/domain/money';
import { allowLongStatements, type Sql, type Transaction } from '../database/database.ts';
import { isOneOf } from '../ledger/money-in-sql.ts';
import type { CardPayment, CardRefund } from '../square/card-processor.ts';

/** Money taken and given back, according to Square's lists and to the ledger. */
export type ComparedTotals = {
  readonly atSquare: { readonly taken: Cents; readonly refunded: Cents };
  readonly inLedger: { readonly taken: Cents; readonly refunded: Cents };
};

export type ListedAtSquare = {
  readonly payments: readonly CardPayment[];
  readonly refunds: readonly CardRefund[];
  /** Payments that the ledger has and Square does not. */
  readonly missing: readonly string[];
};

/** Three weeks of a busy shop are tens of thousands of payments. */
const longestComparisonSeconds = 60;

/**
 * Adds up the same payments and refunds on both sides, after reconciliation recorded the missing ones.
 * The ledger's side is summed from its events. Sales at the counter are left out.
 */
export async function compareTotals(sql: Sql, listed: ListedAtSquare): Promise<ComparedTotals> {
  return await sql.begin('read only', async (reader) => {
    await allowLongStatements(reader, longestComparisonSeconds);
    return await addUp(reader, listed);
  });
}

async function addUp(sql: Transaction, { payments, refunds, missing }: ListedAtSquare): Promise<ComparedTotals> {
  const taken = payments.filter(({ status, isOnline }) => status === 'completed' && isOnline);
  const given = refunds.filter(({ status }) => status === 'completed');
  const paymentIds = [...taken.map(({ squarePaymentId }) => squarePaymentId), ...missing];
  const refundIds = given.map(({ squareRefundId }) => squareRefundId);
  const ofTypes = (types: readonly EventType[]) => sql.unsafe(isOneOf(types));
  const [row] = await sql<{ taken: number; orphans: number; refunded: number; beyond: number }[]>`
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
    ) as beyond`;
  if (row === undefined) throw new Error('The database answered nothing');
  return {
    atSquare: {
      taken: sumCents(taken.map(({ amount }) => amount)),
      refunded: sumCents(given.map(({ amount }) => amount)),
    },
    inLedger: { taken: cents(row.taken + row.orphans), refunded: cents(row.refunded + row.beyond) },
  };
}

/** The command ids under which reconciliation records a refund that was not requested here. */
function commandsOfRefund(squareRefundId: string): readonly string[] {
  return [`external-refund:${squareRefundId}`, `orphan-return:${squareRefundId}`];
}
