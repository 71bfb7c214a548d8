import type { Booking } from '@kilim/domain/accounting/booking';
import { createSalesReport, type SalesFigures, type SoldItem, soldItems } from '@kilim/domain/accounting/sales';
import { cents, decimalDollars, negate, proportionHalfUp } from '@kilim/domain/money';
import type { OrderPlaced, RefundAllocation } from '@kilim/domain/order/events';
import type { Sql } from '../../../core/database/database.ts';
import { orderCodec } from '../../../core/ledger/codecs/order.ts';
import { eachBooking } from '../bookings.ts';
import type { Scope } from '../scope.ts';
import { type Column, type Row, type Table, totalsOf } from './table.ts';

const columns: readonly Column[] = [
  { name: 'item', kind: 'text' },
  { name: 'rugs', kind: 'count' },
  { name: 'area_sq_ft', kind: 'decimal' },
  { name: 'gross_sales', kind: 'amount' },
  { name: 'gross_refunds', kind: 'amount' },
  { name: 'net', kind: 'amount' },
];

const itemTexts = {
  premium: 'Premium cleaning',
  midrange: 'Midrange cleaning',
  economy: 'Economy cleaning',
  stainProtection: 'Stain protection',
  greenPad: 'Green Pad',
  delivery: 'Pickup and delivery',
  deliveryMinimum: 'Delivery minimum',
} satisfies Record<SoldItem, string>;

/**
 * Orders that were paid and refunds that were completed in the range, also those of earlier orders. A rug with an
 * add-on counts in several rows.
 */
export async function readSalesReport(sql: Sql, scope: Scope): Promise<Table> {
  const report = createSalesReport();
  const refunds: (SignedAllocation & { readonly streamId: string })[] = [];
  await eachBooking(sql, { scope }, (booking, { streamId }) => {
    if (booking.basis?.type === 'OrderPlaced') report.sell(booking.basis);
    for (const refunded of allocationsOf(booking)) refunds.push({ streamId, ...refunded });
  });
  const orders = await readPlacedOrders(sql, [...new Set(refunds.map(({ streamId }) => streamId))]);
  for (const { streamId, allocation, sign } of refunds) {
    report.refund(allocation, orders.get(streamId)?.rugs ?? [], sign);
  }
  const rows = soldItems.map((item): Row => rowOf(item, report.of(item)));
  const totals = totalsOf(columns, rows).map((total, index) => (columns[index]?.kind === 'amount' ? total : null));
  return { columns, rows, totals };
}

type SignedAllocation = { readonly allocation: RefundAllocation; readonly sign?: -1 };

function allocationsOf({ event, basis }: Booking): readonly SignedAllocation[] {
  switch (event.type) {
    case 'ExternalRefundRecorded':
    case 'CustomerReimbursed':
      return [event];
    case 'RefundSplitCorrected':
      return [event, { allocation: event.before, sign: -1 }];
    case 'RefundCompleted':
      return basis?.type === 'RefundRequested' ? [basis] : [];
    default:
      return [];
  }
}

const mostOrdersPerQuery = 1000;

async function readPlacedOrders(sql: Sql, streamIds: readonly string[]): Promise<ReadonlyMap<string, OrderPlaced>> {
  const placed = new Map<string, OrderPlaced>();
  for (let from = 0; from < streamIds.length; from += mostOrdersPerQuery) {
    const some = streamIds.slice(from, from + mostOrdersPerQuery);
    const rows = await sql<{ streamId: string; type: string; schemaVersion: number; payload: string }[]>`
      select stream_id as "streamId", type, schema_version as "schemaVersion", payload::text as payload
      from ledger.event where stream_id = any(${some}::text[]) and version = 1`;
    for (const { streamId, ...stored } of rows) {
      const event = orderCodec.decode(stored);
      if (event.type === 'OrderPlaced') placed.set(streamId, event);
    }
  }
  return placed;
}

function rowOf(item: SoldItem, { rugs, area, sales, refunds }: SalesFigures): Row {
  const squareFeet = decimalDollars(cents(proportionHalfUp(area, 100, 144)));
  const isOfRugs = item !== 'deliveryMinimum';
  return [itemTexts[item], ...(isOfRugs ? [rugs, squareFeet] : [null, null]), sales, negate(refunds), sales - refunds];
}
