import type { Cents } from '@kilim/domain/money';
import type { ActivityTotal, PayoutEntry } from '@kilim/domain/payout/events';
import type { Sql } from '../../core/database/database.ts';
import { payoutCodec } from '../../core/ledger/codecs/payout.ts';

export type PayoutLine = PayoutEntry & { readonly orderId: string | undefined };

/** Never changes once it is recorded. */
export type PayoutLines = {
  readonly kind: 'batch' | 'simple';
  readonly amount: Cents;
  /** May stand on the bank's statement. */
  readonly endToEndId: string | undefined;
  readonly totals: readonly ActivityTotal[];
  /** The oldest first. Their `net` adds up to `amount`, except for a simple payout, which has no lines. */
  readonly lines: readonly PayoutLine[];
};

/** By Square's id; unknown payouts are absent. */
export async function readPayouts(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, PayoutLines>> {
  const rows = await sql<{ type: string; schema_version: number; payload: string }[]>`
    select type, schema_version, payload::text as payload from ledger.event
    where stream_id = any (${sql.typed.textArray(ids.map((id) => `payout-${id}`))}::text[])
      and type in ('PayoutRecorded', 'PayoutEntriesRecorded')
    order by stream_id, version`;
  const found = new Map<string, Omit<PayoutLines, 'lines'> & { readonly entries: PayoutEntry[] }>();
  for (const { type, schema_version: schemaVersion, payload } of rows) {
    const event = payoutCodec.decode({ type, schemaVersion, payload });
    if (event.type === 'PayoutRecorded') {
      const { squarePayoutId, kind, amount, endToEndId, totals } = event;
      found.set(squarePayoutId, { kind, amount, endToEndId, totals, entries: [] });
    } else if (event.type === 'PayoutEntriesRecorded') {
      found.get(event.squarePayoutId)?.entries.push(...event.entries);
    }
  }
  const orders = await readOrders(
    sql,
    [...found.values()].flatMap(({ entries }) => entries.flatMap(paymentOfOrder)),
  );
  return new Map(
    [...found].map(([id, { entries, ...payout }]) => {
      const lines = entries.map((entry) => ({ ...entry, orderId: orders.get(paymentOfOrder(entry)[0] ?? '') }));
      return [id, { ...payout, lines: lines.toSorted(byInstant) }];
    }),
  );
}

/** An order keeps the payment that paid it. */
function paymentOfOrder({ standing, squarePaymentId }: PayoutEntry): readonly string[] {
  return standing === 'order' && squarePaymentId !== undefined ? [squarePaymentId] : [];
}

async function readOrders(sql: Sql, payments: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (payments.length === 0) return new Map();
  const rows = await sql<{ payment: string; order: string }[]>`
    select square_payment_id as payment, order_id as order from ledger.order_summary
    where square_payment_id = any (${sql.typed.textArray(payments)}::text[]) and payment_status = 'paid'`;
  return new Map(rows.map(({ payment, order }) => [payment, order]));
}

/** Lines without an instant come last; lines of one instant keep Square's order. */
function byInstant(first: PayoutLine, second: PayoutLine): number {
  return instantOf(first) - instantOf(second) || 0;
}

function instantOf({ effectiveAt }: PayoutLine): number {
  const instant = Date.parse(effectiveAt ?? '');
  return Number.isNaN(instant) ? Number.MAX_SAFE_INTEGER : instant;
}
