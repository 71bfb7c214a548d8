import type { OrderId } from '@kilim/domain/order/ids';
import type { StreamEvent } from '@kilim/domain/projection/order-summary';
import { refundHistory } from '@kilim/domain/projection/refund-history';
import { canonicalJson } from '../hash.ts';
import { refundRow, summaryRow } from '../projection-rows.ts';
import { summaryOf } from '../read.ts';

/** A stored row that is not what the events add up to. */
export type Difference = {
  /** An order's id, a payout's id, or a day. */
  readonly of: string;
  /** For a person: each column with both values. */
  readonly what: string;
};

/** Rows as text for a comparison. Instants are `2026-11-21T12:00:00.000Z`. */
export type OrderRows = { readonly summary: string | undefined; readonly refunds: ReadonlyMap<string, string> };

export function foldOrder(orderId: OrderId, events: readonly StreamEvent[]): OrderRows {
  const summary = summaryOf(events);
  return {
    summary: summary && textOfRow(summaryRow(summary)),
    refunds: new Map(refundHistory(orderId, events).map((refund) => [refund.refundId, textOfRow(refundRow(refund))])),
  };
}

export function textOfRow(row: object): string {
  // Instants become text without the unused microseconds of the database.
  const written = JSON.parse(JSON.stringify(row)) as Record<string, unknown>;
  for (const column of ['placed_at', 'paid_at', 'updated_at', 'requested_at', 'settled_at']) {
    const instant = written[column];
    if (typeof instant === 'string') written[column] = new Date(instant).toISOString();
  }
  return canonicalJson(written);
}

/** The columns in which two rows differ, with both values, for a person. */
export function differencesOf(live: string, folded: string): string {
  const stored = JSON.parse(live) as Record<string, unknown>;
  const expected = JSON.parse(folded) as Record<string, unknown>;
  return [...new Set([...Object.keys(stored), ...Object.keys(expected)])]
    .filter((column) => canonicalJson(stored[column] ?? null) !== canonicalJson(expected[column] ?? null))
    .map((column) => `${column} is ${shown(stored[column])}, and the ledger says ${shown(expected[column])}`)
    .join('; ');
}

function shown(value: unknown): string {
  return value === undefined || value === null ? 'nothing' : canonicalJson(value);
}
