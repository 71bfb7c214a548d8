import { decimalDollars } from '@kilim/domain/money';
import { orderNumberOf } from '@kilim/domain/order/number';
import { byteOrderMark, csvLine, textCell } from '../csv/csv.ts';
import { headed, type Pieces } from '../csv/export-stream.ts';
import type { ListedOrder } from './list-orders.ts';

const columns = [
  'order_number',
  'order_id',
  'placed_at',
  'customer',
  'email',
  'phone',
  'delivery',
  'rugs',
  'total',
  'payment',
  'refunds',
  'refundable',
  'refund_owed',
  'dispute',
  'stage',
] as const;

/** A list of orders as CSV for a spreadsheet, as the screen shows it: times are those of the business. */
export async function* orderListPieces(batches: AsyncIterable<readonly ListedOrder[]>, timeZone: string): Pieces {
  const timeText = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const lines = async function* lines(): Pieces {
    for await (const orders of batches) {
      if (orders.length > 0) yield orders.map((order) => lineOf(order, timeText)).join('');
    }
  };
  yield* headed(byteOrderMark + csvLine(columns), lines());
}

function lineOf(order: ListedOrder, timeText: Intl.DateTimeFormat): string {
  const { name = '', email = '', phone = '' } = order.contact ?? {};
  return csvLine([
    orderNumberOf(order.orderId),
    order.orderId,
    timeText.format(order.placedAt),
    textCell(name),
    textCell(email),
    textCell(phone),
    order.delivery,
    order.rugCount,
    decimalDollars(order.total),
    order.paymentStatus,
    order.refunds,
    decimalDollars(order.refundable),
    decimalDollars(order.owed),
    order.disputeStatus,
    order.isAsked ? `${order.stage}, difference asked` : order.stage,
  ]);
}
