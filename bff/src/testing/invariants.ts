import type { OrderId } from '@kilim/domain/order/ids';
import { expect } from 'vitest';
import type { SimulatorClient } from '../card/simulator/simulator-client.ts';
import type { Sql } from '../database.ts';
import { summaryRow } from '../ledger/append.ts';
import { readOrder, summaryOf } from '../ledger/read.ts';

/**
 * What must hold whenever nothing is in flight, whatever happened before. The oracle is Square's own state, not our fold of events.
 */
export async function expectInvariants(ownerSql: Sql, square: SimulatorClient): Promise<void> {
  const squarePayments = (await square.payments()).map(({ payment }) => payment);
  const captures = await ownerSql<{ stream_id: string; amount_cents: number }[]>`
    select stream_id, amount_cents from ledger.event where type = 'PaymentCaptured'`;
  const completed = squarePayments.filter(({ status }) => status === 'COMPLETED');

  // At most one completed payment per order; each has exactly one capture, of the same amount; and no capture is without one.
  const atSquare = completed.map((payment) => [`order-${payment.reference_id}`, payment.amount_money.amount]);
  const inLedger = captures.map((capture) => [capture.stream_id, capture.amount_cents]);
  expect(inLedger.toSorted()).toEqual(atSquare.toSorted());
  expect(new Set(atSquare.map(([stream]) => stream)).size).toBe(atSquare.length);
  expect(completed.every(({ amount_money }) => amount_money.currency === 'USD')).toBe(true);

  // No hold is left behind, and nothing is still to be asked.
  expect(squarePayments.filter(({ status }) => status === 'APPROVED' || status === 'PENDING')).toEqual([]);
  expect(await ownerSql`select key, state from ledger.effect where state <> 'done'`).toEqual([]);

  await expectSoundStreams(ownerSql);
}

/** Versions are contiguous, every hash covers the one before it, and every row is what its stream adds up to. */
async function expectSoundStreams(ownerSql: Sql): Promise<void> {
  const broken = await ownerSql`
    select stream_id, version from (
      select e.*, ledger.event_hash(e) as expected_hash,
        row_number() over (partition by e.stream_id order by e.version) as expected_version,
        coalesce(lag(e.hash) over (partition by e.stream_id order by e.version), decode(repeat('00', 32), 'hex')) as before
      from ledger.event e
    ) chain
    where hash <> expected_hash or previous_hash <> before or version <> expected_version`;
  expect(broken).toEqual([]);

  const rows = await ownerSql<SummaryRow[]>`select * from ledger.order_summary`;
  for (const row of rows) {
    const { events } = await readOrder(ownerSql, row.order_id);
    const summary = summaryOf(events);
    if (summary === undefined) throw new Error(`The row of ${row.order_id} has no stream`);
    const { refundable_cents: refundable, ...stored } = row;
    expect({
      ...stored,
      placed_at: instant(row.placed_at),
      paid_at: instant(row.paid_at),
      updated_at: instant(row.updated_at),
    }).toEqual(summaryRow(summary));
    expect(refundable).toBe(summary.captured - summary.refundPending - summary.refunded);
  }
}

type SummaryRow = Readonly<Record<string, unknown>> & {
  readonly order_id: OrderId;
  readonly refundable_cents: number;
  readonly placed_at: Date;
  readonly paid_at: Date | null;
  readonly updated_at: Date;
};

function instant(value: Date | null): string | null {
  return value === null ? null : value.toISOString();
}
