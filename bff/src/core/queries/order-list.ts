import { decimalDollars } from '@kilim/domain/money';
import { orderNumberOf } from '@kilim/domain/order/number';
import { byteOrderMark, csvLine, textCell } from '../csv/csv.ts';
import { headed, type Pieces } from '../csv/export-stream.ts';
import type { ListedOrder } from './list-orders.ts';

/** A list of orders as CSV for a spreadsheet, as the screen shows it: times are those of the business. */
export async function* orderListPieces(batches: AsyncIterable<readonly ListedOrder[]>, timeZone: string): Pieces {
  const timeText = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const lines = async function* lines(): Pieces {
    for await (const orders of batches) {
      const cellsOf = (order: ListedOrder) => Object.values(columns).map((cell) => cell(order, timeText));
      if (orders.length > 0) yield orders.map((order) => csvLine(cellsOf(order))).join('');
    }
  };
  yield* headed(byteOrderMark + csvLine(Object.keys(columns)), lines());
}

type Cell = (order: ListedOrder, timeText: Intl.DateTimeFormat) => string | number;

const columns: Readonly<Record<string, Cell>> = {
  order_number: ({ orderId }) => orderNumberOf(orderId),
  order_id: ({ orderId }) => orderId,
  placed_at: ({ placedAt }, timeText) => timeText.format(placedAt),
  customer: ({ contact }) => textCell(contact?.name ?? ''),
  email: ({ contact }) => textCell(contact?.email ?? ''),
  phone: ({ contact }) => textCell(contact?.phone ?? ''),
  delivery: ({ delivery }) => delivery,
  rugs: ({ rugCount }) => rugCount,
  total: ({ total }) => decimalDollars(total),
  payment: ({ paymentStatus }) => paymentStatus,
  refunds: ({ refunds }) => refunds,
  refundable: ({ refundable }) => decimalDollars(refundable),
  refund_owed: ({ owed }) => decimalDollars(owed),
  dispute: ({ disputeStatus }) => disputeStatus,
  stage: ({ stage, isAsked }) => (isAsked ? `${stage}, difference asked` : stage),
};
